#include <talus/lab/analysis.hpp>

#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>

using namespace talus;
using namespace talus::lab;

// Tolerance 1e-12: rounding of a few trigonometric functions.

namespace {

constexpr Real deg = pi / 180;

const Figure& figure(const Figures& all, const std::string& name) {
  for (const Figure& f : all)
    if (f.name == name) return f;
  throw std::runtime_error("no figure " + name);
}

RowePack five_four() {
  RowePack p;
  p.phi_mu = 10 * deg;
  p.limit = rowe_limit(p.phi_mu, 8, 2);
  return p;
}

void add(SeriesData& s, Real speed, Real strain, Real ratio, Real top, Real overlap) {
  s["platen_speed"].push_back(speed);
  s["rowe_strain"].push_back(strain);
  s["ratio"].push_back(ratio);
  s["ratio_top"].push_back(top);
  s["max_overlap"].push_back(overlap);
}

// The platen is held, speeds up, and comes down at 1 mm/s. The ratio is Rowe's times 1.05 up to a strain of 0.02, times 1.01 up to
// 0.55 and times 1.02 beyond. While the platen speeds up everything is out of bounds: the load overshoots and falls below 1, the
// platens disagree, discs overlap.
SeriesData made_up(const RowePack& pack, Real step, Real end) {
  SeriesData s;
  for (int k = 0; k < 3; ++k) add(s, 0, 0, 0.3, 0.3, 0.4);
  add(s, 0.25e-3, 1e-5, 9, 5, 0.4);
  add(s, 0.50e-3, 2e-5, 0.5, 0.9, 0.4);
  add(s, 0.75e-3, 3e-5, 9, 5, 0.4);
  for (int k = 1; k * step <= end; ++k) {
    const Real strain = (k + 0.5) * step;  // no row on a bound
    const Real factor = strain < 0.02 ? 1.05 : strain < 0.55 ? 1.01 : 1.02;
    const Real ratio = factor * pack.ratio_at(strain);
    add(s, 1e-3, strain, ratio, ratio * (k == 7 ? 1.02 : 0.999), k == 9 ? 4e-6 : 1e-6);
  }
  return s;
}

}  // namespace

TEST(RoweAnalysis, FiguresAreThoseOfTheCurveAfterTheRamp) {
  const RowePack pack = five_four();
  const Real step = 1e-3;
  const Figures f = rowe_analysis(pack)->figures(made_up(pack, step, 0.65));
  const auto value = [&](const char* name) { return *figure(f, name).value; };
  const Real peak = 1.05 * pack.ratio_at(1.5 * step), theory = std::tan(60 * deg) * std::tan(70 * deg);
  EXPECT_EQ(value("ratio_peak"), peak);  // not the 9 of the ramp
  EXPECT_NEAR(value("ratio_theory_peak"), theory, 1e-12);
  EXPECT_NEAR(value("ratio_peak_over_theory"), peak / theory, 1e-12);
  EXPECT_NEAR(value("ratio_limit"), 4.31908, 5e-6);
  EXPECT_NEAR(value("ratio_peak_over_limit"), peak / pack.limit, 1e-12);
  const auto angle = [](Real r) { return std::asin((r - 1) / (r + 1)); };
  EXPECT_NEAR(value("angle_peak_over_theory"), angle(peak) / angle(theory), 1e-12);
  EXPECT_NEAR(value("rms_error_to_055"), 0.01, 1e-12);
  // 1.02 tan 60 tan(phi + beta) = 1. Between rows the curve is taken as straight: (1/8) step^2 |curvature / slope| is below 1e-6.
  const Real beta = std::atan(1 / (1.02 * std::tan(60 * deg))) - pack.phi_mu;
  EXPECT_NEAR(value("crossing_strain"), 1 - std::sin(beta) / std::sin(60 * deg), 1e-6);
  EXPECT_NEAR(value("platen_force_mismatch"), 0.02, 1e-12);
  EXPECT_NEAR(value("max_penetration_rel"), 2e-6, 1e-18);
}

