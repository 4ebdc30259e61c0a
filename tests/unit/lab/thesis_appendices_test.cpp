// Appendices D and E of the thesis, beside contacts that are solved inside the step.
#include <gtest/gtest.h>

#include <cmath>

#include <talus/lab/thesis_appendices.hpp>

using namespace talus;
using namespace talus::lab;

// A block pulled with half of the friction it can have, from a speed that friction takes away in a tenth of the steps.
TEST(AppendixD, OnlyFrictionSolvedWithTheVelocityHoldsABlockUnderLoad) {
  const Real dt = 1e-3;
  const SlidingBlock b{1, 10, 0.5, 2.5};
  Real v[4] = {0.025, 0.025, 0.025, 0.025};
  for (int n = 0; n < 400; ++n) v[0] = b.plain(v[0], dt), v[1] = b.stopped(v[1], dt), v[2] = b.faded(v[2], dt), v[3] = b.solved(v[3], dt);
  EXPECT_GT(std::abs(v[0]), 0.1 * dt * 5);                    // goes to and fro
  EXPECT_NEAR(v[1], dt * 2.5, 1e-12);                         // creeps with the pull of one step
  EXPECT_NEAR(v[2], 3 * dt * 2.5, 1e-12);                     // three times as fast: v / (3 v_crit) mu N = pull
  EXPECT_EQ(v[3], 0);
}

TEST(AppendixD, AllStopASlidingBlockAlike) {
  const Real dt = 1e-5;
  const SlidingBlock b{1, 10, 0.5, 0};
  Real v[3] = {1, 1, 1};
  for (int n = 0; n < 10000; ++n) v[0] = b.stopped(v[0], dt), v[1] = b.faded(v[1], dt), v[2] = b.solved(v[2], dt);
  for (const Real x : v) EXPECT_NEAR(x, 0.5, 1e-9);  // 1 m/s - mu N t / m
}

// (E.2) asks for k far below 2 m / dt^2: above that a mass that the stop throws out in one step leaves with up to k dt^2 / m - 1 times the
// speed that it came with, and a dashpot for the way out comes too late.
TEST(AppendixE, AnExplicitStopGivesEnergyAboveTwoAndTheSolvedOneNever) {
  for (const Real ratio : {3.0, 6.0, 100.0}) {
    Real spring = 0, damped = 0;
    for (int k = 0; k < 1000; ++k) {
      const StiffStop s{ratio, (k + 0.5) / 1000};
      spring = std::max(spring, s.spring());
      damped = std::max(damped, s.damped());
      EXPECT_LE(s.solved(), 1) << ratio;
    }
    EXPECT_NEAR(spring, ratio - 1, 1e-3 * ratio) << ratio;  // the place of the stop in the step: half of a thousandth
    EXPECT_NEAR(damped, ratio - 1, 1e-3 * ratio) << ratio;
  }
  for (const Real place : {0.05, 0.35, 0.65, 0.95}) {
    EXPECT_LT(StiffStop({0.01, place}).spring(), 1.01);
    EXPECT_LT(StiffStop({0.01, place}).damped(), 0.5);
    EXPECT_LT(StiffStop({0.01, place}).solved(), 0.5);
  }
}
