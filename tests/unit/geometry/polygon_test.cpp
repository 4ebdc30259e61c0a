#include <gtest/gtest.h>

#include <cmath>

#include <talus/core/rng.hpp>
#include <talus/geometry/manifold.hpp>
#include <talus/geometry/polygon.hpp>

using namespace talus;

// Tolerances: rounding of a few operations near 1 (1e-15 to 1e-13), of corners that are turned and moved (1e-12). An arc of 80 chords has less area
// than the arc by (angle / 79)^2 / 6, below 1e-3, and its second moment by about twice that.

namespace {

std::vector<Vec2> regular(int n, Real radius, Real turn = 0) {
  std::vector<Vec2> corners;
  for (int k = 0; k < n; ++k)
    corners.push_back({radius * std::cos(turn + 2 * pi * k / n), radius * std::sin(turn + 2 * pi * k / n)});
  return corners;
}

const std::vector<Vec2> square{{0, 0}, {1, 0}, {1, 1}, {0, 1}};

// Corners on a circle at random angles.
std::vector<Vec2> random_corners(Rng& rng) {
  const int n = 3 + int(rng.below(30));
  std::vector<Vec2> corners;
  for (int k = 0; k < n; ++k) {
    const Real angle = 2 * pi * (k + 0.8 * rng.uniform()) / n;
    corners.push_back({std::cos(angle), std::sin(angle)});
  }
  return corners;
}

Vec2 corner_of(const Polygon& p, const Placement& at, std::size_t i) {
  return at.position + at.turned(p.corners[i % p.corners.size()]);
}

Real point_to_segment(const Vec2& x, const Vec2& a, const Vec2& b) {
  const Real t = clamp(dot(x - a, b - a) / dot(b - a, b - a), Real(0), Real(1));
  return length(x - a - t * (b - a));
}

// Between two polygons that do not overlap: every corner against every edge.
Real distance(const Polygon& a, const Placement& at_a, const Polygon& b, const Placement& at_b) {
  Real least = 1e300;
  for (std::size_t i = 0; i < a.corners.size(); ++i)
    for (std::size_t j = 0; j < b.corners.size(); ++j) {
      least = min(least, point_to_segment(corner_of(a, at_a, i), corner_of(b, at_b, j), corner_of(b, at_b, j + 1)));
      least = min(least, point_to_segment(corner_of(b, at_b, j), corner_of(a, at_a, i), corner_of(a, at_a, i + 1)));
    }
  return least;
}

// The largest separation over all edges of a: every edge against every corner.
Real separation(const Polygon& a, const Placement& at_a, const Polygon& b, const Placement& at_b) {
  Real most = -1e300;
  for (std::size_t i = 0; i < a.corners.size(); ++i) {
    Real least = 1e300;
    for (std::size_t j = 0; j < b.corners.size(); ++j)
      least = min(least, dot(at_a.turned(a.normals[i]), corner_of(b, at_b, j) - corner_of(a, at_a, i)));
    most = max(most, least);
  }
  return most;
}

Real smallest_gap(const Manifold& m) {
  return m.count == 0 ? 1e300 : m.count == 1 ? m.point[0].gap : min(m.point[0].gap, m.point[1].gap);
}

}  // namespace

TEST(Polygon, KnowsAreaAndMomentOfSimpleShapes) {
  const Polygon unit = make_polygon(square);
  EXPECT_DOUBLE_EQ(unit.area, 1);
  EXPECT_DOUBLE_EQ(unit.second_moment, 1.0 / 6);
  EXPECT_DOUBLE_EQ(unit.reach, std::sqrt(0.5));
  EXPECT_EQ(unit.corners[0], (Vec2{-0.5, -0.5}));  // around the centre of mass
  const Polygon disc = make_polygon({{3, 4}}, 2);
  EXPECT_DOUBLE_EQ(disc.area, 4 * pi);
  EXPECT_DOUBLE_EQ(disc.second_moment, 8 * pi);  // pi r^4 / 2
  EXPECT_EQ(disc.corners[0], Vec2{});
  for (const int n : {3, 5, 12, 32}) {
    const Polygon p = make_polygon(regular(n, 1.5, 0.3));
    const Real area = 0.5 * n * 1.5 * 1.5 * std::sin(2 * pi / n);
    EXPECT_NEAR(p.area, area, 1e-13) << n;
    EXPECT_NEAR(p.second_moment, area * 1.5 * 1.5 * (2 + std::cos(2 * pi / n)) / 6, 1e-13) << n;
  }
}

