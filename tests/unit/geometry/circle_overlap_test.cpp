#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/geometry/circle_overlap.hpp>

using namespace talus;

// Tolerances: rounding of some ten operations near 1 (1e-13), of corners that are turned and moved (1e-12), of a sum of 1,500 tiles (1e-11). Counting
// 800 x 800 points misses about a point in each row along the outline: 2e-3 of the square of the radius.

namespace {

Polygon rectangle(Real width, Real height, Real rounding = 0) {
  return make_polygon({{0, 0}, {width, 0}, {width, height}, {0, height}}, rounding);
}

// Of the part of a grain in a circle, by rows of points; error about perimeter times spacing.
Real counted(const Polygon& grain, const Placement& at, const Circle& circle, int rows) {
  const Real h = 2 * circle.radius / rows;
  i64 inside = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j) {
      const Vec2 p = circle.centre + Vec2{(i + Real(0.5)) * h - circle.radius, (j + Real(0.5)) * h - circle.radius};
      const Vec2 from = p - circle.centre;
      if (dot(from, from) > circle.radius * circle.radius) continue;
      const Vec2 q = at.turned_back(p - at.position);
      // Distance to the polygon: zero within, else to the nearest edge.
      const std::size_t n = grain.corners.size();
      bool within = n > 2;
      Real nearest = HUGE_VAL;
      for (std::size_t k = 0; k < n; ++k) {
        const Vec2 a = grain.corners[k], edge = grain.corners[(k + 1) % n] - a;
        if (n > 2 && dot(grain.normals[k], q - a) > 0) within = false;
        const Real along = dot(edge, edge) > 0 ? clamp(dot(q - a, edge) / dot(edge, edge), Real(0), Real(1)) : 0;
        nearest = min(nearest, length(q - a - along * edge));
      }
      inside += within || nearest <= grain.rounding;
    }
  return Real(inside) * h * h;
}

TEST(CircleOverlap, IsTheLensOfTwoDiscs) {
  const Polygon disc = make_polygon({{0, 0}}, 1);
  for (const Real d : {0.1, 0.5, 1.0, 1.7, 1.999}) {
    const Real lens = 2 * std::acos(d / 2) - d / 2 * std::sqrt(4 - d * d);
    EXPECT_NEAR(overlap_area(view(disc), Placement::at({3 + d, -2}, 0.4), {{3, -2}, 1}), lens, 1e-13) << d;
  }
  EXPECT_NEAR(overlap_area(view(disc), Placement::at({0, 0}, 0), {{0, 0}, 0.3}), 0.09 * pi, 1e-15);  // one in the other
  EXPECT_NEAR(overlap_area(view(disc), Placement::at({0.2, 0}, 0), {{0, 0}, 5}), pi, 1e-13);
  EXPECT_EQ(overlap_area(view(disc), Placement::at({2.5, 0}, 0), {{0, 0}, 1}), 0);
}
TEST(CircleOverlap, OfAGrainWithinIsItsAreaAndOfOneBeyondNothing) {
  Rng rng{3, 0, 0};
  for (int k = 0; k < 100; ++k) {
    const Polygon p = make_polygon({{0, 0}, {1, 0.1}, {1.2, 0.9}, {0.3, 1.1}}, k % 2 == 0 ? 0 : 0.2);
    const Placement at = Placement::at({rng.uniform(-1, 1), rng.uniform(-1, 1)}, rng.uniform(0, 6));
    EXPECT_NEAR(overlap_area(view(p), at, {{0, 0}, 5}), p.area, 1e-12);
    EXPECT_NEAR(overlap_area(view(p), at, {{8, 0}, 5}), 0, 1e-12);
    EXPECT_NEAR(overlap_area(view(p), at, {at.position, 0.01}), pi * 1e-4, 1e-15);  // the circle lies in the grain
  }
}
TEST(CircleOverlap, OfTilesThatCoverThePlaneIsTheCircle) {
  Rng rng{4, 0, 0};
  const Polygon tile = rectangle(0.7, 0.4);
  for (int k = 0; k < 20; ++k) {
    const Real angle = rng.uniform(0, 6);
    const Circle circle{{rng.uniform(-1, 1), rng.uniform(-1, 1)}, rng.uniform(0.05, 3)};
    Real sum = 0;
    for (int i = -15; i <= 15; ++i)
      for (int j = -25; j <= 25; ++j) {
        const Placement frame = Placement::at({0, 0}, angle);
        sum += overlap_area(view(tile), Placement::at(frame.turned({0.7 * i, 0.4 * j}), angle), circle);
      }
    EXPECT_NEAR(sum, pi * circle.radius * circle.radius, 1e-11);
  }
}
TEST(CircleOverlap, OfRoundedGrainsAgreesWithCounting) {
  Rng rng{5, 0, 0};
  for (int k = 0; k < 24; ++k) {
    const Real rounding = rng.uniform(0.05, 0.4);
    const Polygon p = k % 3 == 0   ? make_polygon({{0, 0}, {1, 0}}, rounding)
                      : k % 3 == 1 ? make_polygon({{0, 0}, {1, 0}, {0.2, 0.8}}, rounding)
                                   : rectangle(1, 0.6, rounding);
    const Placement at = Placement::at({rng.uniform(-1, 1), rng.uniform(-1, 1)}, rng.uniform(0, 6));
    const Circle circle{{0, 0}, rng.uniform(0.2, 1.5)};
    EXPECT_NEAR(overlap_area(view(p), at, circle), counted(p, at, circle, 800), 2e-3 * circle.radius * circle.radius)
        << k;
  }
}

}  // namespace
