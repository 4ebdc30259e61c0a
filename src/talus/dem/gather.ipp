// The kernel over bodies: the sum of their rows in key order, and the second half kick.
#pragma once
#include <vector>

#include <talus/core/triple.hpp>
#include <talus/dem/slots.ipp>
#include <talus/dem/step.hpp>

namespace talus::dem {

// Read, not branched on, where branches are guessed: sides come at random.
TALUS_HD Real either(Real first, Real second, u32 which) {
#if defined(__CUDA_ARCH__)
  return which ? second : first;
#else
  const Real of[2] = {first, second};
  return of[which];
#endif
}

// V, W: what a force and a moment are summed in.
template <int D, class V = Vec<D>, class W = Spin<D>>
struct GatherSums {
  V force{};
  W moment{};
  V virial[D]{};  // its rows
  RowWork spent{};
  TALUS_HD GatherSums& operator+=(const GatherSums& other) {
    force += other.force;
    moment += other.moment;
    for (int k = 0; k < D; ++k) virial[k] += other.virial[k];
    spent += other.spent;
    return *this;
  }
};

// Sums the rows of each body in order of the partner's uid, adds gravity and local damping, and makes the second half
// kick. Rows that do not touch add exact zeros. Returns a number that is infinite when a velocity is not finite.
template <int D, bool Rotation, Keep K>
struct Gather {
  Span<const u32> start, incidence;  // of rows
  Span<u32> active_end, active;      // of slots
  Span<const u32> uid;
  Span<const u8> marks;
  Span<u8> woken;
  Span<const RowPush<D>> push;
  Span<const Spin<D>> couple;
  Span<const Vec<D>> branch;
  Span<const RowWork> row_work;
  Span<Moving<D>> moving;
  Span<Vec<D>> force;
  Span<Spin<D>> torque;
  Span<const Real> mass, inverse_inertia;
  Span<const Vec<D>> applied;  // empty: none
  Span<Real> applied_work;
  Span<BodyWork> work;
  Span<Mat<D>> virial_of_uid;
  const Globals<D>* globals;
  Span<const u32> earliest;
  SlotOf slot_of;
  Real damping, density_scale;
  bool ahead;   // the first half kick of the next step is made here too, and grains' forces need not be kept
  bool skewed;  // arms of deformed grains differ

  TALUS_HD Real operator()(std::size_t i) const { return put(i, sum<Vec<D>, Spin<D>>(i)); }

  template <class V, class W>
  TALUS_HD GatherSums<D, V, W> sum(std::size_t i) const {
    GatherSums<D, V, W> sums;
    if (woken[i] == some_woke) list_anew(i);
    for (u32 e = start[i]; e < active_end[i]; ++e) add_row(i, active[e], sums);
    return sums;
  }

  // A row that has woken takes its place in the list; all of the body's rows have acted by now.
  TALUS_HD void list_anew(std::size_t i) const {
    u32 at = start[i];
    for (u32 e = start[i]; e < start[i + 1]; ++e) {
      const u32 row = incidence[e] >> 1, mark = marks[row];
      if (!(mark & row_quiet)) active[at++] = slot_of(row, u8(mark)) * 2 + (incidence[e] & 1u);
    }
    active_end[i] = at;
    woken[i] = woke_listed;
  }

  // All rows of a body, for threads that share a wall; quiet ones add nothing.
  TALUS_HD u32 first(std::size_t i) const { return start[i]; }
  TALUS_HD u32 last(std::size_t i) const { return start[i + 1]; }
  template <class V, class W>
  TALUS_HD void add(std::size_t i, u32 e, GatherSums<D, V, W>& sums) const {
    const u32 row = incidence[e] >> 1;
    if (!(marks[row] & row_quiet)) add_row(i, slot_of(row, marks[row]) * 2 + (incidence[e] & 1u), sums);
  }
  template <class V, class W>
  TALUS_HD void add_row(std::size_t i, u32 entry, GatherSums<D, V, W>& sums) const {
    const u32 slot = entry >> 1, second = entry & 1u;
    const Held<V, const RowPush<D>> p = push[slot];
    const Real sign = either(1, -1, second);
    sums.force += sign * lying<V>(p.force);
    if constexpr (Rotation) {
      const Real radius = moving[i].radius;
      Real arm = radius > 0 ? radius - p.depth : Real(0);
      if (skewed) arm += sign * p.skew;
      sums.moment -= arm * lying<W>(p.twist);
      if (couple.size > 0) sums.moment += sign * W(couple[slot]);
    }
#if defined(__CUDA_ARCH__)
    if (second) return;  // on a device the bytes cost more than the branch
#endif
    const Real mine = either(1, 0, second);  // branch and couple have no slack: another thread may write the next row
    if constexpr (K != Keep::forces)
      for (int k = 0; k < D; ++k) sums.virial[k] += (mine * p.force[k]) * V(branch[slot]);
    if constexpr (K == Keep::ledger) sums.spent += mine * row_work[slot];
  }

