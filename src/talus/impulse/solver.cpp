#include <talus/impulse/solver.hpp>

#include <algorithm>
#include <bit>

#include <talus/exec/host.hpp>
#include <talus/impulse/local_solve.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

bool moves(const Motion& m) { return m.inverse_mass > 0 || m.inverse_inertia > 0; }

// Improves one patch: takes its impulses out of the velocities it sees, solves, and puts the difference in.
struct Improve {
  Patch* patches;
  Motion* bodies;
  const u32* order;
  void operator()(std::size_t place) const {
    Patch& patch = patches[order[place]];
    Motion &a = bodies[patch.a], &b = bodies[patch.b];
    const LocalSolution s = solve_patch(patch, patch.velocities(a, b) - patch.w.times(patch.impulse));
    const Impulse change = s.impulse - patch.impulse;
    patch.impulse = s.impulse;
    patch.hint = s.number;
    // Driven bodies may be shared by patches of one colour: they are not written.
    Motion still_a = a, still_b = b;
    patch.apply(change, still_a, still_b);
    if (moves(a)) a = still_a;
    if (moves(b)) b = still_b;
  }
};

// |p - projection(p - u / w)| of a patch, N s.
Real natural_map(const Patch& patch, const Impulse& u) {
  const auto normal = [](Real p, Real velocity, Real w) { return std::abs(p - max(Real(0), p - velocity / w)); };
  const Impulse& p = patch.impulse;
  Real worst = normal(p.first, u.first, patch.w.w11);
  if (patch.points == 2) worst = max(worst, normal(p.second, u.second, patch.w.w22));
  const Real bound = patch.friction * p.normal();
  return max(worst, std::abs(p.along - clamp(p.along - u.along / patch.w.wtt, -bound, bound)));
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
  return pushing == 0 ? HUGE_VAL : worst / (sum / Real(pushing));
}

SolverReport solve(std::vector<Patch>& patches, std::vector<Motion>& bodies, const SolverOptions& options) {
  for (Patch& p : patches) {
    p.w = p.compliance(bodies[p.a], bodies[p.b]);
    p.apply(p.impulse, bodies[p.a], bodies[p.b]);
  }
  const Colours colours = colour(patches, bodies);
  SolverReport report;
  report.residual = residual(patches, bodies);
  i64 look = 1;  // the residual costs about a sweep: looked at less often the longer it takes
  while (report.residual > options.tolerance && report.sweeps < options.max_sweeps) {
    for (std::size_t c = 0; c < colours.count(); ++c)
      Host::for_each(colours.start[c + 1] - colours.start[c],
                     Improve{patches.data(), bodies.data(), colours.order.data() + colours.start[c]});
    ++report.sweeps;
    if (report.sweeps < look && report.sweeps < options.max_sweeps) continue;
    report.residual = residual(patches, bodies);
    look = report.sweeps + 1 + report.sweeps / 8;
  }
  report.capped = report.residual > options.tolerance;
  return report;
}

}  // namespace talus::impulse