TEST(Polygon, RoundingAddsStripsAndSectors) {
  const Polygon p = make_polygon(square, 0.25);
  EXPECT_NEAR(p.area, 1 + 4 * 0.25 + pi * 0.0625, 1e-14);
  // The same outline as a polygon of many corners.
  const std::vector<Vec2> lopsided{{0, 0}, {2, 0}, {0.5, 1}};
  const Polygon round = make_polygon(lopsided, 0.4);
  std::vector<Vec2> outline;
  const Polygon core = make_polygon(lopsided);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec2 from = core.normals[(i + 2) % 3], to = core.normals[i];
    const Real first = std::atan2(from.y, from.x);
    Real last = std::atan2(to.y, to.x);
    if (last < first) last += 2 * pi;
    for (int k = 0; k < 80; ++k) {
      const Real angle = first + (last - first) * k / 79;
      outline.push_back(lopsided[i] + 0.4 * Vec2{std::cos(angle), std::sin(angle)});
    }
  }
  const Polygon fine = make_polygon(outline);
  EXPECT_NEAR(round.area, fine.area, 1e-3 * round.area);
  EXPECT_NEAR(round.second_moment, fine.second_moment, 2e-3 * round.second_moment);
  EXPECT_NEAR(length((lopsided[0] - round.corners[0]) - (outline[0] - fine.corners[0])), 0, 1e-3);  // centre of mass
}

TEST(Polygon, NamesWhatIsWrongWithCorners) {
  EXPECT_EQ(flaw_of(square, 0), "");
  EXPECT_EQ(flaw_of({{0, 0}}, 1), "");
  EXPECT_EQ(flaw_of(regular(32, 1), 0), "");
  EXPECT_NE(flaw_of({{0, 0}}, 0).find("no area"), std::string::npos);
  EXPECT_NE(flaw_of({{0, 0}, {1, 0}}, 0).find("make no polygon"), std::string::npos);
  EXPECT_NE(flaw_of({{0, 0}, {1, 0}, {2, 0}}, 0).find("on a line"), std::string::npos);
  EXPECT_NE(flaw_of({{0, 0}, {0, 1}, {1, 1}, {1, 0}}, 0).find("clockwise"), std::string::npos);
  EXPECT_NE(flaw_of({{0, 0}, {2, 0}, {0.5, 0.5}, {0, 2}}, 0).find("not convex at corner 3"), std::string::npos);
  EXPECT_NE(flaw_of({{0, 0}, {1, 0}, {1, 0}, {0, 1}}, 0).find("the same"), std::string::npos);
  const auto star = regular(5, 1);
  EXPECT_NE(flaw_of({star[0], star[2], star[4], star[1], star[3]}, 0).find("edges cross"), std::string::npos);
  EXPECT_NE(flaw_of({{0, 0}, {1, 0}, {0, 1}, {0, 0}}, 0).find("the same"), std::string::npos);
  EXPECT_NE(flaw_of(square, NAN).find("not finite"), std::string::npos);
  EXPECT_NE(flaw_of(square, -1).find("below 0"), std::string::npos);
  EXPECT_NE(flaw_of({{0, 0}, {NAN, 0}, {1, 1}}, 0).find("not finite"), std::string::npos);
}

TEST(Manifold, OfTwoEdgesHasTwoPointsWithTheNamesOfTheirFeatures) {
  const Polygon p = make_polygon(square);
  const Placement below{{0, 0}}, above{{0.25, 1.01}};
  const Manifold m = find_manifold(view(p), above, view(p), below, 0.1);
  ASSERT_EQ(m.count, 2);
  EXPECT_NEAR(m.normal.y, 1, 1e-15);  // from b, below, to a
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(m.point[k].gap, 0.01, 1e-15);
    EXPECT_NEAR(m.point[k].at.y, 0.505, 1e-15);
  }
  const Real left = min(m.point[0].at.x, m.point[1].at.x), right = max(m.point[0].at.x, m.point[1].at.x);
  EXPECT_NEAR(left, -0.25, 1e-15);
  EXPECT_NEAR(right, 0.5, 1e-15);
  for (const ManifoldPoint& point : m.point)
    EXPECT_EQ(point.feature, point.at.x < 0
                                 ? feature_id(FeaturePair::corner_on_edge, 0, 2)    // lower left corner of a
                                 : feature_id(FeaturePair::edge_on_corner, 0, 2));  // upper right corner of b
  EXPECT_EQ(find_manifold(view(p), {{0, 1.2}}, view(p), below, 0.1).count, 0);
}

