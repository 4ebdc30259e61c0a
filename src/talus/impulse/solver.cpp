#include <talus/impulse/solver.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include <talus/exec/host.hpp>
#include <talus/impulse/local_solve.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

bool moves(const Motion& m) { return m.inverse_mass > 0 || m.inverse_inertia > 0; }

// Driven bodies may be shared by patches of one colour: they are not written.
void push(const Patch& patch, const Impulse& p, Motion* bodies) {
  Motion a = bodies[patch.a], b = bodies[patch.b];
  patch.apply(p, a, b);
  if (moves(a)) bodies[patch.a] = a;
  if (moves(b)) bodies[patch.b] = b;
}

// Improves one patch: takes its impulses out of the velocities it sees, solves, and puts the difference in.
struct Improve {
  Patch* patches;
  Motion* bodies;
  const u32* order;
  void operator()(std::size_t place) const {
    Patch& patch = patches[order[place]];
    const Motion &a = bodies[patch.a], &b = bodies[patch.b];
    const LocalSolution s = solve_patch(patch, patch.velocities(a, b) - patch.w.times(patch.impulse));
    const Impulse change = s.impulse - patch.impulse;
    patch.impulse = s.impulse;
    patch.hint = s.number;
    push(patch, change, bodies);
  }
};

// Adds impulses to patches and their bodies.
struct Add {
  Patch* patches;
  Motion* bodies;
  const u32* order;
  const Impulse* more;
  void operator()(std::size_t place) const {
    Patch& patch = patches[order[place]];
    patch.impulse = patch.impulse + more[order[place]];
    push(patch, more[order[place]], bodies);
  }
};

// |p - projection(p - u / w)| of a patch, N s.
Real natural_map(const Patch& patch, const Impulse& u) {
  const auto normal = [](Real p, Real velocity, Real w) { return std::abs(p - max(Real(0), p - velocity / w)); };
  const Impulse& p = patch.impulse;
  Real worst = normal(p.first, u.first, patch.w.w11);
  if (patch.points == 2) worst = max(worst, normal(p.second, u.second, patch.w.w22));
  const Real bound = patch.friction * p.normal();
  worst = max(worst, std::abs(p.along - clamp(p.along - u.along / patch.w.wtt, -bound, bound)));
  return std::isfinite(u.first + u.second + u.along + p.normal() + p.along) ? worst : HUGE_VAL;
}

}  // namespace

Colours colour(const std::vector<Patch>& patches, const std::vector<Motion>& bodies) {
  std::vector<u64> taken(bodies.size(), 0);           // colours that a body already has, as bits
  std::vector<std::vector<u64>> more(bodies.size());  // those beyond 64
  std::vector<u32> of(patches.size());
  u32 colours = 0;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const Patch& p = patches[i];
    const bool a = moves(bodies[p.a]), b = moves(bodies[p.b]);
    u32 c = 0;
    for (std::size_t word = 0;; ++word) {
      const auto bits = [&](u32 body) {
        if (word == 0) return taken[body];
        return word <= more[body].size() ? more[body][word - 1] : u64(0);
      };
      const u64 used = (a ? bits(p.a) : 0) | (b ? bits(p.b) : 0);
      if (used == ~u64(0)) continue;
      const auto bit = u32(std::countr_one(used));
      c = u32(word) * 64 + bit;
      const auto take = [&](u32 body) {
        if (word == 0) {
          taken[body] |= u64(1) << bit;
        } else {
          if (more[body].size() < word) more[body].resize(word, 0);
          more[body][word - 1] |= u64(1) << bit;
        }
      };
      if (a) take(p.a);
      if (b) take(p.b);
      break;
    }
    of[i] = c;
    colours = std::max(colours, c + 1);
  }
  Colours out;
  out.start.assign(colours + 1, 0);
  for (const u32 c : of) ++out.start[c + 1];
  for (u32 c = 0; c < colours; ++c) out.start[c + 1] += out.start[c];
  out.order.resize(patches.size());
  std::vector<u32> next(out.start.begin(), out.start.end());
  for (std::size_t i = 0; i < patches.size(); ++i) out.order[next[of[i]]++] = u32(i);
  return out;
}

