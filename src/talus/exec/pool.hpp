#pragma once
// The threads of the host back end: a few workers that wait for loops. A loop is cut into one part per thread, always in
// the same way.
//
// Why not OpenMP: its threads spin at the end of every loop for as long as they like. On a machine that is shared, the
// spinning thread keeps the one it waits for off the processor: a step of 5,000 grains on two threads beside one other
// busy process took 14 times as long as on one. Here a waiting thread spins for some microseconds, then offers its processor
// to others for some hundred, then sleeps; without the offers threads fell asleep four times as often (200,000 spheres).
#include <sched.h>

#include <atomic>

#include <talus/core/real.hpp>

namespace talus::exec {

int threads();
void set_threads(int n);  // from the next loop on

// Calls part(context, t, n) on every thread t of n and returns when all are done. Loops do not nest.
void run_parts(void (*part)(void* context, int t, int n), void* context);

// Until done(value) holds.
template <class Done>
void spin_then_wait(std::atomic<u32>& value, Done done) {
  constexpr int spins = 2000, offers = 1000;  // some ten microseconds, some hundred
  for (int i = 0; i < spins; ++i) {
    if (done(value.load(std::memory_order_acquire))) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  for (int i = 0; i < offers; ++i) {
    if (done(value.load(std::memory_order_acquire))) return;
    sched_yield();
  }
  for (u32 now = value.load(std::memory_order_acquire); !done(now); now = value.load(std::memory_order_acquire))
    value.wait(now, std::memory_order_acquire);
}

}  // namespace talus::exec