  template <class V, class W>
  TALUS_HD Real put(std::size_t i, const GatherSums<D, V, W>& sums) const {
    if constexpr (K != Keep::forces) {
      Mat<D>& virial = virial_of_uid[uid[i]];
      for (int k = 0; k < D; ++k)
        for (int l = 0; l < D; ++l) virial(k, l) = sums.virial[k][l];
    }
    BodyWork done{};
    if constexpr (K == Keep::ledger) {
      done = work[i];
      done.friction += sums.spent.friction;
      done.viscous += sums.spent.viscous;
      done.stiffness += sums.spent.stiffness;
      done.growth += sums.spent.growth;
    }
    const Real speed = kick(i, sums.force, sums.moment, done);
    if constexpr (K == Keep::ledger) work[i] = done;
    return speed;
  }

  template <class V>
  TALUS_HD V damped(const V& f, const V& v) const {
    return damping > 0 ? f - times(damping * size_of(f), sign_of(v)) : f;
  }

  template <class V, class W>
  TALUS_HD Real kick(std::size_t i, const V& pushed, const W& twist, BodyWork& done) const {
    const Held<V, const Moving<D>> m = moving[i];
    if (!(m.inverse_mass > 0)) {  // driven bodies keep the force of the grains for their servo
      force[i] = to_vec(pushed);
      if constexpr (Rotation) torque[i] = to_vec(twist);
      return 0;
    }
    const Real dt = globals->dt;
    const V weight = mass[i] * V((1 / density_scale) * globals->gravity);
    V whole = pushed + weight;
    if (applied.size > 0) whole += V(applied[i]);
    const V middle = lying<V>(m.velocity), braked = damped(whole, middle);
    if (applied.size > 0) applied_work[i] += dt * dot(V(applied[i]), middle);
    const V half = (Real(0.5) * dt * m.inverse_mass) * braked, v = middle + half;
    if (!ahead) force[i] = to_vec(braked);
    moving[i].velocity = to_vec(ahead ? v + half : v);
    W w{}, braked_twist{};
    if constexpr (Rotation) {
      const W before = lying<W>(m.spin);
      braked_twist = damped(twist, before);
      const W half_turn = (Real(0.5) * dt * inverse_inertia[i]) * braked_twist;
      w = before + half_turn;
      if (!ahead) torque[i] = to_vec(braked_twist);
      moving[i].spin = to_vec(ahead ? w + half_turn : w);
    }
    if constexpr (K == Keep::ledger) {
      // This force acts over the half kick just made and the first half of the next step: its work is force times the
      // velocity in the middle, v.
      done.local += dt * (dot(whole - braked, v) + dot(twist - braked_twist, w));
      done.gravity += dt * dot(weight, middle);  // weight times displacement: exact
    }
    return finite_or_infinity(dot(v, v) + dot(w, w));
  }

#if !defined(__CUDACC__)
  using Force = std::conditional_t<D == 3, Triple, Vec<D>>;
  using Moment = std::conditional_t<D == 3, Triple, Spin<D>>;

  // A range of grains. Those with a partner before `begin_of_share` must wait.
  Real over(std::size_t begin, std::size_t end, std::size_t begin_of_share, std::vector<u32>& waiting) const {
    Real fastest = 0;
    for (std::size_t i = begin; i < end; ++i)
      if (earliest[i] < begin_of_share)
        waiting.push_back(u32(i));
      else
        fastest = max(fastest, put(i, sum<Force, Moment>(i)));
    return fastest;
  }
  // Grains that waited. What their rows did is no longer in the cache.
  Real over(Span<const u32> waited) const {
    constexpr std::size_t reach = 6;
    Real fastest = 0;
    for (std::size_t k = 0; k < waited.size; ++k) {
      if (k + reach < waited.size) {
        const u32 later = waited[k + reach];
        __builtin_prefetch(&moving[later]);
        for (u32 e = start[later]; e < active_end[later]; ++e) __builtin_prefetch(&push[active[e] >> 1]);
      }
      fastest = max(fastest, put(waited[k], sum<Force, Moment>(waited[k])));
    }
    return fastest;
  }
#endif
};

}  // namespace talus::dem
