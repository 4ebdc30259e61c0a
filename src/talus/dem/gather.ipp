// The kernel over bodies: the sum of their rows in key order. Each body is kicked at once, while its sum is at hand.
#pragma once
#include <vector>

#include <talus/dem/motion.ipp>
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

// 6. Sums the rows of each body in order of the partner's uid; rows that do not touch add exact zeros. Returns what the
// kick does.
template <int D, bool Rotation, Keep K>
struct Gather {
  Span<const u32> start, incidence;  // of rows
  Span<u32> active_end, active;      // of slots
  Span<const u8> marks;
  Span<u8> activated;
  Span<const RowPush<D>> push;
  Span<const Spin<D>> couple;
  Span<const Vec<D>> branch;
  Span<const RowWork> row_work;
  Span<const u32> earliest;
  SlotOf slot_of;
  Kick<D, Rotation, K> kick;
  bool skewed;  // arms of deformed grains differ

  TALUS_HD Real operator()(std::size_t i) const { return put(i, sum<Vec<D>, Spin<D>>(i)); }

  template <class V, class W>
  TALUS_HD GatherSums<D, V, W> sum(std::size_t i) const {
    GatherSums<D, V, W> sums;
    if (activated[i] == some_activated) list_anew(i);
    for (u32 e = start[i]; e < active_end[i]; ++e) add_row(i, active[e], sums);
    return sums;
  }

  // A row that has become active takes its place in the list; all of the body's rows have acted by now.
  TALUS_HD void list_anew(std::size_t i) const {
    u32 at = start[i];
    for (u32 e = start[i]; e < start[i + 1]; ++e) {
      const u32 row = incidence[e] >> 1, mark = marks[row];
      if (!(mark & row_inactive)) active[at++] = slot_of(row, u8(mark)) * 2 + (incidence[e] & 1u);
    }
    active_end[i] = at;
    activated[i] = activated_listed;
  }

  // All rows of a body, for threads that share a wall; inactive ones add nothing.
  TALUS_HD u32 first(std::size_t i) const { return start[i]; }
  TALUS_HD u32 last(std::size_t i) const { return start[i + 1]; }
  template <class V, class W>
  TALUS_HD void add(std::size_t i, u32 e, GatherSums<D, V, W>& sums) const {
    const u32 row = incidence[e] >> 1;
    if (!(marks[row] & row_inactive)) add_row(i, slot_of(row, marks[row]) * 2 + (incidence[e] & 1u), sums);
  }
  template <class V, class W>
  TALUS_HD void add_row(std::size_t i, u32 entry, GatherSums<D, V, W>& sums) const {
    const u32 slot = entry >> 1, second = entry & 1u;
    const Held<V, const RowPush<D>> p = push[slot];
    const Real sign = either(1, -1, second);
    sums.force += sign * load_as<V>(p.force);
    if constexpr (Rotation) {
      const Real radius = kick.moving[i].radius;
      Real arm = radius > 0 ? radius - p.depth : Real(0);
      if (skewed) arm += sign * p.skew;
      sums.moment -= arm * load_as<W>(p.twist);
      if (couple.size > 0) sums.moment += sign * W(couple[slot]);
    }
#if defined(__CUDA_ARCH__)
    if (second) return;  // on a device the bytes cost more than the branch
#endif
    const Real mine = either(1, 0, second);  // branch and couple have no slack: another thread may write the next row
    if (kick.keeps_virial())
      for (int k = 0; k < D; ++k) sums.virial[k] += (mine * p.force[k]) * V(branch[slot]);
    if (kick.keeps_work()) sums.spent += mine * row_work[slot];
  }

  template <class V, class W>
  TALUS_HD Real put(std::size_t i, const GatherSums<D, V, W>& sums) const {
    return kick(i, sums);
  }

#if !defined(__CUDACC__)
  using Force = std::conditional_t<D == 3, SimdVec, Vec<D>>;
  using Moment = std::conditional_t<D == 3, SimdVec, Spin<D>>;

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
        __builtin_prefetch(&kick.moving[later]);
        for (u32 e = start[later]; e < active_end[later]; ++e) __builtin_prefetch(&push[active[e] >> 1]);
      }
      fastest = max(fastest, put(waited[k], sum<Force, Moment>(waited[k])));
    }
    return fastest;
  }
#endif
};

}  // namespace talus::dem
