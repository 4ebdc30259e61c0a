#pragma once
// Stages `boundary` and `forces`: pressure of the walls, and what pairs of particles do to each other. Each force of a pair is
// computed from both sides by expressions that differ in sign alone, so momentum is kept to rounding.
// docs/design/029-sph.md (3)-(7), (10).
#include <talus/sph/pair_forces.hpp>
#include <talus/sph/total.hpp>
#include <talus/sph/wall_contact.hpp>

namespace talus::sph {

// Where matter slips a wall does not rub: no shear between what it holds and what it does not.
TALUS_HD Sym3 without_rubbing(const Mat3& s, const Mat3& held) {
  const Mat3 free = Mat3::identity() - held;
  return symmetric(held * s * held + free * s * free);
}

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

  template <class T, class Who>
  TALUS_HD void of(const Who& who, u32 group) const {
    const T zero = 0;
    if (pairs.has_none_before(group)) {  // most walls: nothing reads it
      store(pressure.data, who, zero);
      store(velocity.data, who, Vec<D, T>{});
      if (deviator.size > 0) each_lane(who, [&](int, u32 b) { deviator[b] = {}; });
      return;
    }
    const Vec<D, T> x = load<Vec<D, T>>(pairs.wall_position.data, who), down = wide<T>(gravity);
    T weight = 0, sum = 0, sheared[6] = {};
    Vec<D, T> moved{};
    pairs.each_before(group, x, [&](const Record<D>& other, u32 j, const Vec<D, T>& branch, const T& r) TALUS_INLINED {
      if (is_total(other.part)) return;  // walls touch it
      const T w = pairs.kernel.value(r);
      weight += w;
      sum += w * (T(other.pressure) - T(other.density) * dot(down, branch));
      moved += w * wide<T>(other.velocity);
      if (deviator.size == 0) return;
      const Sym3& s = of_particles[j];
      const Real part[6] = {s.xx, s.yy, s.zz, s.yz, s.xz, s.xy};
      for (int k = 0; k < 6; ++k) sheared[k] += w * T(part[k]);
    });
    const auto wet = weight > zero;
    const auto pressed = wet & (sum > zero);
    const T share = select(wet, T(1) / select(wet, weight, T(1)), zero);
    store(pressure.data, who, select(pressed, share * sum, zero));  // a wall does not pull
    store(velocity.data, who, (-share) * moved);                   // it is at rest: it lies in the middle
    if (deviator.size == 0) return;
    for (int k = 0; k < 6; ++k) sheared[k] = select(pressed, share * sheared[k], zero);
    each_lane(who, [&](int n, u32 b) {
      Real part[6];
      for (int k = 0; k < 6; ++k) part[k] = number(sheared[k], n);
      const Sym3 all{part[0], part[1], part[2], part[3], part[4], part[5]};
      deviator[b] = pairs.sticks(b) ? all : without_rubbing(full(all), full(pairs.wall_holds[b]));
    });
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

  template <class T, class Who>
  TALUS_HD void of(const Who& who, u32 group) const {
    const auto me = Side<D, T>::of(pairs, who);
    Parts<D, T> inner, outer;
    const T near = pairs.spacing;
    pairs.each_particle(group, me.record.position, [&](const Record<D>& other, u32 j, const Vec<D, T>& branch, const T& r) TALUS_INLINED {
      add_partner(pairs, viscosity, me, j, other, branch, r, inner);
      if (pairs.kinds.parts && any(r < near)) touch(who, j, branch, inner);
    });
    pairs.each_wall(group, me.record.position, [&](u32 b, const Vec<D, T>& branch, const T& r)
                                                   TALUS_INLINED { add_wall(pairs, viscosity, me, b, branch, r, outer); });
    each_lane(who, [&](int n, u32 i) { finish(i, of_lane(inner, n), of_lane(outer, n)); });
  }

 private:
  template <class T, class Who>
  TALUS_HD void touch(const Who& who, u32 j, const Vec<D, T>& branch, Parts<D, T>& sum) const {
    each_lane(who, [&](int n, u32 i) {
      Vec<D> pressed = lane_of(sum.pressed, n);
      add_touch(pairs, i, j, lane_of(branch, n), pressed, number(sum.touching, n));
      for (int k = 0; k < D; ++k) number(sum.pressed[k], n) = pressed[k];
    });
  }
  template <class T>
  TALUS_HD static Parts<D> of_lane(Parts<D, T>& all, int n) {
    return {lane_of(all.pressed, n), lane_of(all.drag, n), lane_of(all.push, n), number(all.touching, n)};
  }
  TALUS_HD void finish(u32 i, Parts<D> inner, Parts<D> outer) const {
    const Record<D>& me = pairs.records[i];
    const bool laid = is_total(me.part);
    if (laid) {
      outer = {};  // walls touch it
      const auto mine = Side<D, Real>::of(pairs, i);
      pairs.each_laid(i, [&](u32 j, const Vec<D>& was, const Vec<D>& branch, Real slope)
                             TALUS_INLINED { add_laid(pairs, viscosity, i, mine, j, was, branch, slope, inner); });
    }
    const matter::Matter& m = pairs.matter_of(me);
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

  template <class T, class Who>
  TALUS_HD void of(const Who& who, u32 group) const {
    static_assert(std::is_same_v<T, Real>, "looked at seldom: the particle's side is loaded for one boundary particle");
    Parts<D> sum;
    pairs.each_before(group, pairs.wall_position[who], [&](const Record<D>& other, u32 i, const Vec<D>& branch, Real r) TALUS_INLINED {
      if (!is_total(other.part)) add_wall(pairs, viscosity, Side<D, Real>::of(pairs, i), who, branch, r, sum);
    });
    force[who] = -(sum.pressed + sum.push + sum.drag);
  }
};

// What of that is on one wall,
template <int D>
struct OnWall {
  Span<const Vec<D>> force;
  Span<const u32> wall;
  u32 mine;
  TALUS_HD Vec<D> operator()(std::size_t k) const { return wall[k] == mine ? force[k] : Vec<D>{}; }
};
// and the force of its contact on the k-th particle by uid.
template <int D>
struct InWallContact {
  WallContact<D> contact;  // of that wall alone
  Span<const Vec<D>> position;
  Span<const Real> mass;
  Span<const u32> material, by_uid;
  Span<const Record<D>> records;
  Span<const matter::Matter> matter;
  Real dt;  // s
  TALUS_HD Vec<D> operator()(std::size_t k) const {
    const u32 i = by_uid[k];
    if (!(contact.walls[0].at(position[i] - contact.position[0]).gap < max(contact.near, contact.near_laid))) return {};  // nearly all
    const auto push = contact.on(position[i], mass[i], matter[material[i]].volume.sound_speed, is_total(records[i].part));
    return push.force + contact.rub(push, records[i].velocity, matter[material[i]].friction, mass[i], dt);
  }
};

}  // namespace talus::sph
