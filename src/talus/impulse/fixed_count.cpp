#include <talus/impulse/fixed_count.hpp>

#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/impulse/colour.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

// A pack that was built just touching has gaps of rounding.
bool touches(const Patch& p, int point) {
  return p.gap[point] <= Real(1e-9) * (std::abs(p.lever_a[2]) + std::abs(p.lever_b[2]));
}

// The tangent first, then the normal, as in the paper.
struct Correct {
  Patch* patches;
  Motion* bodies;
  const u32* order;

  void add(Patch& p, int part, Real change) const {
    PatchVec more{};
    more[part] = change;
    p.impulse[part] += change;
    push_bodies(p, more, bodies);
  }
  void operator()(std::size_t place) const {
    Patch& p = patches[order[place]];
    const auto velocity = [&](int part) { return p.velocities(bodies[p.a], bodies[p.b])[part]; };
    const Real bound = p.friction * normal_of(p.impulse);
    add(p, 2, clamp(p.impulse.z - velocity(2) / p.w(2, 2), -bound, bound) - p.impulse.z);
    for (int k = 0; k < int(p.points); ++k)
      if (touches(p, k)) add(p, k, max(p.impulse[k] - velocity(k) / p.w(k, k), Real(0)) - p.impulse[k]);
  }
};

struct PushOut {
  Patch* patches;
  Motion* displaced;
  const u32* order;
  Real share, slop;

  void operator()(std::size_t place) const {
    const Patch& p = patches[order[place]];
    for (int k = 0; k < int(p.points); ++k) {
      const Real gap = p.gap[k] + p.velocities(displaced[p.a], displaced[p.b])[k];
      if (!(gap < -slop)) continue;
      PatchVec push{};
      push[k] = -share * (gap + slop) / p.w(k, k);
      push_bodies(p, push, displaced);
    }
  }
};

template <class Kernel>
void sweep(const Colours& colours, const Kernel& kernel) {
  for (std::size_t c = 0; c < colours.count(); ++c) {
    Kernel mine = kernel;
    mine.order = colours.order.data() + colours.start[c];
    Host::for_each(colours.start[c + 1] - colours.start[c], mine);
  }
}

}  // namespace

SolverReport solve_fixed_count(std::vector<Patch>& patches, std::vector<Motion>& bodies, const FixedCount& options) {
  const exec::Stage timed("solve");
  for (Patch& p : patches) {
    for (int k = 0; k < 2; ++k)
      if (k >= int(p.points) || !touches(p, k)) p.impulse[k] = 0;
    p.impulse.z = clamp(p.impulse.z, -p.friction * normal_of(p.impulse), p.friction * normal_of(p.impulse));
    p.w = p.compliance(bodies[p.a], bodies[p.b]);
    push_bodies(p, p.impulse, bodies.data());
  }
  const Colours colours = colour(patches, bodies);
  for (i64 n = 0; n < options.sweeps; ++n) sweep(colours, Correct{patches.data(), bodies.data(), nullptr});
  SolverReport report;
  report.sweeps = options.sweeps;
  report.residual = residual(patches, bodies);
  return report;
}

std::vector<Motion> push_out(const std::vector<Patch>& patches, const std::vector<Motion>& bodies,
                             const std::vector<PatchVec>& gaps, const FixedCount& options) {
  std::vector<Motion> displaced = bodies;
  for (Motion& m : displaced) {
    m.velocity = {};
    m.spin = 0;
  }
  std::vector<Patch> at = patches;
  for (std::size_t i = 0; i < at.size(); ++i) {
    at[i].bias = {};
    for (int k = 0; k < 2; ++k) at[i].gap[k] = gaps[i][k];
  }
  const Colours colours = colour(at, displaced);
  for (i64 n = 0; n < options.position_sweeps; ++n)
    sweep(colours, PushOut{at.data(), displaced.data(), nullptr, options.share, options.slop});
  return displaced;
}

}  // namespace talus::impulse
