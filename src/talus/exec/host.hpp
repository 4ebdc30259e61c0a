#pragma once
// The host back end: loops over kernels on the threads of the pool. A kernel is a named functor with
// `operator()(std::size_t)`; one that works on whole ranges (vector lanes) also has `over(first, last)`. Nothing here
// lets the number of threads reach a result: a maximum is exact in any order, sums have a fixed shape.
#include <algorithm>
#include <atomic>
#include <vector>

#include <talus/core/real.hpp>
#include <talus/exec/column.hpp>
#include <talus/exec/pool.hpp>
#include <talus/exec/shared_memory.hpp>
#include <talus/exec/team.hpp>
#include <talus/exec/work_queue.hpp>

namespace talus::exec {

struct Range {
  std::size_t first, last;
  bool holds(std::size_t i) const { return i - first < last - first; }
  bool is_first() const { return first == 0; }
};

struct Host {
  static constexpr std::size_t few = 256;  // below this a second thread costs more than it brings
  static constexpr u32 chunks_of_a_share = 5;
  static constexpr std::size_t block = 256;  // leaves of the summation tree
  static const Memory& memory() { return host_memory(); }

  // Calls body(first, last) for stretches of 0..n-1 that together are all of it. Each thread has a share of it in chunks,
  // a chunk being half of what is left of the share, and helps others when it is done.
  template <class Body>
  static void share(std::size_t n, const Body& body, std::size_t least = few) {
    if (n == 0) return;
    const std::size_t parts = n <= least ? 1 : std::size_t(threads());
    const u32 each = parts == 1 ? 1 : chunks_of_a_share;
    WorkQueue queue(parts, each);
    each_part(parts, [&](std::size_t part) {
      for (u32 chunk = queue.take(part); chunk != WorkQueue::none; chunk = queue.take(part)) {
        const std::size_t of = chunk / each, k = chunk % each, first = n * of / parts, last = n * (of + 1) / parts;
        const std::size_t begin = last - ((last - first) >> k),
                          end = k + 1 == each ? last : last - ((last - first) >> (k + 1));
        if (begin < end) body(begin, end);
      }
    });
  }

  // Into how many parts work on n things is cut, and a call for each of them.
  static std::size_t parts(std::size_t n) { return n <= few ? 1 : std::size_t(threads()); }
  template <class Body>
  static void each_part(std::size_t parts, const Body& body) {
    if (parts == 1) return body(std::size_t(0));
    run_parts([](void* context, int t, int) { (*static_cast<const Body*>(context))(std::size_t(t)); },
              const_cast<Body*>(&body));
  }

  // Calls body(range) for ranges that together are 0..n-1, one for each thread. For sums into many places from a list in no
  // order of theirs: each thread goes through the whole list and adds to the places of its range alone, so what a place gets comes in
  // the order of the list.
  template <class Body>
  static void each_range(std::size_t n, const Body& body) {
    const std::size_t all = parts(n);
    each_part(all, [&](std::size_t part) { body(Range{n * part / all, n * (part + 1) / all}); });
  }

  // Calls body(member) on each of the parts, which is 1 or the number of threads.
  template <class Body>
  static void team(std::size_t parts, const Body& body) {
    Barrier barrier(parts);
    each_part(parts, [&](std::size_t part) { body(Member{part, parts, &barrier}); });
  }

  // `least`: up to so many are done by one thread; kernels that do much at once want fewer than `few`.
  template <class Kernel>
  static void for_each(std::size_t n, const Kernel& kernel, std::size_t least = few) {
    const auto body = [&kernel](std::size_t first, std::size_t last) {
      const Kernel mine = kernel;  // on this thread's stack: its views stay in registers
      for (std::size_t i = first; i < last; ++i) mine(i);
    };
    share(n, body, least);
  }

  // Raises `most` to the largest value the kernel returns. Kernels turn NaN into infinity themselves.
  template <class Kernel>
  static void raise(std::size_t n, const Kernel& kernel, Real* most) {
    share(n, [&kernel, most](std::size_t first, std::size_t last) {
      const Kernel mine = kernel;
      Real here = 0;
      if constexpr (requires { mine.over(first, last); })
        here = mine.over(first, last);
      else
        for (std::size_t i = first; i < last; ++i) here = talus::max(here, mine(i));
      atomic_raise(most, here);
    });
  }

  // Puts the kernels' results together with `join`, which must not depend on their order.
  template <class T, class Kernel>
  static T reduce(std::size_t n, const Kernel& kernel) {
    T whole{};
    std::atomic_flag taken;
    share(n, [&](std::size_t first, std::size_t last) {
      T here{};
      for (std::size_t i = first; i < last; ++i) here.join(kernel(i));
      while (taken.test_and_set(std::memory_order_acquire)) {}
      whole.join(here);
      taken.clear(std::memory_order_release);
    });
    return whole;
  }

  // Sum of kernel(i): each block of 256 in index order, then the blocks pairwise. The same bits on any thread count.
  template <class T, class Kernel>
  static T sum(std::size_t n, const Kernel& kernel) {
    const std::size_t blocks = (n + block - 1) / block;
    std::vector<T> partial(blocks, T{});
    const auto leaves = [&](std::size_t first, std::size_t last) {
      for (std::size_t b = first; b < last; ++b) {
        T total{};
        for (std::size_t i = b * block; i < std::min(n, (b + 1) * block); ++i) total += kernel(i);
        partial[b] = total;
      }
    };
    // A block is much more work than one element: share it out from a few blocks on.
    if (blocks > 8 && threads() > 1)
      share(few + 1, [&](std::size_t first, std::size_t last) {
        leaves(first * blocks / (few + 1), last * blocks / (few + 1));
      });
    else
      leaves(0, blocks);
    for (std::size_t width = 1; width < blocks; width *= 2)
      for (std::size_t b = 0; b + width < blocks; b += 2 * width) partial[b] += partial[b + width];
    return blocks == 0 ? T{} : partial[0];
  }
  template <class T, class Kernel>
  static void sum_into(std::size_t n, const Kernel& kernel, T* target, Column<T>&) {
    *target = sum<T>(n, kernel);
  }

  // Running totals of integers: out[i] = in[0] + ... + in[i-1], in place; returns the whole.
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
