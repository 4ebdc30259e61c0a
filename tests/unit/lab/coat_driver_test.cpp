// Two coated grains with a mass, solved step by step, against the closed form without inertia and exponentials of matrices with it.
#include <gtest/gtest.h>

#include <talus/lab/coat_test.hpp>

#include "../../support/csv_rows.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr Real mm = 1e-3, zero_celsius = 273.15;

lab::CoatTest published(Real celsius, Real mass, Real dt) {
  lab::CoatTest t;
  t.variant = "original";
  t.constants = MortarTable::published().at(celsius + zero_celsius);
  t.mass = mass;
  t.area = 0.88 * mm * mm;
  t.thickness = 0.88 * mm;
  t.force = 1;
  t.speed = -2e-3 * mm;
  t.t2 = 600;
  t.t3 = 1000;
  t.dt = dt;
  t.errors_from = 10;
  return t;
}

lab::CoatState whole(const lab::CoatTest& test) {
  lab::CoatState s;
  lab::coat_driver(test)(s, test.steps());
  return s;
}

}  // namespace

// Tolerances of the test: a tenth of a micrometre of 880, a thousandth of the force.
TEST(CoatTest, FollowsTheClosedFormFromAMilligramToTenKilograms) {
  for (const Real mass : {1e-6, 1e-3, 0.1, 10.0}) {
    const lab::CoatTest test = published(150, mass, Real(1) / 240);
    const auto drive = lab::coat_driver(test);
    lab::CoatState s;
    for (const auto& row : csv_rows(TALUS_SOURCE_DIR "/tests/data/burgers_three_phase.csv")) {
      const Real time = std::stod(row[2]);
      if (row[0] != "150" || time < 10) continue;
      drive(s, i64(std::floor(time / test.dt + 1e-6)));
      const lab::CoatState before = s;
      drive(s, s.steps + 1);
      const Real share = time / test.dt - Real(before.steps);  // between two steps
      EXPECT_NEAR((before.overlap + share * (s.overlap - before.overlap)) / mm, std::stod(row[3]), 1e-4) << mass << " kg, " << time << " s";
      EXPECT_NEAR(before.force + share * (s.force - before.force), std::stod(row[4]), 1e-3) << mass << " kg, " << time << " s";
    }
    EXPECT_NEAR(s.touched, 381.0315542961756, test.dt);
  }
  for (const Real celsius : {100.0, 125.0, 150.0}) {
    const lab::CoatState s = whole(published(celsius, 1e-6, Real(1) / 240));
    EXPECT_LT(s.overlap_error, 1e-4 * mm) << celsius;
    EXPECT_LT(s.force_error, 1e-3) << celsius;
  }
}

TEST(CoatTest, ErrorIsOfFirstOrderInTheStepAtTheMassesOfGrains) {
  for (const Real mass : {1e-6, 1e-3}) {
    EXPECT_LT(whole(published(150, mass, 0.2)).overlap_error, 5e-4 * mm);
    Real before = 0;
    for (const Real dt : {Real(1) / 240, Real(1) / 480, Real(1) / 960, Real(1) / 1920}) {
      const Real error = whole(published(150, mass, dt)).overlap_error;
      if (before > 0) { EXPECT_NEAR(before / error, 2, 0.1) << mass << " kg, 1/" << 1 / dt << " s"; }  // second order: 4
      before = error;
    }
  }
}

TEST(CoatTest, MassThatIsPressedFromRestFollowsTheMatrixExponential) {
  for (const Real mass : {0.1, 10.0}) {
    lab::CoatTest test = published(150, mass, 0);
    test.dt = 1 / (4000 * std::sqrt(15.12e3 / mass));
    test.errors_from = 1e9;
    const auto drive = lab::coat_driver(test);
    lab::CoatState s;
    int rows = 0;
    for (const auto& row : csv_rows(TALUS_SOURCE_DIR "/tests/data/burgers_inertial_phase1.csv")) {
      const Real time = std::stod(row[2]);
      if (std::stod(row[1]) != mass || time > 100 * std::sqrt(mass)) continue;
      drive(s, i64(std::floor(time / test.dt)));
      const lab::CoatState before = s;
      drive(s, s.steps + 1);
      const Real share = time / test.dt - Real(before.steps);
      const Real u = before.overlap + share * (s.overlap - before.overlap), f = before.force + share * (s.force - before.force);
      // 1 % of what the spring alone gives way by, and of the load.
      EXPECT_NEAR(u / mm, std::stod(row[3]), 0.01 * 0.0661) << mass << " kg, " << time << " s";
      EXPECT_NEAR(f, std::stod(row[5]), 0.01) << mass << " kg, " << time << " s";
      ++rows;
    }
    EXPECT_GE(rows, 12);
  }
}
