#include <talus/impulse/step.hpp>

#include <cmath>

#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/impulse/collide.hpp>
#include <talus/impulse/fixed_count.hpp>
#include <talus/impulse/ledger.hpp>
#include <talus/impulse/make_patches.hpp>
#include <talus/impulse/reach.hpp>
#include <talus/stages/drive_walls.hpp>
#include <talus/stages/random_rebuild.hpp>
#include <talus/stages/rays.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

void drive(const Model<2>& model, State<2>& state) {
  const exec::Stage timed("drive");
  drive_walls(model, state, push_membrane(model, state));
}

FixedCount fixed_count(const StepOptions& options, const Scratch& s) {
  return {options.sweeps, options.position_sweeps, 0.2, 0.005 * 2 * s.pairs.least_radius};
}

SolverReport solve(const StepOptions& o, Scratch& s) {
  return o.fixed_count ? solve_fixed_count(s.patches, s.motion, fixed_count(o, s))
                       : s.solver.solve(s.patches, s.motion, {o.tolerance, o.max_sweeps, o.acceleration, o.elastic});
}

// A law that is not linear is solved near velocities that are guessed; again near those that were found, until both agree.
SolverReport solve_by_law(const Model<2>& model, const StepOptions& options, const State<2>& state, Scratch& s) {
  constexpr int rounds = 30;
  SolverReport all;
  for (int n = 0; n < rounds; ++n) {
    if (n > 0) kick(model, state, s);
    const SolverReport solved = solve(options, s);
    all.sweeps += solved.sweeps;
    all.residual = max(solved.residual, renew_elastic(model, state, s));
    all.not_converged = solved.not_converged || !(all.residual <= 2 * options.tolerance);
    if (!all.not_converged || solved.not_converged) break;
  }
  return all;
}

// Lists, patches and their impulses; again with a larger reach while bodies have come farther than foreseen and met others
// that they had no patch with. Stops when something is wrong.
SolverReport solve_until_none_is_missed(const Model<2>& model, const StepOptions& options, State<2>& state, Scratch& s,
                                        StepReport& report) {
  SolverReport solved;
  for (Real farther = 0;;) {
    report.status |= widen_lists(model, state, s, widest_gap(s, farther));
    if (report.status != fine) break;
    kick(model, state, s);
    report.status |= make_patches(model, options, state, s);
    if (report.status != fine) break;
    solved = options.elastic ? solve_by_law(model, options, state, s) : solve(options, s);
    farther = farther_than_foreseen(options, state, s);
    // All neighbours must be in the list before it can be said whether one was missed: once more with those.
    if (farther > 0 && (!(2 * farther < s.pairs.largest_radius) || is_stale(state, s.pairs, 2 * farther))) continue;
    report.sweeps += solved.sweeps;
    if (!(farther > 0) || !reach_farther(model, options, state, s)) break;
    farther = 0;
  }
  return solved;
}

// Overlaps that are left at the end of the step are taken out without momentum, once one of them matters.
// How deep that is follows the accuracy that is asked for. Of the smallest radius.
Real deepest_left(Real tolerance) { return clamp(Real(0.05) * tolerance, Real(1e-6), Real(5e-5)); }
void correct_positions(const StepOptions& options, const State<2>& state, Scratch& s) {
  const exec::Stage timed("positions");
  const Real dt = state.globals.dt, theta = options.theta;
  s.gap.resize(s.patches.size());
  Real most = 0;
  Host::raise(
      s.patches.size(),
      [&](std::size_t i) {
        const Patch& p = s.patches[i];
        const PatchVec u = p.velocities(s.motion[p.a], s.motion[p.b]);  // bias included
        Real deep = 0;
        for (int k = 0; k < int(p.points); ++k) {
          s.gap[i][k] = min(p.ahead[k], Real(0)) + theta * dt * u[k];
          deep = max(deep, -s.gap[i][k]);
        }
        return deep;
      },
      &most);
  if (options.fixed_count) {
    s.displaced = push_out(s.patches, s.motion, s.gap, fixed_count(options, s));
    return;
  }
  const Real matters = deepest_left(options.tolerance) * s.pairs.least_radius;
  if (!(most > matters)) return s.displaced.assign(s.motion.size(), Motion{});
  // As accurately as needed to come below that, in a few sweeps where the step itself is solved roughly: what they leave is taken
  // out in the next steps.
  const i64 sweeps = clamp(i64(0.012 / options.tolerance), i64(12), i64(100));
  s.solver.separate(s.patches, s.motion, s.gap, {min(Real(0.1) * matters / most, Real(0.1)), sweeps}, s.displaced);
}

