// Gas, chain, arch, rocking block.
#include <algorithm>
#include <cmath>

#include <talus/core/rng.hpp>
#include <talus/verify/cases.hpp>
#include <talus/verify/drive.hpp>
#include <talus/verify/expected_bodies.hpp>

namespace talus::verify {

// ---- gas ----------------------------------------------------------------------------------------------------------------

namespace {

// Maxwell's distribution with the given mean square of a component, without drift.
void heat(Bodies<3>& b, Real temperature) {
  Rng rng{1, 0x9a5, 0};
  Vec3 drift{};
  for (auto& v : b.velocity) {
    for (int k = 0; k < 3; ++k) {
      const Real u = 1 - rng.uniform(), turn = 2 * pi * rng.uniform();
      v[k] = std::sqrt(-2 * std::log(u)) * std::cos(turn);
    }
    drift = drift + v;
  }
  Real square = 0;
  for (auto& v : b.velocity) {
    v = v - (1 / Real(b.size())) * drift;
    square += dot(v, v);
  }
  const Real scale = std::sqrt(3 * temperature * Real(b.size()) / square);
  for (auto& v : b.velocity) v = scale * v;
}

Real temperature_of(const Bodies<3>& b) {
  Real square = 0;
  for (const auto& v : b.velocity) square += dot(v, v);
  return square / (3 * Real(b.size()));
}

}  // namespace

std::vector<Check> cooling_gas(Extent extent) {
  const bool quick = extent == Extent::quick;
  const int grains = quick ? 1000 : 2000, collisions = 10;
  Gas gas{0, 1e-3, 0.01, 0.9};
  gas.number = 0.05 / (pi / 6 * gas.diameter * gas.diameter * gas.diameter);
  const Real busy = quick ? 0.01 : 0.005;  // share of the time that a sphere spends in collisions
  const Real contact = busy / collision_rate(gas), dt = contact / 100;
  const Real pair_mass = 2500 * pi / 6 * gas.diameter * gas.diameter * gas.diameter / 2;
  Settings set;
  set.set("grains", Real(grains)).set("restitution", gas.restitution).set("dt", dt);
  set.set("stiffness", pair_mass * pi * pi / (contact * contact));
  auto simulation = open("gas", set);
  heat(simulation.sample<3>().bodies, gas.temperature);
  // sqrt(T0/T) - 1 = rate t: slope of the line through the origin that fits best.
  Real over = 0, under = 0;
  const i64 parts = 20, steps = i64(collisions / collision_rate(gas) / dt) / parts;
  for (i64 n = 0; n < parts; ++n) {
    step(simulation, steps);
    const Real t = simulation.time();
    over += t * (std::sqrt(gas.temperature / temperature_of(simulation.look<3>().state.bodies)) - 1);
    under += t * t;
  }
  const std::string why = quick ? "scatter of 4000 collisions, twice (3 %); soft spheres are in contact for 1 % of the time; 100 steps in a contact"
                                : "scatter of 8000 collisions, twice (2 %); soft spheres are in contact for 0.5 % of the time; 100 steps in a contact";
  return {{fmt::format("cooling rate 1/tau, {} spheres", grains), haff_rate(gas), over / under, "1/s", quick ? 0.05 : 0.035, why}};
}

// ---- chain --------------------------------------------------------------------------------------------------------------

std::vector<Check> solitary_wave(Extent) {
  constexpr u32 first = 15, last = 30;
  auto simulation = open("chain");
  struct Peak {
    Real velocity = 0, time = 0;
  } peaks[2];
  Real before[2][2]{};  // velocities of the last two steps
  for (int n = 0; n < 40000; ++n) {
    step(simulation);
    const auto seen = simulation.look<3>();
    const auto& b = seen.state.bodies;
    for (int k = 0; k < 2; ++k) {
      const Real now = b.velocity[index_of(seen.state, k == 0 ? first : last)].z, middle = before[k][1], old = before[k][0];
      if (n > 1 && middle > peaks[k].velocity && middle >= now && middle >= old) {  // a parabola through three steps
        const Real bend = old - 2 * middle + now, shift = bend < 0 ? (old - now) / (2 * bend) : 0;
        peaks[k] = {middle - (old - now) * shift / 4, simulation.time() + (shift - 1) * seen.state.globals.dt};
      }
      before[k][0] = middle;
      before[k][1] = now;
    }
    if (peaks[1].velocity > 0.01 && before[1][1] < 0.5 * peaks[1].velocity) break;
  }
  const Real diameter = 0.0078125, radius = diameter / 2, struck = 0.1, mass = 7850 * pi / 6 * diameter * diameter * diameter;
  const Real stiffness = 4.0 / 3.0 * 2e11 / (2 * (1 - 0.09)) * std::sqrt(radius / 2);
  const Real unit = std::pow(mass / stiffness, 0.4) * std::pow(struck, -0.2);  // s
  const Pulse expected = chain_pulse(40, first, last);
  const Real speed = Real(last - first) * diameter / (peaks[1].time - peaks[0].time);
  return {{"speed of the pulse, against the chain's equations", expected.speed * diameter / unit, speed, "m/s", 1e-3, "time between steps of either chain"},
          {"velocity of a bead, against the chain's equations", expected.velocity * struck, peaks[1].velocity, "m/s", 1e-3, "time between steps of either chain"},
          {"speed of the pulse, against Nesterenko", nesterenko_speed(stiffness, mass, diameter, peaks[1].velocity), speed, "m/s", 0.01,
           "long waves: the pulse is five beads long, and the chain's equations give 0.8 % less"}};
}

// ---- arch ---------------------------------------------------------------------------------------------------------------

namespace {

class ArchRun {
 public:
  explicit ArchRun(const Arch& arch) : arch_(arch), simulation_(open("arch", settings(arch))) {
    auto& b = simulation_.sample<2>().bodies;
    for (std::size_t i = 0; i < b.size(); ++i)
      if (const int k = int(b.uid[i]); k < arch.voussoirs) {
        b.turn[i].x = -angle(k);
        b.position[i] = {20 + arch.block_centre() * std::sin(angle(k)), arch.block_centre() * std::cos(angle(k))};
      }
  }
  // Has the crown come down by a hundredth of the radius?
  bool falls(Real time) {
    const Real start = lowest();
    while (simulation_.time() < time) {
      step(simulation_, 20);
      if (start - lowest() > 0.01) return true;
    }
    return false;
  }
  // Horizontal push of the feet on the ground over the weight of the arch, mean of both feet.
  Real push() {
    const auto seen = simulation_.look<2>();
    Real sum = 0, weight = 0;
    for (std::size_t i = 0; i < seen.state.grains(); ++i) weight += 9.81 * seen.state.bodies.mass[i];
    for (const auto& c : seen.contacts())
      if (c.b >= seen.state.grains() || c.a >= seen.state.grains()) sum += std::abs(c.force.x);
    return sum / 2 / weight;
  }

