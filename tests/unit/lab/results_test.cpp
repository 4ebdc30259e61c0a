// What is read off the series of a run.
#include <gtest/gtest.h>

#include <talus/lab/channels.hpp>
#include <talus/lab/methods.hpp>

using namespace talus;
using namespace talus::lab;

// Tolerance 1e-12: rounding of sums of a few numbers below 100.

namespace {

Real value(const Figures& figures, const std::string& name) {
  for (const auto& f : figures)
    if (f.name == name) return f.value.value();
  ADD_FAILURE() << "no figure " << name;
  return NAN;
}

}  // namespace

TEST(SolverFigures, AreWeightedByTheStepsBetweenRows) {
  Experiment<2> x;
  x.method = make_method<2>("impulse");
  const SeriesData series{{"step", {0, 10, 100, 100, 200}},
                          {"solver_sweeps", {0, 5, 20, 0, 10}},  // mean since the row before
                          {"solver_capped", {0, 1, 3, 0, 2}},
                          {"solver_residual", {0, 1e-3, 2e-4, 0, 5e-4}},
                          {"state_residual", {0, 3e-4, 4e-4, 4e-4, 1e-4}}};
  const Figures found = figures_of(channels_of(x), series, {});
  EXPECT_NEAR(value(found, "iterations_mean"), (10 * 5 + 90 * 20 + 100 * 10) / 200.0, 1e-12);
  EXPECT_EQ(value(found, "cap_hits"), 6);
  EXPECT_EQ(value(found, "residual_max"), 1e-3);
  EXPECT_EQ(value(found, "state_residual_max"), 4e-4);
}
