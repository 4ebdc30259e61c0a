#pragma once
// Stage `gradients`: how fast each particle becomes denser. docs/design/029-sph.md (1), (2).
#include <talus/sph/pairs.hpp>

namespace talus::sph {

// What of a difference of densities is to spread: less that of a liquid at rest under gravity, up to all of it. Without that the
// surface of a liquid at rest would sink and its bottom swell; with all of it taken off a liquid in free fall would be pulled apart.
TALUS_HD Real beyond(Real difference, Real at_rest) {
  if (!(difference * at_rest > 0)) return difference;
  return difference > 0 ? max(difference - at_rest, Real(0)) : min(difference - at_rest, Real(0));
}

template <int D>
struct Gradients {
  Pairs<D> pairs;
  Vec<D> gravity;  // m/s^2
  Real diffusion;  // m, 2 delta h
  Span<DensityRate> rates;

  TALUS_HD void operator()(std::size_t i) const {
    const Record<D> me = pairs.records[i];
    const matter::Tait rest = pairs.matter[me.material].volume;
    const Real ratio = me.density / rest.density, per_c2 = 1 / (rest.sound_speed * rest.sound_speed);
    Real converges = 0, spreads = 0;
    pairs.each_particle(i, [&](const Record<D>& other, const Vec<D>& branch, Real r2) TALUS_INLINED {
      const Real slope = pairs.kernel.slope(std::sqrt(r2));
      converges += other.volume * dot(me.velocity - other.velocity, branch) * slope;
      if (other.material != me.material) return;
      const Real at_rest = -dot(gravity, branch) * per_c2;
      spreads -= other.volume * beyond(other.density / rest.density - ratio, at_rest) * slope;
    });
    pairs.each_wall(i, [&](u32 b, const Vec<D>& branch, Real r2) TALUS_INLINED {
      converges += pairs.wall_volume[b] * dot(me.velocity, branch) * pairs.kernel.slope(std::sqrt(r2));
    });
    rates[i] = {converges, diffusion * rest.sound_speed * rest.density * spreads};
  }
};

}  // namespace talus::sph
