#include <talus/impulse/collide.hpp>

#include <cmath>

#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/impulse/ledger.hpp>
#include <talus/impulse/make_patches.hpp>
#include <talus/impulse/reach.hpp>
#include <talus/stages/row_manifold.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

// An impact that is not over after so many rounds is left to the rest of the step, which takes the velocities that are left. Such a
// step counts as not converged.
constexpr i64 most_rounds = 100;

// Of the speeds that a velocity is the difference of: below that it is no impact.
constexpr Real rounding = 1e-9;

// Of a step: impacts that are not farther apart in time are one.
constexpr Real same_time = 1e-6;

bool some_rebound(const Model<2>& model) {
  for (const PairCoefficients& c : model.pairs.coefficients)
    if (c.restitution > 0) return true;
  return false;
}

Real mean_impulse(const Patches& patches) {
  Real sum = 0;
  i64 pushing = 0;
  for (const Vec3& impulse : patches.impulse) {
    sum += normal_of(impulse);
    pushing += normal_of(impulse) > 0;
  }
  return pushing > 0 ? sum / Real(pushing) : 0;
}

// When the points of a patch arrive in this step: s, from its beginning; infinite: they do not.
struct Arrival {
  Real at[2]{HUGE_VAL, HUGE_VAL};
  Real first() const { return min(at[0], at[1]); }
};

struct Arriving {
  const Model<2>& model;
  const StepOptions& options;
  const State<2>& state;
  const Scratch& s;  // with the velocities that bodies would have without contacts
  Real noise;        // N s, what the step before has left unsolved: velocities that it makes are no impacts

  Motion before(std::size_t i) const {
    const Bodies<2>& b = state.bodies;
    return {b.velocity[i], b.spin[i].x, b.inverse_mass[i], b.inverse_inertia[i]};
  }
  Vec2 kick(std::size_t i) const { return s.motion[i].velocity - state.bodies.velocity[i]; }

  // Makes a patch that of its impact, u + e u- >= 0, too.
  Arrival operator()(Patch& p, const RowKey& key) const {
    Arrival out;
    const Real restitution = pair_of(model, state, p.a, p.b).restitution;
    if (!(restitution > 0)) return out;
    const Motion a = before(p.a), b = before(p.b);
    const Vec2 affine = affine_velocity(state, p.a, p.b, key), kick_a = kick(p.a), kick_b = kick(p.b);
    const Real along = dot(p.normal, affine), faster = options.theta * dot(p.normal, kick_a - kick_b);
    p.bias = {along, along, dot(p.tangent(), affine)};
    p.impulse = {};
    const PatchVec u = p.velocities(a, b);
    const Mat<3> w = p.compliance(a, b);
    for (int i = 0; i < int(p.points); ++i) {
      p.bias[i] += restitution * u[i];
      const Real speeds = length(a.velocity) + length(b.velocity) + length(affine) + std::abs(a.spin * p.lever_a[i]) +
                          std::abs(b.spin * p.lever_b[i]);
      const bool is_impact = u[i] < -(length(kick_a) + length(kick_b) + noise * w(i, i) + rounding * speeds);
      if (is_impact && p.gap[i] + state.globals.dt * (u[i] + faster) < 0) out.at[i] = max(p.gap[i], Real(0)) / -u[i];
    }
    return out;
  }
};

// The patch of one of its points.
Patch alone(const Patch& patch, int point) {
  Patch p = patch;
  p.points = 1;
  p.lever_a = {patch.lever_a[point], 0, patch.alone_a[point]};
  p.lever_b = {patch.lever_b[point], 0, patch.alone_b[point]};
  p.gap[0] = patch.gap[point];
  p.bias[0] = patch.bias[point];
  return p;
}

// The first impacts of every body, in order of keys. What comes later is looked at again when they have been solved.
void find_impacts(const Arriving& arriving, Scratch& s) {
  s.made = s.patches;
  std::vector<Arrival> arrival(s.patches.size());
  Host::for_each(s.patches.size(), [&](std::size_t k) { arrival[k] = arriving(s.made[k], s.patch_key[k]); });
  s.earliest.assign(s.motion.size(), HUGE_VAL);
  for (std::size_t k = 0; k < s.made.size(); ++k)
    for (const u32 body : {s.made[k].a, s.made[k].b}) s.earliest[body] = min(s.earliest[body], arrival[k].first());
  const Real together = same_time * arriving.state.globals.dt;
  s.hits.clear();
  s.hit_key.clear();
  for (std::size_t k = 0; k < s.made.size(); ++k) {
    const Patch& p = s.made[k];
    const auto limit = [&](u32 body) { return moves(s.motion[body]) ? s.earliest[body] + together : Real(HUGE_VAL); };
    const Real last = min(limit(p.a), limit(p.b));
    const bool first = arrival[k].at[0] <= last && arrival[k].at[0] < HUGE_VAL,
               second = arrival[k].at[1] <= last && arrival[k].at[1] < HUGE_VAL;
    if (!first && !second) continue;
    s.hits.push_back(first && second ? p : alone(p, first ? 0 : 1));
    s.hit_key.push_back(s.patch_key[k]);
  }
}

// Gives bodies the velocities after the impacts. False: the solver did not converge.
bool rebound(const StepOptions& options, State<2>& state, Scratch& s, StepReport& report) {
  Bodies<2>& b = state.bodies;
  for (std::size_t i = 0; i < b.size(); ++i)
    s.motion[i] = {b.velocity[i], b.spin[i].x, b.inverse_mass[i], b.inverse_inertia[i]};
  const SolverReport solved = s.solver.solve(s.hits, s.motion, {options.tolerance, options.max_sweeps, options.acceleration});
  report.impacts += i64(s.hits.size());
  report.sweeps += solved.sweeps;
  store_impacts(state, s);
  for (std::size_t i = 0; i < b.size(); ++i) {
    b.velocity[i] = s.motion[i].velocity;
    b.spin[i].x = s.motion[i].spin;
  }
  return !solved.not_converged;
}

}  // namespace

bool collide(const Model<2>& model, const StepOptions& options, State<2>& state, Scratch& s, StepReport& report) {
  s.had_impacts = false;
  if (options.fixed_count || options.elastic || !some_rebound(model)) return true;  // dashpots of elastic contacts see to it
  const exec::Stage timed("collide");
  bool converged = true;
  const Real noise = options.tolerance * mean_impulse(state.patches);
  for (i64 round = 0; round < most_rounds; ++round) {
    kick(model, state, s);
    // Positions are the same in all rounds: patches are made anew only for bodies that have become faster than they reach.
    if (round == 0 || farther_than_foreseen(options, state, s) > 0) {
      foresee(options, state, s);
      report.status |= widen_lists(model, state, s, widest_gap(s, 0));
      if (report.status != fine) return false;
      kick(model, state, s);
      report.status |= make_patches(model, options, state, s);
      if (report.status != fine) return false;
    }
    find_impacts({model, options, state, s, noise}, s);
    if (s.hits.empty()) return converged;
    converged = rebound(options, state, s, report) && converged;
  }
  return false;
}

}  // namespace talus::impulse
