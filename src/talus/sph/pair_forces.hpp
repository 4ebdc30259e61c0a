#pragma once
// Forces of two particles that are near each other, and of a boundary particle. docs/design/029-sph.md (4), (5), (10)-(12).
#include <talus/sph/pairs.hpp>

namespace talus::sph {

struct Viscosity {
  Real artificial;  // Monaghan's coefficient
  Real h;           // m
  Real apart;       // m^D, 1/W at the spacing: of artificial stress
  Real blind;       // coefficient of what the gradients of two solids do not see of their motion
};

// Forces on a particle. Viscous ones and what walls do beyond compression are kept apart for the ledger.
template <int D, class T = Real>
struct Parts {
  Vec<D, T> pressed{};  // N, pressure of the particle and of its partners
  Vec<D, T> drag{};     // N, viscous
  Vec<D, T> push{};     // N, pressure of walls
  T touching = 0;       // J, held by contacts of bodies
};

// A particle as it acts on its partners: itself, or one in every lane. What a scene does not have is left at zero.
template <int D, class T>
struct Side {
  Record<D, T> record;
  Traction<D, T> traction;
  Mat<D, T> artificial{}, gradient{};
  T sound_speed, viscosity, elastic, solid;  // m/s; Pa s; 1 or 0: elastic, of formulation `updated`; 1 or 0

  template <class Who>
  TALUS_HD static Side of(const Pairs<D>& pairs, const Who& who) {
    Side me;
    me.record = load<Record<D, T>>(pairs.records.data, who);
    if (pairs.tractions.size > 0) me.traction = load<Traction<D, T>>(pairs.tractions.data, who);
    if (pairs.artificial.size > 0) me.artificial = load<Mat<D, T>>(pairs.artificial.data, who);
    if (pairs.kinds.blind) me.gradient = load<Strain<D, T>>(pairs.strains.data, who).gradient;
    me.sound_speed = of_each(who, [&](u32 i) { return pairs.matter_of(i).volume.sound_speed; });
    me.viscosity = of_each(who, [&](u32 i) { return pairs.matter_of(i).viscosity; });
    me.elastic = of_each(who, [&](u32 i) { return Real(pairs.matter_of(i).is_elastic()); });
    me.solid = of_each(who, [&](u32 i) { return Real(pairs.matter_of(i).is_solid()); });
    return me;
  }
};

// (27): Pi = -a c Q/rho, where two particles near each other. Returns what the branch is multiplied with, N/m.
template <int D, class T>
TALUS_HD T shock(const Viscosity& v, const Side<D, T>& me, const Record<D>& other, Real speed, const Vec<D, T>& relative, const Vec<D, T>& branch,
                 const T& softened, const T& weight) {
  const T closing = min(dot(relative, branch), T(0));
  const T mean = me.record.density + T(other.density);  // twice
  const T densities = me.record.density * T(other.density);
  return weight * (T(v.artificial * v.h) * (me.sound_speed + T(speed)) * closing * densities / (softened * mean));
}

// (12): particles may move to and fro against their neighbours without any gradient. Their velocity less that of both gradients is damped
// along the branch, as artificial viscosity does with the whole of it; rigid motion and uniform strain are not. Likewise N/m.
template <int D, class T>
TALUS_HD T blind_drag(const Pairs<D>& pairs, const Viscosity& v, const Side<D, T>& me, u32 j, const Record<D>& other, Real speed,
                      const Vec<D, T>& relative, const Vec<D, T>& branch, const T& softened, const T& weight) {
  const Vec<D, T> seen = T(0.5) * ((me.gradient + wide<T>(pairs.strains[j].gradient)) * branch);
  const T unseen = dot(relative - seen, branch);
  const T mean = me.record.density + T(other.density), speeds = me.sound_speed + T(speed);  // twice, both
  return select(me.elastic > T(0), weight * (T(Real(0.25) * v.blind * v.h) * mean * speeds * unseen / softened), T(0));
}

template <int D, class T>
TALUS_HD void add_partner(const Pairs<D>& pairs, const Viscosity& v, const Side<D, T>& me, u32 j, const Record<D>& other, const Vec<D, T>& branch,
                          const T& r, Parts<D, T>& sum) {
  const matter::Matter& its = pairs.matter_of(other);
  const T slope = pairs.kernel.slope(r);
  T weight = me.record.volume * T(other.volume) * slope;
  if (pairs.kinds.parts) weight = select(are_one(me.record.part, other.part), weight, T(0));
  const Vec<D, T> relative = me.record.velocity - wide<T>(other.velocity);
  const T softened = r * r + T(Real(0.01) * v.h * v.h);
  const Real speed = its.volume.sound_speed;
  T drag = shock(v, me, other, speed, relative, branch, softened, weight);
  if (pairs.tractions.size > 0) {
    const Traction<D>& theirs = pairs.tractions[j];
    sum.pressed += weight * ((me.traction.stress + wide<T>(theirs.stress)) * branch);
    drag -= weight * (me.traction.damping + T(theirs.damping));
    if (pairs.kinds.blind && its.is_elastic()) drag += blind_drag(pairs, v, me, j, other, speed, relative, branch, softened, weight);
  } else {
    sum.pressed -= (weight * (me.record.pressure + T(other.pressure))) * branch;
  }
  sum.drag += drag * branch;
  if (pairs.artificial.size > 0) {
    const T near = pairs.kernel.value(r) * T(v.apart), near2 = near * near;
    sum.drag += (weight * (near2 * near2)) * ((me.artificial + wide<T>(pairs.artificial[j])) * branch);
  }
  if (pairs.kinds.viscous) sum.drag += (weight * (me.viscosity + T(its.viscosity)) * (r * r) / softened) * relative;
}

template <int D, class T>
TALUS_HD void add_wall(const Pairs<D>& pairs, const Viscosity& v, const Side<D, T>& me, u32 b, const Vec<D, T>& branch, const T& r,
                       Parts<D, T>& sum) {
  const T weight = me.record.volume * T(pairs.wall_volume[b]) * pairs.kernel.slope(r);
  if (pairs.tractions.size > 0) {
    const Vec<D, T> own = weight * (me.traction.stress * branch);
    sum.pressed += select(me.solid > T(0), pairs.held_by(b, own), own);  // as its strain knows the wall
    sum.push += weight * times(pairs.wall_deviator[b], branch);
    sum.drag -= pairs.held_by(b, (weight * me.traction.damping) * branch);
  } else {
    sum.pressed -= (weight * me.record.pressure) * branch;
  }
  sum.push -= (weight * T(pairs.wall_pressure[b])) * branch;
  if (!pairs.kinds.viscous || !pairs.sticks(b)) return;
  const T sticks = weight * (T(2) * me.viscosity) * (r * r) / (r * r + T(Real(0.01) * v.h * v.h));
  sum.drag += sticks * (me.record.velocity - wide<T>(pairs.wall_velocity[b]));
}

}  // namespace talus::sph