TEST(RoweAnalysis, NothingIsToldThatWasNotReached) {
  const RowePack pack = five_four();
  const Figures brief = rowe_analysis(pack)->figures(made_up(pack, 1e-3, 0.015));
  EXPECT_TRUE(figure(brief, "ratio_peak").value);
  for (const char* name : {"crossing_strain", "rms_error_to_055"}) {
    EXPECT_FALSE(figure(brief, name).value) << name;
    EXPECT_NE(figure(brief, name).reason, "") << name;
  }
  SeriesData held;
  for (int k = 0; k < 3; ++k) add(held, 0, 0, 0.3, 0.3, 1e-6);
  for (const SeriesData& series : {held, SeriesData{}}) {
    const Figures none = rowe_analysis(pack)->figures(series);
    for (const char* name : {"ratio_peak", "ratio_peak_over_theory", "ratio_peak_over_limit", "angle_peak_over_theory",
                             "rms_error_to_055", "crossing_strain", "platen_force_mismatch", "max_penetration_rel"}) {
      EXPECT_FALSE(figure(none, name).value) << name;
      EXPECT_NE(figure(none, name).reason, "") << name;
    }
  }
}

TEST(RoweAnalysis, ALayoutWithoutAClosedFormHasNoLimit) {
  RowePack pack = five_four();
  pack.limit = 0;
  const Figures f = rowe_analysis(pack)->figures(made_up(pack, 1e-3, 0.05));
  for (const char* name : {"ratio_limit", "ratio_peak_over_limit"}) {
    EXPECT_FALSE(figure(f, name).value) << name;
    EXPECT_NE(figure(f, name).reason, "") << name;
  }
  EXPECT_TRUE(figure(f, "ratio_peak").value);
}

// The table has seven digits: half a unit of the last is at most 5e-7 of a number above 1.
TEST(RoweAnalysis, TheoryIsThatOfTheReference) {
  std::ifstream file(TALUS_SOURCE_DIR "/tests/data/rowe_theory.csv");
  ASSERT_TRUE(file);
  std::string line;
  std::getline(file, line);  // source
  std::getline(file, line);
  ASSERT_EQ(line.rfind("phi_mu_deg,delta_over_L_per_sliding_row,beta_deg,ratio_eq16_localised,", 0), 0u) << line;
  int rows = 0, limits = 0;
  while (std::getline(file, line)) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    std::vector<std::string> fields;
    std::stringstream in(line + ',');
    for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
    ASSERT_EQ(fields.size(), 7u) << line;
    RowePack pack;
    pack.phi_mu = std::stod(fields[0]) * deg;
    const Real expected = std::stod(fields[3]);
    EXPECT_NEAR(pack.ratio_at(std::stod(fields[1])), expected, 1e-6 * expected) << line;
    ++rows;
    if (fields[6].empty()) continue;
    const Real limit = std::stod(fields[6]);
    EXPECT_NEAR(rowe_limit(pack.phi_mu, 8, 2), limit, 1e-6 * limit) << line;
    ++limits;
  }
  EXPECT_GT(rows, 10);
  EXPECT_GT(limits, 0);
}

TEST(RoweAnalysis, ComparesWithNothingWhereDiscsDoNotSlide) {
  RowePack pack = five_four();
  pack.phi_mu = 35 * deg;
  EXPECT_TRUE(std::isnan(pack.ratio_at(0)));
  EXPECT_TRUE(std::isfinite(pack.ratio_at(0.5)));
  SeriesData series;
  for (const Real strain : {0.0, 0.01, 0.03}) add(series, 1e-3, strain, 5, 5, 1e-6);
  const Figures found = rowe_analysis(pack)->figures(series);
  EXPECT_EQ(figure(found, "ratio_peak").value.value(), 5);
  for (const char* name : {"ratio_theory_peak", "ratio_peak_over_theory", "ratio_limit", "ratio_peak_over_limit",
                           "angle_peak_over_theory", "rms_error_to_055"}) {
    EXPECT_FALSE(figure(found, name).value.has_value()) << name;
    EXPECT_NE(figure(found, name).reason.find("30 degrees"), std::string::npos) << name;
  }
}
