#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include <talus/exec/pieces.hpp>

using talus::u32;
using talus::exec::Pieces;

TEST(Pieces, AreTakenFromTheOwnFrontThenFromTheRichestBack) {
  Pieces pieces(3, 4);  // 0-3, 4-7, 8-11
  EXPECT_EQ(pieces.take(1), 4u);
  EXPECT_EQ(pieces.take(1), 5u);
  for (const u32 piece : {0u, 1u, 2u, 3u}) EXPECT_EQ(pieces.take(0), piece);
  EXPECT_EQ(pieces.take(0), 11u);  // the third thread has most left
  EXPECT_EQ(pieces.take(0), 10u);
  EXPECT_EQ(pieces.take(1), 6u);
  EXPECT_EQ(pieces.take(2), 8u);
  EXPECT_EQ(pieces.take(2), 9u);
  EXPECT_EQ(pieces.take(2), 7u);
  for (const std::size_t thread : {0u, 1u, 2u}) EXPECT_EQ(pieces.take(thread), Pieces::none);
}

TEST(Pieces, AreTakenOnceEach) {
  constexpr std::size_t threads = 4;
  constexpr u32 each = 2000;
  Pieces pieces(threads, each);
  std::vector<std::atomic<int>> taken(threads * each);
  std::vector<std::thread> workers;
  for (std::size_t t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      for (u32 p = pieces.take(t); p != Pieces::none; p = pieces.take(t)) ++taken[p];
    });
  for (auto& w : workers) w.join();
  for (const auto& count : taken) ASSERT_EQ(count, 1);
}
