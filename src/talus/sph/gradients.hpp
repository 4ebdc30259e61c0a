#pragma once
// Stage `gradients`: how fast each particle becomes denser, and how solids are strained. docs/design/029-sph.md (1), (2), (8), (9).
#include <talus/sph/pairs.hpp>

namespace talus::sph {

// What of a difference of densities is to spread: less that of a liquid at rest under gravity, up to all of it. Without that the
// surface of a liquid at rest would sink and its bottom swell; with all of it taken off a liquid in free fall would be pulled apart.
template <class T>
TALUS_HD T beyond(const T& difference, const T& at_rest) {
  const T zero = 0;
  return difference - max(min(difference, zero), min(max(difference, zero), at_rest));
}

// (9): the inverse of M, the gradient of the place itself as the sum gives it. Where partners are so few or so flat that M has an
// eigenvalue below `least`, that much is added to all of them.
template <int D, class T>
TALUS_HD Mat<D, T> correction_of(Mat<D, T> m) {
  const T least = Real(0.05), zero = 0, mean = trace(m) / T(D - 1);
  const T smallest = select(mean > zero, determinant(m) / (D == 2 ? mean : mean * mean), zero);  // a lower bound of the smallest eigenvalue
  const T missing = max(least - smallest, zero);
  for (int k = 0; k < D; ++k) m(k, k) += missing;
  return inverse(m);
}

template <int D>
struct Gradients {
  Pairs<D> pairs;
  Vec<D> gravity;  // m/s^2
  Real diffusion;  // m, 2 delta h
  bool corrects;   // false: gradients as their sums give them, for comparison
  Real lattice;    // 1/m^D, sum of the kernel over a lattice of particles
  Span<DensityRate<>> rates;
  Span<Strain<D>> strains;  // empty without solids

  template <class T, class Who>
  TALUS_HD void of(const Who& who, u32 group) const {
    const Record<D, T> me = load<Record<D, T>>(pairs.records.data, who);
    const T rest = of_each(who, [&](u32 i) { return pairs.matter_of(i).volume.density; });
    const T speed = of_each(who, [&](u32 i) { return pairs.matter_of(i).volume.sound_speed; });
    if (strains.size > 0)
      with_strain<T>(who, group, me, rest, speed);
    else
      of_liquids<T>(who, group, me, rest, speed);
  }

