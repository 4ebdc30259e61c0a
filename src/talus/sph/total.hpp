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
    const matter::Matter& m = pairs.matter_of(records[i]);
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
TALUS_HD void add_laid(const Pairs<D>& pairs, const Viscosity& v, std::size_t i, const Side<D, Real>& me, u32 j, const Vec<D>& laid,
                       const Vec<D>& branch, Real slope, Parts<D>& sum) {
  const Pull<D>&mine = pairs.pulls[i], &theirs = pairs.pulls[j];
  const Real weight = pairs.volume_at_rest(i) * pairs.volume_at_rest(j) * slope;
  const Vec<D> unseen = mine.stiffness * (branch - mine.gradient * laid) + theirs.stiffness * (branch - theirs.gradient * laid);
  sum.pressed += weight * ((mine.stress + theirs.stress) * laid + unseen);
  const Record<D>& other = pairs.records[j];
  const Real softened = dot(branch, branch) + Real(0.01) * v.h * v.h;
  sum.drag += shock(v, me, other, pairs.matter_of(other).volume.sound_speed, me.record.velocity - other.velocity, branch, softened, weight) * branch;
}

// (5): a spring between particles of bodies that touch, from one spacing on. As stiff as the matter. Its energy is shared. Of lanes,
// those that do touch are few: one after the other.
template <int D>
TALUS_HD void add_touch(const Pairs<D>& pairs, u32 i, u32 j, const Vec<D>& branch, Vec<D>& pressed, Real& touching) {
  const Record<D>&me = pairs.records[i], &other = pairs.records[j];
  const Real near = pairs.spacing, r = length(branch), depth = near - r;
  if (!(depth > 0 && r > 0)) return;
  if (are_apart(me.part, other.part) ? false : !is_total(me.part) || pairs.were_partners(i, j)) return;
  const auto stiffness = [&](const Record<D>& of) {
    const Real speed = pairs.matter_of(of).volume.sound_speed / near;
    return of.volume * of.density * speed * speed;
  };
  const Real k = Real(0.5) * (stiffness(me) + stiffness(other));
  pressed += (k * depth / r) * branch;
  touching += Real(0.25) * k * depth * depth;
}

}  // namespace talus::sph
