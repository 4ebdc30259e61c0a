#include <talus/geometry/chord.hpp>

#include <cmath>

#include <gtest/gtest.h>

using namespace talus;

// Tolerances: rounding of a few operations on numbers below 10.

namespace {

const std::vector<Vec2> square{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

}  // namespace

TEST(Chord, OfADiscIsItsChord) {
  const Polygon disc = make_polygon({{0, 0}}, 2);
  const Chord s = chord_at(view(disc), {{5, 1}}, 2.2);
  EXPECT_NEAR(s.low, 5 - 1.6, 1e-14);  // 2^2 = 1.2^2 + 1.6^2
  EXPECT_NEAR(s.high, 5 + 1.6, 1e-14);
  EXPECT_TRUE(chord_at(view(disc), {{5, 1}}, 3.001).is_empty());
}

TEST(Chord, OfATurnedSquareNarrowsToItsCorner) {
  const Polygon p = make_polygon(square);
  const Placement at = Placement::at({3, 0}, pi / 4);
  const Real half = std::sqrt(2.0);
  for (const Real y : {-1.4, -0.3, 0.0, 0.7, 1.4}) {
    const Chord s = chord_at(view(p), at, y);
    EXPECT_NEAR(s.low, 3 - (half - std::abs(y)), 1e-14) << y;
    EXPECT_NEAR(s.high, 3 + (half - std::abs(y)), 1e-14) << y;
  }
  EXPECT_TRUE(chord_at(view(p), at, 1.42).is_empty());
}

TEST(Chord, AlongAnEdgeIsTheEdge) {
  const Chord s = chord_at(view(make_polygon(square)), {{0, 0}}, 1);
  EXPECT_EQ(s.low, -1);
  EXPECT_EQ(s.high, 1);
}

TEST(Chord, OfARoundedSquareHasStraightSidesAndArcs) {
  const Polygon p = make_polygon(square, 0.5);
  const Chord side = chord_at(view(p), {{0, 0}}, 0.3), arc = chord_at(view(p), {{0, 0}}, 1.3);
  EXPECT_NEAR(side.low, -1.5, 1e-15);
  EXPECT_NEAR(side.high, 1.5, 1e-15);
  EXPECT_NEAR(arc.low, -1.4, 1e-14);  // 0.5^2 = 0.3^2 + 0.4^2
  EXPECT_NEAR(arc.high, 1.4, 1e-14);
}

TEST(Chord, GrainsReachAsFarAsTheirFarthestPoint) {
  const Real half = std::sqrt(0.5);
  EXPECT_NEAR(reach_along(view(make_polygon(square)), {{2, 3}}, {half, half}), 5 * half + std::sqrt(2.0), 1e-14);
  EXPECT_NEAR(reach_along(view(make_polygon({{0, 0}}, 0.5)), {{2, 3}}, {0, 1}), 3.5, 1e-15);
}
