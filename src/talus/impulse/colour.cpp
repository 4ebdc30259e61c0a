#include <talus/impulse/colour.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace talus::impulse {

std::vector<u32> bands_of(const std::vector<Patch>& patches) {
  Real low = HUGE_VAL, high = -HUGE_VAL;
  for (const Patch& p : patches) {
    low = min(low, p.height);
    high = max(high, p.height);
  }
  const Real count = std::ceil(std::sqrt(Real(patches.size())));
  std::vector<u32> bands(patches.size(), 0);
  if (!(high > low)) return bands;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const Real band = (patches[i].height - low) / (high - low) * count;
    bands[i] = u32(band < count ? band : count - 1);
  }
  return bands;
}

Colours colour(const std::vector<Patch>& patches, const std::vector<Motion>& bodies, const std::vector<u32>& bands) {
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
  const u32 count = bands.empty() ? 0 : *std::max_element(bands.begin(), bands.end()) + 1;
  std::vector<u32> next(colours * count + 1, 0);
  const auto place = [&](std::size_t i) { return of[i] * count + bands[i]; };
  for (std::size_t i = 0; i < patches.size(); ++i) ++next[place(i) + 1];
  for (std::size_t k = 1; k < next.size(); ++k) next[k] += next[k - 1];
  Colours out;
  for (u32 c = 0; c <= colours; ++c) out.start.push_back(next[c * count]);
  out.order.resize(patches.size());
  for (std::size_t i = 0; i < patches.size(); ++i) out.order[next[place(i)]++] = u32(i);
  return out;
}

}  // namespace talus::impulse
