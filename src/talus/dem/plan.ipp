// How the host goes through tiles: see Plan in scratch.hpp and docs/design/016-prefetch.md.
#pragma once
#include <algorithm>

#include <talus/dem/scratch.hpp>

namespace talus::dem {

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

// Rows of each tile with a body far off: a wall, a body that may have to wait for another thread, or one whose tile is made
// more than `reach` rows later. Counted first, then listed.
struct ListFar {
  static constexpr u32 reach = 4096;
  Span<const u32> body_a, body_b, tile, earliest;
  Span<u32> next, far;  // far empty: count
  const Plan* plan;
  std::size_t grains;

  bool may_wait(u32 body) const { return earliest[body] < plan->first[chunk_of(*plan, body / tile_size)] * tile_size; }
  bool is_far(std::size_t r) const {
    const u32 a = min(body_a[r], body_b[r]), b = max(body_a[r], body_b[r]);
    return b >= grains || may_wait(a) || may_wait(b) || tile[b / tile_size + 1] - r > reach;
  }
  void operator()(std::size_t t) const {
    u32 at = far.size > 0 ? next[t] : 0;
    for (u32 r = tile[t]; r < tile[t + 1]; ++r) {
      if (!is_far(r)) continue;
      if (far.size > 0) far[at] = r;
      ++at;
    }
    if (far.size == 0) next[t] = at;
  }
};

template <class Exec, int D>
void make_plan(Scratch<D>& s, std::size_t grains) {
  s.plan = {};
  if constexpr (!requires { Exec::gate; }) {  // a device takes all rows at once
    Plan& plan = s.plan;
    plan.parts = Exec::parts(grains);
    const std::size_t tiles = tiles_of(grains);
    plan.each = u32(plan.parts == 1 ? 1 : clamp(tiles / (2 * plan.parts), std::size_t(1), most_chunks));
    plan.first = cut(s, grains, plan.parts, plan.each);
    for (RowIndex& index : s.index) {
      index.far_tile.resize_unset(tiles + 1);
      index.far.resize_unset(0);
      ListFar list{.body_a = index.body_a.span(),
                   .body_b = index.body_b.span(),
                   .tile = index.tile.span(),
                   .earliest = s.earliest.span(),
                   .next = {index.far_tile.data(), tiles},
                   .far = {},
                   .plan = &plan,
                   .grains = grains};
      Exec::for_each(tiles, list, few_tiles);
      const u32 count = Exec::scan(list.next);
      index.far_tile[tiles] = count;
      index.far.resize_unset(count);
      list.far = index.far.span();
      if (count > 0) Exec::for_each(tiles, list, few_tiles);
    }
  }
}

}  // namespace talus::dem
