#include <gtest/gtest.h>

#include <cmath>

#include <talus/lab/element_analysis.hpp>
#include <talus/lab/solid_tests.hpp>

using namespace talus;
using namespace talus::lab;

TEST(Cantilever, PeriodIsThatOfAThinPlate) {
  // Row 5 of the validation: 0.2540 s, of an angular frequency of 24.73 1/s.
  EXPECT_NEAR((Cantilever{0.2, 0.02, 2e6, 0.3975, 1000}).period(), 0.2540, 5e-4);
}

TEST(Lube, FinalRadiiAreThoseOfTheirLaws) {
  EXPECT_NEAR(lube_runout(3, 0.9), 2.116, 1e-12);
  EXPECT_NEAR(lube_runout(3, 2), 3.263, 1e-3);
  EXPECT_NEAR(lube_runout(3, 5), 4.578, 1e-3);
  EXPECT_NEAR(lube_runout(2, 0.5), 1.6, 1e-12);
}

TEST(Elements, TriaxialPeakOfTheCompressionConeIsMohrCoulombs) {
  const Real phi = pi / 6, c = 5e3, s = std::sin(phi);
  const Element e{2 * s / (std::sqrt(3.0) * (3 - s)), 6 * c * std::cos(phi) / (std::sqrt(3.0) * (3 - s)), 1e6, true, 1e5, 0.1, 1};
  EXPECT_NEAR(triaxial_peak(e), 2 * s / (1 - s) * 1e5 + 2 * c * std::cos(phi) / (1 - s), 1e-6);
}

// The stress of simple shear is the solution of its differential equation: compared with small steps of Euler's rule.
TEST(Elements, SimpleShearAfterYieldTurnsAlongTheCone) {
  for (const Real g : {1e6, 4e4}) {  // a = G/k above and below 1
    const Element e{1.0 / 6, 0, g, true, 1e5, 2, 1};
    const Real k = 0.5e5, step = 1e-5;
    Real tau = 0, n = 0;
    for (int i = 1; i <= 200000; ++i) {
      const Real rate_tau = g - n, rate_n = tau;
      tau += step * rate_tau;
      n += step * rate_n;
      const Real size = std::hypot(tau, n);
      if (size > k) tau *= k / size, n *= k / size;
      if (i % 50000 != 0) continue;
      const SimpleShear exact = simple_shear(e, i * step);
      EXPECT_NEAR(exact.tau, tau, 1e-3 * k);  // of Euler's steps: G step/k of an angle each
      EXPECT_NEAR(exact.difference, 2 * n, 2e-3 * k);
    }
  }
}
