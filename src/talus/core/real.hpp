#pragma once
// The scalar type, the marks of device-callable code, and the handful of scalar functions kernels may use.
// Kernels never call std::min/max/abs on mixed types: these versions behave the same on host and device.
#include <cmath>
#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#define TALUS_HD __host__ __device__ __forceinline__
#elif defined(__GNUC__)
#define TALUS_HD inline __attribute__((always_inline))
#else
#define TALUS_HD inline
#endif

// For lambdas in the innermost loops: whether a compiler thinks them worth it must not depend on what else is in a file.
#if defined(__GNUC__)
#define TALUS_INLINED __attribute__((always_inline))
#else
#define TALUS_INLINED
#endif

namespace talus {

using Real = double;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

inline constexpr Real pi = 3.14159265358979323846;

template <class T>
TALUS_HD constexpr T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
TALUS_HD constexpr T max(T a, T b) {
  return a < b ? b : a;
}
template <class T>
TALUS_HD constexpr T clamp(T x, T low, T high) {
  return min(max(x, low), high);
}
TALUS_HD Real finite_or_infinity(Real x) {
  return x <= Real(1.7e308) ? x : Real(HUGE_VAL);  // NaN compares false
}
// Root of a value that rounding may have pushed just below zero.
template <class T>
TALUS_HD T root(T x) {
  return std::sqrt(max(x, T(0)));
}

}  // namespace talus
