#include <gtest/gtest.h>

#include <cmath>

#include <talus/core/rng.hpp>
#include <talus/geometry/separation.hpp>

using namespace talus;

namespace {

Hull box_hull(const Vec3& e) {
  std::vector<Vec3> p;
  for (int k = 0; k < 8; ++k)
    p.push_back({(k & 1 ? 0.5 : -0.5) * e.x, (k & 2 ? 0.5 : -0.5) * e.y, (k & 4 ? 0.5 : -0.5) * e.z});
  return make_hull(p);
}
Vec3 any_vector(Rng& rng) { return {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}; }
Quat any_turn(Rng& rng) {
  return Quat{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}.normalised();
}
Hull any_hull(Rng& rng, int points) {
  std::vector<Vec3> p;
  for (int k = 0; k < points; ++k) p.push_back(any_vector(rng));
  return make_hull(p);
}

Real lowest(const HullView& h, const Vec3& n) { return dot(h.corners[h.farthest(-n)], n); }
Real highest(const HullView& h, const Vec3& n) { return dot(h.corners[h.farthest(n)], n); }

// All edges, by brute force.
std::vector<Vec3> edges_of(const HullView& h) {
  std::vector<Vec3> out;
  for (std::size_t f = 0; f < h.faces(); ++f)
    for (u32 k = h.face_start[f]; k < h.face_start[f + 1]; ++k) {
      const u32 next = k + 1 < h.face_start[f + 1] ? k + 1 : h.face_start[f];
      out.push_back(h.corners[h.face_corner[next]] - h.corners[h.face_corner[k]]);
    }
  return out;
}
// The least translation that parts two overlapping hulls: over all normals of faces and all products of edges.
Real shortest_way_out(const HullView& a, const HullView& b) {
  Real least = HUGE_VAL;
  const auto offer = [&](const Vec3& n) { least = std::min(least, highest(b, n) - lowest(a, n)); };
  for (const Vec3& n : a.normals) offer(n), offer(-n);
  for (const Vec3& n : b.normals) offer(n), offer(-n);
  for (const Vec3& p : edges_of(a))
    for (const Vec3& q : edges_of(b))
      if (const Vec3 n = cross(p, q); length(n) > 1e-6) offer((1 / length(n)) * n), offer((-1 / length(n)) * n);
  return least;
}

}  // namespace

TEST(Separation, OfTwoBoxesIsThatOfFacesEdgesAndCorners) {
  const Hull box = box_hull({1, 1, 1});
  const PlacedHull at(box, 1, {}, {});
  {
    const PlacedHull other(box, 1, {}, {0.2, 0.3, 1.5});
    const Separation s = separation(other.view(), at.view());
    EXPECT_NEAR(s.gap, 0.5, 1e-14);
    EXPECT_NEAR(length(s.normal - Vec3{0, 0, 1}), 0, 1e-14);
  }
  {
    const PlacedHull other(box, 1, {}, {0.2, 2, 2});  // edge to edge
    const Separation s = separation(other.view(), at.view());
    EXPECT_NEAR(s.gap, std::sqrt(2.0), 1e-14);
    EXPECT_NEAR(length(s.normal - Vec3{0, std::sqrt(0.5), std::sqrt(0.5)}), 0, 1e-14);
  }
  {
    const PlacedHull other(box, 1, {}, {2, 3, 1.5});  // corner to corner
    const Separation s = separation(other.view(), at.view());
    EXPECT_NEAR(s.gap, length(Vec3{1, 2, 0.5}), 1e-14);
  }
  {
    const PlacedHull other(box, 1, {}, {0.2, 0.3, 0.9});
    const Separation s = separation(other.view(), at.view());
    EXPECT_NEAR(s.gap, -0.1, 1e-14);
    EXPECT_NEAR(length(s.normal - Vec3{0, 0, 1}), 0, 1e-14);
  }
  for (const Real z : {1.0, 1 + 1e-13, 1 - 1e-13, 1 + 1e-9, 1 - 1e-9}) {  // they touch, or nearly
    const PlacedHull other(box, 1, {}, {0.2, 0.3, z});
    const Separation s = separation(other.view(), at.view());
    EXPECT_NEAR(s.gap, z - 1, 2e-15) << z;
    EXPECT_NEAR(length(s.normal - Vec3{0, 0, 1}), 0, 1e-9) << z;
  }
}

