#include <talus/impulse/hull_step.hpp>

#include <cmath>

#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/impulse/free_rotation.hpp>
#include <talus/impulse/hull_coats.hpp>
#include <talus/impulse/hull_ledger.hpp>
#include <talus/impulse/hull_patches.hpp>
#include <talus/stages/drive_walls.hpp>
#include <talus/stages/random_rebuild.hpp>
#include <talus/stages/walls.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

// Velocities that bodies would have without contacts.
void kick(const Model<3>& model, const StepOptions& options, const State<3>& state, HullScratch& s) {
  const exec::Stage timed("kick");
  const Bodies<3>& b = state.bodies;
  const Real dt = state.globals.dt;
  const Vec3 weight = weight_per_mass(model, state);
  s.motion.resize(b.size());
  Host::for_each(b.size(), [&](std::size_t i) {
    SpaceMotion& m = s.motion[i];
    m = {b.velocity[i], b.spin[i], b.inverse_mass[i], inverse_inertia_in_space(b.orientation[i], b.inverse_moments[i])};
    if (!(b.inverse_mass[i] > 0)) return;
    if (options.from_rest && i < state.grains()) {  // they sink with their true masses, however inertia is scaled
      m.velocity = m.spin = {};
      m.inverse_mass *= model.options.density_scale;
      for (auto& row : m.inverse_inertia.m)
        for (Real& x : row) x *= model.options.density_scale;
    }
    if (i >= state.grains()) {  // a free wall; drag acts at the speed of the end of the step
      m.share = 0, m.only = into_sample(model, state, i - state.grains());
      const Real heavy = b.mass[i] + dt * model.drives[i - state.grains()].drag;
      m.velocity += (b.mass[i] / heavy - 1) * (dot(m.only, m.velocity) * m.only);
      m.inverse_mass = 1 / heavy;
    }
    Vec3 push = b.mass[i] * weight;
    if (!b.applied.empty()) push += b.applied[i];
    m.velocity += dt * m.response(push);
  });
}

// How far a point of each body can come in the step as it moves now, and so many times more.
std::vector<Real> ways(const State<3>& state, const HullScratch& s, Real times) {
  const Bodies<3>& b = state.bodies;
  Real extent = 0;  // of the sample around the origin: walls turn about their position
  for (std::size_t i = 0; i < state.grains(); ++i) extent = max(extent, length(b.position[i]) + b.radius[i]);
  std::vector<Real> way(b.size());
  Host::for_each(b.size(), [&](std::size_t i) {
    const Real arm = i < state.grains() ? state.globals.radius_scale * b.radius[i] : extent + length(b.position[i]);
    const auto most = [&](const SpaceMotion& m) { return length(m.velocity) + arm * length(m.spin); };
    way[i] = finite_or_infinity(times * (state.globals.dt * most(s.motion[i]) + (s.displaced.empty() ? Real(0) : most(s.displaced[i]))));
  });
  return way;
}

void foresee(const StepOptions& options, const State<3>& state, HullScratch& s) {
  const exec::Stage timed("reach");
  const Real least = Real(0.5) * options.reach * s.pairs.least_radius;
  // What is loaded lies on others and goes on about as it did: at true masses a load by itself would throw a platen by metres. Without coats all reckon with a free one.
  if (options.coat && !state.bodies.applied.empty())
    for (std::size_t i = 0; i < state.bodies.size(); ++i)
      if (!(state.bodies.applied[i] == Vec3{})) s.motion[i].velocity = state.bodies.velocity[i];
  s.reach = ways(state, s, 1.25);
  s.guess.resize(state.bodies.size());
  for (std::size_t i = 0; i < s.guess.size(); ++i) s.guess[i] = {state.bodies.velocity[i], state.bodies.spin[i]};
  for (Real& reach : s.reach) reach += least;
}

