// Where the results of rows go: see Plan in scratch.hpp and docs/design/016-rings.md.
#pragma once
#include <algorithm>

#include <talus/dem/scratch.hpp>
#include <talus/exec/prefetch.hpp>

namespace talus::dem {

// The slot of any row.
struct SlotOf {
  struct OfLaw {
    Span<const u32> lasting, lasting_slot;
    u32 first, slots, lasting_slots;
  } laws[law_count];
  u32 ring;        // 0: each row has its own
  u32 offset = 0;  // of the ring of the chunk at hand

  TALUS_HD u32 operator()(u32 row, u8 mark) const {
    if (ring == 0) return row;
    std::size_t l = 0;
    while (l + 1 < law_count && row >= laws[l + 1].first) ++l;
    const OfLaw& law = laws[l];
    const u32 r = row - law.first;
    if (!(mark & row_lasts)) return law.slots + offset + (r & (ring - 1));
    u32 low = 0, high = u32(law.lasting.size);
    while (low < high) {
      const u32 middle = (low + high) / 2;
      if (law.lasting[middle] < r)
        low = middle + 1;
      else
        high = middle;
    }
    return law.lasting_slots + law.lasting_slot[low];
  }
};

template <int D>
SlotOf slot_finder(const Scratch<D>& s) {
  SlotOf of;
  for (std::size_t l = 0; l < law_count; ++l)
    of.laws[l] = {s.index[l].lasting.span(), s.index[l].lasting_slot.span(), s.index[l].first, s.index[l].slots,
                  s.index[l].lasting_slots};
  of.ring = s.plan.ring;
  return of;
}

// First tile of each chunk, and one more at the end. Parts have about the same number of rows and bodies. Of a part's chunks
// each is half of what is left, so that the last ones, which others take when they are done, are small.
template <int D>
std::vector<std::size_t> cut(const Scratch<D>& s, std::size_t grains, std::size_t parts, u32 each) {
  const std::size_t tiles = tiles_of(grains), whole = std::size_t(1) << (each - 1);
  const auto work_before = [&](std::size_t t) {
    std::size_t work = t * tile_size;
    for (const RowIndex& index : s.index) work += index.tile[t];
    return work;
  };
  std::vector<std::size_t> first(parts * each + 1, tiles);
  for (std::size_t chunk = 0; chunk < parts * each; ++chunk) {
    const std::size_t before = (chunk / each + 1) * whole - (whole >> chunk % each);  // in parts * whole
    std::size_t low = 0, high = tiles;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (work_before(middle) * parts * whole < work_before(tiles) * before)
        low = middle + 1;
      else
        high = middle;
    }
    first[chunk] = low;
  }
  return first;
}

// The chunk that a tile belongs to.
inline std::size_t chunk_of(const Plan& plan, std::size_t tile) {
  return std::size_t(std::upper_bound(plan.first.begin(), plan.first.end() - 1, tile) - plan.first.begin()) - 1;
}

// Which rows of each tile must last: those of walls, those of bodies that may have to wait for another thread, and those
// that are read when the ring has come round. Without rings they are listed too: their bodies are prefetched. Counted
// first, then listed.
struct ListLasting {
  Span<const u32> body_a, body_b, tile, earliest;
  Span<u8> marks;
  Span<u32> next, lasting;  // lasting empty: count
  const Plan* plan;
  u32 reach;  // rows of a ring
  std::size_t grains;

  bool may_wait(u32 body) const { return earliest[body] < plan->first[chunk_of(*plan, body / tile_size)] * tile_size; }
  bool must_last(std::size_t r) const {
    const u32 a = min(body_a[r], body_b[r]), b = max(body_a[r], body_b[r]);
    return b >= grains || may_wait(a) || may_wait(b) || tile[b / tile_size + 1] - r > reach;
  }
  void operator()(std::size_t t) const {
    u32 at = lasting.size > 0 ? next[t] : 0;
    for (u32 r = tile[t]; r < tile[t + 1]; ++r) {
      if (!must_last(r)) continue;
      if (lasting.size > 0) {
        lasting[at] = r;
        marks[r] |= row_lasts;
      }
      ++at;
    }
    if (lasting.size == 0) next[t] = at;
  }
};

// From rows to slots in the lists of active rows.
struct NameSlots {
  Span<const u32> start, end;
  Span<u32> active;
  Span<u8> marks;
  SlotOf slot_of;
  const Plan* plan;
  std::size_t grains;
  void operator()(std::size_t i) const {
    SlotOf find = slot_of;
    if (i < grains) find.offset = u32(chunk_of(*plan, i / tile_size)) * plan->ring;
    for (u32 e = start[i]; e < end[i]; ++e) {
      const u32 row = active[e] >> 1, second = active[e] & 1u;
      active[e] = find(row, marks[row]) * 2 + second;
    }
  }
};

struct MarkListed {
  Span<u8> marks;
  void operator()(std::size_t r) const {
    if (!(marks[r] & row_inactive)) marks[r] |= row_listed;
  }
};

