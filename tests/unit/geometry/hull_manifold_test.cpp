#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include <talus/core/rng.hpp>
#include <talus/geometry/hull_manifold.hpp>

using namespace talus;

namespace {

Hull box_hull(const Vec3& e) {
  std::vector<Vec3> p;
  for (int k = 0; k < 8; ++k)
    p.push_back({(k & 1 ? 0.5 : -0.5) * e.x, (k & 2 ? 0.5 : -0.5) * e.y, (k & 4 ? 0.5 : -0.5) * e.z});
  return make_hull(p);
}

std::set<u32> names(const HullManifold& m) {
  std::set<u32> out;
  for (int k = 0; k < m.count; ++k) out.insert(m.point[k].name);
  return out;
}

}  // namespace

TEST(HullManifold, OfAShiftedBoxOnABoxIsTheCornersOfTheCommonRectangle) {
  const Hull box = box_hull({1, 1, 1});
  const PlacedHull below(box, 1, {}, {});
  for (const Real gap : {1e-6, 0.0, -1e-6}) {
    const PlacedHull above(box, 1, {}, {0.25, 0.5, 1 + gap});
    const HullManifold m = find_manifold(above.view(), below.view(), 1e-3);
    ASSERT_EQ(m.count, 4);
    Real low_x = 9, high_x = -9, low_y = 9, high_y = -9;
    for (const HullContact& p : m.point) {
      EXPECT_NEAR(p.gap, gap, 1e-14);
      EXPECT_NEAR(p.at.z, 0.5 + gap / 2, 1e-14);
      EXPECT_NEAR(length(p.normal - Vec3{0, 0, 1}), 0, 1e-14);
      low_x = std::min(low_x, p.at.x), high_x = std::max(high_x, p.at.x);
      low_y = std::min(low_y, p.at.y), high_y = std::max(high_y, p.at.y);
    }
    EXPECT_NEAR(low_x, -0.25, 1e-14);
    EXPECT_NEAR(high_x, 0.5, 1e-14);
    EXPECT_NEAR(low_y, 0, 1e-14);
    EXPECT_NEAR(high_y, 0.5, 1e-14);
    EXPECT_EQ(names(m).size(), 4u);
  }
}

TEST(HullManifold, NamesStayWhenTheBodiesMoveALittle) {
  const Hull box = box_hull({1, 1, 1});
  const PlacedHull below(box, 1, {}, {}), above(box, 1, {}, {0.25, 0.5, 1}),
      later(box, 1, Quat::from_axis({0, 0, 1}, 1e-3), {0.2501, 0.4999, 1.00001});
  EXPECT_EQ(names(find_manifold(above.view(), below.view(), 1e-3)), names(find_manifold(later.view(), below.view(), 1e-3)));
}

TEST(HullManifold, OfATiltedBoxOnAFaceIsItsLowestEdge) {
  const Hull box = box_hull({1, 1, 1});
  const PlacedHull below(box, 4, {}, {0, 0, -2});  // its upper face is at z = 0
  const PlacedHull above(box, 1, Quat::from_axis({0, 1, 0}, pi / 4), {0, 0, std::sqrt(0.5)});
  const HullManifold m = find_manifold(above.view(), below.view(), 1e-3);
  ASSERT_EQ(m.count, 2);
  EXPECT_NEAR(std::abs(m.point[0].at.y - m.point[1].at.y), 1, 1e-14);
  EXPECT_NEAR(m.point[0].at.x, 0, 1e-14);
}

TEST(HullManifold, OfCrossedEdgesIsOnePoint) {
  const Hull box = box_hull({1, 1, 1});
  const PlacedHull below(box, 1, Quat::from_axis({1, 0, 0}, pi / 4), {}), above(box, 1, Quat::from_axis({0, 1, 0}, pi / 4), {0, 0, std::sqrt(2.0) + 1e-4});
  const HullManifold m = find_manifold(above.view(), below.view(), 1e-3);
  ASSERT_EQ(m.count, 1);
  EXPECT_NEAR(m.point[0].gap, 1e-4, 1e-14);
  EXPECT_NEAR(length(m.point[0].normal - Vec3{0, 0, 1}), 0, 1e-12);
  EXPECT_NEAR(length(m.point[0].at - Vec3{0, 0, std::sqrt(0.5) + 5e-5}), 0, 1e-12);
}

TEST(HullManifold, HoldsTheHullsApartHoweverTheyMoveWithinReach) {
  // Hulls overlap a little or nearly touch; one is moved and turned at random and pushed back along the normal until no point of the manifold, to
  // first order, overlaps. Nothing else does then.
  Rng rng{12, 0, 0};
  const auto any = [&] { return Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}; };
  const auto any_turn = [&] { return Quat{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}.normalised(); };
  std::vector<Hull> shapes;
  for (int k = 0; k < 10; ++k) {
    std::vector<Vec3> points(16);
    for (Vec3& p : points) p = any();
    shapes.push_back(make_hull(points));
  }
  const Real way = 0.01, reach = 4 * way;
  Real deepest = 0;
  for (int n = 0; n < 2000; ++n) {
    const Hull &of_a = shapes[std::size_t(n % 10)], &of_b = shapes[std::size_t(n / 10 % 10)];
    const Quat turn_a = any_turn(), turn_b = any_turn();
    Vec3 at = any();
    const PlacedHull b(of_b, 1, turn_b, {});
    const Real start = rng.uniform(-way, way);
    for (int k = 0; k < 6; ++k) {  // to a gap of `start`
      const Separation s = separation(PlacedHull(of_a, 1, turn_a, at).view(), b.view());
      at += (start - s.gap) * s.normal;
    }
    const PlacedHull a(of_a, 1, turn_a, at);
    const HullManifold m = find_manifold(a.view(), b.view(), reach);
    ASSERT_GT(m.count, 0);
    const Vec3 shift = (way / 4) * any(),
               turn = (way / 2) * any();
    Real least = HUGE_VAL;
    for (int k = 0; k < m.count; ++k) {
      const HullContact& p = m.point[k];
      least = std::min(least, p.gap + dot(p.normal, shift + cross(turn, p.at - at)));
    }
    const PlacedHull later(of_a, 1, advance(turn_a, turn, 1), at + shift - least * m.point[0].normal);
    deepest = std::min(deepest, separation(later.view(), b.view()).gap);
  }
  EXPECT_GT(deepest, -way * way);  // of second order
}

