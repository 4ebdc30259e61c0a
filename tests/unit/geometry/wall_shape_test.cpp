#include <gtest/gtest.h>

#include <talus/geometry/shape.hpp>

using namespace talus;

TEST(WallShape, APlaneTellsGapNormalAndFeatureOfAPointInSpace) {
  const Vec3 way{1, 2, 2};
  const WallShape<3> wall = WallPlane<3>::facing(way);
  const Surface<3> s = wall.at({3, 0, 3});
  EXPECT_DOUBLE_EQ(s.gap, 3);  // (3 + 6) / 3
  EXPECT_DOUBLE_EQ(length(s.normal), 1);
  EXPECT_DOUBLE_EQ(s.normal.y, 2.0 / 3);
  EXPECT_EQ(s.feature, 0u);
  EXPECT_DOUBLE_EQ(wall.at({-3, 0, -3}).gap, -3);  // behind it
  EXPECT_EQ(wall.direction(), s.normal);
  EXPECT_TRUE(wall.is_flat());
  EXPECT_EQ(wall.name(), "plane");
}

TEST(WallShape, APlaneOfThePlaneIsAHalfPlane) {
  const WallShape<2> wall = WallPlane<2>::facing({0, -5});
  EXPECT_EQ(wall.at({7, 2}).gap, -2);
  EXPECT_EQ(wall.at({7, -2}).gap, 2);
  EXPECT_EQ(wall.faces_along(0), 0);
  EXPECT_EQ(wall.faces_along(1), -1);
}

TEST(WallShape, ABallIsWithinReachWhenItsSurfaceIs) {
  const WallShape<2> wall = WallPlane<2>::facing({1, 0});
  EXPECT_TRUE(wall.is_within({0.5, 9}, 0.6));
  EXPECT_FALSE(wall.is_within({0.5, 9}, 0.5));
  EXPECT_TRUE(wall.is_within({-4, 0}, 0));
}

TEST(WallShape, NoneFacesAnAxisThatItIsNotExactlyAcross) {
  const WallShape<3> wall = WallPlane<3>::facing({0, 1e-3, 1});
  for (int k = 0; k < 3; ++k) EXPECT_EQ(wall.faces_along(k), 0);
}

TEST(WallShape, ALedgeIsTheQuarterOfSpaceBehindBothOfItsFaces) {
  const WallShape<3> ledge = WallLedge<3>::facing({2, 0, 0}, {0, 0, 3});
  const Surface<3> face = ledge.at({0.5, 7, -1}), end = ledge.at({-1, 7, 0.25}), edge = ledge.at({3, -2, 4});
  EXPECT_EQ(face.gap, 0.5);
  EXPECT_EQ(face.normal, (Vec3{1, 0, 0}));
  EXPECT_EQ(end.gap, 0.25);
  EXPECT_EQ(end.normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(edge.gap, 5);  // from the edge
  EXPECT_NEAR(length(edge.normal - Vec3{0.6, 0, 0.8}), 0, 1e-15);
  EXPECT_EQ(ledge.at({-0.1, 0, -2}).gap, -0.1);  // inside the nearer face counts
  EXPECT_EQ(ledge.at({-2, 0, -0.1}).normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(ledge.direction(), (Vec3{1, 0, 0}));
  EXPECT_FALSE(ledge.is_flat());
}

TEST(WallShape, ALedgeIsWithinReachOfEveryBallThatTouchesIt) {
  const WallShape<2> ledge = WallLedge<2>::facing({1, 0}, {0, 1});
  for (const Vec2 x : {Vec2{0.4, -3}, Vec2{-3, 0.4}, Vec2{0.3, 0.3}, Vec2{-1, -1}})
    EXPECT_TRUE(ledge.at(x).gap >= 0.5 || ledge.is_within(x, 0.5));
  EXPECT_FALSE(ledge.is_within({0.6, -3}, 0.5));
}

TEST(WallShape, OnlyPlanesAndCylindersTurnAndStayWhatTheyAre) {
  EXPECT_EQ((WallShape<3>(WallPlane<3>::facing({0, 0, 2})).turns_about()), (Vec3{0, 0, 1}));
  EXPECT_EQ((WallShape<3>(WallCylinder<3>::around({0, 4, 0}, 1)).turns_about()), (Vec3{0, 1, 0}));
  EXPECT_EQ((WallShape<3>(WallLedge<3>::facing({1, 0, 0}, {0, 0, 1})).turns_about()), (Vec3{}));
}