TEST(Manifold, OfParallelEdgesIsFoundWhoeverHangsOver) {
  const Polygon unit = make_polygon(square), wide = make_polygon({{0, 0}, {3, 0}, {3, 1}, {0, 1}});
  for (const Real rounding : {0.0, 0.1})
    for (const Real shift : {-0.75, -0.25, 0.0, 1e-16, 0.25, 0.75}) {
      Polygon upper = unit, lower = unit, base = wide;
      upper.rounding = lower.rounding = base.rounding = rounding;
      for (const Polygon& below : {lower, base}) {
        const Placement over{{shift, 1.01 + 2 * rounding}}, under{{0, 0}};
        for (const bool swapped : {false, true}) {
          const Manifold m = swapped ? find_manifold(view(below), under, view(upper), over, 0.1)
                                     : find_manifold(view(upper), over, view(below), under, 0.1);
          ASSERT_EQ(m.count, 2) << shift << " " << rounding;
          const Vec2 along{-m.normal.y, m.normal.x};
          EXPECT_LT(dot(along, m.point[0].at), dot(along, m.point[1].at));  // in order
          for (const ManifoldPoint& point : m.point) EXPECT_NEAR(point.gap, 0.01, 1e-12);
        }
      }
    }
}

TEST(Manifold, FindsTheDistanceOfAnyTwoGrains) {
  Rng rng{7, 1};
  int apart = 0, inside = 0;
  for (int n = 0; n < 20000; ++n) {
    const Polygon a = make_polygon(random_corners(rng)), b = make_polygon(random_corners(rng));
    const Placement at_a = Placement::at({rng.uniform(), rng.uniform()}, 7 * rng.uniform());
    const Real far = rng.uniform(0.8, 2.4), direction = 7 * rng.uniform();
    const Placement at_b =
        Placement::at(at_a.position + far * Vec2{std::cos(direction), std::sin(direction)}, 7 * rng.uniform());
    const Real sat = max(separation(a, at_a, b, at_b), separation(b, at_b, a, at_a));
    const Real expected = sat > 0 ? distance(a, at_a, b, at_b) : sat;
    const Manifold m = find_manifold(view(a), at_a, view(b), at_b, 10);
    ASSERT_GE(m.count, 1);
    ASSERT_NEAR(smallest_gap(m), expected, 1e-12) << n;
    ++(sat > 0 ? apart : inside);
    // Rounding takes its share and moves nothing else.
    Polygon round_a = a, round_b = b;
    round_a.rounding = 0.05;
    round_b.rounding = 0.02;
    const Manifold r = find_manifold(view(round_a), at_a, view(round_b), at_b, 10);
    ASSERT_EQ(r.count, m.count);
    ASSERT_NEAR(smallest_gap(r), expected - 0.07, 1e-12);
    ASSERT_EQ(r.point[0].feature, m.point[0].feature);
  }
  EXPECT_GT(apart, 4000);
  EXPECT_GT(inside, 4000);
}

TEST(Manifold, DoesNotDependOnWhoIsFirst) {
  Rng rng{8, 1};
  for (int n = 0; n < 5000; ++n) {
    const Polygon a = make_polygon(random_corners(rng), 0.03), b = make_polygon(random_corners(rng));
    const Placement at_a = Placement::at({}, 7 * rng.uniform());
    const Placement at_b = Placement::at({rng.uniform(1.2, 2.0), rng.uniform(-0.5, 0.5)}, 7 * rng.uniform());
    const Manifold m = find_manifold(view(a), at_a, view(b), at_b, 0.3),
                   w = find_manifold(view(b), at_b, view(a), at_a, 0.3);
    ASSERT_EQ(m.count, w.count);
    if (m.count == 0) continue;
    ASSERT_NEAR(length(m.normal + w.normal), 0, 1e-12);
    for (int k = 0; k < m.count; ++k) {
      const u32 id = m.point[k].feature, kind = id >> 30, of_a = (id >> 15) & 0x7fff, of_b = id & 0x7fff;
      const u32 seen = feature_id(kind == 2   ? FeaturePair::corner_on_corner
                                  : kind == 1 ? FeaturePair::corner_on_edge
                                              : FeaturePair::edge_on_corner,
                                  of_b, of_a);
      const int twin = w.point[0].feature == seen ? 0 : 1;
      ASSERT_LT(twin, w.count);
      ASSERT_EQ(w.point[twin].feature, seen);
      ASSERT_NEAR(w.point[twin].gap, m.point[k].gap, 1e-12);
      ASSERT_NEAR(length(w.point[twin].at - m.point[k].at), 0, 1e-12);
    }
  }
}

TEST(Manifold, KeepsItsNamesWhenTheReferenceEdgeChangesSides) {
  const Polygon p = make_polygon(square);
  for (const Real angle : {-1e-9, -1e-4, 0.0, 1e-4, 1e-9}) {
    const Manifold m = find_manifold(view(p), Placement::at({0.3, 0.999}, angle), view(p), {{0, 0}}, 0.01);
    ASSERT_EQ(m.count, 2);
    EXPECT_EQ(m.point[1].feature, feature_id(FeaturePair::corner_on_edge, 0, 2))
        << angle;  // the normal turned left points left
    EXPECT_EQ(m.point[0].feature, feature_id(FeaturePair::edge_on_corner, 0, 2)) << angle;
  }
}

