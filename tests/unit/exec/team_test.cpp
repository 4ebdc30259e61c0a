#include <vector>

#include <gtest/gtest.h>

#include <talus/exec/host.hpp>

#include "../../support/with_threads.hpp"

using namespace talus;
using talus::test::WithThreads;

// Each member adds up what all wrote in the round before: one that went ahead, or lagged behind, would see another sum.
TEST(Team, NobodyPassesABarrierBeforeAllHaveCome) {
  constexpr std::size_t n = 100, rounds = 500;
  for (const int threads : {1, 2, 3, 7}) {
    const WithThreads guard(threads);
    std::vector<u64> now(n, 0);
    std::vector<u64> wrong(std::size_t(threads), 0);
    exec::Host::team(std::size_t(threads), [&](const exec::Member& me) {
      for (u64 round = 1; round <= rounds; ++round) {
        me.for_each(n, [&](std::size_t i) { now[i] += i; });
        me.wait_for_all();
        u64 sum = 0;
        for (const u64 x : now) sum += x;
        wrong[me.part] += sum != round * (n * (n - 1) / 2);
        me.wait_for_all();
      }
    });
    for (const u64 count : wrong) EXPECT_EQ(count, 0u) << threads;
  }
}
