#pragma once
// The host back end: loops over kernels with OpenMP. A kernel is a named functor with `operator()(std::size_t)`.
// Nothing here lets the number of threads reach a result: a maximum is exact in any order, sums have a fixed shape.
#include <algorithm>
#include <vector>

#include <omp.h>

#include <talus/core/real.hpp>
#include <talus/exec/column.hpp>

namespace talus::exec {

int threads();
void set_threads(int n);

struct Host {
  static constexpr std::size_t few = 256;     // below this a second thread costs more than it brings
  static constexpr std::size_t block = 256;   // leaves of the summation tree

  template <class Kernel>
  static void for_each(std::size_t n, const Kernel& kernel) {
    const auto count = static_cast<i64>(n);
#pragma omp parallel for schedule(static) if (n > few)
    for (i64 i = 0; i < count; ++i) kernel(static_cast<std::size_t>(i));
  }

  // Largest value the kernel returns, not below zero. Kernels turn NaN into infinity themselves.
  template <class Kernel>
  static Real max(std::size_t n, const Kernel& kernel) {
    const auto count = static_cast<i64>(n);
    Real most = 0;
#pragma omp parallel for schedule(static) reduction(max : most) if (n > few)
    for (i64 i = 0; i < count; ++i) most = talus::max(most, kernel(static_cast<std::size_t>(i)));
    return most;
  }

  // Sum of kernel(i): each block of 256 in index order, then the blocks pairwise. The same bits on any thread count.
  template <class T, class Kernel>
  static T sum(std::size_t n, const Kernel& kernel) {
    const std::size_t blocks = (n + block - 1) / block;
    std::vector<T> partial(blocks, T{});
    const auto count = static_cast<i64>(blocks);
#pragma omp parallel for schedule(static) if (blocks > 4)
    for (i64 b = 0; b < count; ++b) {
      T total{};
      const std::size_t first = static_cast<std::size_t>(b) * block, last = std::min(n, first + block);
      for (std::size_t i = first; i < last; ++i) total += kernel(i);
      partial[static_cast<std::size_t>(b)] = total;
    }
    for (std::size_t width = 1; width < blocks; width *= 2)
      for (std::size_t b = 0; b + width < blocks; b += 2 * width) partial[b] += partial[b + width];
    return blocks == 0 ? T{} : partial[0];
  }

  // Running totals of integers: out[i] = in[0] + ... + in[i-1], out[n] = total. In and out may be the same column of
  // n + 1 entries.
  static u32 scan(Span<u32> counts) {
    u32 total = 0;
    for (std::size_t i = 0; i < counts.size; ++i) {
      const u32 here = counts[i];
      counts[i] = total;
      total += here;
    }
    return total;
  }

  // Order 0..n-1 by key, equal keys in index order.
  static void sort_order(Span<const u64> keys, Column<u32>& order);
};

}  // namespace talus::exec
