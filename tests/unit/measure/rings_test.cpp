// Porosity and stress on rings about an upright axis.
#include <cmath>

#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/measure/rings.hpp>

#include "../../support/sample.hpp"

using namespace talus;
using namespace talus::test;
using measure::Rings;
using measure::volume_near_axis;

namespace {

// Points on a fine grid inside a ball of radius 1.
Real counted(Real away, Real radius, Real low, Real high) {
  constexpr int n = 160;
  Real inside = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Real x = -1 + (i + 0.5) * 2 / n, y = -1 + (j + 0.5) * 2 / n, z = -1 + (k + 0.5) * 2 / n;
        if (x * x + y * y + z * z < 1 && (away + x) * (away + x) + y * y < radius * radius && z >= low && z < high) ++inside;
      }
  return inside * 8 / (Real(n) * n * n);
}

Sample<3> balls_at(const std::vector<Vec3>& places, Real radius) {
  Sample<3> s({sand(0)});
  s.set_box({2, 2, 2}, false);
  std::vector<Ball<3>> balls;
  for (const Vec3& x : places) balls.push_back({x, radius, 0, {}, {}});
  s.assemble(balls);
  return s;
}

Rings four_rings() {
  Rings rings;
  rings.x = rings.y = 1;
  rings.edges = {0, 0.25, 0.5, 0.75, 1};
  rings.high = 2;
  rings.layers = 4;
  return rings;
}

}  // namespace

TEST(Rings, TheVolumeOfABallNearAnAxisIsWhatCountingGives) {
  Rng rng{3, 0, 0};
  for (int trial = 0; trial < 12; ++trial) {
    const Real away = rng.uniform(0, 2), radius = rng.uniform(0.2, 2.5), low = std::floor(rng.uniform(-1.2, 0.3) * 80) / 80, high = low + std::ceil(rng.uniform(0.2, 2) * 80) / 80;
    EXPECT_NEAR(volume_near_axis(away, 0, 1, radius, low, high), counted(away, radius, low, high), 3e-3) << "seed 3, trial " << trial;  // 160 points a diameter
  }
  EXPECT_NEAR(volume_near_axis(0, 0, 1, 2, -3, 3), 4 * pi / 3, 1e-14);
  // What a drill of half the ball's radius takes away: 4 pi/3 (1 - (1 - 1/4)^(3/2)).
  EXPECT_NEAR(volume_near_axis(0, 0, 1, 0.5, -3, 3), 4 * pi / 3 * (1 - std::pow(0.75, 1.5)), 1e-6);
}

TEST(Rings, SolidsOfAllRingsAreTheBalls) {
  Rng rng{8, 0, 0};
  std::vector<Vec3> places;
  for (int k = 0; k < 50; ++k) {
    const Real angle = rng.uniform(0, 2 * pi), away = rng.uniform(0, 0.9);
    places.push_back({1 + away * std::cos(angle), 1 + away * std::sin(angle), rng.uniform(0.1, 1.9)});
  }
  const Sample<3> s = balls_at(places, 0.1);
  const Rings rings = four_rings();
  const std::vector<Real> n = measure::porosities(s.state, rings);
  Real solid = 0;
  for (std::size_t k = 0; k < n.size(); ++k) solid += (1 - n[k]) * rings.volume(k % 4);
  EXPECT_NEAR(solid / (50 * 4 * pi / 3 * 1e-3), 1, 1e-12);  // what a ring takes its neighbour leaves
}

TEST(Rings, ABallSqueezedAlongTheRadiusHasARadialStressAlone) {
  // Three balls in a row along x through the axis' ring at 0.6: the middle one carries the force 2 F r / V along the radius.
  const Real r = 0.05, squeeze = 1e-4;
  Sample<3> s = balls_at({{1.6, 1, 0.9}, {1.6 - 2 * r + squeeze, 1, 0.9}, {1.6 + 2 * r - squeeze, 1, 0.9}}, r);
  s.set_law<Linear<3>>(0, 0, {1e5, 0, 0, 0});
  s.state.globals.dt = 1e-6;
  s.prepare();
  Rings rings = four_rings();
  rings.edges = {0, 0.55, 0.65, 1};
  const std::vector<Real> n = measure::porosities(s.state, rings);
  const std::vector<Vec3> stress = measure::stresses(s.model, s.state, s.contacts(), rings, n);
  const Real force = 1e5 * squeeze, volume = 4 * pi / 3 * r * r * r;
  const std::size_t k = rings.index(1, 1);
  const Real arm = 2 * r - squeeze;  // both arms together
  EXPECT_NEAR(stress[k].x / ((1 - n[k]) * force * arm / volume), 1, 1e-12);
  EXPECT_NEAR(stress[k].y, 0, 1e-9);
  EXPECT_NEAR(stress[k].z, 0, 1e-9);
  EXPECT_TRUE(std::isnan(stress[rings.index(1, 3)].x));  // nobody is there
}
