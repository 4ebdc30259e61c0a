#include <gtest/gtest.h>

#include <talus/core/quat.hpp>

using namespace talus;

namespace {

Real apart(const Vec3& a, const Vec3& b) { return length(a - b); }

// As turnings: q and -q are one.
Real apart(const Quat& a, const Quat& b) {
  const Quat d = a.conjugate() * b;
  return length(d.vector());
}

const Vec3 tilted = (1 / std::sqrt(14.0)) * Vec3{1, -2, 3};

}  // namespace

TEST(Quat, TurnsCounterClockwise) {
  const Quat q = Quat::from_axis({0, 0, 1}, pi / 2);
  EXPECT_LT(apart(q.turned({1, 0, 0}), {0, 1, 0}), 1e-15);
  EXPECT_LT(apart(q.turned({0, 1, 0}), {-1, 0, 0}), 1e-15);
  EXPECT_LT(apart(q.turned_back({0, 1, 0}), {1, 0, 0}), 1e-15);
  const Vec3 v{0.3, -0.7, 2};
  EXPECT_EQ(Quat{}.turned(v), v);
}

TEST(Quat, ProductTurnsFirstByTheRightThenByTheLeft) {
  const Quat a = Quat::from_axis(tilted, 0.7), b = Quat::from_axis({0, 1, 0}, -2.1);
  const Vec3 v{0.3, -0.7, 2};
  EXPECT_LT(apart((a * b).turned(v), a.turned(b.turned(v))), 3e-15);
  EXPECT_LT(apart(Quat::from_axis(tilted, 0.4) * Quat::from_axis(tilted, 0.8), Quat::from_axis(tilted, 1.2)), 1e-15);
  EXPECT_LT(apart(a * a.conjugate(), Quat{}), 1e-15);
}

TEST(Quat, MatrixTurnsAlikeAndGivesTheTurningBack) {
  for (int k = 0; k < 60; ++k) {  // angles up to and beyond half a turn, where the largest component changes
    const Vec3 axis = Quat::from_axis(tilted, 0.9 * k).turned({1, 0, 0});
    const Quat q = Quat::from_axis(axis, 0.11 * k);
    const Vec3 v{0.3, -0.7, 2};
    EXPECT_LT(apart(q.matrix() * v, q.turned(v)), 3e-15);
    EXPECT_LT(apart(Quat::from_matrix(q.matrix()), q), 3e-15);
  }
}

TEST(Quat, AStepTurnsBySpinTimesTimeUpToTheFifthOrder) {
  const Vec3 spin = Real(2) * tilted;
  const auto error = [&](Real angle) {
    return apart(advance(Quat{}, spin, angle / 2), Quat::from_axis(tilted, angle));
  };
  EXPECT_LT(error(1e-3), 1e-15);
  EXPECT_NEAR(error(0.2) / error(0.1), 32, 0.5);  // tan's next term: 2/15 (angle/2)^5
  EXPECT_NEAR(error(0.1), 2.0 / 15 * std::pow(0.05, 5), 1e-9);
  EXPECT_EQ(advance(Quat{}, {}, 1).w, 1);
}

TEST(Quat, StaysATurningForAMillionSteps) {
  Quat q = Quat::from_axis(tilted, 0.3);
  const Quat start = q;
  const int n = 1000000;
  const Real dt = 1e-3;
  const Vec3 spin{0.5, -1.25, 0.75};
  Real worst = 0;
  for (int i = 0; i < n; ++i) {
    q = advance(q, spin, dt);
    worst = std::max(worst, std::abs(q.norm_square() - 1));
  }
  EXPECT_LT(worst, 1e-15);
  const Mat3 m = q.matrix();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      Real sum = 0;
      for (int k = 0; k < 3; ++k) sum += m(k, i) * m(k, j);
      EXPECT_NEAR(sum, i == j ? 1 : 0, 2e-15);
    }
  const Real speed = length(spin);
  // A step's angle is wrong by about 2/15 x 2 (w dt / 2)^5 = 2.5e-17: over a million steps 3e-11; rounding walks as the root.
  EXPECT_LT(apart(q, Quat::from_axis((1 / speed) * spin, speed * dt * n) * start), 2e-10);
}