Real residual(const std::vector<Patch>& patches, const std::vector<Motion>& bodies) {
  Real worst = 0, sum = 0;
  i64 pushing = 0;
  for (const Patch& p : patches) {
    worst = std::max(worst, natural_map(p, p.velocities(bodies[p.a], bodies[p.b])));
    sum += p.impulse.normal();
    pushing += p.impulse.normal() > 0;
  }
  if (worst == 0) return 0;
  return pushing == 0 || !std::isfinite(worst) ? HUGE_VAL : worst / (sum / Real(pushing));
}

SolverReport solve(std::vector<Patch>& patches, std::vector<Motion>& bodies, const SolverOptions& options) {
  for (Patch& p : patches) {
    if (!moves(bodies[p.a]) && !moves(bodies[p.b]))
      throw std::logic_error("a patch between two bodies that cannot move");
    if (p.points == 1) p.impulse.second = 0;
    p.w = p.compliance(bodies[p.a], bodies[p.b]);
    p.apply(p.impulse, bodies[p.a], bodies[p.b]);
  }
  const Colours colours = colour(patches, bodies);
  const auto each_colour = [&](const auto& kernel) {
    for (std::size_t c = 0; c < colours.count(); ++c)
      Host::for_each(colours.start[c + 1] - colours.start[c], kernel(colours.order.data() + colours.start[c]));
  };
  std::vector<Impulse> before(patches.size()), search(patches.size());
  Real last_change = 0;
  SolverReport report;
  report.residual = residual(patches, bodies);
  i64 look = 1;  // the residual costs about a sweep: looked at less often the longer it takes
  while (!(report.residual <= options.tolerance) && report.sweeps < options.max_sweeps) {
    for (std::size_t i = 0; i < patches.size(); ++i) before[i] = patches[i].impulse;
    each_colour([&](const u32* order) { return Improve{patches.data(), bodies.data(), order}; });
    ++report.sweeps;
    if (report.sweeps >= look || report.sweeps == options.max_sweeps) {
      report.residual = residual(patches, bodies);
      look = report.sweeps + 1 + report.sweeps / 8;
      if (report.residual <= options.tolerance) break;
    }
    if (!options.conjugate || report.sweeps == options.max_sweeps) continue;
    // What the sweep changed is the direction of steepest descent; it is joined with the directions before (non-linear
    // conjugate gradients after Silcowitz-Hansen, Niebe & Erleben 2010), unless the changes have begun to grow.
    Real change = 0;
    for (std::size_t i = 0; i < patches.size(); ++i) {
      const Impulse d = patches[i].impulse - before[i];
      change += d.first * d.first + d.second * d.second + d.along * d.along;
    }
    const Real share = last_change > 0 ? change / last_change : 0;
    const bool restart = !(share > 0 && share <= 1);
    last_change = change;
    for (std::size_t i = 0; i < patches.size(); ++i) {
      const Impulse d = patches[i].impulse - before[i], old = restart ? Impulse{} : share * search[i];
      before[i] = old;  // what is added now
      search[i] = old + d;
    }
    if (!restart)
      each_colour([&](const u32* order) { return Add{patches.data(), bodies.data(), order, before.data()}; });
  }
  report.capped = !(report.residual <= options.tolerance);
  return report;
}

SolverReport separate(const std::vector<Patch>& patches, const std::vector<Motion>& bodies,
                      const SolverOptions& options, std::vector<Motion>& displaced) {
  displaced = bodies;
  for (Motion& m : displaced) {
    m.velocity = {};
    m.spin = 0;
  }
  // The same problem with gaps for velocities, from rest and without friction.
  std::vector<Patch> smooth = patches;
  for (Patch& p : smooth) {
    p.friction = 0;
    p.impulse = {};
    for (int k = 0; k < 2; ++k) p.target[k] = p.gap[k];
    p.target[2] = 0;
  }
  return solve(smooth, displaced, options);
}

}  // namespace talus::impulse
