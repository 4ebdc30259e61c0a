#include <gtest/gtest.h>

#include <cmath>

#include <talus/lab/fit.hpp>

using namespace talus;
using namespace talus::lab;

// Tolerances: the search stops at a step of 1e-6 or 1e-7 of the bounds; what is left is some times that (1e-5), and 1e-4 along the valley that two
// parameters make.

TEST(Fit, FindsOneParameterOfACurveInFewRuns) {
  const auto mismatch = [](const std::vector<Real>& at) {  // y = x^2 exp(gamma x) against gamma = 1.19
    std::vector<Real> r;
    for (int k = 1; k <= 10; ++k) r.push_back(0.01 * k * k * (std::exp(0.1 * k * at[0]) - std::exp(0.1 * k * 1.19)));
    return r;
  };
  const FitResult f = fit({{"gamma", 0.5, 3}}, mismatch, 20, 1e-6);
  EXPECT_TRUE(f.settled);
  EXPECT_NEAR(f.best[0], 1.19, 1e-5);
  EXPECT_LT(f.trials.size(), 12u);
  EXPECT_GT(f.sensitivity[0], 0);
}

TEST(Fit, FindsTwoParametersAtOnce) {
  const auto mismatch = [](const std::vector<Real>& at) {
    std::vector<Real> r;
    for (int k = 0; k < 8; ++k) r.push_back(at[0] * std::sin(0.3 * k + at[1]) - 2 * std::sin(0.3 * k + 0.4));
    return r;
  };
  const FitResult f = fit({{"size", 0.5, 4}, {"phase", -0.5, 1}}, mismatch, 60, 1e-7);
  EXPECT_NEAR(f.best[0], 2, 1e-4);
  EXPECT_NEAR(f.best[1], 0.4, 1e-4);
}

TEST(Fit, StaysWithinBoundsAndSaysWhenItEndsAtOne) {
  const auto mismatch = [](const std::vector<Real>& at) { return std::vector<Real>{at[0] - 5}; };
  const FitResult f = fit({{"x", 0, 1}}, mismatch, 20);
  EXPECT_DOUBLE_EQ(f.best[0], 1);
  EXPECT_TRUE(f.at_bound[0]);
  for (const FitTrial& t : f.trials) EXPECT_TRUE(t.at[0] >= 0 && t.at[0] <= 1);
}

TEST(Fit, SaysThatAParameterDoesNotMatter) {
  const auto mismatch = [](const std::vector<Real>& at) { return std::vector<Real>{at[0] - 0.3, 0.1}; };
  const FitResult f = fit({{"matters", 0, 1}, {"does not", 0, 1}}, mismatch, 20, 1e-6);
  EXPECT_NEAR(f.best[0], 0.3, 1e-5);
  EXPECT_EQ(f.sensitivity[1], 0);
  EXPECT_TRUE(std::isinf(f.uncertainty[1]));
}

TEST(Interpolate, IsStraightBetweenPointsAndFlatBeyond) {
  const std::vector<Real> x{0, 1, 3}, y{2, 4, 0};
  EXPECT_DOUBLE_EQ(interpolate(x, y, 0.5), 3);
  EXPECT_DOUBLE_EQ(interpolate(x, y, 2), 2);
  EXPECT_DOUBLE_EQ(interpolate(x, y, -1), 2);
  EXPECT_DOUBLE_EQ(interpolate(x, y, 9), 0);
}
