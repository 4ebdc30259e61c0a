#include <talus/simulation/contact_bench.hpp>

#include <algorithm>
#include <cmath>

#include <talus/contact/coat_laws.hpp>
#include <talus/contact/laws.hpp>
#include <talus/simulation/bench_contact.hpp>
#include <talus/lab/burgers_integrators.hpp>
#include <talus/lab/creep_fit.hpp>
#include <talus/lab/thesis_appendices.hpp>

namespace talus::simulation {

using namespace lab;

namespace {

Figure figure(std::string name, Real value, std::string unit, std::string definition) { return {std::move(name), value, std::move(unit), std::move(definition), ""}; }

// A path along which the motion is prescribed: overlap and way across at a time.
struct Motion {
  Real time;
  i64 steps;
  std::function<Vec3(Real)> place;  // x across, z the overlap
};

BenchTable go(BenchContact& c, const Motion& m) {
  BenchTable t;
  for (const auto& [name, unit] : {std::pair{"time", "s"}, {"overlap", "m"}, {"way", "m"}, {"force", "N"}, {"force_across", "N"}, {"stored", "J"}, {"work", "J"}}) t.add(name, unit);
  const Real dt = m.time / Real(m.steps);
  Vec3 last = m.place(0);
  c.overlap = last.z;
  const Real start = c.stored();
  Real work = 0, largest = 0, ratio = 0;
  for (i64 n = 1; n <= m.steps; ++n) {
    const Vec3 here = m.place(m.time * Real(n) / Real(m.steps));
    const Vec3 velocity = {(here.x - last.x) / dt, 0, -(here.z - last.z) / dt};
    const Vec3 f = c.move(dt, velocity);
    work -= dt * dot(f, velocity);
    largest = std::max(largest, f.z);
    if (f.z > 0.01 * largest) ratio = std::max(ratio, std::abs(f.x) / f.z);
    t.row({m.time * Real(n) / Real(m.steps), here.z, here.x, f.z, f.x, c.stored(), work});
    last = here;
  }
  t.figures = {figure("force_max", largest, "N", "largest pushing force"), figure("force_end", t.columns[3].back(), "N", "force at the end"),
               figure("work", work, "J", "work done on the contact"), figure("stored_start", start, "J", "elastic energy at the start"), figure("stored", c.stored(), "J", "elastic energy at the end")};
  if (ratio > 0) t.figures.push_back(figure("ratio_max", ratio, "1", "largest force across over pushing force"));
  return t;
}

Motion read_motion(Input& in, const BenchContact& c, const std::string& path) {
  const Real depth = in.number("depth", dim::length, Range::positive(), c.length, "overlap that the path goes to");
  const Real time = in.number("time", dim::time, Range::positive(), c.time, "duration of the path");
  const i64 steps = in.integer("steps", 2, 100000000, 2000, "steps along the path");
  const Real slope = path == "oblique" || path == "cyclic"
                         ? std::tan(in.number("angle", dim::angle, {0, pi / 2, false, true}, path == "oblique" ? pi / 6 : 0.0, "between the motion and the normal"))
                         : 0;
  if (path == "relaxation") return {time, steps, [=](Real t) { return Vec3{0, 0, depth * std::min(Real(1), 100 * t / time)}; }};
  if (path == "cyclic")
    return {time, steps, [=](Real t) {
              const Real s = std::sin(6 * pi * t / time);
              return Vec3{slope * depth * s / 2, 0, depth * (1 + s / 2)};
            }};
  return {time, steps, [=](Real t) {  // in and out at one speed; across all the while
            return Vec3{slope * 2 * depth * t / time, 0, depth * (1 - std::abs(1 - 2 * t / time))};
          }};
}

BenchTable creep(Input& in, BenchContact& c) {
  const Real force = in.number("force", dim::force, Range::positive(), c.force, "constant, from rest");
  const Real time = in.number("time", dim::time, Range::positive(), 10 * c.time, "duration of the path");
  const i64 steps = in.integer("steps", 2, 100000000, c.scale > 0 ? 24000 : 20000, "steps along the path");
  BenchTable t;
  for (const auto& [name, unit] : {std::pair{"time", "s"}, {"overlap", "m"}, {"force", "N"}, {"stored", "J"}}) t.add(name, unit);
  const Real dt = time / Real(steps);
  for (i64 n = 1; n <= steps; ++n) {
    const Real f = c.press(dt, force);
    t.row({Real(n) * dt, c.overlap, f, c.stored()});
  }
  t.figures = {figure("overlap_end", c.overlap, "m", "overlap at the end"), figure("overlap_max", *std::max_element(t.columns[1].begin(), t.columns[1].end()), "m", "largest overlap"),
               figure("force_end", t.columns[2].back(), "N", "force at the end")};
  return t;
}

// Small swings about a pressed contact: stiffness in phase with the motion, and a quarter behind.
BenchTable frequency(Input& in, const std::string& law) {
  auto c = bench_contact(in, law);
  const Real depth = in.number("depth", dim::length, Range::positive(), c->length, "overlap about which the contact swings");
  const Real low = in.number("low", dim::rate, Range::positive(), 0.01 / c->time, "lowest frequency, swings per second");
  const Real high = in.number("high", dim::rate, Range::positive(), 1000 / c->time, "highest frequency");
  const i64 points = in.integer("points", 2, 1000, 26, "frequencies, evenly in their logarithms");
  constexpr int per_swing = 2000, swings = 4;
  BenchTable t;
  for (const auto& [name, unit] : {std::pair{"frequency", "1/s"}, {"storage", "N/m"}, {"loss", "N/m"}, {"storage_exact", "N/m"}, {"loss_exact", "N/m"}}) t.add(name, unit);
  Real worst = 0;
  for (i64 k = 0; k < points; ++k) {
    const Real f = low * std::pow(high / low, Real(k) / Real(points - 1)), w = 2 * pi * f, dt = 1 / (f * per_swing), swing = 1e-3 * depth;
    c = bench_contact(in, law);
    if (c->exact()) {
      c->overlap = depth;  // coats begin without force
    } else {
      for (int n = 0; n < 1000; ++n) c->move(1e-3 * c->time, {0, 0, -1e-3 * depth / (1e-3 * c->time)});
    }
    Real in_phase = 0, behind = 0, last = 0;
    const Relaxation* r = c->exact();
    const int settle = r && r->rate[1] > 0 ? int(std::ceil(3 * f / r->rate[1])) : 2;
    const int first = std::min(settle, 400);
    for (int n = 1; n <= (first + swings) * per_swing; ++n) {
      const Real u = swing * std::sin(2 * pi * n / per_swing);
      const Real force = c->move(dt, {0, 0, -(u - last) / dt}).z;
      last = u;
      if (n <= first * per_swing) continue;
      // Integrals over whole swings: the trapezoid of a periodic function.
      in_phase += force * std::sin(2 * pi * n / per_swing), behind += force * std::cos(2 * pi * n / per_swing);
    }
    const Real norm = 2.0 / (swings * per_swing * swing), nan = NAN;
    Real storage = r ? 0 : nan, loss = r ? w * c->scale * r->dashpot : nan;
    for (int i = 0; r && i < 2; ++i) {
      const Real z = r->rate[i], g = r->stiffness[i] * c->scale;
      if (g > 0) storage += g * w * w / (w * w + z * z), loss += g * w * z / (w * w + z * z);
    }
    t.row({f, norm * in_phase, norm * behind, storage, loss});
    if (r) worst = std::max(worst, std::hypot(norm * in_phase - storage, norm * behind - loss) / std::hypot(storage, loss));
  }
  if (c->exact()) t.figures = {figure("error_max", worst, "1", "largest error of the complex stiffness, over its size")};
  return t;
}

PressedMass read_pressed(Input& in) {
  const CoatParams params = CoatParams::read(in);
  PressedMass p;
  p.constants = params.table.at(params.temperature);
  p.mass = in.number("mass", dim::mass, Range::positive(), 0.1, "reduced mass of the two grains");
  p.force = in.number("force", dim::force, Range::positive(), 1.0, "constant, from rest");
  const Real area = in.number("area", dim::area, Range::positive(), 0.88e-6, "area of the contact");
  p.scale = area / (2 * in.number("coat", dim::length, Range::positive(), 0.44e-3, "thickness of the coat of each grain"));
  return p;
}

// The thesis's integrators beside the implicit step.
BenchTable integrators(Input& in) {
  const PressedMass p = read_pressed(in);
  const Real dt = in.number("dt", dim::time, Range::positive(), Real(1) / 240, "step"), time = in.number("time", dim::time, Range::positive(), 2.0, "duration");
  const auto all = burgers_integrators(p, dt);
  const auto reference = burgers_reference(p, dt);
  BenchTable t;
  t.add("time", "s"), t.add("overlap_exact", "m"), t.add("force_exact", "N");
  for (const auto& i : all) t.add("overlap_" + i.name, "m"), t.add("force_" + i.name, "N");
  Pressed exact;
  std::vector<Pressed> states(all.size());
  std::vector<Real> error(all.size(), 0);
  for (i64 n = 1; Real(n) * dt <= time * (1 + 1e-9); ++n) {
    reference(exact);
    std::vector<Real> row{Real(n) * dt, exact.u, exact.f};
    for (std::size_t k = 0; k < all.size(); ++k) {
      all[k].step(states[k]);
      const bool gone = !(std::abs(states[k].u) < 1e6 * p.force / (p.constants.maxwell_stiffness * p.scale));
      error[k] = gone || !std::isfinite(error[k]) ? INFINITY : std::max(error[k], std::abs(states[k].u - exact.u));
      row.insert(row.end(), {gone ? NAN : states[k].u, gone ? NAN : states[k].f});
    }
    t.row(row);
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    t.figures.push_back(figure("growth_" + all[k].name, growth(p, dt, all[k].name), "1", "factor by which an error grows in a step: " + all[k].about));
    t.figures.push_back({"error_" + all[k].name, std::isfinite(error[k]) ? std::optional<Real>(error[k]) : std::nullopt, "m", "largest error of the overlap", "it has exploded"});
  }
  return t;
}

// Table 3.2 of the thesis, as printed and corrected, at the temperatures of the table.
BenchTable coefficients(Input& in) {
  const MortarTable table = MortarTable::read(in);
  const Real dt = in.number("dt", dim::time, Range::positive(), Real(1) / 240, "step"), scale = in.number("scale", dim::length, Range::positive(), 1e-3, "area over thickness");
  BenchTable t;
  for (const auto& [name, unit] : {std::pair{"temperature", "K"}, {"gamma_F0", "1"}, {"gamma_F1", "s"}, {"gamma_u1", "N s/m"}, {"gamma_u2_printed", "N s2/m"}, {"gamma_u2", "N s2/m"},
                                   {"delta_F0", "1/s"}, {"delta_F1", "1"}, {"delta_u1", "N/m"}, {"delta_u2_printed", "N s/m"}, {"delta_u2", "N s/m"}})
    t.add(name, unit);
  for (u32 i = 0; i < table.count; ++i) {
    const PressedMass p{table.constants[i], scale, 1, 1};
    const SemiAnalytical a = semi_analytical(p, dt, true), b = semi_analytical(p, dt, false);
    t.row({table.temperature[i], a.gamma_f0, a.gamma_f1, a.gamma_u1, a.gamma_u2, b.gamma_u2, a.delta_f0, a.delta_f1, a.delta_u1, a.delta_u2, b.delta_u2});
  }
  return t;
}

// A block that slides to rest under friction while a force pulls at it, by appendix D and solved.
BenchTable friction(Input& in) {
  SlidingBlock b;
  b.mass = in.number("mass", dim::mass, Range::positive(), 1e-3, "of the block");
  b.normal = in.number("force", dim::force, Range::positive(), 1.0, "that presses it down");
  b.friction = in.number("friction", dim::none, Range::positive(), 0.5, "Coulomb friction");
  b.pull = b.friction * b.normal * in.number("pull", dim::none, Range::below(0, 1), 0.5, "force across over the friction it can have");
  const Real dt = in.number("dt", dim::time, Range::positive(), Real(1) / 240, "step"), start = in.number("velocity", dim::speed, Range::any(), 5.0, "at the start");
  const i64 steps = in.integer("steps", 2, 100000000, 60, "steps along the path");
  BenchTable t;
  for (const char* name : {"velocity_plain", "velocity_stopped", "velocity_faded", "velocity_solved"}) {
    if (t.names.empty()) t.add("time", "s");
    t.add(name, "m/s");
  }
  Real v[4] = {start, start, start, start};
  for (i64 n = 1; n <= steps; ++n) {
    v[0] = b.plain(v[0], dt), v[1] = b.stopped(v[1], dt), v[2] = b.faded(v[2], dt), v[3] = b.solved(v[3], dt);
    t.row({Real(n) * dt, v[0], v[1], v[2], v[3]});
  }
  const char* words[] = {"friction against the motion, whatever the speed", "(D.5): at most what stops the block", "(D.9): falls with the speed below three times the critical one", "found with the velocity"};
  for (int k = 0; k < 4; ++k) {
    Real worst = 0;
    for (std::size_t n = t.columns[0].size() / 2; n < t.columns[0].size(); ++n) worst = std::max(worst, std::abs(t.columns[std::size_t(k) + 1][n]));
    t.figures.push_back(figure("rest_" + t.names[std::size_t(k) + 1].substr(9), worst, "m/s", std::string("largest speed in the second half, where the block should rest: ") + words[k]));
  }
  return t;
}

// A mass that runs into a stiff stop, over the stiffness that the step allows, by appendix E and solved.
BenchTable stop(Input& in) {
  const i64 places = in.integer("places", 1, 100000, 200, "places of the stop within a step; the largest speed of rebound counts");
  BenchTable t;
  for (const char* name : {"stiffness_ratio", "rebound_spring", "rebound_damped", "rebound_solved", "depth_damped"}) t.add(name, "1");
  for (const Real ratio : {0.01, 0.1, 0.5, 1.0, 2.0, 3.0, 3.9, 4.1, 6.0, 10.0, 100.0}) {
    Real most[4] = {};
    for (i64 k = 0; k < places; ++k) {
      const StiffStop s{ratio, (Real(k) + 0.5) / Real(places)};
      const Real values[4] = {s.spring(), s.damped(), s.solved(), s.deepest()};
      for (int i = 0; i < 4; ++i) most[i] = std::max(most[i], values[i]);
    }
    t.row({ratio, most[0], most[1], most[2], most[3]});
  }
  return t;
}

}  // namespace

const std::vector<BenchPath>& bench_paths() {
  static const std::vector<BenchPath> all{{"normal", "pressed in and drawn out at one speed"}, {"oblique", "the same, sliding all the while"}, {"creep", "a mass pressed by a constant force from rest"},
                                          {"relaxation", "pressed in within a hundredth of the time, then held"}, {"cyclic", "three swings about an overlap"},
                                          {"frequency", "small swings: stiffness in phase and behind, over frequency"}, {"integrators", "burgers: creep by the integrators of the thesis"},
                                          {"coefficients", "burgers: coefficients of the semi-analytical step"},
                                          {"friction", "burgers: a block that slides to rest, appendix D of the thesis"}, {"stop", "burgers: a mass that runs into a stiff stop, appendix E"}};
  return all;
}

std::vector<std::string> bench_laws() {
  std::vector<std::string> all = coat_law_names();
  for (const auto& name : law_names()) all.push_back(name);
  return all;
}

BenchTable contact_bench(Input& in, const std::string& law, const std::string& path) {
  if (path == "integrators" || path == "coefficients" || path == "friction" || path == "stop") {
    if (law != BurgersMortar::name) in.fail("path", "path " + path + " is of the thesis on Burgers' model", "write talus contact burgers --path " + path);
    return path == "integrators" ? integrators(in) : path == "coefficients" ? coefficients(in) : path == "friction" ? friction(in) : stop(in);
  }
  if (path == "frequency") return frequency(in, law);
  const auto contact = bench_contact(in, law);
  return path == "creep" ? creep(in, *contact) : go(*contact, read_motion(in, *contact, path));
}

BenchTable creep_bench(Input& in, const std::vector<Real>& time, const std::vector<Real>& overlap) {
  const Real force = in.number("force", dim::force, Range::positive(), std::nullopt, "constant force of the test");
  const Real area = in.number("area", dim::area, Range::positive(), std::nullopt, "area of the specimen");
  const Real length = in.number("thickness", dim::length, Range::positive(), std::nullopt, "thickness of the specimen");
  const CreepResult found = fit_creep(time, overlap, force, area / length);
  if (!found.flaw.empty()) in.fail("fit", found.flaw, "a creep test has a constant force, short times for the springs and long ones for the dashpot");
  BenchTable t;
  const CreepFit& f = found.fit;
  const auto constant = [&](const char* name, Real MortarConstants::*c, const char* unit) {
    t.figures.push_back(figure(name, f.constants.*c, unit, "constant of the mortar"));
    t.figures.push_back(figure(std::string(name) + "_error", f.error.*c, unit, "its standard error, from the scatter about the curve"));
  };
  constant("maxwell_stiffness", &MortarConstants::maxwell_stiffness, "Pa");
  constant("maxwell_viscosity", &MortarConstants::maxwell_viscosity, "Pa s");
  constant("kelvin_stiffness", &MortarConstants::kelvin_stiffness, "Pa");
  constant("kelvin_viscosity", &MortarConstants::kelvin_viscosity, "Pa s");
  t.figures.push_back(figure("scatter", f.scatter, "m", "root mean square of what the curve leaves"));
  t.add("time", "s"), t.add("overlap", "m"), t.add("overlap_fit", "m");
  const MortarConstants& c = f.constants;
  for (std::size_t k = 0; k < time.size(); ++k)
    t.row({time[k], overlap[k],
           force * length / area *
               (1 / c.maxwell_stiffness + time[k] / c.maxwell_viscosity - std::expm1(-c.kelvin_stiffness * time[k] / c.kelvin_viscosity) / c.kelvin_stiffness)});
  return t;
}

}  // namespace talus::simulation
