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
template <int D>
struct Parts {
  Vec<D> pressed{};  // N, pressure of the particle and of its partners
  Vec<D> drag{};     // N, viscous
  Vec<D> push{};     // N, pressure of walls
  Real touching = 0; // J, held by contacts of bodies
};

// (27): Pi = -a c Q/rho, where two particles near each other.
template <int D>
TALUS_HD void add_shock(const Pairs<D>& pairs, const Viscosity& v, const Record<D>& me, const Record<D>& other, const Vec<D>& branch, Real slope,
                        Real volumes, Parts<D>& sum) {
  const Real closing = dot(me.velocity - other.velocity, branch), softened = dot(branch, branch) + Real(0.01) * v.h * v.h;
  if (!(closing < 0)) return;
  const Real speed = Real(0.5) * (pairs.matter[me.material].volume.sound_speed + pairs.matter[other.material].volume.sound_speed);
  const Real mean = Real(0.5) * (me.density + other.density);
  const Real shock = -v.artificial * speed * (v.h * closing / softened) / mean;
  sum.drag -= ((volumes * (me.density * other.density)) * shock * slope) * branch;
}

// (12): particles may move to and fro against their neighbours without any gradient. Their velocity less that of both gradients is damped
// along the branch, as artificial viscosity does with the whole of it; rigid motion and uniform strain are not.
template <int D>
TALUS_HD void add_blind_drag(const Pairs<D>& pairs, const Viscosity& v, std::size_t i, const Record<D>& me, u32 j, const Record<D>& other,
                             const Vec<D>& branch, Real weight, Parts<D>& sum) {
  const matter::Matter &a = pairs.matter[me.material], &b = pairs.matter[other.material];
  if (!a.is_solid() || !b.is_solid() || a.diffuses || b.diffuses) return;
  const Vec<D> seen = Real(0.5) * ((pairs.strains[i].gradient + pairs.strains[j].gradient) * branch);
  const Real unseen = dot(me.velocity - other.velocity - seen, branch);
  const Real rho = Real(0.5) * (me.density + other.density), speed = Real(0.5) * (a.volume.sound_speed + b.volume.sound_speed);
  sum.drag += (me.volume * other.volume * rho * v.blind * speed * v.h * unseen * weight) * branch;
}

template <int D>
TALUS_HD void add_partner(const Pairs<D>& pairs, const Viscosity& v, std::size_t i, const Record<D>& me, u32 j,
                          const Record<D>& other, const Vec<D>& branch, Real r2, Parts<D>& sum) {
  const Real slope = pairs.kernel.slope(std::sqrt(r2)), volumes = me.volume * other.volume;
  const Vec<D> relative = me.velocity - other.velocity;
  const Real softened = r2 + Real(0.01) * v.h * v.h;
  if (pairs.tractions.size > 0) {
    const Traction<D>&mine = pairs.tractions[i], &theirs = pairs.tractions[j];
    const Real near = pairs.kernel.value(std::sqrt(r2)) * v.apart, near2 = near * near;
    sum.pressed += (volumes * slope) * ((mine.stress + theirs.stress) * branch);
    sum.drag += (volumes * slope * near2 * near2) * ((mine.artificial + theirs.artificial) * branch);
    sum.drag -= (volumes * slope * (mine.damping + theirs.damping)) * branch;
    add_blind_drag(pairs, v, i, me, j, other, branch, slope / softened, sum);
  } else {
    sum.pressed -= ((volumes * (me.pressure + other.pressure)) * slope) * branch;
  }
  add_shock(pairs, v, me, other, branch, slope, volumes, sum);
  const Real viscous = pairs.matter[me.material].viscosity + pairs.matter[other.material].viscosity;
  sum.drag += (volumes * viscous * (slope * r2 / softened)) * relative;
}

template <int D>
TALUS_HD void add_wall(const Pairs<D>& pairs, const Viscosity& v, std::size_t i, const Record<D>& me, u32 b, const Vec<D>& branch,
                       Real r2, Parts<D>& sum) {
  const Real slope = pairs.kernel.slope(std::sqrt(r2)), volumes = me.volume * pairs.wall_volume[b];
  if (pairs.tractions.size > 0) {
    const Vec<D> own = (volumes * slope) * (pairs.tractions[i].stress * branch);
    sum.pressed += pairs.matter[me.material].is_solid() ? pairs.held_by(b, own) : own;  // as its strain knows the wall
    sum.push += (volumes * slope) * (pairs.wall_deviator[b] * branch);
    sum.drag -= pairs.held_by(b, (volumes * slope * pairs.tractions[i].damping) * branch);
  } else {
    sum.pressed -= (volumes * me.pressure * slope) * branch;
  }
  sum.push -= (volumes * pairs.wall_pressure[b] * slope) * branch;
  if (!pairs.sticks(b)) return;
  const Real sticks = volumes * 2 * pairs.matter[me.material].viscosity * (slope * r2 / (r2 + Real(0.01) * v.h * v.h));
  sum.drag += sticks * (me.velocity - pairs.wall_velocity[b]);
}

}  // namespace talus::sph