TEST(HullManifold, KeepsTheCornersOfASquareOfManyPoints) {
  std::vector<HullContact> points;
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 5; ++y) points.push_back({{Real(x), Real(y), 0}, {0, 0, 1}, x == 0 && y == 0 ? -1e-9 : 0, u32(5 * x + y)});
  keep_four(points, 0.1);
  ASSERT_EQ(points.size(), 4u);
  std::set<u32> kept;
  for (const HullContact& p : points) kept.insert(p.name);
  EXPECT_EQ(kept, (std::set<u32>{0, 4, 20, 24}));
}

TEST(HullManifold, AtAPlaneIsTheCornersWithinReach) {
  const Hull box = box_hull({1, 1, 1});
  const PlacedHull grain(box, 1, {}, {3, 4, 0.5 + 1e-5});
  const WallShape<3> plane(WallPlane<3>::facing({0, 0, 1}));
  const HullManifold m = wall_manifold(grain.view(), plane, {}, {}, 1e-4);
  ASSERT_EQ(m.count, 4);
  for (const HullContact& p : m.point) EXPECT_NEAR(p.gap, 1e-5, 1e-15);
  EXPECT_EQ(wall_manifold(grain.view(), plane, {}, {}, 1e-6).count, 0);
}

TEST(WallCylinder, GapAndNormalAreThoseOfTheDistanceToTheAxis) {
  const WallShape<3> mould(WallCylinder<3>::around({0, 0, 2}, 2.0));
  const Surface<3> s = mould.at({0.6, 0.8, 7});
  EXPECT_NEAR(s.gap, 1, 1e-15);
  EXPECT_NEAR(length(s.normal - Vec3{-0.6, -0.8, 0}), 0, 1e-15);
  EXPECT_TRUE(mould.is_within({0.6, 0.8, 7}, 1.001));
  EXPECT_FALSE(mould.is_within({0.6, 0.8, 7}, 0.999));
  EXPECT_EQ(mould.direction(), Vec3{});
  EXPECT_NEAR(mould.section(2), 4 * pi, 1e-14);
  EXPECT_EQ(mould.section(0), 0);
}

TEST(WallCylinder, OfLamellaeIsTheRegularPolygonAroundTheCircle) {
  for (const int count : {3, 4, 7, 8, 1000, 9999}) {
    const WallShape<3> mould(WallCylinder<3>::around({0, 0, 1}, 2.0, count));
    const Vec3 first = -mould.at({1e-9, 0, 0}).normal;  // outward, of one of them; the others follow in equal steps
    for (int n = 0; n < 500; ++n) {
      const Real angle = 0.0123 + 2 * pi * n / 500, away = 1.5;
      const Vec3 x = away * Vec3{std::cos(angle), std::sin(angle), 0};
      Real gap = HUGE_VAL;
      Vec3 face;
      for (int k = 0; k < count; ++k) {
        const Vec3 out = Quat::from_axis({0, 0, 1}, 2 * pi * k / count).turned(first);
        if (2 - dot(out, x) < gap) gap = 2 - dot(out, x), face = out;
      }
      const Surface<3> s = mould.at(x);
      ASSERT_NEAR(s.gap, gap, 1e-13) << count << " lamellae, " << n;
      ASSERT_NEAR(length(s.normal + face), 0, count > 100 ? 2 * pi / count + 1e-12 : 1e-12) << "between two of many either may be nearer by rounding";
    }
    EXPECT_NEAR(mould.section(2), count * 4 * std::tan(pi / count), 1e-11);
    EXPECT_EQ(mould.turns_about(), Vec3{}) << "flat ones do not stay where they are when they turn";
  }
}

TEST(WallCylinder, ThatIsTilted_HasTheDistanceToItsTiltedAxis) {
  const WallShape<3> mould(WallCylinder<3>::around({0, 0, 1}, 2.0));
  const Hull box = box_hull({1, 1, 1});
  const Quat tilt = Quat::from_axis({1, 0, 0}, 0.1);
  const Vec3 pivot{0.3, -0.2, 0.1}, axis = tilt.turned({0, 0, 1});
  const PlacedHull grain(box, 0.8, Quat::from_axis({0, 0.6, 0.8}, 0.4), {1.6, 0.5, 1.2});
  const HullManifold m = wall_manifold(grain.view(), mould, pivot, tilt, 0.2);
  ASSERT_GT(m.count, 0);
  for (int k = 0; k < m.count; ++k) {
    const Vec3 corner = grain.view().corners[m.point[k].name], out = reject(corner - pivot, axis);
    EXPECT_NEAR(m.point[k].gap, 2 - length(out), 1e-14);
    EXPECT_NEAR(length(m.point[k].normal + (1 / length(out)) * out), 0, 1e-14);
  }
}
