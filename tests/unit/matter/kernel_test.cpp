#include <gtest/gtest.h>

#include <cmath>

#include <talus/matter/kernels.hpp>

using namespace talus;
using namespace talus::matter;

namespace {

// Integral of f(r) over the ball of the kernel, by the midpoint rule: 20,000 shells leave an error of 1e-8.
template <int D, class F>
Real over_ball(Real support, F&& f) {
  constexpr int shells = 20000;
  const Real dr = support / shells;
  Real sum = 0;
  for (int k = 0; k < shells; ++k) {
    const Real r = (k + 0.5) * dr;
    sum += f(r) * (D == 2 ? 2 * pi * r : 4 * pi * r * r) * dr;
  }
  return sum;
}

template <class T>
class Kernel : public ::testing::Test {};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Kernel, Dimensions);

}  // namespace

TYPED_TEST(Kernel, HasAnIntegralOfOne) {
  constexpr int D = TypeParam::value;
  for (const Real support : {0.02, 1.0, 2.6}) {
    const auto w = Wendland<D>::of(support);
    EXPECT_NEAR(over_ball<D>(support, [&](Real r) { return w.value(r); }), 1, 1e-7);
  }
}

TYPED_TEST(Kernel, SlopeIsTheDerivativeOfItsValue) {
  constexpr int D = TypeParam::value;
  const auto w = Wendland<D>::of(2);
  for (Real r = 0.1; r < 1.95; r += 0.1) {
    const Real e = 1e-5, derivative = (w.value(r + e) - w.value(r - e)) / (2 * e);
    EXPECT_NEAR(w.slope(r) * r, derivative, 1e-8 * w.height) << r;  // error of the difference: e^2 W'''/6
  }
}

// Of a linear field the sum over a ball gives the slope back: the integral of r dW/dr is -D.
TYPED_TEST(Kernel, GradientIsExactForALinearField) {
  constexpr int D = TypeParam::value;
  const auto w = Wendland<D>::of(1.5);
  EXPECT_NEAR(over_ball<D>(1.5, [&](Real r) { return w.slope(r) * r * r; }), -D, 1e-6);
}

TYPED_TEST(Kernel, EndsSmoothlyAtItsSupport) {
  constexpr int D = TypeParam::value;
  const auto w = Wendland<D>::of(3);
  EXPECT_EQ(w.value(3), 0);
  EXPECT_EQ(w.slope(3), 0);
  for (Real r = 0; r < 3; r += 0.05) EXPECT_LT(w.slope(r), 0) << r;  // pushes apart everywhere
}

TYPED_TEST(Kernel, SumsToOneOnALatticeWithinTheErrorOfItsSupport) {
  constexpr int D = TypeParam::value;
  const auto w = Wendland<D>::of(3);
  Real sum = 0;
  for (int i = -3; i <= 3; ++i)
    for (int j = -3; j <= 3; ++j)
      for (int k = D == 3 ? -3 : 0; k <= (D == 3 ? 3 : 0); ++k) {
        const Real r = std::sqrt(Real(i * i + j * j + k * k));
        if (r < 3) sum += w.value(r);
      }
  EXPECT_NEAR(sum, 1.003, 0.004);  // published lattice sum of 1.003 in space; in the plane closer to 1
}
