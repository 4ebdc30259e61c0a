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

// Improves one patch: takes its impulses out of the velocities it sees, solves, and puts the difference in.
struct Improve {
  Patch* patches;
  Motion* bodies;
  const u32* order;
  void operator()(std::size_t place) const {
    Patch& patch = patches[order[place]];
    const Motion &a = bodies[patch.a], &b = bodies[patch.b];
    const LocalSolution s = solve_patch(patch, patch.velocities(a, b) - patch.w * patch.impulse);
    const Three change = s.impulse - patch.impulse;
    patch.impulse = s.impulse;
    patch.hint = s.number;
    push_bodies(patch, change, bodies);
  }
};

// Adds impulses to patches and their bodies.
struct Add {
  Patch* patches;
  Motion* bodies;
  const u32* order;
  const Three* more;
  void operator()(std::size_t place) const {
    Patch& patch = patches[order[place]];
    patch.impulse += more[order[place]];
    push_bodies(patch, more[order[place]], bodies);
  }
};

// |p - projection(p - u / w)| of a patch, N s.
Real natural_map(const Patch& patch, const Three& u) {
  const auto normal = [](Real p, Real velocity, Real w) { return std::abs(p - max(Real(0), p - velocity / w)); };
  const Three& p = patch.impulse;
  Real worst = normal(p.x, u.x, patch.w(0, 0));
  if (patch.points == 2) worst = max(worst, normal(p.y, u.y, patch.w(1, 1)));
  const Real bound = patch.friction * normal_of(p);
  worst = max(worst, std::abs(p.z - clamp(p.z - u.z / patch.w(2, 2), -bound, bound)));
  return std::isfinite(u.x + u.y + u.z + normal_of(p) + p.z) ? worst : HUGE_VAL;
}

}  // namespace

Colours colour(const std::vector<Patch>& patches, const std::vector<Motion>& bodies) {
  std::size_t words = 1;                     // of 64 colours for each body
  std::vector<u64> taken(bodies.size(), 0);  // colours that its patches have, as bits
  const auto widen = [&] {
    std::vector<u64> wider(2 * taken.size(), 0);
    for (std::size_t i = 0; i < taken.size(); ++i) wider[i / words * 2 * words + i % words] = taken[i];
    taken.swap(wider);
    words *= 2;
  };
  std::vector<u32> of(patches.size());
  u32 colours = 0;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const Patch& p = patches[i];
    const bool a = moves(bodies[p.a]), b = moves(bodies[p.b]);
    const auto used = [&](std::size_t word) {
      return (a ? taken[p.a * words + word] : 0) | (b ? taken[p.b * words + word] : 0);
    };
    std::size_t word = 0;
    while (used(word) == ~u64(0))
      if (++word == words) widen();
    const auto bit = u32(std::countr_one(used(word)));
    if (a) taken[p.a * words + word] |= u64(1) << bit;
    if (b) taken[p.b * words + word] |= u64(1) << bit;
    of[i] = u32(word) * 64 + bit;
    colours = std::max(colours, of[i] + 1);
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
    sum += normal_of(p.impulse);
    pushing += normal_of(p.impulse) > 0;
  }
  if (worst == 0) return 0;
  return pushing == 0 || !std::isfinite(worst) ? HUGE_VAL : worst / (sum / Real(pushing));
}

SolverReport solve(std::vector<Patch>& patches, std::vector<Motion>& bodies, const SolverOptions& options) {
  for (Patch& p : patches) {
    if (!moves(bodies[p.a]) && !moves(bodies[p.b]))
      throw std::logic_error("a patch between two bodies that cannot move");
    if (p.points == 1) p.impulse.y = 0;
    p.w = p.compliance(bodies[p.a], bodies[p.b]);
    p.apply(p.impulse, bodies[p.a], bodies[p.b]);
  }
  const Colours colours = colour(patches, bodies);
  const auto each_colour = [&](const auto& kernel) {
    for (std::size_t c = 0; c < colours.count(); ++c)
      Host::for_each(colours.start[c + 1] - colours.start[c], kernel(colours.order.data() + colours.start[c]));
  };
  std::vector<Three> before(patches.size()), search(patches.size());
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
      const Three d = patches[i].impulse - before[i];
      change += dot(d, d);
    }
    const Real share = last_change > 0 ? change / last_change : 0;
    const bool restart = !(share > 0 && share <= 1);
    last_change = change;
    for (std::size_t i = 0; i < patches.size(); ++i) {
      const Three d = patches[i].impulse - before[i], old = restart ? Three{} : share * search[i];
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
    p.target = {p.gap[0], p.gap[1], 0};
  }
  return solve(smooth, displaced, options);
}

}  // namespace talus::impulse
