#include <gtest/gtest.h>

#include <cmath>

#include <talus/geometry/sieve_size.hpp>
#include <talus/sampling/hull_shapes.hpp>
#include <talus/sampling/rings.hpp>

using namespace talus;
using namespace talus::sampling;

TEST(HullShapes, HaveTheMeansAndTheRangesThatAreAskedForWhateverTheSeed) {
  for (const u64 seed : {1, 2, 3}) {
    const HullRecipe recipe;
    const auto shapes = draw_hulls(recipe, seed);
    ASSERT_EQ(shapes.size(), 10u);
    Real volume = 0, surface = 0;
    for (const Hull& h : shapes) {
      EXPECT_NEAR(sieve_size(h.corners), 1, 1e-5);
      EXPECT_GT(h.volume, 0.6);
      EXPECT_LT(h.volume, 1.0);
      EXPECT_GT(h.surface, 3.8);
      EXPECT_LT(h.surface, 5.8);
      volume += h.volume / 10;
      surface += h.surface / 10;
    }
    // Ten of fifty: what is left is the grain of the choice.
    EXPECT_NEAR(volume, 0.794, 0.002) << seed;
    EXPECT_NEAR(surface, 4.914, 0.01) << seed;
  }
}

TEST(HullShapes, AreTheSameForOneSeedAndDifferForAnother) {
  const auto a = draw_hulls({}, 5), b = draw_hulls({}, 5), c = draw_hulls({}, 6);
  EXPECT_EQ(a[0].corners, b[0].corners);
  EXPECT_NE(a[0].corners, c[0].corners);
}

TEST(Rings, HoldBallsApartAndInsideTheCylinder) {
  Rng rng{3, 0, 0};
  std::vector<Real> radii;
  for (int k = 0; k < 400; ++k) radii.push_back(rng.uniform(0.02, 0.15));
  const RingPlan plan{{1, 2, 3}, 0.5, 1.01};
  const auto places = place_in_rings(plan, radii);
  ASSERT_EQ(places.size(), radii.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3 at = places[i] - plan.base;
    EXPECT_LE(std::sqrt(at.x * at.x + at.y * at.y) + radii[i], plan.radius) << i;
    EXPECT_GE(at.z, radii[i]) << i;
    for (std::size_t j = 0; j < i; ++j) ASSERT_GT(length(places[i] - places[j]), radii[i] + radii[j]) << i << " " << j;
  }
}

TEST(Rings, TellWhenABallDoesNotFit) { EXPECT_TRUE(place_in_rings({{}, 0.5, 1.01}, {0.1, 0.6}).empty()); }
