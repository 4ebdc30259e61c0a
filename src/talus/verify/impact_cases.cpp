// The eight impact tests of Chung & Ooi, Granular Matter 13 (2011) 643-656, and Maw's curves.
#include <algorithm>
#include <cmath>

#include <talus/verify/cases.hpp>
#include <talus/verify/drive.hpp>
#include <talus/verify/expected_impact.hpp>

namespace talus::verify {

namespace {

struct Matter {
  const char* name;
  Real density, young, poisson;  // kg/m^3, Pa
};
constexpr Matter glass{"glass", 2800, 4.8e10, 0.20}, limestone{"limestone", 2500, 2.0e10, 0.25};
constexpr Matter aluminium{"aluminium alloy", 2699, 7.0e10, 0.30}, magnesium{"magnesium alloy", 1800, 4.0e10, 0.35};
constexpr Matter oxide{"aluminium oxide", 4000, 3.8e11, 0.23}, iron{"cast iron", 7000, 1.0e11, 0.25};
constexpr Matter steel{"steel", 7850, 2.08e11, 0.30}, nylon{"nylon", 1000, 2.5e9, 0.40};
constexpr Matter alloy{"aluminium alloy", 2700, 7.0e10, 0.33}, copper{"copper", 8900, 1.2e11, 0.35};

Real ball_mass(Real density, Real radius) { return density * 4 / 3 * pi * radius * radius * radius; }

// What meets what, and how.
struct Shot {
  Matter matter = glass;
  Real radius = 0;                             // m
  Real other_radius = 0, other_density = 0;    // 0: a rigid plane
  Real friction = 0, restitution = 1;
  Real speed = 0;                              // m/s, normal, of approach; two spheres share it
  bool both_move = false;
  Real sideways = 0;                           // m/s, of the first
  Real spin = 0, other_spin = 0;               // rad/s about -y: adds to the slip
  int steps = 2000;                            // in the time of an elastic contact
  std::string unloading = "rescaled";

  Impact impact() const {
    Impact x;
    x.mass = ball_mass(matter.density, radius);
    x.radius = radius;
    x.other_radius = other_radius;
    x.other_mass = other_radius > 0 ? ball_mass(other_density, other_radius) : 0;
    const Real sides = other_radius > 0 ? 2 : 1;  // that are elastic
    x.e_star = matter.young / (1 - matter.poisson * matter.poisson) / sides;
    x.g_star = matter.young / (2 * (2 - matter.poisson) * (1 + matter.poisson)) / sides;
    x.friction = friction;
    x.restitution = restitution;
    x.speed = speed;
    x.sideways = sideways;
    x.spin = spin;
    x.other_spin = other_spin;
    return x;
  }
};

struct Landing {
  Real overlap = 0, force = 0, time = 0;  // largest, largest, of the contact
  Real restitution = 0;
  Real sideways = 0, spin = 0;  // of the first, after; spin about -y
};

class Flight {
 public:
  explicit Flight(const Shot& shot)
      : shot_(shot), dt_(hertz_impact(shot.impact()).time / shot.steps), simulation_(make(shot, dt_)) {
    auto& bodies = simulation_.sample<3>().bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies.uid[i] == 0) bodies.spin[i].y = -shot.spin;
      if (bodies.uid[i] == 1 && shot.other_radius > 0) bodies.spin[i].y = -shot.other_spin;
    }
  }

  Landing land() {
    bool touched = false;
    Real first = 0, last = 0, depth = 0;
    for (int n = 0; n < 20 * shot_.steps; ++n) {
      step(simulation_);
      const auto seen = simulation_.look<3>();
      if (seen.contacts().empty()) {
        if (touched) break;
        continue;
      }
      const auto& c = seen.contacts().front();
      if (!touched) first = simulation_.time() - c.overlap / shot_.speed;
      touched = true;
      last = simulation_.time();
      depth = c.overlap;
      out_.overlap = std::max(out_.overlap, c.overlap);
      out_.force = std::max(out_.force, dot(c.force, c.normal));
    }
    after(first, last, depth);
    return out_;
  }

