#include <gtest/gtest.h>

#include <cmath>

#include <talus/core/rng.hpp>
#include <talus/geometry/outlines.hpp>

using namespace talus;

// Tolerances: corners are where two lines meet that may be nearly parallel: 1e-9, with angles of 1e-3 and more and some units of rounding; distances
// alone 1e-12; numbers that are given in closed form 1e-15.

namespace {

Polygon random_grain(Rng& rng, Real rounding) {
  const int n = 3 + int(rng.below(12));
  std::vector<Vec2> corners;
  for (int k = 0; k < n; ++k) {
    const Real angle = 2 * pi * (k + 0.8 * rng.uniform()) / n;
    corners.push_back({std::cos(angle), std::sin(angle)});
  }
  return make_polygon(corners, rounding);
}

Span<const CoreEdge> edges(const CorePolygon& h) { return {h.edges.data(), h.edges.size()}; }

}  // namespace

TEST(CorePolygon, EdgesOfTheGrainStayWhereTheyAre) {
  Rng rng{3, 0, 0};
  for (int n = 0; n < 200; ++n) {
    const Polygon grain = random_grain(rng, n % 3 == 0 ? 0 : rng.uniform(0, 0.2));
    const CorePolygon core = make_core_polygon(view(grain));
    EXPECT_GE(core.depth, grain.rounding);
    for (std::size_t k = 0; k < core.edges.size(); ++k) {
      const CoreEdge& e = core.edges[k];
      std::size_t mine = 0;
      for (std::size_t j = 0; j < grain.normals.size(); ++j)
        if (dot(grain.normals[j], e.normal) > dot(grain.normals[mine], e.normal)) mine = j;
      EXPECT_NEAR(dot(grain.normals[mine], e.normal), 1, 1e-9);
      EXPECT_NEAR(e.offset + core.depth, dot(grain.normals[mine], grain.corners[mine]) + grain.rounding, 1e-9);
    }
    // No corner sticks out.
    for (const CoreEdge& e : core.edges)
      for (std::size_t j = 0; j < grain.normals.size(); ++j)
        EXPECT_LE(dot(grain.normals[j], e.corner - grain.corners[j]) + core.depth - grain.rounding, 1e-9);
  }
}

TEST(CorePolygon, RoundedEnoughIsTheGrainItself) {
  const Polygon disc = make_polygon({{0, 0}}, 0.3), box = make_polygon({{0, 0}, {1, 0}, {1, 1}, {0, 1}}, 0.1);
  EXPECT_EQ(make_core_polygon(view(disc)).depth, 0.3);
  EXPECT_EQ(make_core_polygon(view(disc)).edges.size(), 1u);
  EXPECT_EQ(make_core_polygon(view(box)).depth, 0.1);
  EXPECT_EQ(make_core_polygon(view(box)).edges[2].corner, box.corners[2]);
  const CorePolygon sharp = make_core_polygon(view(make_polygon({{0, 0}, {1, 0}, {1, 1}, {0, 1}})));
  EXPECT_NEAR(sharp.depth, 0.025, 1e-15);
  EXPECT_NEAR(std::abs(sharp.edges[0].corner.x), 0.475, 1e-15);
}

// An edge so short that shrinking takes it away.
TEST(CorePolygon, EdgesMayVanish) {
  const CorePolygon core = make_core_polygon(view(make_polygon({{0, 0}, {1, 0}, {1, 0.999}, {0.999, 1}, {0, 1}})));
  EXPECT_EQ(core.edges.size(), 4u);
}

TEST(CorePolygon, NearestPointIsThatOfAllEdges) {
  Rng rng{4, 0, 0};
  int corners = 0, sides = 0;
  for (int n = 0; n < 20000; ++n) {
    const CorePolygon core = make_core_polygon(view(random_grain(rng, 0)));
    const Vec2 p{rng.uniform(-1.5, 1.5), rng.uniform(-1.5, 1.5)};
    Real least = HUGE_VAL;
    bool outside = false;
    Vec2 foot{};
    for (std::size_t k = 0; k < core.edges.size(); ++k) {
      const CoreEdge& e = core.edges[k];
      outside = outside || dot(e.normal, p) > e.offset;
      const Vec2 along{-e.normal.y, e.normal.x};
      const Vec2 at = e.corner + clamp(dot(along, p - e.corner), Real(0), e.length) * along;
      if (length(p - at) < least) least = length(p - at), foot = at;
    }
    const Nearest near = nearest(edges(core), p);
    EXPECT_NEAR(near.distance, outside ? least : -least, 1e-12);
    if (!outside) continue;
    EXPECT_NEAR(length(near.distance * near.normal - (p - foot)), 0, 1e-9);
    bool is_side = false;
    for (const CoreEdge& e : core.edges) is_side = is_side || e.normal == near.normal;
    ++(is_side ? sides : corners);
  }
  EXPECT_GT(corners, 1000);
  EXPECT_GT(sides, 1000);
}
