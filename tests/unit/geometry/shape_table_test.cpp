#include <gtest/gtest.h>

#include <talus/geometry/shape_table.hpp>

using namespace talus;

namespace {

constexpr ShapeKind kinds[] = {ShapeKind::ball, ShapeKind::wall, ShapeKind::polygon};

Shape<2> of(ShapeKind kind) {
  Shape<2> s;
  s.kind = kind;
  return s;
}

}  // namespace

TEST(ShapeTable, TheMatrixHasAnAnswerForAllPairsAndTheSameForBothOrders) {
  for (const ShapeKind a : kinds)
    for (const ShapeKind b : kinds) {
      const Pairing p = pairing_of(of(a), of(b));
      EXPECT_EQ(p, pairing_of(of(b), of(a)));
      const int walls = (a == ShapeKind::wall) + (b == ShapeKind::wall);
      EXPECT_EQ(p == Pairing::wall, walls == 1);
      EXPECT_EQ(p == Pairing::none, walls == 2);
    }
  EXPECT_EQ(pairing_of(of(ShapeKind::ball), of(ShapeKind::ball)), Pairing::balls);
  EXPECT_EQ(pairing_of(of(ShapeKind::ball), of(ShapeKind::polygon)), Pairing::outlines);
}

TEST(ShapeTable, DiscsAreRoundHoweverTheyAreStatedAndASquareIsNot) {
  Outlines outlines;
  const u32 disc = outlines.add(make_polygon({{0, 0}}, 0.5));
  const u32 square = outlines.add(make_polygon({{0, 0}, {2, 0}, {2, 2}, {0, 2}}));
  Shape<2> shape = of(ShapeKind::polygon);
  shape.outline = disc;
  EXPECT_TRUE(is_round(outlines, shape));
  EXPECT_FALSE(is_ball(shape));
  shape.outline = square;
  EXPECT_FALSE(is_round(outlines, shape));
  EXPECT_TRUE(is_round(outlines, of(ShapeKind::ball)));
  EXPECT_EQ(outline_of(outlines, of(ShapeKind::ball), 0.25).rounding, 0.25);
  EXPECT_EQ(outline_of(outlines, shape, 0).corners.size, 4u);
  EXPECT_NEAR(reach_along(outlines, shape, 0, {{5, 7}}, {0, 1}), 8, 1e-15);
  EXPECT_NEAR(reach_along(outlines, of(ShapeKind::ball), 0.25, {{5, 7}}, {0, -1}), -6.75, 1e-15);
}