 private:
  // From the vertical, clockwise, of the middle of a voussoir; the first is at the left foot.
  Real angle(int k) const { return (k + 0.5) * pi / arch_.voussoirs - pi / 2; }
  static Settings settings(const Arch& a) {
    const Real in = 1 - a.thickness / 2, out = 1 + a.thickness / 2, half = pi / a.voussoirs / 2, s = std::sin(half),
               c = std::cos(half);
    std::vector<Real> places;
    for (int k = 0; k < a.voussoirs; ++k) places.insert(places.end(), {1.5 * (k + 1), 2});  // apart, then moved
    Settings set;
    set.numbers("corners", {-in * s, in * c, in * s, in * c, out * s, out * c, -out * s, out * c});
    set.numbers("positions", places);
    return set;
  }
  Real lowest() {  // of the two at the crown
    const auto seen = simulation_.look<2>();
    const u32 middle = u32(arch_.voussoirs / 2);
    return std::min(seen.state.bodies.position[index_of(seen.state, middle)].y,
                    seen.state.bodies.position[index_of(seen.state, middle - 1)].y);
  }
  Arch arch_;
  simulation::Simulation simulation_;
};

}  // namespace

std::vector<Check> voussoir_arch(Extent extent) {
  std::vector<Check> out;
  for (const int blocks : extent == Extent::quick ? std::vector<int>{12} : std::vector<int>{12, 16, 24}) {
    const Real limit = least_thickness(blocks);
    Real falls = 0.9 * limit, stands = 1.1 * limit;
    const bool brackets = ArchRun({blocks, falls}).falls(2) && !ArchRun({blocks, stands}).falls(2);
    for (int n = 0; brackets && n < 5; ++n) {
      const Real middle = (falls + stands) / 2;
      (ArchRun({blocks, middle}).falls(2) ? falls : stands) = middle;
    }
    out.push_back({fmt::format("thinnest arch of {} voussoirs that stands for 2 s", blocks), limit, brackets ? (falls + stands) / 2 : std::nan(""),
                   "radii", 0.01, "the last interval is 0.6 % wide, and an arch just too thin falls slowly"});
    const Arch thick{blocks, 1.5 * limit};
    const Thrust range = thrust(thick);
    ArchRun run(thick);
    const bool down = run.falls(1);
    out.push_back({fmt::format("thrust of {} voussoirs, half as thick again", blocks), (range.least + range.most) / 2, down ? std::nan("") : run.push(),
                   "weights", (range.most - range.least) / (range.most + range.least) + 1e-3, "any thrust between the least and the largest is in balance; a thousandth for the solver"});
  }
  return out;
}

// ---- rocking block ------------------------------------------------------------------------------------------------------

std::vector<Check> rocking_block(Extent extent) {
  const Real width = 0.2, height = 1, half = std::sqrt(width * width + height * height) / 2;
  const Rocking expected{std::atan(width / height), std::sqrt(3 * 9.81 / (4 * half))};
  const Real tilt = expected.slenderness / 2, dt = extent == Extent::quick ? 1e-4 : 2e-5;
  const Real up = pi / 2 - expected.slenderness + tilt;  // of the diagonal through the lower right corner, over the ground
  Settings set;
  set.numbers("corners", {-width / 2, -height / 2, width / 2, -height / 2, width / 2, height / 2, -width / 2, height / 2});
  set.numbers("position", {2 - half * std::cos(up), half * std::sin(up)}).set("dt", dt);
  auto simulation = open("rocking", set);
  {
    auto& b = simulation.sample<2>().bodies;
    b.turn[index_of(simulation.sample<2>(), 0)].x = -tilt;  // clockwise, on the lower right corner
  }
  Real impact = 0, after = 0, next = 0, fastest = 0;
  int since = 0;  // steps since the other corner took over: it comes to rest in two of them
  while (simulation.time() < 4) {
    step(simulation);
    const auto seen = simulation.look<2>();
    const std::size_t i = index_of(seen.state, 0);
    const Real turn = seen.state.bodies.turn[i].x, spin = seen.state.bodies.spin[i].x;
    if (since == 0 && spin < fastest) impact = simulation.time();
    if (impact == 0) {
      fastest = spin;
      continue;
    }
    if (++since == 2) after = spin;
    next = std::max(next, turn);
    if (spin < 0) break;
  }
  const std::string why = fmt::format("steps of {:g} ms: the impact lies within one", 1e3 * dt);
  return {{"time to the first impact", expected.time_to_impact(tilt), impact, "s", 2e-3, why},
          {"rate of rotation after over before the impact", expected.rate_ratio(), after / fastest, "1", 2e-3, why},
          {"tilt after the first impact", expected.next_tilt(tilt), next, "rad", 5e-3, why}};
}

}  // namespace talus::verify
