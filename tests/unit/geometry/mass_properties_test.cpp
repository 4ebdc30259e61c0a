#include <gtest/gtest.h>

#include <talus/geometry/mass_properties.hpp>

using namespace talus;

namespace {

const Vec3 tilted = (1 / std::sqrt(14.0)) * Vec3{1, -2, 3};

Mat3 made_of(const PrincipalInertia& p) {
  const Mat3 m = p.axes.matrix();
  Mat3 sum;
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis{m(0, k), m(1, k), m(2, k)};
    sum += p.moments[k] * outer(axis, axis);
  }
  return sum;
}

Real apart(const Mat3& a, const Mat3& b) {
  const Mat3 d = a - b;
  return std::sqrt(contract(d, d));
}

}  // namespace

TEST(MassProperties, MomentsOfABoxAreThoseOfTheTextbook) {
  const MassProperties b = box({1, 2, 3}, 6);
  EXPECT_DOUBLE_EQ(b.mass, 36);
  const PrincipalInertia p = principal_inertia(b.inertia);
  EXPECT_NEAR(p.moments.x, 36 * (1 + 4) / 12.0, 1e-13);
  EXPECT_NEAR(p.moments.y, 36 * (1 + 9) / 12.0, 1e-13);
  EXPECT_NEAR(p.moments.z, 36 * (4 + 9) / 12.0, 1e-13);
}

TEST(MassProperties, ATurnedBoxHasTheSameMomentsAboutTurnedAxes) {
  for (int k = 0; k < 40; ++k) {
    const Quat turning = Quat::from_axis(Quat::from_axis(tilted, 1.3 * k).turned({0, 1, 0}), 0.37 * k);
    const Mat3 inertia = placed(box({0.1, 0.2, 0.3}, 1000), turning, {5, 6, 7}).inertia;
    const PrincipalInertia p = principal_inertia(inertia);
    EXPECT_NEAR(p.moments.x, 6 * 0.05 / 12, 1e-13 * p.moments.z);
    EXPECT_NEAR(p.moments.y, 6 * 0.10 / 12, 1e-13 * p.moments.z);
    EXPECT_NEAR(p.moments.z, 6 * 0.13 / 12, 1e-13 * p.moments.z);
    EXPECT_LT(apart(made_of(p), inertia), 1e-13 * p.moments.z);
    // An axis of the box and the one that is found are one line.
    EXPECT_NEAR(std::abs(dot(p.axes.turned({1, 0, 0}), turning.turned({0, 0, 1}))), 1, 1e-13);
    EXPECT_NEAR(determinant(p.axes.matrix()), 1, 1e-14);
  }
}

TEST(MassProperties, EqualMomentsAndNoInertiaAreNoTrouble) {
  const PrincipalInertia cube = principal_inertia(box({1, 1, 1}, 6).inertia);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(cube.moments[k], 1, 1e-15);
  const PrincipalInertia rod = principal_inertia(placed(box({1, 1, 4}, 3), Quat::from_axis(tilted, 1), {}).inertia);
  EXPECT_NEAR(rod.moments.y, rod.moments.z, 1e-13);
  EXPECT_EQ(principal_inertia({}).moments, Vec3{});
}

TEST(MassProperties, TwoHalvesMakeTheWhole) {
  const MassProperties half = box({1, 2, 1.5}, 6);
  const MassProperties whole = together(placed(half, {}, {0, 0, 0.75}), placed(half, {}, {0, 0, 2.25}));
  const MassProperties straight = box({1, 2, 3}, 6);
  EXPECT_DOUBLE_EQ(whole.mass, straight.mass);
  EXPECT_NEAR(whole.centre.z, 1.5, 1e-15);
  EXPECT_LT(apart(whole.inertia, straight.inertia), 1e-13);
  const Quat turning = Quat::from_axis(tilted, 0.8);
  const MassProperties turned = together(placed(half, turning, turning.turned({0, 0, 0.75})),
                                         placed(half, turning, turning.turned({0, 0, 2.25})));
  EXPECT_LT(apart(turned.inertia, placed(straight, turning, {}).inertia), 1e-12);
}
