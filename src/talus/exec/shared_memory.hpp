#pragma once
// What kernels that run side by side may do to one number. Only operations whose result does not depend on their order.
#include <atomic>

#include <talus/core/real.hpp>

namespace talus::exec {

// Adds to a counter and returns what it was before.
TALUS_HD u32 atomic_add(u32* counter, u32 amount) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(counter, amount);
#else
  return std::atomic_ref<u32>(*counter).fetch_add(amount, std::memory_order_relaxed);
#endif
}

TALUS_HD void atomic_add(u64* counter, u64 amount) {
#if defined(__CUDA_ARCH__)
  atomicAdd(reinterpret_cast<unsigned long long*>(counter), static_cast<unsigned long long>(amount));
#else
  std::atomic_ref<u64>(*counter).fetch_add(amount, std::memory_order_relaxed);
#endif
}

TALUS_HD void atomic_lower(u32* least, u32 value) {
#if defined(__CUDA_ARCH__)
  atomicMin(least, value);
#else
  std::atomic_ref<u32> shared(*least);
  u32 known = shared.load(std::memory_order_relaxed);
  while (value < known && !shared.compare_exchange_weak(known, value, std::memory_order_relaxed)) {}
#endif
}

// Sets a flag that others may be setting too.
TALUS_HD void set_flag(u8* flag) {
#if defined(__CUDA_ARCH__)
  *flag = 1;
#else
  std::atomic_ref<u8>(*flag).store(1, std::memory_order_relaxed);
#endif
}

// Raises a number that is not negative: then the order of its bits is the order of values.
TALUS_HD void atomic_raise(Real* most, Real value) {
#if defined(__CUDA_ARCH__)
  if (value > 0) atomicMax(reinterpret_cast<unsigned long long*>(most), __double_as_longlong(value));
#else
  std::atomic_ref<Real> shared(*most);
  Real known = shared.load(std::memory_order_relaxed);
  while (value > known && !shared.compare_exchange_weak(known, value, std::memory_order_relaxed)) {}
#endif
}

}  // namespace talus::exec