// Positions follow. Returns the square of the largest speed, or infinity.
Real move(const StepOptions& options, State<2>& state, const Scratch& s) {
  const exec::Stage timed("move");
  Bodies<2>& b = state.bodies;
  Globals<2>& g = state.globals;
  const Real theta = options.theta;
  if (contract(g.cell.rate, g.cell.rate) > 0) g.cell.deform(g.dt);
  Real fastest = 0;
  Host::raise(
      b.size(),
      [&](std::size_t i) {
        const Motion& m = s.motion[i];
        const Vec2 v = theta * m.velocity + (1 - theta) * b.velocity[i];
        const Real w = theta * m.spin + (1 - theta) * b.spin[i].x;
        Vec2 x = b.position[i];
        if (i < state.grains()) x += g.dt * (g.cell.rate * x);
        b.position[i] = x + g.dt * v + s.displaced[i].velocity;
        if (!b.turn.empty()) b.turn[i].x += g.dt * w + s.displaced[i].spin;
        b.velocity[i] = m.velocity;
        b.spin[i].x = m.spin;
        return finite_or_infinity(dot(m.velocity, m.velocity) + 0 * dot(b.position[i], b.position[i]));
      },
      &fastest);
  return fastest;
}

Real relative_overlap(const State<2>& state, const std::vector<Patch>& patches) {
  Real most = 0;
  for (const Patch& p : patches) most = max(most, impulse::relative_overlap(state, p));
  return most;
}

void check(const Model<2>& model, const SolverReport& solved, Real speed, StepReport& report) {
  report.residual = max(report.residual, solved.residual);
  if (!(speed < HUGE_VAL)) report.status |= not_finite;
  if (!(report.overlap <= model.options.overlap_limit)) report.status |= deep_overlap;
}

}  // namespace

StepReport step(const Model<2>& model, const StepOptions& options, State<2>& state, Scratch& s, i64 steps) {
  StepReport report;
  for (i64 n = 0; n < steps && report.status == fine; ++n) {
    drive(model, state);
    if (!s.pairs.valid || random_rebuild_due(model, state)) report.status |= search_anew(model, state, s, 0);
    const bool impacts_converged = collide(model, options, state, s, report);
    if (report.status != fine) break;
    kick(model, state, s);
    foresee(options, state, s);
    const SolverReport solved = solve_until_none_is_missed(model, options, state, s, report);
    if (report.status != fine) break;
    report.overlap = max(report.overlap, relative_overlap(state, s.patches));
    if (options.elastic)
      s.displaced.assign(s.motion.size(), Motion{});  // what overlaps pushes
    else
      correct_positions(options, state, s);
    store_results(model, state, s);
    const Real speed = move(options, state, s);
    report.not_converged += solved.not_converged || !impacts_converged;
    check(model, solved, speed, report);
    ++state.globals.step;
    state.globals.time += state.globals.dt;
  }
  return report;
}

StepReport look(const Model<2>& model, const StepOptions& options, State<2>& state, Scratch& s) {
  StepReport report;
  report.status = search_anew(model, state, s, 0);
  if (report.status != fine) return report;
  kick(model, state, s);
  s.reach.assign(state.bodies.size(), 0);
  report.status = make_patches(model, options, state, s);
  report.overlap = relative_overlap(state, s.patches);
  return report;
}

}  // namespace talus::impulse
