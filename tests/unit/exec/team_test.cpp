#include <vector>

#include <gtest/gtest.h>

#include <talus/exec/host.hpp>

using namespace talus;

// Each member adds up what all wrote in the round before: one that went ahead, or lagged behind, would see another sum.
TEST(Team, NobodyLeavesAMeetingBeforeAllHaveCome) {
  constexpr std::size_t n = 100, rounds = 500;
  for (const int threads : {1, 2, 3, 7}) {
    exec::set_threads(threads);
    std::vector<u64> now(n, 0);
    std::vector<u64> wrong(std::size_t(threads), 0);
    exec::Host::team(std::size_t(threads), [&](const exec::Member& me) {
      for (u64 round = 1; round <= rounds; ++round) {
        me.for_each(n, [&](std::size_t i) { now[i] += i; });
        me.meet();
        u64 sum = 0;
        for (const u64 x : now) sum += x;
        wrong[me.part] += sum != round * (n * (n - 1) / 2);
        me.meet();
      }
    });
    for (const u64 count : wrong) EXPECT_EQ(count, 0u) << threads;
  }
  exec::set_threads(1);
}
