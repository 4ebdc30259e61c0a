#pragma once
// Threads that go through the same code side by side and meet now and then: for loops that are too short to be handed out
// one by one.
#include <atomic>

#include <talus/exec/pool.hpp>

namespace talus::exec {

// Where so many threads wait for one another, again and again.
class Barrier {
 public:
  explicit Barrier(std::size_t threads) : threads_(u32(threads)) {}
  void wait() {
    const u32 round = round_.load(std::memory_order_acquire);
    if (here_.fetch_add(1, std::memory_order_acq_rel) + 1 < threads_)
      return spin_then_wait(round_, [round](u32 now) { return now != round; });
    here_.store(0, std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }

 private:
  u32 threads_;
  // Apart from one another: who waits for the next round does not hold up those who arrive.
  alignas(64) std::atomic<u32> here_{0};
  alignas(64) std::atomic<u32> round_{0};
};

// How far a thread has come with something that others wait for.
class Milestone {
 public:
  Milestone() = default;
  Milestone(const Milestone&) {}  // a copy has nobody who waits
  Milestone& operator=(const Milestone&) { return *this; }
  void set(i64 to) {
    at_.store(u32(to), std::memory_order_release);
    at_.notify_all();
  }
  void await(i64 to) {
    spin_then_wait(at_, [to](u32 now) { return now == u32(to); });
  }

 private:
  alignas(64) std::atomic<u32> at_{0};
};

// One of them. What it decides by itself all others must decide too.
struct Member {
  std::size_t part, parts;
  Barrier* barrier;

  void wait_for_all() const {
    if (parts > 1) barrier->wait();
  }
  // Its share of 0..n-1.
  template <class Kernel>
  void for_each(std::size_t n, const Kernel& kernel) const {
    const Kernel mine = kernel;  // on this thread's stack: its views stay in registers
    for (std::size_t i = n * part / parts; i < n * (part + 1) / parts; ++i) mine(i);
  }
};

}  // namespace talus::exec
