#include <gtest/gtest.h>

#include <talus/boundary/drive.hpp>

using namespace talus;

TEST(WallDrive, PrescribedDisplacementIsMadeExactlyThoughItEndsWithinAStep) {
  WallDrive<3> drive;
  drive.control = WallControl::velocity;
  drive.velocity = {0, 0, -0.5};
  drive.until = 2e-3;
  const Real dt = 3e-5;  // 66.7 steps
  Real way = 0, time = 0;
  for (int i = 0; i < 100; ++i, time += dt) way += dt * drive.move({0, 0, -1}, {}, 1, time, dt).z;
  EXPECT_NEAR(way, -1e-3, 1e-15);  // rounding of a hundred sums
}

TEST(WallDrive, ServoMovesIntoTheSampleUntilItPushesBackAndSaysWhenItIsAtItsLimit) {
  WallDrive<3> drive;
  drive.control = WallControl::servo;
  drive.target = 1000;
  drive.speed_max = 0.1;
  drive.gain = 0.05;
  const Vec3 normal{0, 0, -1};  // an upper wall: the sample pushes it up
  const Real area = 2;
  EXPECT_EQ(drive.move(normal, {}, area, 0, 1e-6).z, -0.1);
  EXPECT_TRUE(drive.is_limited(normal, {}, area));
  EXPECT_EQ(drive.move(normal, {0, 0, 2000}, area, 0, 1e-6).z, 0);
  EXPECT_FALSE(drive.is_limited(normal, {0, 0, 2000}, area));
  EXPECT_NEAR(drive.move(normal, {0, 0, 2050}, area, 0, 1e-6).z, 0.05,
              1e-15);  // half of the gain too much: half speed back
}
