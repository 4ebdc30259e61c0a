#include <talus/impulse/reach.hpp>

#include <algorithm>
#include <cmath>

#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/stages/row_manifold.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

// How far a point of a body can come in the step, m.
Real way_in_a_step(const StepOptions& options, const State<2>& state, const Scratch& s, std::size_t i) {
  const Mat<2>& rate = state.globals.cell.rate;
  const auto fastest = [&](const Vec2& velocity, Real spin) {
    return length(velocity) + std::abs(spin) * state.bodies.radius[i];
  };
  Real speed = fastest(s.motion[i].velocity, s.motion[i].spin);
  if (options.theta < 1) speed = max(speed, fastest(state.bodies.velocity[i], state.bodies.spin[i].x));
  return state.globals.dt * (speed + std::sqrt(contract(rate, rate)) * s.pairs.largest_radius);
}

// A point that is farther away than the reach of its bodies, and comes together all the same.
struct Missed {
  const Model<2>& model;
  const StepOptions& options;
  const State<2>& state;
  const Scratch& s;
  Witnesses* witness;

  bool operator()(std::size_t row) const {
    const std::size_t a = s.pairs.body_a[row], b = s.pairs.body_b[row];
    if (a == b || (!s.is_faster[a] && !s.is_faster[b])) return false;
    const Manifold m = row_manifold(model, state, s.pairs.key[row], a, b, s.placement[a], s.placement[b],
                                way_in_a_step(options, state, s, a) + way_in_a_step(options, state, s, b), witness[row]);
    const Vec2 to_b = state.globals.cell.translation(s.pairs.key[row].image<2>()),
               affine = affine_velocity(state, a, b, s.pairs.key[row]);
    const auto velocity = [&](std::size_t i, const Vec2& arm) {
      const Real theta = options.theta, spin = theta * s.motion[i].spin + (1 - theta) * state.bodies.spin[i].x;
      return theta * s.motion[i].velocity + (1 - theta) * state.bodies.velocity[i] + Vec2{-spin * arm.y, spin * arm.x};
    };
    for (int k = 0; k < m.count; ++k) {
      const ManifoldPoint& point = m.point[k];
      if (point.gap <= s.reach[a] + s.reach[b]) continue;
      const Vec2 of_a = velocity(a, point.at - state.bodies.position[a]),
                 of_b = b < state.grains() ? velocity(b, point.at - state.bodies.position[b] - to_b) : velocity(b, {});
      if (point.gap + state.globals.dt * dot(m.normal, of_a - of_b + affine) < 0) return true;
    }
    return false;
  }
};

}  // namespace

void kick(const Model<2>& model, const State<2>& state, Scratch& s) {
  const exec::Stage timed("kick");
  const Bodies<2>& b = state.bodies;
  const Globals<2>& g = state.globals;
  s.motion.resize(b.size());
  Host::for_each(b.size(), [&](std::size_t i) {
    const bool moves = b.inverse_mass[i] > 0;
    s.motion[i] = {moves ? b.velocity[i] + g.dt * weight_per_mass(model, state) : b.velocity[i], b.spin[i].x,
                   b.inverse_mass[i], b.inverse_inertia[i]};
    if (moves && !b.applied.empty()) s.motion[i].velocity += (g.dt * b.inverse_mass[i]) * b.applied[i];
  });
}

void foresee(const StepOptions& options, const State<2>& state, Scratch& s) {
  const exec::Stage timed("reach");
  const Real least = Real(0.5) * options.reach * s.pairs.least_radius;
  s.reach.resize(state.bodies.size());
  Host::for_each(s.reach.size(), [&](std::size_t i) {
    const Real way = way_in_a_step(options, state, s, i), more = Real(1.25) * way;
    s.reach[i] = finite_or_infinity(max(least, 2 * more < s.pairs.largest_radius ? more : way));
  });
}

Real widest_gap(const Scratch& s, Real farther) {
  Real widest = 2 * farther;
  for (const Real reach : s.reach) widest = max(widest, 2 * reach);
  return widest;
}

Real farther_than_foreseen(const StepOptions& options, const State<2>& state, Scratch& s) {
  const exec::Stage timed("reach");
  s.is_faster.resize(s.reach.size());
  Real most = 0;
  Host::raise(
      s.reach.size(),
      [&](std::size_t i) {
        const Real way = finite_or_infinity(way_in_a_step(options, state, s, i));
        s.is_faster[i] = !(way <= s.reach[i]);
        return s.is_faster[i] ? way : 0;
      },
      &most);
  return most;
}

bool reach_farther(const Model<2>& model, const StepOptions& options, const State<2>& state, Scratch& s) {
  const Missed missed{model, options, state, s, s.witness.data()};
  bool some = false;
  for (std::size_t row = 0; row < s.pairs.key.size() && !some; ++row) some = missed(row);
  for (std::size_t i = 0; i < s.reach.size() && some; ++i)
    if (s.is_faster[i]) {
      const Real way = way_in_a_step(options, state, s, i);
      s.reach[i] = min(2 * way, max(way, Real(0.499) * s.pairs.largest_radius));
    }
  return some;
}

u32 search_anew(const Model<2>& model, State<2>& state, Scratch& s, Real reach) {
  s.witness.clear();
  s.patch_of.clear();
  return search(model, state, s.pairs, reach);
}

// A search puts bodies into another order.
u32 search_and_keep_reach(const Model<2>& model, State<2>& state, Scratch& s, Real widest) {
  const Column<u32>& uid = state.bodies.uid;
  u32 last = 0;
  for (const u32 u : uid) last = std::max(last, u);
  std::vector<Real> by_uid(1 + last);
  for (std::size_t i = 0; i < s.reach.size(); ++i) by_uid[uid[i]] = s.reach[i];
  const u32 status = search_anew(model, state, s, widest);
  for (std::size_t i = 0; i < s.reach.size(); ++i) s.reach[i] = by_uid[uid[i]];
  return status;
}

u32 widen_lists(const Model<2>& model, State<2>& state, Scratch& s, Real widest) {
  if (!(widest < HUGE_VAL)) return not_finite;
  if (!(widest < s.pairs.largest_radius)) return too_fast;
  return is_stale(state, s.pairs, widest) ? search_and_keep_reach(model, state, s, widest) : u32(fine);
}

}  // namespace talus::impulse