// Slots that last lie as they are read: then they can be prefetched, a tile's at a time. They are read in the tile of
// the later body; walls count as one tile more.
inline void order_by_reader(RowIndex& index, std::size_t tiles) {
  index.lasting_slot.resize_unset(tiles > 0 ? index.lasting.size() : 0);
  index.read_tile.resize_unset(0);
  if (tiles == 0) return;
  const auto reader = [&](u32 r) { return min<std::size_t>(max(index.body_a[r], index.body_b[r]) / tile_size, tiles); };
  index.read_tile.assign(tiles + 2, 0u);
  for (const u32 r : index.lasting) ++index.read_tile[reader(r) + 1];
  for (std::size_t t = 0; t <= tiles; ++t) index.read_tile[t + 1] += index.read_tile[t];
  std::vector<u32> next(index.read_tile.begin(), index.read_tile.end());
  for (std::size_t k = 0; k < index.lasting.size(); ++k) index.lasting_slot[k] = next[reader(index.lasting[k])]++;
}

template <int D>
u32 most_rows_of_a_tile(const Scratch<D>& s, std::size_t tiles) {
  u32 most = 0;
  for (const RowIndex& index : s.index)
    for (std::size_t t = 0; t < tiles; ++t) most = max(most, index.tile[t + 1] - index.tile[t]);
  return most;
}

// Makes the plan and returns the number of slots.
template <class Exec, int D>
std::size_t lay_out(Scratch<D>& s, std::size_t grains, std::size_t rows) {
  for (RowIndex& index : s.index) index.slots = index.first;
  s.plan = {};
  if constexpr (requires { Exec::gate; })
    return rows;  // a device takes all rows at once
  else {
    Plan& plan = s.plan;
    plan.parts = Exec::parts(grains);
    const std::size_t tiles = tiles_of(grains);
    plan.each = u32(plan.parts == 1 ? 1 : clamp(tiles / (2 * plan.parts), std::size_t(1), most_chunks));
    const std::size_t chunks = plan.parts * plan.each;
    plan.first = cut(s, grains, plan.parts, plan.each);
    // A ring must hold a tile, and pay: grains with thousands of neighbours do without.
    const bool pays = rows >= 8 * chunks * s.ring && most_rows_of_a_tile(s, tiles) <= s.ring;
    if (pays) plan.ring = s.ring;
    u32 slots = 0;
    for (RowIndex& index : s.index) {
      if (pays) index.slots = slots;
      if (index.body_a.size() > 0) slots += u32(chunks) * plan.ring;
    }
    for (RowIndex& index : s.index) {
      index.lasting_slots = slots;
      index.lasting_tile.resize_unset(tiles + 1);
      index.lasting.resize_unset(0);
      ListLasting list{index.body_a.span(),
                       index.body_b.span(),
                       index.tile.span(),
                       s.earliest.span(),
                       {s.marks.data() + index.first, index.body_a.size()},
                       {index.lasting_tile.data(), tiles},
                       {},
                       &plan,
                       s.ring,
                       grains};
      Exec::for_each(tiles, list, few_tiles);
      const u32 count = Exec::scan(list.next);
      index.lasting_tile[tiles] = count;
      index.lasting.resize_unset(count);
      list.lasting = index.lasting.span();
      if (count > 0) Exec::for_each(tiles, list, few_tiles);
      order_by_reader(index, pays ? tiles : 0);
      slots += count;
    }
    if (!pays) return rows;
    Exec::for_each(s.active_end.size(), NameSlots{s.incidence_start.span(), s.active_end.span(), s.active.span(),
                                                  s.marks.span(), slot_finder(s), &plan, grains});
    Exec::for_each(rows, MarkListed{s.marks.span()});
    return slots;
  }
}

// Copies what a tile's rows did to slots that last.
template <int D>
struct Outlive {
  Span<RowPush<D>> push;
  Span<Spin<D>> couple;
  Span<Vec<D>> branch;
  Span<RowWork> work;
  Span<const u32> lasting, tile, lasting_slot, read_tile;
  u32 slots, lasting_slots, ring;

  // None beyond the last tile.
  Span<const u32> rows_of(std::size_t t) const {
    if (t + 1 >= tile.size) return {};
    return {lasting.data + tile[t], tile[t + 1] - tile[t]};
  }

  // What a tile reads of them.
  exec::Prefetch read_by(std::size_t t) const {
    if (ring == 0) return {push.data, 0};
    return {push.data + lasting_slots + read_tile[t], read_tile[t + 1] - read_tile[t]};
  }

  void over(std::size_t t, std::size_t offset) const {
    if (ring == 0) return;
    for (u32 k = tile[t]; k < tile[t + 1]; ++k) {
      const std::size_t from = slots + offset + (lasting[k] & (ring - 1)), to = lasting_slots + lasting_slot[k];
      push[to] = push[from];
      if (couple.size > 0) couple[to] = couple[from];
      if (branch.size > 0) branch[to] = branch[from];
      if (work.size > 0) work[to] = work[from];
    }
  }
};
template <int D>
Outlive<D> outlive(Scratch<D>& s, std::size_t law) {
  const RowIndex& index = s.index[law];
  return {s.push.span(),
          s.couple.span(),
          s.branch.span(),
          s.work.span(),
          index.lasting.span(),
          index.lasting_tile.span(),
          index.lasting_slot.span(),
          index.read_tile.span(),
          index.slots,
          index.lasting_slots,
          s.plan.ring};
}

}  // namespace talus::dem
