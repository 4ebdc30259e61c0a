#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <talus/sampling/sizes.hpp>

using namespace talus;
using namespace talus::sampling;

// Tolerances: normal_quantile is refined to rounding (1e-12); quoted diameters have four digits (half of the last, and of D50's: 6e-5); samples of
// many sizes follow the curve to the distance of neighbours in size, below 1e-4, a ratio of two of them to three times that.

TEST(NormalDistribution, QuantileUndoesTheDistribution) {
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-12);
  EXPECT_NEAR(normal_quantile(0.6), 0.2533471031357997, 1e-12);
  EXPECT_NEAR(normal_quantile(0.1), -1.2815515655446004, 1e-12);
  for (const Real p : {1e-6, 0.03, 0.4, 0.9, 0.99999}) EXPECT_NEAR(normal_cdf(normal_quantile(p)), p, 1e-13);
}

TEST(Lognormal, QuantilesByMassFollowTheReferenceSand) {
  // D50 0.21 mm, Cu 1.57; the table has four digits in mm.
  EXPECT_NEAR(lognormal_sigma(1.57), 0.29388, 5e-6);
  // Ends where nothing is cut. Neighbours in size are sigma / (N density) = 6e-5 apart at D90: within the 1e-4 asked for.
  const auto d = lognormal_by_mass(0.21, 1.57, 0.021, 2.1, 120000, 3);
  struct Case {
    Real share, diameter;
  };
  for (const Case& c : {Case{0.10, 0.1441}, Case{0.16, 0.1568}, Case{0.30, 0.1800}, Case{0.50, 0.2100},
                        Case{0.60, 0.2262}, Case{0.84, 0.2813}, Case{0.90, 0.3060}}) {
    const Real exact = 0.21 * std::exp(0.2938800 * normal_quantile(c.share));
    EXPECT_NEAR(exact, c.diameter, 6e-5) << "D" << 100 * c.share;
    EXPECT_NEAR(passing_diameter(d, c.share, 3) / exact, 1, 1e-4) << "D" << 100 * c.share;
  }
  EXPECT_NEAR(passing_diameter(d, 0.6, 3) / passing_diameter(d, 0.1, 3), 1.57, 3e-4);
  // By number: median 0.21 exp(-3 sigma^2), mean volume that of a ball of 0.18448 mm.
  EXPECT_NEAR(d[60000], 0.1621, 5e-5);
  Real cubes = 0;
  for (const Real x : d) cubes += x * x * x;
  EXPECT_NEAR(std::cbrt(cubes / Real(d.size())), 0.18448, 2e-5);
}

TEST(Lognormal, CutAtBothEndsFollowsTheCutCurve) {
  const Real low = 0.08, high = 0.45, sigma = lognormal_sigma(1.57);
  const auto d = lognormal_by_mass(0.21, 1.57, low, high, 40000, 3);
  EXPECT_GE(*std::min_element(d.begin(), d.end()), low);
  EXPECT_LE(*std::max_element(d.begin(), d.end()), high);
  const Real from = normal_cdf(std::log(low / 0.21) / sigma), to = normal_cdf(std::log(high / 0.21) / sigma);
  for (const Real share : {0.1, 0.5, 0.6, 0.9}) {
    const Real exact = 0.21 * std::exp(sigma * normal_quantile(from + share * (to - from)));
    EXPECT_NEAR(passing_diameter(d, share, 3) / exact, 1, 1e-4) << share;
  }
}

TEST(Lognormal, OfDiscsCountsMassByArea) {
  const auto d = lognormal_by_mass(0.21, 1.57, 0.021, 2.1, 40000, 2);
  EXPECT_NEAR(passing_diameter(d, 0.5, 2), 0.21, 2.1e-5);
}

TEST(Grading, OfFewGrainsRisesToOne) {
  const Grading g = grading_of({3, 1, 2}, 3);
  EXPECT_EQ(g.diameter, (std::vector<Real>{1, 2, 3}));
  EXPECT_DOUBLE_EQ(g.passing[0], 1 / 36.0);
  EXPECT_DOUBLE_EQ(g.passing[1], 9 / 36.0);
  EXPECT_DOUBLE_EQ(g.passing[2], 1);
}
