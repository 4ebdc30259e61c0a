#include <gtest/gtest.h>

#include <cmath>

#include <talus/core/input_error.hpp>
#include <talus/sampling/polygons.hpp>

using namespace talus;
using namespace talus::sampling;

// Tolerances: areas are scaled to what is asked (rounding, 1e-12); of 32 corners none need lie on an axis: widths to 1 - cos(pi / 32) = 0.5 %, their
// ratio to twice that and 2 in front.

TEST(RandomPolygons, HaveTheAreaOfTheirRecipe) {
  Rng rng{1, 1};
  i64 drawn = 0;
  PolygonRecipe any;  // no draw is refused
  any.longest = HUGE_VAL;
  any.shortest_edge = 0;
  PolygonRecipe even = any;
  even.spread = 0;
  EXPECT_NEAR(random_polygon(even, rng, drawn).area, 0.75, 1e-12);
  // Corners anywhere in their share of the circle: 3/4 times 2 (1 - cos 30) / (pi/6)^2.
  Real sum = 0;
  const int n = 20000;
  for (int k = 0; k < n; ++k) sum += random_polygon(any, rng, drawn).area;
  EXPECT_NEAR(sum / n, 0.75 * 2 * (1 - std::cos(pi / 6)) / std::pow(pi / 6, 2), 3e-4);
}

TEST(RandomPolygons, KeepTheirLimits) {
  Rng rng{2, 1};
  PolygonRecipe recipe;
  recipe.diameter = 3;
  i64 drawn = 0;
  for (int k = 0; k < 2000; ++k) {
    const Polygon p = random_polygon(recipe, rng, drawn);
    ASSERT_EQ(p.corners.size(), 12u);
    const Widths w = widths(p);
    ASSERT_LE(w.largest, 1.08 * w.smallest);
    for (std::size_t i = 0; i < 12; ++i) ASSERT_GE(length(p.corners[(i + 1) % 12] - p.corners[i]), 0.15);
  }
  EXPECT_NEAR(Real(drawn), 2000 / 0.7, 150);  // about 12 % are too long, 20 % have too short an edge
}

TEST(RandomPolygons, AspectStretchesAndKeepsTheArea) {
  Rng rng{3, 1}, same{3, 1};
  PolygonRecipe recipe;
  recipe.spread = 0;
  recipe.corners = 32;
  i64 drawn = 0;
  const Real area = random_polygon(recipe, same, drawn).area;
  recipe.aspect = 2;
  const Polygon p = random_polygon(recipe, rng, drawn);
  const Widths w = widths(p);
  EXPECT_NEAR(p.area, area, 1e-12);
  EXPECT_NEAR(w.largest / w.smallest, 2, 0.02);
}

TEST(RandomPolygons, SayWhenTheLimitsCannotBeMet) {
  Rng rng{4, 1};
  PolygonRecipe recipe;
  recipe.corners = 3;
  i64 drawn = 0;
  EXPECT_THROW(random_polygon(recipe, rng, drawn), InputError);
}
