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
