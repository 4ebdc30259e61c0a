// The integrators that the thesis tried, beside the implicit step; and the constants of a mortar from a creep test.
#include <gtest/gtest.h>

#include <cmath>

#include <talus/core/rng.hpp>
#include <talus/lab/burgers_integrators.hpp>
#include <talus/lab/creep_fit.hpp>

#include "../../support/csv_rows.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr Real mm = 1e-3, zero_celsius = 273.15;

lab::PressedMass pressed(Real celsius, Real mass, Real area = 0.88e-6) {
  return {MortarTable::published().at(celsius + zero_celsius), area / (0.88 * mm), mass, 1};
}

}  // namespace

// Table 3.2 of the thesis, printed to six decimals, area over thickness 1 mm, in N, mm, s.
TEST(SemiAnalytical, HasThePrintedCoefficientsOfTheThesis) {
  const Real printed[3][8] = {{0.999997, 0.004025, 0.001541, 0.000342, -0.001192, 0.932899, 0.731141, 0.162097},
                              {0.999998, 0.004043, 0.000955, 0.000200, -0.000812, 0.941456, 0.453807, 0.094819},
                              {0.999999, 0.004060, 0.000662, 0.000129, -0.000594, 0.949107, 0.314999, 0.061383}};
  for (int k = 0; k < 3; ++k) {
    const lab::SemiAnalytical c = lab::semi_analytical(pressed(100 + 25 * k, 1), Real(1) / 240, true);
    const Real here[8] = {c.gamma_f0, c.gamma_f1, c.gamma_u1 * mm, c.gamma_u2 * mm, c.delta_f0, c.delta_f1, c.delta_u1 * mm, c.delta_u2 * mm};
    // mm converts N s/m into N s/mm times 1e-3 for area over thickness 1 mm.
    for (int i = 0; i < 8; ++i) EXPECT_NEAR(here[i], printed[k][i], 0.51e-6) << k << " " << i;
  }
}

TEST(SemiAnalytical, LosesHalfOfAJumpOfForceAsPrinted) {
  const auto printed = lab::semi_analytical(pressed(150, 1), Real(1) / 240, true), exact = lab::semi_analytical(pressed(150, 1), Real(1) / 240, false);
  EXPECT_NEAR(printed.gamma_u2 / exact.gamma_u2, 0.5, 0.01);  // 1/2 for short steps
}

// The force from outside explodes at the masses of grains, the implicit step never does.
TEST(BurgersIntegrators, ErrorsGrowAsTheReferenceSaysForTheForceFromOutside) {
  int rows = 0;
  for (const auto& row : csv_rows(TALUS_SOURCE_DIR "/tests/data/burgers_spectral_radius.csv")) {
    const lab::PressedMass p = pressed(std::stod(row[0]), std::stod(row[2]), std::stod(row[1]) * mm * mm);
    EXPECT_NEAR(lab::growth(p, Real(1) / 240, "printed") / std::stod(row[3]), 1, 1e-6) << row[0] << " degC, " << row[1] << " mm2, " << row[2] << " kg";
    EXPECT_NEAR(lab::growth(p, Real(1) / 240, "implicit"), std::stod(row[4]), 1e-9);
    ++rows;
  }
  EXPECT_EQ(rows, 42);
}

TEST(BurgersIntegrators, AllComeToTheSameMotionForShortSteps) {
  const lab::PressedMass p = pressed(150, 0.1);
  const auto errors = [&](Real dt) {
    std::vector<Real> worst;
    auto exact = lab::burgers_reference(p, dt);
    for (auto& i : lab::burgers_integrators(p, dt)) {
      lab::Pressed a, b;
      worst.push_back(0);
      for (int n = 0; n < int(std::round(0.2 / dt)); ++n) {
        i.step(a);
        exact(b);
        worst.back() = std::max(worst.back(), std::abs(a.u - b.u));
      }
    }
    return worst;
  };
  const auto coarse = errors(8e-6), fine = errors(1e-6);
  for (std::size_t k = 0; k < fine.size(); ++k) {
    EXPECT_LT(fine[k], 0.01 * 0.066 * mm) << k;        // 1 % of the way of the spring
    if (fine[k] > 1e-9 * mm) { EXPECT_GT(coarse[k] / fine[k], 6) << k; }  // first order 8, second 64; below, rounding
  }
}

