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
  for (int i = 0; i < 100; ++i, time += dt) way += dt * drive.motion({0, 0, -1}, 0, 1, time, dt).velocity.z;
  EXPECT_NEAR(way, -1e-3, 1e-15);  // rounding of a hundred sums
}

TEST(WallDrive, ServoMovesIntoTheSampleUntilItPushesBackAndSaysWhenItIsAtItsLimit) {
  WallDrive<3> drive;
  drive.control = WallControl::servo;
  drive.target = 1000;
  drive.speed_max = 0.1;
  drive.gain = 0.05;
  const Vec3 into{0, 0, -1};  // an upper wall
  const Real area = 2;
  EXPECT_EQ(drive.motion(into, 0, area, 0, 1e-6).velocity.z, -0.1);
  EXPECT_TRUE(drive.is_limited(0, area));
  EXPECT_EQ(drive.motion(into, 2000, area, 0, 1e-6).velocity.z, 0);
  EXPECT_FALSE(drive.is_limited(2000, area));
  EXPECT_NEAR(drive.motion(into, 2050, area, 0, 1e-6).velocity.z, 0.05,
              1e-15);  // half of the gain too much: half speed back
}

TEST(WallDrive, ReachesItsVelocityInARampAndOtherControlsStandStill) {
  WallDrive<2> drive;
  drive.control = WallControl::velocity;
  drive.velocity = {0.4, -0.2};
  drive.since = 1;
  drive.ramp = 2;
  const auto at = [&](Real time) { return drive.motion({0, 1}, 0, 1, time, 1e-3).velocity; };
  EXPECT_EQ(at(1), (Vec2{}));
  EXPECT_EQ(at(2), (Vec2{0.2, -0.1}));
  EXPECT_EQ(at(3), drive.velocity);
  for (const auto control : {WallControl::fixed, WallControl::free, WallControl::away}) {
    drive.control = control;
    EXPECT_EQ(at(3), (Vec2{}));
  }
}

TEST(WallDrive, SpinAndRadiusRateFollowRampAndEndAsTheVelocityDoes) {
  WallDrive<3> drive;
  drive.control = WallControl::velocity;
  drive.velocity = {1, 0, 0};
  drive.spin = {0, 0, 4};
  drive.radius_rate = 2;
  drive.ramp = 1;
  drive.until = 2;
  for (const auto& [time, share] :
       {std::pair{0.25, 0.25}, std::pair{1.5, 1.0}, std::pair{1.875, 0.5}, std::pair{2.0, 0.0}}) {
    const WallMotion<3> m = drive.motion({0, 0, 1}, 0, 1, time, 0.25);
    EXPECT_EQ(m.velocity.x, share * 1);
    EXPECT_EQ(m.spin.z, share * 4);
    EXPECT_EQ(m.radius_rate, share * 2);
  }
}

TEST(WallDrive, AServoOnAForceNeedsNoAreaAndBacksOffNoFasterThanItMay) {
  WallDrive<2> drive;
  drive.control = WallControl::servo;
  drive.target = 10;
  drive.by_force = 1;
  drive.speed_max = 0.5;
  drive.gain = 0.1;
  EXPECT_EQ(drive.motion({0, -1}, 100, 0, 0, 1).velocity, (Vec2{0, 0.5}));
  EXPECT_EQ(drive.motion({0, -1}, 0, 0, 0, 1).velocity, (Vec2{0, -0.5}));
  EXPECT_NEAR(drive.motion({0, -1}, 9.5, 0, 0, 1).velocity.y, -0.25, 1e-15);  // half of the gain too little
  EXPECT_TRUE(drive.is_limited(8.9, 0));
  EXPECT_FALSE(drive.is_limited(9.1, 0));
}

TEST(WallMotion, ASurfaceMovesWithItsWallTurnsAboutItAndGrows) {
  const Vec3 normal{-1, 0, 0}, at{2, 0, 5};  // inside a cylinder about z
  EXPECT_EQ((WallMotion<3>{{1, 2, 3}, {}, 0}.at(at, normal)), (Vec3{1, 2, 3}));
  EXPECT_EQ((WallMotion<3>{{1, 2, 3}, {0, 0, 4}, 0}.at(at, normal)), (Vec3{1, 10, 3}));
  EXPECT_EQ((WallMotion<3>{{}, {}, 0.5}.at(at, normal)), (Vec3{-0.5, 0, 0}));
  EXPECT_EQ((WallMotion<2>{{1, 0}, {2}, 0}.at({0, 3}, {0, 1})), (Vec2{-5, 0}));
  EXPECT_TRUE(std::signbit(WallMotion<3>{{-0.0, 0, 0}, {}, 0}.at(at, normal).x));  // not a bit of it changes
}

TEST(WallDrive, AServoSlidesAlongItsPlaneWhileItHoldsItsLoadAlongItsNormal) {
  WallDrive<3> drive;
  drive.control = WallControl::servo;
  drive.target = 10;
  drive.by_force = 1;
  drive.speed_max = 0.5;
  drive.gain = 0.1;
  drive.velocity = {0.2, 0, 0};
  drive.since = 1;
  drive.ramp = 2;
  drive.until = 5;
  const auto at = [&](Real time, Real pushed) { return drive.motion({0, 0, -1}, pushed, 1, time, 1e-3).velocity; };
  EXPECT_EQ(at(2, 9.5), (Vec3{0.1, 0, at(2, 9.5).z}));
  EXPECT_NEAR(at(2, 9.5).z, -0.25, 1e-15);  // as without sliding
  EXPECT_EQ(at(4, 10).x, 0.2);
  EXPECT_EQ(at(6, 10).x, 0);
}
