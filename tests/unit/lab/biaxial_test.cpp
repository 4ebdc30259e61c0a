#include <talus/lab/biaxial.hpp>

#include <cmath>

#include <gtest/gtest.h>

using namespace talus;
using namespace talus::lab;

// Tolerances: 1e-12 and less is the rounding of series that are made up; 1e-9 of those that are smoothed by sums over hundreds of rows.

namespace {

const Figure& figure(const Figures& all, const std::string& name) {
  for (const Figure& f : all)
    if (f.name == name) return f;
  throw std::runtime_error("no figure " + name);
}

// A made-up test: rows before shear without strain, then a peak of the angle at 2 % and a plateau; the volume follows a
// parabola up to 4 % that is steepest at 2 %.
SeriesData made_up(Real end) {
  SeriesData s;
  const auto row = [&](Real strain, Real phi, Real volume) {
    const Real sine = std::sin(phi * pi / 180);
    s["eps_a"].push_back(strain);
    s["eps_v"].push_back(volume);
    s["sigma2"].push_back(1000);
    s["sigma1"].push_back(1000 * (1 + sine) / (1 - sine));
    s["sigma1_base"].push_back(1010 * (1 + sine) / (1 - sine));
    s["void_ratio"].push_back(0.26 - volume);
    s["max_overlap"].push_back(1e-4);
    s["inertial_number"].push_back(1e-4);
    s["ray_force_ratio"].push_back(strain > 0.05 ? 0.995 : 1);
    s["residual"].push_back(-1 + 0.02 * strain);
    s["boundary_work"].push_back(50 + 2 * strain);
  };
  row(NAN, 80, 0.5);
  for (int k = 0; k * 5e-5 <= end; ++k) {
    const Real e = k * 5e-5;
    const Real phi = e < 0.02 ? 29 * std::sin(pi / 2 * e / 0.02) : 21 + 8 * std::exp(-std::pow((e - 0.02) / 0.01, 2));
    const Real x = std::min(e, 0.04) / 0.04;
    row(e, phi, -0.0132 / 6 * 4 * (3 * x * x - 2 * x * x * x));
  }
  return s;
}

}  // namespace

TEST(Biaxial, FiguresAreThoseOfTheCurves) {
  const Figures f = biaxial_analysis()->figures(made_up(0.15));
  const auto value = [&](const char* name) { return *figure(f, name).value; };
  EXPECT_NEAR(value("phi_peak_deg"), 29, 0.02);  // smoothed over 0.1 % of strain
  EXPECT_NEAR(value("strain_at_peak"), 0.02, 3e-4);
  EXPECT_NEAR(value("phi_crit_deg"), 21, 1e-6);
  EXPECT_EQ(value("e0"), 0.26);
  EXPECT_NEAR(value("e_end"), 0.2688, 1e-12);
  // d/dx (3 x^2 - 2 x^3) = 6 x (1 - x): 3/2 at the middle.
  const Real steepest = 0.0132 / 6 * 4 * 1.5 / 0.04;
  EXPECT_NEAR(value("dilation_rate_peak"), steepest, 0.01 * steepest);
  EXPECT_NEAR(value("dilation_rate_max"), steepest, 0.01 * steepest);
  EXPECT_NEAR(value("strain_at_dilation_max"), 0.02, 1e-3);
  EXPECT_NEAR(value("penetration_max_rel"), 5e-5, 1e-18);
  EXPECT_EQ(value("ray_force_ratio"), 0.995);
  EXPECT_NEAR(value("energy_balance_rel"), 0.01, 1e-9);
  EXPECT_NEAR(value("platen_force_mismatch"), 0.01, 1e-9);
}

TEST(Biaxial, NoCriticalStateIsToldBeforeItIsReached) {
  const Figures f = biaxial_analysis()->figures(made_up(0.12));
  EXPECT_FALSE(figure(f, "phi_crit_deg").value);
  EXPECT_NE(figure(f, "phi_crit_deg").reason, "");
  EXPECT_TRUE(figure(f, "phi_peak_deg").value);
  const Figures none = biaxial_analysis()->figures({});
  for (const Figure& each : none) EXPECT_FALSE(each.value) << each.name;
}

TEST(Biaxial, SmoothingKeepsStraightLinesAndMeans) {
  std::vector<Real> strain, line;
  for (int k = 0; k <= 100; ++k) strain.push_back(0.01 * k), line.push_back(3 - 2 * strain.back());
  const auto mean = smoothed(strain, line, 0.105);
  for (int k = 6; k <= 94; ++k) EXPECT_NEAR(mean[std::size_t(k)], line[std::size_t(k)], 1e-12);
  EXPECT_NEAR(*slope_at(strain, line, 0.5, 0.2), -2, 1e-12);
  EXPECT_FALSE(slope_at(strain, line, 0.5, 0.005));  // one row
}
