// How the host goes through contacts and bodies: tile by tile. See docs/design/014-tiles-and-records.md.
#pragma once
#include <tuple>
#include <vector>

#include <talus/dem/scratch.hpp>
#include <talus/exec/pieces.hpp>
#include <talus/exec/shared_memory.hpp>

namespace talus::dem {

// First tile of each part, and one more at the end, so that parts have about the same number of rows and bodies.
template <int D>
std::vector<std::size_t> even_shares(const Scratch<D>& s, std::size_t grains, std::size_t parts) {
  const std::size_t tiles = tiles_of(grains);
  const auto work_before = [&](std::size_t t) {
    std::size_t work = t * tile_size;
    for (const RowIndex& index : s.index) work += index.tile[t];
    return work;
  };
  std::vector<std::size_t> first(parts + 1, tiles);
  for (std::size_t part = 0; part < parts; ++part) {
    std::size_t low = 0, high = tiles;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (work_before(middle) * parts < work_before(tiles) * part)
        low = middle + 1;
      else
        high = middle;
    }
    first[part] = low;
  }
  return first;
}

// On the host: a tile's contacts, then the bodies of that tile, so that what the rows did is still in the cache. All rows
// of a body belong to its own tile or to an earlier one. A body with rows that another thread makes waits until all threads
// are through: they may still need its velocity. No bit depends on who does what, each body sums for itself.
template <class Exec, int D, class Acts, class Sums>
void sweep(const Acts& acts, const Sums& gather, Scratch<D>& s, std::size_t grains, std::size_t bodies) {
  Tally* tally = s.tally.data();
  const auto bodies_of = [&](std::size_t tile) { return min(tile * tile_size, grains); };
  const std::size_t parts = Exec::parts(grains);
  const auto each = u32(parts == 1 ? 1 : clamp(tiles_of(grains) / (2 * parts), std::size_t(1), most_pieces));
  const std::vector<std::size_t> first = even_shares(s, grains, parts * each);  // tile of each piece
  std::vector<std::size_t> since(parts * each);  // all tiles from this one to the piece are made by one thread
  exec::Pieces pieces(parts, each), again(parts, each);
  Exec::each_part(parts, [&](std::size_t part) {
    const Acts mine = acts;  // on this thread's stack: its views stay in registers
    const Sums sums = gather;
    Real deepest = 0, fastest = 0;
    for (u32 piece = pieces.take(part); piece != exec::Pieces::none; piece = pieces.take(part)) {
      const bool own = piece / each == part;
      since[piece] = first[own ? part * each : piece];
      for (std::size_t t = first[piece]; t < first[piece + 1]; ++t) {
        Exec::fetch_ahead(s.moving, bodies_of(t + tiles_ahead), bodies_of(t + tiles_ahead + 1));
        for_each_law([&]<std::size_t L>() {
          const Column<u32>& tile = s.index[L].tile;
          deepest = max(deepest, std::get<L>(mine).over(tile[t], tile[t + 1]));
        });
        fastest = max(fastest, sums.over(bodies_of(t), bodies_of(t + 1), bodies_of(since[piece]), false));
      }
    }
    exec::atomic_raise(&tally->overlap, deepest);
    exec::atomic_raise(&tally->fastest, fastest);
  });
  Exec::each_part(parts, [&](std::size_t part) {  // bodies that waited, and walls
    const Sums sums = gather;
    Real fastest = 0;
    for (u32 p = again.take(part); p != exec::Pieces::none; p = again.take(part)) {
      if (since[p] == 0) continue;
      fastest = max(fastest, sums.over(bodies_of(first[p]), bodies_of(first[p + 1]), bodies_of(since[p]), true));
    }
    for (std::size_t i = grains + part; i < bodies; i += parts) fastest = max(fastest, sums(i));
    exec::atomic_raise(&tally->fastest, fastest);
  });
}

}  // namespace talus::dem
