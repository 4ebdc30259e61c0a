#pragma once
// Stages `boundary` and `forces`: pressure of the walls, and what pairs of particles do to each other. Each force of a pair is
// computed from both sides by expressions that differ in sign alone, so momentum is kept to rounding.
// docs/design/029-sph.md (3)-(7), (10).
#include <talus/sph/pairs.hpp>
#include <talus/sph/wall_contact.hpp>

namespace talus::sph {

// What a boundary particle is, from the particles before it (Adami 2012): their pressure with the weight of the liquid between,
// and the velocity that makes a liquid stick.
template <int D>
struct CarryToWalls {
  Pairs<D> pairs;
  Vec<D> gravity;
  Span<Real> pressure;
  Span<Sym3> deviator;            // empty without solids, as is the next
  Span<const Sym3> of_particles;  // Pa, deviators
  Span<Vec<D>> velocity;

  TALUS_HD void operator()(std::size_t b) const {
    Real weight = 0, sum = 0;
    Vec<D> moved{};
    Sym3 sheared;
    pairs.each_before(b, [&](const Record<D>& other, u32 i, const Vec<D>& branch, Real r2) TALUS_INLINED {
      const Real w = pairs.kernel.value(std::sqrt(r2));
      weight += w;
      sum += w * (other.pressure - other.density * dot(gravity, branch));
      moved += w * other.velocity;
      if (deviator.size > 0) sheared = sheared + w * of_particles[i];
    });
    const bool wet = weight > 0;
    if (deviator.size > 0) {
      deviator[b] = wet && sum > 0 ? (1 / weight) * sheared : Sym3{};  // a wall does not pull
      if (!pairs.sticks(u32(b))) deviator[b].yz = deviator[b].xz = deviator[b].xy = 0;  // nor rub, where matter slips
    }
    pressure[b] = wet ? max(sum / weight, Real(0)) : 0;
    velocity[b] = wet ? (-1 / weight) * moved : Vec<D>{};  // the wall is at rest: it lies in the middle
  }
};

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
};

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
  const Real closing = dot(relative, branch), softened = r2 + Real(0.01) * v.h * v.h;
  if (pairs.tractions.size > 0) {
    const Traction<D>&mine = pairs.tractions[i], &theirs = pairs.tractions[j];
    const Real near = pairs.kernel.value(std::sqrt(r2)) * v.apart, near2 = near * near;
    sum.pressed += (volumes * slope) * ((mine.stress + theirs.stress) * branch);
    sum.drag += (volumes * slope * near2 * near2) * ((mine.artificial + theirs.artificial) * branch);
    add_blind_drag(pairs, v, i, me, j, other, branch, slope / softened, sum);
  } else {
    sum.pressed -= ((volumes * (me.pressure + other.pressure)) * slope) * branch;
  }
  const matter::Matter a = pairs.matter[me.material], b = pairs.matter[other.material];
  if (closing < 0) {  // (27): Pi = -a c Q / rho
    const Real speed = Real(0.5) * (a.volume.sound_speed + b.volume.sound_speed);
    const Real mean = Real(0.5) * (me.density + other.density);
    const Real shock = -v.artificial * speed * (v.h * closing / softened) / mean;
    sum.drag -= ((volumes * (me.density * other.density)) * shock * slope) * branch;
  }
  sum.drag += (volumes * (a.viscosity + b.viscosity) * (slope * r2 / softened)) * relative;
}

template <int D>
TALUS_HD void add_wall(const Pairs<D>& pairs, const Viscosity& v, std::size_t i, const Record<D>& me, u32 b, const Vec<D>& branch,
                       Real r2, Parts<D>& sum) {
  const Real slope = pairs.kernel.slope(std::sqrt(r2)), volumes = me.volume * pairs.wall_volume[b];
  if (pairs.tractions.size > 0) {
    const Vec<D> own = (volumes * slope) * (pairs.tractions[i].stress * branch);
    sum.pressed += pairs.matter[me.material].is_solid() ? pairs.held_by(b, own) : own;  // as its strain knows the wall
    sum.push += (volumes * slope) * (pairs.wall_deviator[b] * branch);
  } else {
    sum.pressed -= (volumes * me.pressure * slope) * branch;
  }
  sum.push -= (volumes * pairs.wall_pressure[b] * slope) * branch;
  if (!pairs.sticks(b)) return;
  const Real sticks = volumes * 2 * pairs.matter[me.material].viscosity * (slope * r2 / (r2 + Real(0.01) * v.h * v.h));
  sum.drag += sticks * (me.velocity - pairs.wall_velocity[b]);
}

template <int D>
struct Forces {
  Pairs<D> pairs;
  Viscosity viscosity;
  WallContact<D> contact;
  Vec<D> gravity;
  Real dt;  // s
  Span<const Real> mass;
  Span<Vec<D>> acceleration, wall_force, drag, wall_push;  // all but the first may be empty, as the ledger

  TALUS_HD void operator()(std::size_t i) const {
    const Record<D> me = pairs.records[i];
    Parts<D> inner, outer;
    pairs.each_particle(i, [&](const Record<D>& other, u32 j, const Vec<D>& branch, Real r2)
                               TALUS_INLINED { add_partner(pairs, viscosity, i, me, j, other, branch, r2, inner); });
    pairs.each_wall(i, [&](u32 b, const Vec<D>& branch, Real r2) TALUS_INLINED { add_wall(pairs, viscosity, i, me, b, branch, r2, outer); });
    const matter::Matter& m = pairs.matter[me.material];
    const auto held = contact.on(me.position, mass[i], m.volume.sound_speed);
    outer.drag += contact.rub(held, me.velocity, m.friction, mass[i], dt);
    const Vec<D> of_walls = outer.pressed + outer.push + outer.drag + held.force;
    acceleration[i] = (1 / mass[i]) * (inner.pressed + inner.drag + of_walls) + gravity;
    if (wall_force.size == 0) return;
    wall_force[i] = of_walls;
    drag[i] = inner.drag + outer.drag;
    wall_push[i] = outer.push;
  }
};

// Force of the particles before it on a boundary particle.
template <int D>
struct PushWalls {
  Pairs<D> pairs;
  Viscosity viscosity;
  Span<Vec<D>> force;
  TALUS_HD void operator()(std::size_t b) const {
    Parts<D> sum;
    pairs.each_before(b, [&](const Record<D>& other, u32 i, const Vec<D>& branch, Real r2)
                             TALUS_INLINED { add_wall(pairs, viscosity, i, other, u32(b), branch, r2, sum); });
    force[b] = -(sum.pressed + sum.push + sum.drag);
  }
};

}  // namespace talus::sph
