// A chain of equal spheres under compression: sound speed and dispersion, and the time step it allows.
#include <gtest/gtest.h>

#include "../support/sample.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr int n = 64;
constexpr Real d = 2 * sand_radius, strain = 1e-3;

Sample<3> chain() {
  Sample<3> s({sand(0)});
  s.set_law<HertzMindlin<3>>();
  s.set_box({n * d * (1 - strain), 4 * d, 4 * d});
  std::vector<Ball<3>> balls;
  for (int i = 0; i < n; ++i) balls.push_back({{i * d * (1 - strain), d, d}, sand_radius, 0, {}, {}});
  s.assemble(balls);
  return s;
}

}  // namespace

TEST(Chain, StandingWavesFollowTheDispersionOfSpringsInARow) {
  const Real force = hertz_constant(sand_radius) * std::pow(d * strain, 1.5);
  const Real k_n = 1.5 * hertz_constant(sand_radius) * std::sqrt(d * strain);
  EXPECT_NEAR(force / 3.98447e-3, 1, 2e-6);  // the reference numbers, six and seven digits
  EXPECT_NEAR(k_n / 2.846050e4, 1, 1e-6);
  for (const int mode : {1, 4, 16, 32}) {
    Sample<3> s = chain();
    const Real m = s.mass(0), k = 2 * pi * mode / (n * d),
               amplitude = 1e-6;  // m/s: overlaps change by 1e-6 of their size
    for (u32 i = 0; i < n; ++i) s.velocity(i).x = amplitude * std::cos(2 * pi * mode * i / n);
    const Real theory = 2 * std::sqrt(k_n / m) * std::sin(k * d / 2);
    s.state.globals.dt = 0.05 * std::sqrt(m / k_n);
    s.prepare();
    // The mode's velocity swings as cos(w t): its second zero is at 3/4 of the period.
    const auto swing = [&] {
      Real sum = 0;
      for (u32 i = 0; i < n; ++i) sum += s.velocity(i).x * std::cos(2 * pi * mode * i / n);
      return sum;
    };
    int zeros = 0;
    Real before = swing(), at = 0;
    for (int step = 0; step < 100000 && zeros < 2; ++step) {
      s.step();
      const Real now = swing();
      if (before * now < 0) {
        ++zeros;
        at = s.state.globals.time - s.state.globals.dt * now / (now - before);
      }
      before = now;
    }
    const Real omega = 1.5 * pi / at;
    EXPECT_NEAR(omega / theory, 1, 1e-2) << "mode " << mode;  // 1 %; the step of 0.05 / omega_0 is worth 1e-3
    if (mode == 1) {
      const Real c = d * std::sqrt(k_n / m);
      EXPECT_NEAR(c, 312.53, 0.005);  // m/s, five digits
      EXPECT_NEAR(omega / k / c, 1, 1e-2);
    }
  }
}

TEST(Chain, CriticalStepIsThatOfItsHighestMode) {
  Sample<3> s = chain();
  s.prepare();
  const Real k_n = 1.5 * hertz_constant(sand_radius) * std::sqrt(d * strain);
  // w_max^2 = 4 k / m, so 2 / w_max = sqrt(m / k); stiffnesses are summed in units of 2^-24 of the largest.
  EXPECT_NEAR(dem::critical_dt(s.model, s.state, s.scratch).dt / std::sqrt(s.mass(0) / k_n), 1, 1e-6);
}