 private:
  static simulation::Simulation make(const Shot& s, Real dt) {
    Settings set;
    const Real gap = 0.2 * s.speed * dt;  // touch within the first step
    set.set("radius", s.radius).set("density", s.matter.density).set("young", s.matter.young).set("poisson", s.matter.poisson);
    set.set("friction", s.friction).set("restitution", s.restitution).set("dt", dt);
    const Real share = s.both_move ? 0.5 : 1;
    set.numbers("velocity", {s.sideways, 0, -share * s.speed});
    if (s.other_radius == 0) {
      set.set("height", s.radius + gap).word("unloading", s.unloading);
      return open("impact", set);
    }
    set.set("height", 2 + s.radius + s.other_radius + gap).numbers("other", {0, 0, (1 - share) * s.speed});
    set.set("other_radius", s.other_radius).set("other_density", s.other_density);
    return open("pair", set);
  }
  void after(Real first, Real last, Real depth) {
    const auto seen = simulation_.look<3>();
    const auto& b = seen.state.bodies;
    const std::size_t i = index_of(seen.state, 0), j = index_of(seen.state, 1);
    const Real apart = b.velocity[i].z - b.velocity[j].z;
    out_.restitution = apart / shot_.speed;
    out_.time = last + depth / apart - first;
    out_.sideways = b.velocity[i].x;
    out_.spin = -b.spin[i].y;
  }

  Shot shot_;
  Real dt_;
  simulation::Simulation simulation_;
  Landing out_;
};

Landing land(const Shot& shot) { return Flight(shot).land(); }

const std::string steps_reason = "2000 steps in a contact";

void head_on(const Shot& shot, std::vector<Check>& out) {
  const HertzImpact expected = hertz_impact(shot.impact());
  const Landing l = land(shot);
  const std::string of = std::string(", ") + shot.matter.name;
  out.push_back({"largest force" + of, expected.force, l.force, "N", 1e-4, steps_reason});
  out.push_back({"largest overlap" + of, expected.overlap, l.overlap, "m", 1e-4, steps_reason});
  out.push_back({"time of contact" + of, expected.time, l.time, "s", 1e-3, "both ends lie between steps: one of 2000"});
}

// Both curves of a set of shots, against the law integrated a second time.
class Oblique {
 public:
  explicit Oblique(const std::string& matter)
      : sideways_("tangential speed after, " + matter, "1", 2e-3, reason, 1), spin_("spin after, " + matter, "1", 2e-3, reason, 1) {}
  void add(const std::string& where, const Shot& shot) {
    const Impact x = shot.impact();
    const Rebound by_law = rebound_by_law(x);
    const Landing l = land(shot);
    const Real sideways = shot.sideways - by_law.impulse / x.mass, turning = shot.spin * x.radius - 2.5 * by_law.twist / (x.mass * x.radius);
    // Speeds over the change by full sliding, spins times the radius.
    const Real change = sliding_rebound(x).impulse / x.mass;
    sideways_.add(where, sideways / change, l.sideways / change);
    spin_.add(where, turning / change, l.spin * shot.radius / change);
  }
  void put(std::vector<Check>& out) const {
    out.push_back(sideways_.worst());
    out.push_back(spin_.worst());
  }

 private:
  static constexpr const char* reason =
      "absolute, in changes of speed by full sliding; shear follows the steps in first order, 2000 in a contact";
  Curve sideways_, spin_;
};

std::string degrees(Real angle) { return fmt::format("{}°", angle); }

}  // namespace

std::vector<Check> two_spheres(Extent) {
  std::vector<Check> out;
  for (const Matter& m : {glass, limestone})
    head_on({.matter = m, .radius = 0.01, .other_radius = 0.01, .other_density = m.density, .friction = 0.35, .speed = 20, .both_move = true}, out);
  return out;
}

std::vector<Check> rigid_plane(Extent) {
  std::vector<Check> out;
  for (const Matter& m : {aluminium, magnesium}) head_on({.matter = m, .radius = 0.1, .speed = 0.2}, out);
  return out;
}

std::vector<Check> restitution(Extent extent) {
  std::vector<Check> out;
  for (const Matter& m : {oxide, iron}) {
    Curve curve(std::string("restitution, ") + m.name, "1", 2e-3, "2000 steps in a contact");
    for (Real e = extent == Extent::quick ? 0.2 : 0.1; e < 1.01; e += extent == Extent::quick ? 0.2 : 0.1)
      curve.add(fmt::format("e = {:.1f}", e), e, land({.matter = m, .radius = 0.0025, .restitution = std::min(e, Real(1)), .speed = 3.9}).restitution);
    out.push_back(curve.worst());
  }
  return out;
}

