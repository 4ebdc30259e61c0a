#pragma once
// Bodies whose strain is measured from where they were laid, and what bodies do to each other that touch.
// docs/design/048-total-lagrangian.md (1)-(6).
#include <talus/sph/pair_forces.hpp>

namespace talus::sph {

// Stage `stretch`: (1), (2). What is known of particles of other bodies stays.
template <int D>
struct Stretch {
  Pairs<D> pairs;
  Span<const Real> mass;
  Real stiffens;  // hourglass stiffness over the shear modulus
  Span<Pull<D>> pulls;
  Span<Real> density, pressure;
  Span<Sym3> deviator;
  Span<Record<D>> records;
  Span<Real> stored, sheared;  // or empty, as the ledger

  TALUS_HD void operator()(std::size_t i) const {
    if (!is_total(records[i].part)) return;
    const matter::Matter& m = pairs.matter[records[i].material];
    const Mat<D> correction = pairs.of_reference(i);
    Mat<D> f{};
    pairs.each_laid(i, [&](u32 j, const Vec<D>& laid, const Vec<D>& branch, Real slope)
                           TALUS_INLINED { f += (-pairs.volume_at_rest(j) * slope) * outer(branch, laid); });
    f = f * correction;
    const Mat3 stretch = in_space(f, 1);
    const matter::Stretched s = m.stretched(stretch);
    Mat<D> stress;
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) stress(a, b) = s.stress(a, b);
    pulls[i] = {f, stress * correction, stiffens * m.shear_modulus};
    tell(i, m, stretch, s);
    if (stored.size == 0) return;
    Real unseen = 0;  // (3)
    pairs.each_laid(i, [&](u32 j, const Vec<D>& laid, const Vec<D>& branch, Real slope) TALUS_INLINED {
      const Vec<D> miss = branch - f * laid;
      unseen -= pairs.volume_at_rest(j) * slope * dot(miss, miss);
    });
    const Real rest = pairs.volume_at_rest(i);
    stored[i] += rest * s.swelled;
    sheared[i] = rest * (s.sheared + Real(0.5) * pulls[i].stiffness * unseen);
  }

 private:
  // Density and Cauchy's stress, sigma = P F^T/J, as others read them.
  TALUS_HD void tell(std::size_t i, const matter::Matter& m, const Mat3& f, const matter::Stretched& s) const {
    const Real j = determinant(f);
    Mat3 back{};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) back(a, b) = f(b, a) / j;
    const Sym3 stress = symmetric(s.stress * back);
    density[i] = m.volume.density / j;
    pressure[i] = -trace(stress) / 3;
    deviator[i] = talus::deviator(stress);
    records[i].density = density[i];
    records[i].volume = mass[i] / density[i];
    records[i].pressure = pressure[i];
  }
};

// (2), (4): force on particle i of its partners as they were laid.
template <int D>
TALUS_HD void add_laid(const Pairs<D>& pairs, const Viscosity& v, std::size_t i, const Record<D>& me, u32 j, const Vec<D>& laid,
                       const Vec<D>& branch, Real slope, Parts<D>& sum) {
  const Pull<D>&mine = pairs.pulls[i], &theirs = pairs.pulls[j];
  const Real volumes = pairs.volume_at_rest(i) * pairs.volume_at_rest(j);
  const Vec<D> unseen = mine.stiffness * (branch - mine.gradient * laid) + theirs.stiffness * (branch - theirs.gradient * laid);
  sum.pressed += (volumes * slope) * ((mine.stress + theirs.stress) * laid + unseen);
  add_shock(pairs, v, me, pairs.records[j], branch, slope, volumes, sum);
}

// (5): a spring between particles of bodies that touch, from one spacing on. As stiff as the matter. Its energy is shared.
template <int D>
TALUS_HD void add_touch(const Pairs<D>& pairs, const Record<D>& me, const Record<D>& other, const Vec<D>& branch, Real r2, Parts<D>& sum) {
  const Real near = pairs.spacing, r = std::sqrt(r2), depth = near - r;
  if (!(depth > 0 && r > 0)) return;
  const auto stiffness = [&](const Record<D>& of) {
    const Real speed = pairs.matter[of.material].volume.sound_speed / near;
    return of.volume * of.density * speed * speed;
  };
  const Real k = Real(0.5) * (stiffness(me) + stiffness(other));
  sum.pressed += (k * depth / r) * branch;
  sum.touching += Real(0.25) * k * depth * depth;
}

}  // namespace talus::sph