// What is known from places near by is used again and again while two grains roll over one another, through edges that lie flat and
// corners that lead by nothing, and tells what looking at every edge tells.
TEST(Manifold, FromWhatIsKnownIsTheSameBitForBit) {
  Rng rng{7, 0, 0};
  const auto same = [](const Manifold& a, const Manifold& b) {
    if (a.count != b.count || (a.count > 0 && !(a.normal == b.normal))) return false;
    for (int k = 0; k < a.count; ++k)
      if (!(a.point[k].at == b.point[k].at) || a.point[k].gap != b.point[k].gap ||
          a.point[k].feature != b.point[k].feature)
        return false;
    return true;
  };
  i64 met = 0, kept = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const bool even = trial % 3 == 0;  // regular grains lie flat again and again
    const Polygon a = make_polygon(even ? regular(6, 1) : random_corners(rng)),
                  b = trial % 10 == 9 ? make_polygon({{0, 0}}, 0.5)
                                      : make_polygon(even ? regular(6, 1) : random_corners(rng));
    Witnesses known;
    Real angle = 2 * pi * rng.uniform(), turn = even ? 0 : 2 * pi * rng.uniform();
    const Real pace = std::pow(10, -5 + 4 * rng.uniform());
    for (int step = 0; step < 200; ++step) {
      angle += pace * (rng.uniform() - 0.3);
      turn += even && step % 2 ? 0 : pace * (rng.uniform() - 0.5);
      const Placement at_a = Placement::at({3, 4}, 0.1 * turn),
                      at_b = Placement::at(Vec2{3, 4} + 1.9 * Vec2{std::cos(angle), std::sin(angle)}, turn);
      const Real slack = known.of_a.slack;
      ASSERT_TRUE(same(find_manifold(view(a), at_a, view(b), at_b, 0.2),
                       find_manifold(view(a), at_a, view(b), at_b, 0.2, known)))
          << "trial " << trial << ", step " << step;
      met += find_manifold(view(a), at_a, view(b), at_b, 0.2).count > 0;
      kept += slack > 0 && known.of_a.slack == slack;
    }
  }
  EXPECT_GT(met, 20000);
  EXPECT_GT(kept, 10000);  // it was indeed used
}

TEST(Manifold, OfDiscsIsThatOfBalls) {
  const Polygon a = make_polygon({{0, 0}}, 2), b = make_polygon({{0, 0}}, 1);
  const Manifold m = find_manifold(view(a), {{0, 0}}, view(b), {{1.8, 2.4}}, 0.1);
  ASSERT_EQ(m.count, 1);
  EXPECT_DOUBLE_EQ(m.point[0].gap, 0);
  EXPECT_NEAR(length(m.normal - Vec2{-0.6, -0.8}), 0, 1e-15);
  EXPECT_NEAR(length(m.point[0].at - Vec2{1.2, 1.6}), 0, 1e-15);
  const Polygon box = make_polygon(square);
  const Manifold on_edge = find_manifold(view(b), {{0.2, 1.49}}, view(box), {{0, 0}}, 0.1);
  ASSERT_EQ(on_edge.count, 1);
  EXPECT_NEAR(on_edge.point[0].gap, -0.01, 1e-15);
  EXPECT_EQ(on_edge.normal, (Vec2{0, 1}));
  const Manifold on_corner = find_manifold(view(b), {{1.1, 1.3}}, view(box), {{0, 0}}, 0.1);
  ASSERT_EQ(on_corner.count, 1);
  EXPECT_NEAR(on_corner.point[0].gap, 0, 1e-15);  // corner (0.5, 0.5), centre 3-4-5 away
}

TEST(Manifold, OnAPlaneHasTheTwoLowestCorners) {
  const Polygon p = make_polygon(square, 0.1);
  const Manifold m = plane_manifold(view(p), {{3, 2.59}}, {0, 2}, {0, 1}, 0.05);
  ASSERT_EQ(m.count, 2);
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(m.point[k].gap, -0.01, 1e-15);
    EXPECT_NEAR(m.point[k].at.y, 1.995, 1e-15);
  }
  EXPECT_EQ(plane_manifold(view(p), Placement::at({3, 2.8}, pi / 4), {0, 2}, {0, 1}, 0.05).count, 1);
  EXPECT_EQ(plane_manifold(view(p), {{3, 3}}, {0, 2}, {0, 1}, 0.05).count, 0);
}
