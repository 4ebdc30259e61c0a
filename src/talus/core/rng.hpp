#pragma once
// Counter-based random numbers: a draw is a pure function of (seed, stream, counter), so it does not depend on threads
// or on the order of calls. The mixing is the finaliser of a 64-bit linear step applied twice (SplitMix64 constants,
// Steele, Lea & Flood 2014).
#include <talus/core/real.hpp>

namespace talus {

struct Rng {
  u64 seed = 0;
  u64 stream = 0;  // what the numbers are for: one stream per purpose
  u64 counter = 0;

  TALUS_HD static u64 mix(u64 z) {
    z += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  TALUS_HD u64 bits() { return mix(mix(mix(seed) ^ stream) ^ counter++); }
  // Uniform in [0, 1), 53 bits.
  TALUS_HD Real uniform() { return Real(bits() >> 11) * 0x1p-53; }
  TALUS_HD Real uniform(Real low, Real high) { return low + (high - low) * uniform(); }
  // Uniform integer in [0, n), n < 2^32, without modulo bias worth speaking of (2^-32).
  TALUS_HD u64 below(u64 n) { return ((bits() >> 32) * n) >> 32; }
};

}  // namespace talus
