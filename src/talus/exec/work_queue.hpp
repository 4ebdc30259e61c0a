#pragma once
// A queue of work for each thread: work is cut into chunks, a run of them for each thread. A thread takes its own from the front; one that has none left takes
// from the back of the thread that has most. So a thread that is held up does not hold up the others.
#include <atomic>
#include <vector>

#include <talus/core/real.hpp>

namespace talus::exec {

class WorkQueue {
 public:
  static constexpr u32 none = ~0u;

  WorkQueue(std::size_t threads, u32 each) : left_(threads) {
    for (std::size_t t = 0; t < threads; ++t) left_[t].range = pack(u32(t) * each, u32(t + 1) * each);
  }

  // The next chunk for this thread, `none` when all are taken.
  u32 take(std::size_t thread) {
    if (const u32 own = take_from(thread, true); own != none) return own;
    while (true) {
      std::size_t richest = thread;
      u32 most = 0;
      for (std::size_t t = 0; t < left_.size(); ++t) {
        const u64 now = left_[t].range.load(std::memory_order_relaxed);
        if (last(now) - first(now) > most) {
          most = last(now) - first(now);
          richest = t;
        }
      }
      if (most == 0) return none;
      if (const u32 chunk = take_from(richest, false); chunk != none) return chunk;
    }
  }

 private:
  struct alignas(64) Range {
    std::atomic<u64> range{0};  // first chunk that is left, and one past the last
  };
  static u64 pack(u32 first, u32 last) { return u64(first) << 32 | last; }
  static u32 first(u64 range) { return u32(range >> 32); }
  static u32 last(u64 range) { return u32(range); }

  u32 take_from(std::size_t thread, bool front) {
    std::atomic<u64>& range = left_[thread].range;
    u64 now = range.load(std::memory_order_relaxed);
    while (first(now) < last(now)) {
      const u64 then = front ? pack(first(now) + 1, last(now)) : pack(first(now), last(now) - 1);
      if (range.compare_exchange_weak(now, then, std::memory_order_relaxed)) return front ? first(now) : last(now) - 1;
    }
    return none;
  }

  std::vector<Range> left_;
};

}  // namespace talus::exec