 private:
  template <class T, class Who>
  TALUS_HD void of_liquids(const Who& who, u32 group, const Record<D, T>& me, const T& rest, const T& speed) const {
    T converges = 0, spreads = 0;
    const Vec<D, T> lean = lean_of(speed);
    const T inverse_rest = T(1) / rest;
    pairs.each_particle(group, me.position, [&](const Record<D>& other, u32, const Vec<D, T>& branch, const T& r) TALUS_INLINED {
      const T weight = T(other.volume) * pairs.kernel.slope(r);
      converges += weight * dot(me.velocity - wide<T>(other.velocity), branch);
      spreads -= spread(me, other, branch, lean, inverse_rest, weight);
    });
    pairs.each_wall(group, me.position, [&](u32 b, const Vec<D, T>& branch, const T& r) TALUS_INLINED {
      converges += T(pairs.wall_volume[b]) * pairs.kernel.slope(r) * dot(me.velocity, branch);
    });
    store(rates.data, who, DensityRate<T>{converges, T(diffusion) * speed * rest * spreads, T(1)});
  }
  // With solids in the scene: all lanes make all sums.
  template <class T, class Who>
  TALUS_HD void with_strain(const Who& who, u32 group, const Record<D, T>& me, const T& rest, const T& speed) const {
    const T zero = 0;
    const auto solid = of_each(who, [&](u32 i) { return pairs.matter_of(i).is_solid() ? Real(1) : Real(0); }) > zero;
    const auto diffuses = of_each(who, [&](u32 i) { return Real(pairs.matter_of(i).diffuses); }) > zero;
    const auto laid = me.part < zero;  // stage `stretch` has them
    Mat<D, T> velocities{}, places{};
    T spreads = 0, filled = 0;
    const Vec<D, T> lean = lean_of(speed);
    const T inverse_rest = T(1) / rest;
    const auto add = [&](const Vec<D, T>& velocity, const Vec<D, T>& branch, const T& weight) TALUS_INLINED {
      for (int a = 0; a < D; ++a) {
        const T moved = weight * velocity[a], placed = weight * branch[a];
        for (int b = 0; b < D; ++b) velocities(a, b) += moved * branch[b];
        for (int b = a; b < D; ++b) places(a, b) -= placed * branch[b];
      }
    };
    pairs.each_particle(group, me.position, [&](const Record<D>& other, u32, const Vec<D, T>& branch, const T& r) TALUS_INLINED {
      T weight = T(other.volume) * pairs.kernel.slope(r);
      if (pairs.kinds.parts) weight = select(are_one(me.part, other.part), weight, zero);
      add(wide<T>(other.velocity) - me.velocity, branch, weight);
      filled += pairs.kernel.value(r);
      spreads -= spread(me, other, branch, lean, inverse_rest, weight);
    });
    T converges = -trace(velocities);  // soils change their volume as liquids do, (13)
    pairs.each_wall(group, me.position, [&](u32 b, const Vec<D, T>& branch, const T& r) TALUS_INLINED {
      const Vec<D, T> seen = pairs.held_by(b, me.velocity);
      const T weight = T(pairs.wall_volume[b]) * pairs.kernel.slope(r);
      add(-seen, branch, weight);
      filled += pairs.kernel.value(r);
      converges += weight * dot(select(solid, seen, me.velocity), branch);
    });
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < a; ++b) places(a, b) = places(b, a);
    const Mat<D, T> correction = corrects ? correction_of(places) : Mat<D, T>::identity(), gradient = velocities * correction;
    Strain<D, T> strain;
    const auto none = laid | !solid;
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) {
        strain.gradient(a, b) = select(none, zero, gradient(a, b));
        strain.correction(a, b) = select(none, T(a == b ? 1 : 0), correction(a, b));
      }
    store(strains.data, who, strain);
    const T spread_out = select(diffuses & !laid, T(diffusion) * speed * rest * spreads, zero);
    store(rates.data, who, DensityRate<T>{select(laid, zero, select(diffuses, converges, -trace(gradient))), spread_out, filled / T(lattice)});
  }
  // s^2/m^2 times the gradient of the head of a liquid at rest: its density falls so along a branch.
  template <class T>
  TALUS_HD Vec<D, T> lean_of(const T& speed) const {
    return (T(-1) / (speed * speed)) * wide<T>(gravity);
  }
  template <class T>
  TALUS_HD T spread(const Record<D, T>& me, const Record<D>& other, const Vec<D, T>& branch, const Vec<D, T>& lean, const T& inverse_rest,
                    const T& weight) const {
    const T more = (T(other.density) - me.density) * inverse_rest;
    const T spreads = weight * beyond(more, dot(lean, branch));
    return pairs.matter.size > 1 ? select(me.material == T(other.material), spreads, T(0)) : spreads;
  }
};

// Density by summation, for comparison: that of particles on their lattice is the one at rest. Where a body ends it is too low.
template <int D>
struct SumDensity {
  Pairs<D> pairs;
  Real full;  // 1/m^D, the sum over a lattice
  Real cell;  // m^D, of a particle of the lattice
  Span<Real> density;

  template <class T, class Who>
  TALUS_HD void of(const Who& who, u32 group) const {
    const Vec<D, T> x = load<Record<D, T>>(pairs.records.data, who).position;
    T sum = 0;
    pairs.each_particle(group, x, [&](const Record<D>&, u32, const Vec<D, T>&, const T& r) TALUS_INLINED { sum += pairs.kernel.value(r); });
    pairs.each_wall(group, x, [&](u32, const Vec<D, T>&, const T& r) TALUS_INLINED { sum += pairs.kernel.value(r); });
    const T mass = of_each(who, [&](u32 i) { return pairs.mass[i]; });
    store(density.data, who, mass * sum / T(full * cell));
  }
};

}  // namespace talus::sph
