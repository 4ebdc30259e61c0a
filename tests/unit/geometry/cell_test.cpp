#include <gtest/gtest.h>

#include <talus/geometry/cell.hpp>
#include <talus/geometry/shape.hpp>

using namespace talus;

TEST(Cell, WidthOfAShearedBoxIsTheDistanceOfItsFaces) {
  Cell<2> cell;
  cell.h = {{{3, 2}, {0, 4}}};  // edges (3, 0) and (2, 4)
  const auto inverse_h = inverse(cell.h);
  EXPECT_DOUBLE_EQ(cell.volume(), 12);
  EXPECT_DOUBLE_EQ(cell.width(1, inverse_h), 4);                     // the lower and upper face stay 4 apart
  EXPECT_DOUBLE_EQ(cell.width(0, inverse_h), 12 / std::sqrt(20.0));  // area over the length of the slanted edge
}

TEST(Cell, TranslationIsAWholeNumberOfEdges) {
  Cell<3> cell;
  cell.h = {{{3, 2, 1}, {0, 4, 1}, {0, 0, 5}}};
  const Vec3 t = cell.translation({1, -2, 3});
  EXPECT_EQ(t, (Vec3{3 - 4 + 3, -8 + 3, 15}));
  EXPECT_EQ(cell.edge(1), (Vec3{2, 4, 0}));
}

TEST(Cell, DeformationFollowsTheVelocityGradient) {
  Cell<2> cell;
  cell.h = {{{2, 0}, {0, 3}}};
  cell.rate = {{{-0.5, 0.25}, {0, 1}}};
  cell.deform(0.5);
  EXPECT_DOUBLE_EQ(cell.h(0, 0), 1.5);
  EXPECT_DOUBLE_EQ(cell.h(0, 1), 0.375);  // the upper edge is carried along x by gamma * height
  EXPECT_DOUBLE_EQ(cell.h(1, 1), 4.5);
}

TEST(Touch, OfTwoBallsPointsFromTheSecondToTheFirst) {
  const auto m = touch_balls<3>({3, 0, 4}, 2, 4);
  EXPECT_DOUBLE_EQ(m.overlap, 1);
  EXPECT_DOUBLE_EQ(m.normal.x, 0.6);
  EXPECT_DOUBLE_EQ(m.normal.z, 0.8);
}
