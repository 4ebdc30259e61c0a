#include <talus/exec/host.hpp>

#include <numeric>

namespace talus::exec {

// Radix sort by bytes that differ; keys are cell numbers, so two or three passes do.
void Host::sort_order(Span<const u64> keys, Column<u32>& order) {
  const std::size_t n = keys.size;
  order.resize(n);
  std::iota(order.begin(), order.end(), 0u);
  u64 differ = 0;
  for (std::size_t i = 1; i < n; ++i) differ |= keys[i] ^ keys[0];
  Column<u32> other(n);
  for (int shift = 0; shift < 64; shift += 11) {
    if (((differ >> shift) & 2047u) == 0) continue;
    u32 start[2049] = {};
    for (std::size_t i = 0; i < n; ++i) ++start[((keys[i] >> shift) & 2047u) + 1];
    for (int b = 0; b < 2048; ++b) start[b + 1] += start[b];
    for (std::size_t i = 0; i < n; ++i) {
      const u32 from = order[i];
      other[start[(keys[from] >> shift) & 2047u]++] = from;
    }
    order.swap(other);
  }
}

}  // namespace talus::exec
