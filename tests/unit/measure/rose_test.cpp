#include <talus/measure/rose.hpp>

#include <cmath>

#include <gtest/gtest.h>

using namespace talus;

// Tolerance 1e-14: rounding of a few numbers near 1.

TEST(Rose, CountsNormalsEitherWayAndLeavesWallsOut) {
  State<2> state;
  state.bodies.resize(4);
  state.walls = 1;
  ContactList<2> contacts;
  const auto add = [&](Real degrees, Real force, u32 b) {
    const Vec2 n{std::cos(degrees * pi / 180), std::sin(degrees * pi / 180)}, t{-n.y, n.x};
    contacts.push_back({{}, 0, b, 0, n, {}, force * n + 0.3 * force * t, 0, 0, 0, {}});
  };
  add(10, 1, 1);
  add(190, 3, 2);  // the same line
  add(100, 8, 1);
  add(-80, 4, 2);
  add(45, 100, 3);  // a wall
  const auto rose = measure::rose(state, contacts, 9);
  ASSERT_EQ(rose.size(), 9u);
  EXPECT_EQ(rose[0].share, 0.5);
  EXPECT_EQ(rose[5].share, 0.5);
  EXPECT_NEAR(rose[0].force, 2.0 / 4, 1e-14);
  EXPECT_NEAR(rose[5].force, 6.0 / 4, 1e-14);
  Real all = 0;
  for (const auto& s : rose) all += s.share;
  EXPECT_EQ(all, 1);
  for (const auto& s : measure::rose(state, {}, 4)) EXPECT_EQ(s.share, 0);
}
