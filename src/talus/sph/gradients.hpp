#pragma once
// Stage `gradients`: how fast each particle becomes denser, and how solids are strained. docs/design/029-sph.md (1), (2), (8), (9).
#include <talus/sph/pairs.hpp>

namespace talus::sph {

// What of a difference of densities is to spread: less that of a liquid at rest under gravity, up to all of it. Without that the
// surface of a liquid at rest would sink and its bottom swell; with all of it taken off a liquid in free fall would be pulled apart.
TALUS_HD Real beyond(Real difference, Real at_rest) {
  if (!(difference * at_rest > 0)) return difference;
  return difference > 0 ? max(difference - at_rest, Real(0)) : min(difference - at_rest, Real(0));
}

// (9): the inverse of M, the gradient of the place itself as the sum gives it. Where partners are so few or so flat that M has an
// eigenvalue below `least`, that much is added to all of them.
template <int D>
TALUS_HD Mat<D> correction_of(Mat<D> m) {
  const Real least = Real(0.05), mean = trace(m) / (D - 1);
  const Real smallest = mean > 0 ? determinant(m) / (D == 2 ? mean : mean * mean) : 0;  // a lower bound of the smallest eigenvalue
  if (smallest < least)
    for (int k = 0; k < D; ++k) m(k, k) += least - smallest;
  return inverse(m);
}

template <int D>
struct Gradients {
  Pairs<D> pairs;
  Vec<D> gravity;  // m/s^2
  Real diffusion;  // m, 2 delta h
  Span<DensityRate> rates;
  Span<Strain<D>> strains;  // empty without solids

  TALUS_HD void operator()(std::size_t i) const {
    const Record<D> me = pairs.records[i];
    if (is_total(me.part))
      strains[i] = {}, rates[i] = {};
    else if (pairs.matter[me.material].is_solid())
      of_solid(i, me);
    else
      of_liquid(i, me);
  }
  TALUS_HD void of_liquid(std::size_t i, const Record<D>& me) const {
    const matter::Tait rest = pairs.matter[me.material].volume;
    Real converges = 0, spreads = 0;
    pairs.each_particle(i, [&](const Record<D>& other, u32, const Vec<D>& branch, Real r2) TALUS_INLINED {
      if (are_apart(me.part, other.part)) return;
      const Real slope = pairs.kernel.slope(std::sqrt(r2));
      converges += other.volume * dot(me.velocity - other.velocity, branch) * slope;
      spreads += spread(rest, me, other, branch, slope);
    });
    pairs.each_wall(i, [&](u32 b, const Vec<D>& branch, Real r2) TALUS_INLINED {
      converges += pairs.wall_volume[b] * dot(me.velocity, branch) * pairs.kernel.slope(std::sqrt(r2));
    });
    rates[i] = {converges, diffusion * rest.sound_speed * rest.density * spreads};
    if (strains.size > 0) strains[i] = {};
  }
  TALUS_HD void of_solid(std::size_t i, const Record<D>& me) const {
    const matter::Tait rest = pairs.matter[me.material].volume;
    const bool diffuses = pairs.matter[me.material].diffuses != 0;
    Mat<D> velocities{}, places{};
    Real spreads = 0, converges = 0;
    const auto add = [&](const Vec<D>& velocity, const Vec<D>& branch, Real weight) TALUS_INLINED {
      for (int a = 0; a < D; ++a)
        for (int b = 0; b < D; ++b) {
          velocities(a, b) += weight * velocity[a] * branch[b];
          places(a, b) -= weight * branch[a] * branch[b];
        }
    };
    pairs.each_particle(i, [&](const Record<D>& other, u32, const Vec<D>& branch, Real r2) TALUS_INLINED {
      if (are_apart(me.part, other.part)) return;
      const Real slope = pairs.kernel.slope(std::sqrt(r2));
      add(other.velocity - me.velocity, branch, other.volume * slope);
      converges += other.volume * dot(me.velocity - other.velocity, branch) * slope;
      if (diffuses) spreads += spread(rest, me, other, branch, slope);
    });
    pairs.each_wall(i, [&](u32 b, const Vec<D>& branch, Real r2) TALUS_INLINED {
      const Vec<D> seen = pairs.held_by(b, me.velocity);
      const Real weight = pairs.wall_volume[b] * pairs.kernel.slope(std::sqrt(r2));
      add(-seen, branch, weight);
      converges += weight * dot(seen, branch);
    });
    const Mat<D> correction = correction_of(places);
    strains[i] = {velocities * correction, correction};
    rates[i] = {diffuses ? converges : -trace(strains[i].gradient),  // (13): soils change their volume as liquids do
                diffusion * rest.sound_speed * rest.density * spreads};
  }

 private:
  TALUS_HD Real spread(const matter::Tait& rest, const Record<D>& me, const Record<D>& other, const Vec<D>& branch, Real slope) const {
    if (other.material != me.material) return 0;
    const Real at_rest = -dot(gravity, branch) / (rest.sound_speed * rest.sound_speed);
    return -other.volume * beyond((other.density - me.density) / rest.density, at_rest) * slope;
  }
};

}  // namespace talus::sph
