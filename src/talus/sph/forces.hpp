#pragma once
// Stages `boundary` and `forces`: pressure of the walls, and what pairs of particles do to each other. Each force of a pair is
// computed from both sides by expressions that differ in sign alone, so momentum is kept to rounding.
// docs/design/029-sph.md (3)-(7), (10).
#include <talus/sph/pair_forces.hpp>
#include <talus/sph/total.hpp>
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
      if (is_total(other.part)) return;  // walls touch it
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

template <int D>
struct Forces {
  Pairs<D> pairs;
  Viscosity viscosity;
  WallContact<D> contact;
  Vec<D> gravity;
  Real dt;  // s
  Span<const Real> mass;
  Span<Vec<D>> acceleration, wall_force, drag, wall_push;  // all but the first may be empty, as the ledger
  Span<Real> stored;                                       // likewise; what contacts of bodies hold is added

  TALUS_HD void operator()(std::size_t i) const {
    const Record<D> me = pairs.records[i];
    Parts<D> inner, outer;
    const bool laid = is_total(me.part);
    pairs.each_particle(i, [&](const Record<D>& other, u32 j, const Vec<D>& branch, Real r2) TALUS_INLINED {
      const bool apart = are_apart(me.part, other.part);
      if (!apart && !laid)
        add_partner(pairs, viscosity, i, me, j, other, branch, r2, inner);
      else if (apart || !pairs.were_partners(i, j))
        add_touch(pairs, me, other, branch, r2, inner);
    });
    if (laid)
      pairs.each_laid(i, [&](u32 j, const Vec<D>& was, const Vec<D>& branch, Real slope)
                             TALUS_INLINED { add_laid(pairs, viscosity, i, me, j, was, branch, slope, inner); });
    else
      pairs.each_wall(i, [&](u32 b, const Vec<D>& branch, Real r2) TALUS_INLINED { add_wall(pairs, viscosity, i, me, b, branch, r2, outer); });
    const matter::Matter& m = pairs.matter[me.material];
    const auto held = contact.on(me.position, mass[i], m.volume.sound_speed, laid);
    outer.drag += contact.rub(held, me.velocity, m.friction, mass[i], dt);
    const Vec<D> of_walls = outer.pressed + outer.push + outer.drag + held.force;
    acceleration[i] = (1 / mass[i]) * (inner.pressed + inner.drag + of_walls) + gravity;
    if (wall_force.size == 0) return;
    wall_force[i] = of_walls;
    drag[i] = inner.drag + outer.drag;
    wall_push[i] = outer.push;
    stored[i] += inner.touching;
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
                             TALUS_INLINED { if (!is_total(other.part)) add_wall(pairs, viscosity, i, other, u32(b), branch, r2, sum); });
    force[b] = -(sum.pressed + sum.push + sum.drag);
  }
};

}  // namespace talus::sph
