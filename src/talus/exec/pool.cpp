#include <talus/exec/pool.hpp>

#include <sched.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace talus::exec {

namespace {

int cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
  return 1;
}

class Pool {
 public:
  ~Pool() { stop(); }

  int size() const { return size_; }
  void resize(int n) {
    if (n == size_) return;
    stop();
    size_ = n;
  }

  void run(void (*part)(void*, int, int), void* context) {
    if (size_ > 1 && workers_.empty()) start();
    part_ = part;
    context_ = context;
    busy_.store(u32(size_ - 1), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    part(context, 0, size_);
    spin_then_wait(busy_, [](u32 left) { return left == 0; });
  }

 private:
  // All workers or none: a round waits for every one of them.
  void start() try {
    for (int t = 1; t < size_; ++t)
      workers_.emplace_back([this, t, seen = round_.load()]() mutable {
        while (true) {
          spin_then_wait(round_, [&](u32 round) { return round != seen; });
          ++seen;
          if (part_ == nullptr) return;
          part_(context_, t, size_);
          if (busy_.fetch_sub(1, std::memory_order_release) == 1) busy_.notify_one();
        }
      });
  } catch (...) {
    stop();
    throw;
  }
  void stop() {
    if (workers_.empty()) return;
    part_ = nullptr;
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    for (auto& w : workers_) w.join();
    workers_.clear();
  }

  int size_ = cores();
  std::vector<std::thread> workers_;
  std::atomic<u32> round_{0}, busy_{0};
  void (*part_)(void*, int, int) = nullptr;
  void* context_ = nullptr;
};

Pool& pool() {
  static Pool one;
  return one;
}

}  // namespace

int threads() { return pool().size(); }
void set_threads(int n) { pool().resize(n < 1 ? 1 : n); }
void run_parts(void (*part)(void*, int, int), void* context) { pool().run(part, context); }

}  // namespace talus::exec
