#include <gtest/gtest.h>

#include <cmath>

#include <talus/boundary/gyration.hpp>

using namespace talus;

namespace {
constexpr Real degree = pi / 180;
const Gyration mould{0.82 * degree, 2, 0, 0};  // half a gyration a second, tilted from the start
}  // namespace

TEST(Gyration, TurnsAsTheProductOfThreeTurnsAndDoesNotSpin) {
  for (const Real t : {0.0, 0.3, 1.1, 1.9}) {
    const Real g = pi * t;
    const Quat expected = Quat::from_axis({0, 0, 1}, g) * Quat::from_axis({1, 0, 0}, mould.tilt) * Quat::from_axis({0, 0, 1}, -g),
               q = mould.orientation(t);
    EXPECT_NEAR(q.w, expected.w, 1e-15);
    EXPECT_NEAR(length(q.vector() - expected.vector()), 0, 1e-15);
    const Vec3 axis = q.turned({0, 0, 1});
    EXPECT_NEAR(length(axis - Vec3{std::sin(mould.tilt) * std::sin(g), -std::sin(mould.tilt) * std::cos(g), std::cos(mould.tilt)}), 0, 1e-15);
  }
}

TEST(Gyration, HasTheSpinOfTheClosedForm) {
  // Published check values: 0.82 degrees, t = 0.3 s.
  const Real dt = 1e-4;
  const Vec3 w = mould.spin(0.3 - dt / 2, dt);
  EXPECT_NEAR(w.x, -0.0363734, 1e-7);
  EXPECT_NEAR(w.y, 0.0264268, 1e-7);
  EXPECT_NEAR(w.z, 0.00032173, 1e-8);
  // A point of the axis 80 mm above the pivot.
  const Vec3 v = cross(w, 80.0 * mould.orientation(0.3).turned({0, 0, 1}));
  EXPECT_NEAR(v.x, 2.114146, 1e-5);
  EXPECT_NEAR(v.y, 2.909872, 1e-5);
  EXPECT_NEAR(v.z, 0, 1e-5);
}

TEST(Gyration, SpinsOfStepsAddUpToAClosedCircle) {
  Quat q = mould.orientation(0);
  const int steps = 480;
  for (int n = 0; n < steps; ++n) q = advance(q, mould.spin(2.0 * n / steps, 2.0 / steps), 2.0 / steps);
  // Of each step: the fifth power of its angle, which is 2e-4.
  EXPECT_NEAR(length(q.vector() - mould.orientation(0).vector()), 0, 1e-12);
}

TEST(Gyration, TiltsSmoothlyFirst) {
  const Gyration slow{0.02, 2, 5, 1};
  EXPECT_EQ(slow.tilt_at(5), 0);
  EXPECT_NEAR(slow.tilt_at(5.5), 0.01, 1e-16);
  EXPECT_EQ(slow.tilt_at(6), 0.02);
  EXPECT_EQ(slow.turns_at(5.9), 0);
  EXPECT_NEAR(slow.turns_at(9), 1.5, 1e-15);
  EXPECT_NEAR(length(slow.spin(5.2, 0.1)), (slow.tilt_at(5.3) - slow.tilt_at(5.2)) / 0.1, 1e-6);
}

TEST(Gyration, TheAxisLeansByTheTangentOfItsTilt) {
  const Vec3 lean = mould.axis_at(0.08, 0.3), axis = mould.orientation(0.3).turned({0, 0, 1});
  EXPECT_NEAR(length(lean - (0.08 / axis.z) * Vec3{axis.x, axis.y, 0}), 0, 1e-16);
}