std::vector<Check> angles(Extent extent) {
  std::vector<Check> out;
  for (const Matter& m : {oxide, alloy}) {
    Oblique curves(m.name);
    Curve slides(std::string("change of tangential speed when all slides, ") + m.name, "m/s", 2e-3,
                 "rigid bodies; the dashpot adds up to 4e-5 to the impulse at e = 0.98");
    for (Real angle = 5; angle < 86; angle += extent == Extent::quick ? 10 : 5) {
      const Real a = angle * pi / 180, v = 3.9;
      const Shot shot{.matter = m, .radius = 0.0025, .friction = 0.092, .restitution = 0.98, .speed = v * std::cos(a), .sideways = v * std::sin(a)};
      curves.add(degrees(angle), shot);
      const Impact x = shot.impact();
      if (x.slip() > 7.5 * x.friction * x.speed)
        slides.add(degrees(angle), sliding_rebound(x).impulse / x.mass, shot.sideways - land(shot).sideways);
    }
    curves.put(out);
    out.push_back(slides.worst());
  }
  return out;
}

std::vector<Check> tangential_speeds(Extent extent) {
  std::vector<Check> out;
  for (const Matter& m : {steel, nylon}) {
    Oblique curves(m.name);
    for (Real ratio = 0.5; ratio < 4.1; ratio += extent == Extent::quick ? 0.7 : 0.25)
      curves.add(fmt::format("v_t/v_n = {:.2f}", ratio), {.matter = m, .radius = 1e-5, .friction = 0.3, .speed = 5, .sideways = 5 * ratio});
    curves.put(out);
  }
  return out;
}

namespace {

// Tests 6 to 8: slips from 0.2 to 8 normal speeds.
std::vector<Check> spinning(Extent extent, const Matter& first, const Matter& second, const std::function<Shot(const Matter&, Real slip)>& shot) {
  std::vector<Check> out;
  for (const Matter& m : {first, second}) {
    Oblique curves(m.name);
    for (Real ratio = 0.25; ratio < 8.1; ratio *= extent == Extent::quick ? 2 : std::sqrt(2.0))
      curves.add(fmt::format("slip/v_n = {:.2f}", ratio), shot(m, ratio * 0.2));
    curves.put(out);
  }
  return out;
}

}  // namespace

std::vector<Check> spins_on_plane(Extent extent) {
  return spinning(extent, alloy, copper, [](const Matter& m, Real slip) {
    return Shot{.matter = m, .radius = 0.1, .friction = 0.4, .restitution = 0.5, .speed = 0.2, .spin = slip / 0.1};
  });
}

std::vector<Check> spins_of_two(Extent extent) {
  return spinning(extent, alloy, copper, [](const Matter& m, Real slip) {
    return Shot{.matter = m, .radius = 0.1, .other_radius = 0.1, .other_density = m.density, .friction = 0.4, .restitution = 0.5, .speed = 0.2, .both_move = true, .spin = slip / 0.2, .other_spin = slip / 0.2};
  });
}

std::vector<Check> spins_of_unequal(Extent extent) {
  return spinning(extent, alloy, nylon, [](const Matter& m, Real slip) {
    return Shot{.matter = m, .radius = 0.1, .other_radius = 0.5, .other_density = 1000 * m.density, .friction = 0.4, .restitution = 0.5, .speed = 0.2, .spin = slip / 0.1};
  });
}

std::vector<Check> maw_curve(Extent extent) {
  const Matter m{"", 2650, 1e9, 0.3};
  const Real kappa = 2 * (1 - m.poisson) / (2 - m.poisson), mu = 0.3, speed = 1e-3;
  Curve law("psi after, all psi, against the law", "1", 0.01, "absolute; 2000 steps in a contact", 1);
  Curve slides("psi after, all slides, against Maw", "1", 0.01, "absolute; 2000 steps in a contact", 1);
  Real by_law = 0, by_program = 0;
  for (Real psi = 0.5; psi < 7.1; psi += extent == Extent::quick ? 1 : 0.25) {
    const Shot shot{.matter = m, .radius = 0.1, .friction = mu, .speed = speed, .sideways = psi * mu * speed / kappa};
    const Impact x = shot.impact();
    const Landing l = land(shot);
    const Real unit = mu * speed / kappa, maw = maw_psi_after(psi, kappa);
    const Real expected = (x.slip() - rebound_by_law(x).impulse / x.surface_mass()) / unit;
    const Real obtained = (l.sideways + l.spin * shot.radius) / unit;
    const std::string where = fmt::format("psi = {:.2f}", psi);
    law.add(where, expected, obtained);
    if (psi >= maw_gross_slip(kappa) + 0.5) slides.add(where, maw, obtained);
    by_law = std::max(by_law, std::abs(expected - maw));
    by_program = std::max(by_program, std::abs(obtained - maw));
  }
  return {law.worst(), slides.worst(),
          {"largest distance from Maw's curve", by_law, by_program, "1", 0.01,
           "absolute; the law leaves out partial slip and so differs from Maw by the expected value: docs/laws/hertz_mindlin.md", 1}};
}

}  // namespace talus::verify
