#include <talus/impulse/colour.hpp>

#include <algorithm>
#include <bit>

namespace talus::impulse {

Colours colour(const std::vector<Patch>& patches, const std::vector<Motion>& bodies) {
  std::size_t words = 1;                     // of 64 colours for each body
  std::vector<u64> taken(bodies.size(), 0);  // colours that its patches have, as bits
  const auto widen = [&] {
    std::vector<u64> wider(2 * taken.size(), 0);
    for (std::size_t i = 0; i < taken.size(); ++i) wider[i / words * 2 * words + i % words] = taken[i];
    taken.swap(wider);
    words *= 2;
  };
  std::vector<u32> of(patches.size());
  u32 colours = 0;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const Patch& p = patches[i];
    const bool a = moves(bodies[p.a]), b = moves(bodies[p.b]);
    const auto used = [&](std::size_t word) {
      return (a ? taken[p.a * words + word] : 0) | (b ? taken[p.b * words + word] : 0);
    };
    std::size_t word = 0;
    while (used(word) == ~u64(0))
      if (++word == words) widen();
    const auto bit = u32(std::countr_one(used(word)));
    if (a) taken[p.a * words + word] |= u64(1) << bit;
    if (b) taken[p.b * words + word] |= u64(1) << bit;
    of[i] = u32(word) * 64 + bit;
    colours = std::max(colours, of[i] + 1);
  }
  // Counted, then put in place.
  Colours out;
  out.start.assign(colours + 1, 0);
  for (const u32 c : of) ++out.start[c + 1];
  for (u32 c = 0; c < colours; ++c) out.start[c + 1] += out.start[c];
  std::vector<u32> next(out.start.begin(), out.start.end() - 1);
  out.order.resize(patches.size());
  for (std::size_t i = 0; i < patches.size(); ++i) out.order[next[of[i]]++] = u32(i);
  return out;
}

}  // namespace talus::impulse