// The reference itself against exponentials of matrices.
TEST(BurgersIntegrators, ReferenceFollowsTheMatrixExponential) {
  for (const Real mass : {0.1, 10.0}) {
    const Real dt = 1e-3;
    const auto step = lab::burgers_reference(pressed(150, mass), dt);
    lab::Pressed s;
    i64 n = 0;
    for (const auto& row : csv_rows(TALUS_SOURCE_DIR "/tests/data/burgers_inertial_phase1.csv")) {
      if (std::stod(row[1]) != mass || std::stod(row[2]) > 2) continue;
      for (; n < i64(std::round(std::stod(row[2]) / dt)); ++n) step(s);
      EXPECT_NEAR(s.u / mm, std::stod(row[3]), 1e-6) << mass << " kg, " << row[2] << " s";
      EXPECT_NEAR(s.f, std::stod(row[5]), 1e-5);
    }
  }
}

TEST(CreepFit, FindsTheConstantsOfATestWithNoise) {
  const Real force = 1, scale = mm;
  const auto constants = {&MortarConstants::maxwell_stiffness, &MortarConstants::maxwell_viscosity, &MortarConstants::kelvin_stiffness, &MortarConstants::kelvin_viscosity};
  for (const Real celsius : {100.0, 125.0, 150.0}) {
    const MortarConstants c = MortarTable::published().at(celsius + zero_celsius);
    Real squares = 0;
    int count = 0;
    for (u64 seed = 0; seed <= 40; ++seed) {
      const Real noise = seed == 0 ? 0 : 0.01;
      Rng rng{seed, 0, 0};
      std::vector<Real> t, u;
      for (int k = 0; k < 400; ++k) {  // evenly in the logarithm of time, 5 ms to 400 s
        t.push_back(5e-3 * std::pow(8e4, k / 399.0));
        const Real clean = force / scale * (1 / c.maxwell_stiffness + t.back() / c.maxwell_viscosity - std::expm1(-c.kelvin_stiffness * t.back() / c.kelvin_viscosity) / c.kelvin_stiffness);
        u.push_back(clean * (1 + noise * std::sqrt(3.0) * rng.uniform(-1, 1)));
      }
      const lab::CreepResult r = lab::fit_creep(t, u, force, scale);
      ASSERT_EQ(r.flaw, "");
      for (Real MortarConstants::*of : constants) {
        const Real off = r.fit.constants.*of / (c.*of) - 1;
        EXPECT_LT(std::abs(off), noise > 0 ? 0.1 : 1e-6) << celsius;
        if (noise > 0) squares += std::pow(off * (c.*of) / r.fit.error.*of, 2), ++count;
      }
    }
    // Errors are as large as they are said to be: 160 values, so the mean square is 1 within 0.15 and what few points leave out.
    EXPECT_NEAR(std::sqrt(squares / count), 1, 0.2) << celsius;
  }
}

TEST(CreepFit, SaysWhyATestDoesNotTell) {
  const std::vector<Real> t{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_NE(lab::fit_creep({1, 2, 3}, {1, 2, 3}, 1, mm).flaw, "");
  EXPECT_NE(lab::fit_creep(t, {8, 7, 6, 5, 4, 3, 2, 1}, 1, mm).flaw, "");
  EXPECT_NE(lab::fit_creep({1, 2, 3, 3, 5, 6}, {1, 2, 3, 4, 5, 6}, 1, mm).flaw, "");
}