// Bodies that impulses made faster than foreseen reach farther. Is there one?
bool reach_farther(const State<3>& state, HullScratch& s) {
  const exec::Stage timed("reach");
  const std::vector<Real> way = ways(state, s, 1);
  bool some = false;
  for (std::size_t i = 0; i < way.size(); ++i)
    if (!(way[i] <= s.reach[i])) s.reach[i] = Real(1.25) * way[i], some = true;
  return some;
}

// Lists that hold all pairs that may come within reach in this step. A status.
u32 list_pairs(const Model<3>& model, State<3>& state, HullScratch& s, Real coat) {
  Real widest = 0;
  for (const Real reach : s.reach) widest = max(widest, 2 * reach);
  if (!(widest < HUGE_VAL)) return not_finite;
  if (!(widest < 2 * s.pairs.largest_radius)) return too_fast;
  widest += 2 * coat;
  if (!is_stale(state, s.pairs, widest)) return fine;
  u32 uids = 0;
  for (const u32 uid : state.bodies.uid) uids = max(uids, uid + 1);
  std::vector<Real> reach(uids);  // a search puts bodies into another order
  std::vector<Twist> guess(uids);
  for (std::size_t i = 0; i < s.reach.size(); ++i) reach[state.bodies.uid[i]] = s.reach[i], guess[state.bodies.uid[i]] = s.guess[i];
  const u32 status = search(model, state, s.pairs, widest);
  for (std::size_t i = 0; i < s.reach.size(); ++i) s.reach[i] = reach[state.bodies.uid[i]], s.guess[i] = guess[state.bodies.uid[i]];
  return status;
}

// Overlaps that are left at the end of the step are taken out without momentum, once one of them matters: in a few sweeps where
// the step itself is solved roughly, and what they leave in the next steps.
void correct_positions(const StepOptions& options, const State<3>& state, HullScratch& s) {
  const exec::Stage timed("positions");
  s.gap.resize(s.patches.size());
  Real most = 0;
  Host::raise(
      s.patches.size(),
      [&](std::size_t i) {
        const SpacePatch& p = s.patches[i];
        const Real left = min(p.gap, Real(0)) + state.globals.dt * p.velocities(s.motion[p.a], s.motion[p.b]).x;
        s.gap[i] = {left, 0, 0};
        return max(-left, Real(0));
      },
      &most);
  const Real matters = clamp(Real(0.05) * options.tolerance, Real(1e-6), Real(5e-5)) * s.pairs.least_radius;
  if (!(most > matters)) return s.displaced.assign(s.motion.size(), SpaceMotion{});
  constexpr i64 sweeps = 60;
  s.solver.separate(s.patches, s.motion, s.gap, {min(Real(0.1) * matters / most, Real(0.1)), sweeps}, s.displaced);
}

// Lists, points and their impulses; again with a larger reach while bodies have become faster than foreseen. A body that is squeezed out
// between others may do so a few times. Stops when something is wrong.
CoatedReport solve_until_none_is_missed(const Model<3>& model, const StepOptions& options, State<3>& state, HullScratch& s,
                                        StepReport& report, const CoatStep* law) {
  constexpr int rounds = 6;
  const CoatSize coat = law ? options.coat->size : CoatSize{};
  const Real skin = options.coat && options.solid_coats ? options.coat->size.thickness : 0;
  CoatedReport solved;
  for (int n = 0; n < rounds; ++n) {
    report.status |= list_pairs(model, state, s, coat.thickness + skin);
    if (report.status != fine) return solved;
    kick(model, options, state, s);
    make_patches(model, options, state, s, coat, skin);
    solved = law ? solve_with_coats(*law, options, state, s)
                 : CoatedReport{s.solver.solve(s.patches, s.motion, {options.tolerance, options.max_sweeps, options.acceleration, options.elastic})};
    report.sweeps += solved.sweeps;
    if (options.elastic)
      s.displaced.assign(s.motion.size(), SpaceMotion{});  // what overlaps pushes
    else
      correct_positions(options, state, s);
    if (!reach_farther(state, s)) return solved;
  }
  solved.not_converged = true;  // contacts that were not foreseen may have been missed
  return solved;
}

