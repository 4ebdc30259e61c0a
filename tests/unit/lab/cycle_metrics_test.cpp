#include <gtest/gtest.h>

#include <cmath>

#include <talus/lab/cycle_analysis.hpp>

using namespace talus;
using namespace talus::lab;

// Tolerances: rounding (1e-12); thresholds are tried in steps of a 400th of 50 mN, 1.25e-4, and the first that fits is taken.

namespace {

// A series of rests: `cycles` cycles of two levels, down and up; force = scale x level + lag when unloading.
SeriesData series(Real scale, int cycles, Real lag = 0, Real weak = 0) {
  SeriesData s;
  const auto add = [&](int cycle, int level, bool loading) {
    s["settled"].push_back(1);
    s["cycle"].push_back(cycle);
    s["level"].push_back(level);
    s["loading"].push_back(loading);
    s["travel"].push_back(0.01 * level);
    s["top_force"].push_back(scale * level - (loading ? 0 : lag) + (cycle == 1 ? 100 : 0));  // the first is odd
    s["Z_strong"].push_back(6 + level);
    s["Z_any"].push_back(7 + level);
    s["phi_inside"].push_back(0.6);
    s["branch_mean"].push_back(0.02);
    s["force_mean_grains"].push_back(0.01 * level);
    s["f_class_00"].push_back(weak);
    s["f_class_01"].push_back(10);
    s["f_class_02"].push_back(30);
  };
  for (int c = 1; c <= cycles; ++c) {
    add(c, 1, true);
    add(c, 2, true);
    add(c, 1, false);
    add(c, 0, false);
  }
  return s;
}

const measure::ForceClasses three{1e-3, 1, 3};  // 1, 10, 100 mN

}  // namespace

TEST(CycleMetrics, LevelsAreMeansOverKeptCyclesLoadingFirst) {
  const auto levels = cycle_levels(series(5, 4), 1, 3);
  ASSERT_EQ(levels.size(), 4u);
  EXPECT_TRUE(levels[0].loading && levels[1].loading && !levels[2].loading);
  EXPECT_EQ(levels[1].level, 2);
  EXPECT_EQ(levels[2].level, 1);  // unloading begins at the top
  EXPECT_EQ(levels[0].cycles, 3);
  EXPECT_DOUBLE_EQ(levels[1].force, 10);
  EXPECT_NEAR(levels[1].force_deviation, 0, 1e-12);
  EXPECT_GT(cycle_levels(series(5, 4), 0, 3)[1].force_deviation, 10);
}

TEST(CycleMetrics, ASeriesAgainstItselfIsAPerfectFit) {
  const auto levels = cycle_levels(series(5, 3, 0.5, 5), 1, 3);
  const CycleComparison c = compare_cycles(levels, levels, three, 5e-3);
  EXPECT_DOUBLE_EQ(c.rtop, 1);
  EXPECT_DOUBLE_EQ(c.errf, 0);
  EXPECT_NEAR(c.bhat, 0, 1e-12);
  EXPECT_NEAR(c.errz, 0, 1e-12);
  EXPECT_NEAR(c.tau, 5e-3, 1e-4);
}

TEST(CycleMetrics, MetricsAreThoseComputedByHand) {
  const auto run = cycle_levels(series(4, 3), 1, 3), reference = cycle_levels(series(5, 3), 1, 3);
  const CycleComparison c = compare_cycles(run, reference, three, 0);
  EXPECT_DOUBLE_EQ(c.rtop, 0.8);
  EXPECT_NEAR(c.errf, std::sqrt((1 + 4 + 1 + 0) / 4.0), 1e-12);  // differences 1, 2, 1, 0 at the four levels
  const auto weak = cycle_levels(series(5, 3, 0, 40), 1, 3);     // half of the contacts are weak
  EXPECT_NEAR(compare_cycles(weak, reference, three, 0).bhat, -std::log(40 / std::sqrt(80.0 * 40)), 1e-12);
}

TEST(CycleMetrics, LineIsLeastSquares) {
  const Line l = fit_line({1, 2, 3, 4}, {3, 5, 7, 9});
  EXPECT_DOUBLE_EQ(l.slope, 2);
  EXPECT_DOUBLE_EQ(l.offset, 1);
  EXPECT_DOUBLE_EQ(l.r2, 1);
}