TEST(Separation, OfHullsThatAreApartIsProvedByAPlaneBetweenThem) {
  Rng rng{3, 5, 0};
  int apart = 0;
  for (int n = 0; n < 3000; ++n) {
    const Hull p = any_hull(rng, 4 + int(rng.below(20))), q = any_hull(rng, 4 + int(rng.below(20)));
    const PlacedHull a(p, 1, any_turn(rng), 2.2 * any_vector(rng)), b(q, rng.uniform(0.1, 1), any_turn(rng), {});
    const Separation s = separation(a.view(), b.view());
    if (s.gap <= 0) continue;
    ++apart;
    // No two points are nearer: the slab across the normal between them is as wide as the two that were found are apart.
    EXPECT_NEAR(lowest(a.view(), s.normal) - highest(b.view(), s.normal), s.gap, 1e-13) << n;
    EXPECT_NEAR(length(s.on_a - s.on_b), s.gap, 1e-13) << n;
    EXPECT_NEAR(length(s.normal), 1, 1e-14) << n;
  }
  EXPECT_GT(apart, 500);
}

TEST(Separation, OfHullsThatOverlapIsTheShortestWayOut) {
  Rng rng{4, 5, 0};
  int inside = 0;
  for (int n = 0; n < 400; ++n) {
    const Hull p = any_hull(rng, 4 + int(rng.below(16))), q = any_hull(rng, 4 + int(rng.below(16)));
    const PlacedHull a(p, 1, any_turn(rng), 0.9 * any_vector(rng)), b(q, rng.uniform(0.2, 1), any_turn(rng), {});
    const Separation s = separation(a.view(), b.view());
    if (s.gap >= 0) continue;
    ++inside;
    EXPECT_NEAR(-s.gap, shortest_way_out(a.view(), b.view()), 1e-12) << n;
    EXPECT_NEAR(highest(b.view(), s.normal) - lowest(a.view(), s.normal), -s.gap, 1e-12) << n;  // it parts them
    EXPECT_NEAR(dot(s.on_a - s.on_b, s.normal), s.gap, 1e-12) << n;
  }
  EXPECT_GT(inside, 100);
}

TEST(Separation, ChangesSmoothlyFromAGapToAnOverlap) {
  Rng rng{9, 5, 0};
  for (int n = 0; n < 100; ++n) {
    const Hull p = any_hull(rng, 12), q = any_hull(rng, 12);
    const Quat turn = any_turn(rng);
    const Vec3 way = any_vector(rng);
    const PlacedHull b(q, 1, {}, {}), far(p, 1, turn, (8 / length(way)) * way);
    const Separation first = separation(far.view(), b.view());
    // Along the normal until they touch: the gap shrinks by what they come nearer. Corners that have met leave one another by a shorter way.
    for (const Real left : {1e-3, 1e-6, 1e-9, 0.0, -1e-9, -1e-6}) {
      const PlacedHull a(p, 1, turn, far.view().centre - (first.gap - left) * first.normal);
      const Real gap = separation(a.view(), b.view()).gap;
      EXPECT_NEAR(gap, left < 0 ? -shortest_way_out(a.view(), b.view()) : left, 2e-14) << n << " " << left;
    }
  }
}

TEST(Separation, StopsEarlyWhereHullsAreFarEnoughApart) {
  const Hull box = box_hull({1, 1, 1});
  const PlacedHull a(box, 1, {}, {5, 1, 0}), b(box, 1, {}, {});
  EXPECT_GT(separation(a.view(), b.view(), 0.1).gap, 0.1);
  EXPECT_NEAR(separation(a.view(), b.view(), 4.5).gap, 4, 1e-14);
}
