// How the host goes through contacts and bodies: tile by tile. See docs/design/014-tiles-and-records.md.
#pragma once
#include <array>
#include <tuple>
#include <vector>

#include <talus/dem/slots.ipp>
#include <talus/exec/shared_memory.hpp>
#include <talus/exec/work_queue.hpp>

namespace talus::dem {

// On the host: a tile's contacts, then the bodies of that tile, so that what the rows did is still in the cache. All rows
// of a body belong to its own tile or to an earlier one. A body with rows that another thread makes waits until all threads
// are through: they may still need its velocity. No bit depends on who does what, each body sums for itself.
template <class Exec, int D, class Acts, class Sums>
void sweep(const Acts& acts, const Sums& gather, Scratch<D>& s, std::size_t grains, std::size_t bodies) {
  Tally* tally = s.tally.data();
  std::array<Outlive<D>, law_count> lasts;
  for (std::size_t l = 0; l < law_count; ++l) lasts[l] = outlive(s, l);
  const auto bodies_of = [&](std::size_t tile) { return min(tile * tile_size, grains); };
  const std::size_t parts = s.plan.parts;
  const u32 each = s.plan.each;
  const std::vector<std::size_t>& first = s.plan.first;
  std::vector<std::vector<u32>>& waiting = s.waiting;  // bodies, for each thread
  waiting.resize(parts);
  exec::WorkQueue queue(parts, each);
  Exec::each_part(parts, [&](std::size_t part) {
    Sums sums = gather;  // on this thread's stack: its views stay in registers
    Real deepest = 0, fastest = 0;
    waiting[part].clear();
    for (u32 chunk = queue.take(part); chunk != exec::WorkQueue::none; chunk = queue.take(part)) {
      const bool own = chunk / each == part;
      const std::size_t since = first[own ? part * each : chunk];  // from this tile on all are made by this thread
      const u32 ring = chunk * s.plan.ring;
      const Acts mine = std::apply([&](const auto&... act) { return Acts(act.in_ring(ring)...); }, acts);
      sums.slot_of.offset = ring;
      for (std::size_t t = first[chunk]; t < first[chunk + 1]; ++t) {
        const std::size_t later = bodies_of(t + tiles_ahead);
        exec::Prefetch soon(s.moving.data() + later, bodies_of(t + tiles_ahead + 1) - later);
        for_each_law([&]<std::size_t L>() {
          const Column<u32>& tile = s.index[L].tile;
          exec::Prefetch results = std::get<L>(lasts).read_by(t);
          deepest = max(deepest,
                        std::get<L>(mine).over(tile[t], tile[t + 1], soon, results, std::get<L>(lasts).rows_of(t + 1)));
          std::get<L>(lasts).over(t, ring);
        });
        fastest = max(fastest, sums.over(bodies_of(t), bodies_of(t + 1), bodies_of(since), waiting[part]));
      }
    }
    exec::atomic_raise(&tally->overlap, deepest);
    exec::atomic_raise(&tally->fastest, fastest);
  });
  // Bodies that waited, and walls: a tile of them is worth a thread.
  std::size_t waited = 0;
  for (const std::vector<u32>& some : waiting) waited += some.size();
  Exec::share(
      waited + bodies - grains,
      [&](std::size_t begin, std::size_t end) {
        const Sums sums = gather;
        Real fastest = 0;
        std::size_t before = 0;
        for (const std::vector<u32>& some : waiting) {
          const std::size_t from = clamp(begin, before, before + some.size()),
                            to = clamp(end, before, before + some.size());
          fastest = max(fastest, sums.over({some.data() + (from - before), to - from}));
          before += some.size();
        }
        for (std::size_t i = max(begin, before); i < end; ++i) fastest = max(fastest, sums(grains + i - before));
        exec::atomic_raise(&tally->fastest, fastest);
      },
      tile_size);
}

}  // namespace talus::dem
