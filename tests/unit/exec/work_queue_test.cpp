#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include <talus/exec/work_queue.hpp>

using talus::u32;
using talus::exec::WorkQueue;

TEST(WorkQueue, AreTakenFromTheOwnFrontThenFromTheRichestBack) {
  WorkQueue queue(3, 4);  // 0-3, 4-7, 8-11
  EXPECT_EQ(queue.take(1), 4u);
  EXPECT_EQ(queue.take(1), 5u);
  for (const u32 chunk : {0u, 1u, 2u, 3u}) EXPECT_EQ(queue.take(0), chunk);
  EXPECT_EQ(queue.take(0), 11u);  // the third thread has most left
  EXPECT_EQ(queue.take(0), 10u);
  EXPECT_EQ(queue.take(1), 6u);
  EXPECT_EQ(queue.take(2), 8u);
  EXPECT_EQ(queue.take(2), 9u);
  EXPECT_EQ(queue.take(2), 7u);
  for (const std::size_t thread : {0u, 1u, 2u}) EXPECT_EQ(queue.take(thread), WorkQueue::none);
}

TEST(WorkQueue, AreTakenOnceEach) {
  constexpr std::size_t threads = 4;
  constexpr u32 each = 2000;
  WorkQueue queue(threads, each);
  std::vector<std::atomic<int>> taken(threads * each);
  std::vector<std::thread> workers;
  for (std::size_t t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      for (u32 p = queue.take(t); p != WorkQueue::none; p = queue.take(t)) ++taken[p];
    });
  for (auto& w : workers) w.join();
  for (const auto& count : taken) ASSERT_EQ(count, 1);
}
