// Random numbers are a pure function of seed, stream and counter.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

#include <talus/core/rng.hpp>

using namespace talus;

namespace {

// Chi-square of `counts` against equal shares of n draws.
template <std::size_t N>
Real chi_square(const std::array<i64, N>& counts, Real n) {
  Real sum = 0;
  for (const i64 c : counts) sum += (Real(c) - n / N) * (Real(c) - n / N) / (n / N);
  return sum;
}
// Mean and deviation of chi-square are f and sqrt(2 f) for f degrees of freedom. Six deviations: the seed is fixed, so this
// is passed once and for all; a generator that is not uniform is hundreds away.
Real chi_square_limit(Real freedom) { return freedom + 6 * std::sqrt(2 * freedom); }

}  // namespace

TEST(Rng, MixesLikeSplitMix64) {
  // First outputs of SplitMix64 (Steele, Lea & Flood 2014) from the state 0: its n-th output is mix(n gamma).
  const u64 gamma = 0x9e3779b97f4a7c15ull;
  EXPECT_EQ(Rng::mix(0), 0xe220a8397b1dcdafull);
  EXPECT_EQ(Rng::mix(gamma), 0x6e789e6aa1b965f4ull);
  EXPECT_EQ(Rng::mix(2 * gamma), 0x06c45d188009454full);
}

TEST(Rng, ADrawIsAPureFunctionOfSeedStreamAndCounter) {
  Rng in_order{5, 2, 0};
  std::array<u64, 100> drawn;
  for (u64& bits : drawn) bits = in_order.bits();
  EXPECT_EQ(in_order.counter, 100u);
  for (u64 n = 100; n-- > 0;) {  // backwards, each from a generator of its own
    Rng other{5, 2, n};
    EXPECT_EQ(other.bits(), drawn[n]) << n;
  }
  Rng copy = in_order;
  EXPECT_EQ(copy.bits(), in_order.bits());  // nothing but the three numbers is remembered
}

TEST(Rng, EveryDrawAdvancesTheCounterByOne) {
  Rng rng{1, 1, 7};
  rng.uniform();
  rng.uniform(2, 3);
  rng.below(10);
  EXPECT_EQ(rng.counter, 10u);
}

TEST(Rng, UniformNumbersFillTheirRangeEvenly) {
  constexpr int n = 160000;
  Rng rng{11, 0, 0};
  std::array<i64, 64> bins{};
  Real sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const Real u = rng.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    ++bins[std::size_t(64 * u)];
    sum += u;
    squares += (u - 0.5) * (u - 0.5);
  }
  EXPECT_LT(chi_square(bins, n), chi_square_limit(63)) << "seed 11";
  // Deviations of the mean and of the mean square: sqrt(1/12 / n) and sqrt(1/180 / n); five of them.
  EXPECT_NEAR(sum / n, 0.5, 5 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(squares / n, 1.0 / 12, 5 * std::sqrt(1.0 / 180 / n));
  for (int i = 0; i < 1000; ++i) {
    const Real u = rng.uniform(-3, 2);
    ASSERT_GE(u, -3);
    ASSERT_LT(u, 2);
  }
}

TEST(Rng, IntegersBelowABoundAreEven) {
  constexpr int n = 70000;
  Rng rng{12, 0, 0};
  std::array<i64, 7> bins{};
  for (int i = 0; i < n; ++i) {
    const u64 k = rng.below(7);
    ASSERT_LT(k, 7u);
    ++bins[k];
  }
  EXPECT_LT(chi_square(bins, n), chi_square_limit(6)) << "seed 12";
  EXPECT_EQ(rng.below(1), 0u);
}

// Neighbouring seeds, streams and counters are what the engine uses: pairs of draws fill a square of 8 x 8 evenly, and half
// of the bits differ.
TEST(Rng, NeighbouringSeedsStreamsAndCountersAreIndependent) {
  constexpr int n = 64000;
  struct Case {
    const char* what;
    u64 seed, stream, counter;  // by how much the second draw is ahead
  };
  for (const Case& c : {Case{"seed", 1, 0, 0}, Case{"stream", 0, 1, 0}, Case{"counter", 0, 0, 1}}) {
    std::array<i64, 64> bins{};
    i64 flips = 0;
    for (u64 i = 0; i < n; ++i) {
      // The number that is looked at runs by twos, so that no draw is in two pairs.
      Rng one{3 + 2 * i * c.seed, 4 + 2 * i * c.stream, c.counter ? 2 * i : 0};
      Rng other{one.seed + c.seed, one.stream + c.stream, one.counter + c.counter};
      const u64 a = one.bits(), b = other.bits();
      ++bins[(a >> 61) * 8 + (b >> 61)];
      flips += __builtin_popcountll(a ^ b);
    }
    EXPECT_LT(chi_square(bins, n), chi_square_limit(63)) << c.what;
    // 64 n fair bits: their mean has a deviation of 1 / (2 sqrt(64 n)); five of them.
    EXPECT_NEAR(Real(flips) / (64.0 * n), 0.5, 2.5 / std::sqrt(64.0 * n)) << c.what;
  }
}

TEST(Rng, SeedAndStreamAreNotInterchangeable) {
  std::set<u64> firsts;
  for (u64 seed = 0; seed < 30; ++seed)
    for (u64 stream = 0; stream < 30; ++stream) firsts.insert(Rng{seed, stream, 0}.bits());
  EXPECT_EQ(firsts.size(), 900u);
}
