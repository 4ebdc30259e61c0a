#include <gtest/gtest.h>

#include <numeric>

#include <talus/core/rng.hpp>
#include <talus/exec/host.hpp>

#include "../../support/with_threads.hpp"

using namespace talus;
using talus::test::WithThreads;

namespace {

struct Random {
  Real operator()(std::size_t i) const {
    Rng rng{1, i, 0};
    return rng.uniform(-1, 1) * std::pow(10, rng.uniform(-8, 8));  // sizes so different that order shows
  }
};
struct Count {
  Span<u32> hits;
  void operator()(std::size_t i) const { ++hits[i]; }
};

}  // namespace

TEST(Host, SumAndLargestAreTheSameForAnyNumberOfThreads) {
  for (const std::size_t n :
       {std::size_t(0), std::size_t(1), std::size_t(255), std::size_t(257), std::size_t(100003)}) {
    const WithThreads one(1);
    const auto largest = [&] {
      Real most = 0;
      exec::Host::raise(n, Random{}, &most);
      return most;
    };
    const Real sum = exec::Host::sum<Real>(n, Random{}), most = largest();
    for (const int threads : {2, 3, 7}) {
      const WithThreads guard(threads);
      EXPECT_EQ(exec::Host::sum<Real>(n, Random{}), sum) << threads << " threads, n = " << n;
      EXPECT_EQ(largest(), most);
    }
  }
}

TEST(Host, ForEachVisitsEveryIndexOnce) {
  for (const int threads : {1, 2, 3, 7})
    for (const std::size_t n : {std::size_t(1), std::size_t(5), std::size_t(40), std::size_t(10007)}) {
      const WithThreads guard(threads);
      Column<u32> hits;
      hits.assign(n, 0);
      exec::Host::for_each(n, Count{hits.span()}, 0);
      for (const u32 h : hits) ASSERT_EQ(h, 1u) << threads << " threads, n = " << n;
    }
}

TEST(Host, ScanGivesRunningTotalsAndTheirSum) {
  Column<u32> counts;
  for (const u32 c : {3u, 0u, 2u, 5u}) counts.push_back(c);
  EXPECT_EQ(exec::Host::scan(counts.span()), 10u);
  EXPECT_EQ(counts[0], 0u);
  EXPECT_EQ(counts[1], 3u);
  EXPECT_EQ(counts[2], 3u);
  EXPECT_EQ(counts[3], 5u);
}

TEST(Host, SortOrderIsStableAndCoversAllBits) {
  Rng rng{4, 0, 0};
  Column<u64> keys;
  for (int i = 0; i < 5000; ++i) keys.push_back(i % 3 == 0 ? rng.bits() : rng.below(50));
  Column<u32> order;
  exec::Host::sort_order(keys.span(), order);
  std::vector<u32> expected(keys.size());
  std::iota(expected.begin(), expected.end(), 0u);
  std::stable_sort(expected.begin(), expected.end(), [&](u32 a, u32 b) { return keys[a] < keys[b]; });
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), order.begin())) << "seed 4";
}
