// What analyses read off series that are known: loops, steps of an oedometer, slopes.
#include <cmath>

#include <gtest/gtest.h>

#include <talus/lab/cyclic_analysis.hpp>
#include <talus/lab/slope.hpp>
#include <talus/lab/wall_tests.hpp>

using namespace talus;
using namespace talus::lab;

namespace {

Real value(const Figures& figures, const std::string& name) {
  for (const Figure& f : figures)
    if (f.name == name) return f.value.value_or(NAN);
  return NAN;
}

}  // namespace

TEST(Loops, AnEllipseHasTheDampingOfAKelvinVoigtBody) {
  // Stress k e + c de/dt under e = a sin(wt): work pi c w a^2 a cycle, height 2 a sqrt(k^2 + (c w)^2), damping ratio sin(delta)/2.
  std::vector<Real> halves, stress, strain;
  const Real k = 3, loss = 0.4, a = 0.01;  // loss: c w
  const int rows = 4000;                   // a cycle from its least strain up and down again, twice
  for (int i = 0; i <= 2 * rows; ++i) {
    const Real phase = 2 * pi * i / rows - pi / 2;
    halves.push_back(std::floor(2.0 * i / rows + 1e-9));
    strain.push_back(a * std::sin(phase));
    stress.push_back(k * a * std::sin(phase) + loss * a * std::cos(phase));
  }
  const std::vector<Loop> loops = loops_of(halves, stress, strain);
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_NEAR(loops[1].work, pi * loss * a * a, 1e-5 * a * a);  // polygons of 4000 corners
  EXPECT_NEAR(loops[1].damping(), loss / (2 * std::hypot(k, loss)), 1e-5);
  EXPECT_NEAR(loops[1].modulus(), std::hypot(k, loss), 1e-5);
}

TEST(Loops, AParallelogramHasTheDampingOfASpringBehindASlider) {
  // Spring constant 1, yields at 1; amplitude 2: y/a = 1/2.
  const std::vector<Loop> loops = loops_of({0, 0, 0, 1, 1, 2}, {-1, 1, 1, -1, -1, -1}, {-2, 0, 2, 0, -2, -2});
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_NEAR(loops[0].damping(), 2 / pi * (1 - 0.5), 1e-15);
  EXPECT_EQ(loops_of({0, 0, 1, 1}, {0, 1, 1, 0}, {0, 1, 1, 0}).size(), 0u);  // the way down is not over
}

TEST(Oedometer, ReadsModuliAndIndicesOffTheLastRowsOfItsStages) {
  const SeriesData series{{"stage", {0, 1, 1, 2, 2, 3}},
                          {"sigma_v", {NAN, 5e4, 1e5, 1.5e5, 2e5, 1e5}},
                          {"e", {0.9, 0.85, 0.8, 0.75, 0.71, 0.73}},
                          {"K0", {NAN, 0.6, 0.5, 0.5, 0.45, 0.8}}};
  const Figures f = oedometer_analysis<3>({})->figures(series);
  EXPECT_NEAR(value(f, "constrained_modulus"), 1e5 * 1.8 / 0.09, 1e-3);
  EXPECT_NEAR(value(f, "constrained_modulus_unloading"), 1e5 * 1.71 / 0.02, 1e-3);
  EXPECT_NEAR(value(f, "compression_index"), 0.09 / std::log10(2.0), 1e-12);
  EXPECT_NEAR(value(f, "swelling_index"), 0.02 / std::log10(2.0), 1e-12);
  EXPECT_EQ(value(f, "K0_loading"), 0.45);
  EXPECT_EQ(value(f, "K0_unloaded"), 0.8);
}

TEST(DirectShear, ReadsPeakAndDilationOffAKnownCurve) {
  SeriesData series;
  for (int i = 0; i <= 200; ++i) {
    const Real u = 1e-5 * i, ratio = i <= 100 ? 0.008 * i : std::max(0.8 - 0.006 * (i - 100), 0.5);
    series["stage"].push_back(2);
    series["shear_displacement"].push_back(u);
    series["normal_stress"].push_back(1e5);
    series["shear_stress"].push_back(1e5 * ratio);
    series["lid_rise"].push_back(i <= 100 ? -0.05 * u : -0.05 * 1e-3 + 0.2 * (u - 1e-3));
  }
  DirectShearSettings<3> settings;
  settings.stage = 2;
  const Figures f = direct_shear_analysis<3>(settings)->figures(series);
  EXPECT_NEAR(value(f, "phi_peak_deg"), std::atan(0.8) * 180 / pi, 0.8);  // a mean over a twentieth of the displacement
  EXPECT_NEAR(value(f, "phi_end_deg"), std::atan(0.5) * 180 / pi, 1e-9);
  EXPECT_NEAR(value(f, "displacement_at_peak_mm"), 1, 0.05);
  EXPECT_NEAR(value(f, "dilation_angle_deg"), std::atan(0.2) * 180 / pi, 1e-9);
  EXPECT_NEAR(value(f, "dilation_mm"), -0.05 + 0.2, 1e-12);
}

TEST(Slopes, ASurfaceThatFallsAsALineHasItsAngle) {
  std::vector<SurfacePoint> surface;
  for (int k = 0; k < 20; ++k) surface.push_back({0.1 * k, std::max(1 - 0.05 * k, 0.0)});
  EXPECT_NEAR(slope_of(surface), std::atan(0.5), 1e-12);
  EXPECT_TRUE(std::isnan(slope_of({{0, 1}, {1, 0.5}})));
}