// Positions and orientations follow. Returns the square of the largest speed, or infinity.
Real move(State<3>& state, const HullScratch& s) {
  const exec::Stage timed("move");
  Bodies<3>& b = state.bodies;
  const Real dt = state.globals.dt;
  Real fastest = 0;
  Host::raise(
      b.size(),
      [&](std::size_t i) {
        const SpaceMotion &m = s.motion[i], &shift = s.displaced[i];
        Rotation r{b.orientation[i], m.spin};
        if (!(shift.spin == Vec3{})) r = turned_aside(r, b.inverse_moments[i], shift.spin);
        r = rotate_freely(r, b.inverse_moments[i], dt);
        b.position[i] += dt * m.velocity + shift.velocity;
        b.velocity[i] = m.velocity;
        b.spin[i] = r.spin;
        b.orientation[i] = r.orientation;
        return finite_or_infinity(dot(m.velocity, m.velocity) + 0 * dot(b.position[i], b.position[i]) + 0 * dot(r.spin, r.spin));
      },
      &fastest);
  return fastest;
}

// Of two bodies: overlaps are told over half the size of the smaller grain.
Real half_size(const Model<3>& model, const State<3>& state, std::size_t a, std::size_t b) {
  const auto size = [&](std::size_t i) {
    return i < state.grains() ? state.bodies.radius[i] / model.hulls[model.shapes[state.bodies.shape[i]].outline].reach : HUGE_VAL;
  };
  return Real(0.5) * state.globals.radius_scale * min(size(a), size(b));
}

Real relative_overlap(const Model<3>& model, const State<3>& state, const std::vector<SpacePatch>& patches) {
  Real most = 0;
  for (const SpacePatch& p : patches)
    if (p.gap < 0) most = max(most, -p.gap / half_size(model, state, p.a, p.b));
  return most;
}

void check(const Model<3>& model, const CoatedReport& solved, Real speed, StepReport& report) {
  report.not_converged += solved.not_converged;
  report.residual = max(report.residual, solved.residual);
  if (!(speed < HUGE_VAL)) report.status |= not_finite;
  if (!(report.overlap <= model.options.overlap_limit)) report.status |= deep_overlap;
}

}  // namespace

StepReport step(const Model<3>& model, const StepOptions& options, State<3>& state, HullScratch& s, i64 steps) {
  StepReport report;
  const std::unique_ptr<const CoatStep> law = options.coat && !options.solid_coats ? options.coat->over(state.globals.dt) : nullptr;
  for (i64 n = 0; n < steps && report.status == fine; ++n) {
    drive_walls(model, state);
    if (!s.pairs.valid || random_rebuild_due(model, state)) report.status |= search(model, state, s.pairs, 0);
    kick(model, options, state, s);
    s.displaced.clear();
    foresee(options, state, s);
    const CoatedReport solved = solve_until_none_is_missed(model, options, state, s, report, law.get());
    if (report.status != fine) break;
    report.overlap = max(report.overlap, relative_overlap(model, state, s.patches));
    if (law) report.law_residual = max(report.law_residual, advance_coats(*law, options, state, s));
    report.stiffest = max(report.stiffest, solved.stiffest);
    store_results(model, options, state, s);
    check(model, solved, move(state, s), report);
    ++state.globals.step;
    state.globals.time += state.globals.dt;
  }
  return report;
}

StepReport look(const Model<3>& model, const StepOptions& options, State<3>& state, HullScratch& s) {
  StepReport report;
  report.status = search(model, state, s.pairs, 0);
  if (report.status != fine) return report;
  s.reach.assign(state.bodies.size(), 0);
  make_patches(model, options, state, s, {}, 0);
  report.overlap = relative_overlap(model, state, s.patches);
  return report;
}

}  // namespace talus::impulse
