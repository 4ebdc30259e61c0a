#include <gtest/gtest.h>

#include <cmath>

#include <talus/matter/models.hpp>

using namespace talus;
using namespace talus::matter;

namespace {
const Tait water{1000, 44.3, 0, 0}, elastic{1000, 44.3, 1, 0};
}

TEST(Tait, PressureIsTheSeventhPowerOfTheDensity) {
  for (const Real j : {1.0, 1.001, 1.01, 1.2})
    EXPECT_NEAR(water.pressure(j), 1000 * 44.3 * 44.3 / 7 * (std::pow(j, 7) - 1), 1e-9 * water.modulus());  // rounding
}

TEST(Tait, ModulusIsTheSlopeOfThePressureAtRest) {
  const Real e = 1e-6;
  EXPECT_NEAR((elastic.pressure(1 + e) - elastic.pressure(1 - e)) / (2 * e), water.modulus(), 1e-4 * water.modulus());
}

TEST(Tait, LiquidCarriesNoTension) {
  EXPECT_EQ(water.pressure(0.9), 0);
  EXPECT_EQ(water.energy(0.9), 0);
  EXPECT_LT(elastic.pressure(0.9), 0);
  EXPECT_GT(elastic.energy(0.9), 0);
}

TEST(Tait, EnergyIsTheWorkOfThePressure) {
  for (const Real j : {0.97, 1.0, 1.03}) {
    const Real e = 1e-6, slope = (elastic.energy(j + e) - elastic.energy(j - e)) / (2 * e);
    // de/drho = p/rho^2; the difference of two energies of size c^2 rounds to 1e-16 c^2/e.
    EXPECT_NEAR(slope, elastic.pressure(j) / (1000 * j * j), 1e-6 * 44.3 * 44.3);
  }
}

// A column of height H that is laid at rest and compresses under its weight carries rho0 g H; one of height H after it has
// compressed carries more: B ((1 + 6 g H/(7 B/rho0))^(7/6) - 1) = 9,834 Pa for H = 1 m.
TEST(Tait, ColumnUnderItsWeightHasTheClosedForm) {
  const Real g = 9.81, b = water.modulus() / 7;
  const Real base = b * (std::pow(1 + 6 * 1000 * g / (7 * b), 7.0 / 6.0) - 1);
  EXPECT_NEAR(base, 9834.3, 0.1);
  EXPECT_NEAR(water.ratio_at(g * 1), 1.00494, 5e-6);  // as far as it is printed
  EXPECT_NEAR(water.pressure(water.ratio_at(g * 1)), base, 1e-9 * water.modulus());
}

TEST(Models, AreListedByTheirWords) { EXPECT_EQ(model_names(), (std::vector<std::string>{"newtonian", "elastic", "drucker-prager"})); }
