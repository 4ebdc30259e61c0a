#include <gtest/gtest.h>

#include <cmath>

#include <talus/core/rng.hpp>
#include <talus/geometry/coat_section.hpp>
#include <talus/geometry/separation.hpp>

using namespace talus;

namespace {

struct Shapes {
  Rng rng{21, 0, 0};
  Vec3 any() { return {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}; }
  Quat any_turn() { return Quat{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}.normalised(); }
  Hull any_hull() {
    std::vector<Vec3> points(14);
    for (Vec3& p : points) p = any();
    return make_hull(points);
  }
};

Hull cube() {
  std::vector<Vec3> p;
  for (int k = 0; k < 8; ++k) p.push_back({k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5});
  return make_hull(p);
}

// The section z = 0 of bare hulls: all corners of the common polygon, as a prism whose hull qhull makes. Its volume is the area.
Real area_by_qhull(const HullView& a, const HullView& b) {
  struct Line {
    Vec2 n;
    Real d;
  };
  std::vector<Line> lines;
  for (const HullView* h : {&a, &b})
    for (std::size_t f = 0; f < h->faces(); ++f) {
      const Vec3& n = h->normals[f];
      lines.push_back({{n.x, n.y}, dot(n, h->corners[h->face_corner[h->face_start[f]]])});
    }
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Real det = lines[i].n.x * lines[j].n.y - lines[i].n.y * lines[j].n.x;
      if (std::abs(det) < 1e-9) continue;
      const Vec2 p{(lines[i].d * lines[j].n.y - lines[j].d * lines[i].n.y) / det, (lines[i].n.x * lines[j].d - lines[j].n.x * lines[i].d) / det};
      bool in = true;
      for (const Line& l : lines) in = in && dot(l.n, p) <= l.d + 1e-12;
      if (in) points.push_back({p.x, p.y, 0}), points.push_back({p.x, p.y, 1});
    }
  return points.size() < 6 || !flaw_of_points(points).empty() ? 0 : make_hull(points).volume;
}

// m, of a point from a hull.
Real distance(const Vec3& p, const HullView& h) {
  HullView point = h;
  point.corners = {&p, 1};
  point.centre = p;
  Simplex s;
  return overlap_gjk(point, h, HUGE_VAL, s) ? 0 : length(s.nearest());
}

}  // namespace

TEST(CoatSection, OfShiftedCubesIsTheirCommonRectangle) {
  const Hull box = cube();
  const PlacedHull below(box, 1, {}, {}), above(box, 1, {}, {0.25, 0.5, 0.9});
  const CommonSection s = common_section(above.view(), 0, below.view(), 0, {0, 0, 0.45}, {0, 0, 1});
  EXPECT_NEAR(s.area, 0.375, 1e-14);
  EXPECT_NEAR(length(s.centre - Vec3{0.125, 0.25, 0.45}), 0, 1e-14);
  EXPECT_EQ(common_section(above.view(), 0, below.view(), 0, {0, 0, 0.6}, {0, 0, 1}).area, 0);
}

TEST(CoatSection, OfGrainsOfDustIsThatOfSpheres) {
  // The coat is all there is: discs, cut out by sixteen tangents, which are 1.3 % larger.
  const Hull box = cube();
  const PlacedHull a(box, 1e-9, {}, {0, 0, 1.9}), b(box, 1e-9, {}, {});
  const Real area = common_section(a.view(), 1, b.view(), 1, {0, 0, 0.95}, {0, 0, 1}).area;
  EXPECT_GE(area, 0.306305283725);
  EXPECT_NEAR(area / 0.306305283725, 1, 0.0131);
}

TEST(CoatSection, OfBareHullsIsExact) {
  Shapes any;
  int met = 0;
  for (int n = 0; n < 300; ++n) {
    const Hull of_a = any.any_hull(), of_b = any.any_hull();
    const PlacedHull a(of_a, 1, any.any_turn(), 0.5 * any.any()), b(of_b, 1, any.any_turn(), 0.5 * any.any());
    const Real exact = area_by_qhull(a.view(), b.view()), area = common_section(a.view(), 0, b.view(), 0, {}, {0, 0, 1}).area;
    if (exact > 1e-6) ++met;
    EXPECT_NEAR(area, exact, 1e-9) << n;
  }
  EXPECT_GT(met, 150);
}

TEST(CoatSection, OfCoatedHullsIsThatOfRaysToTheirSurfaces) {
  Shapes any;
  Real sum = 0, worst = 0;
  int pairs = 0;
  for (int n = 0; n < 60; ++n) {
    const Hull of_a = any.any_hull(), of_b = any.any_hull();
    const Real coat = 0.1;
    const PlacedHull b(of_b, 1, any.any_turn(), {});
    const Quat turn = any.any_turn();
    Vec3 at = 3 * any.any();
    Separation s;
    for (int k = 0; k < 4; ++k) {
      s = separation(PlacedHull(of_a, 1, turn, at).view(), b.view());
      at += (any.rng.uniform(0.3, 0.6) * 2 * coat - s.gap) * s.normal;
    }
    const PlacedHull a(of_a, 1, turn, at);
    s = separation(a.view(), b.view());
    const Vec3 middle = 0.5 * (s.on_a + s.on_b);
    const CommonSection section = common_section(a.view(), coat, b.view(), coat, middle, s.normal);
    Vec3 x = cross(s.normal, Vec3{0.3, 0.5, 0.8});
    x = (1 / length(x)) * x;
    const Vec3 y = cross(s.normal, x);
    constexpr int rays = 120;
    Real exact = 0;
    for (int k = 0; k < rays; ++k) {
      const Vec3 e = std::cos(2 * pi * k / rays) * x + std::sin(2 * pi * k / rays) * y;
      Real low = 0, high = 4;
      for (int m = 0; m < 16; ++m) {
        const Real mid = 0.5 * (low + high);
        const Vec3 p = section.centre + mid * e;
        (max(distance(p, a.view()), distance(p, b.view())) <= coat ? low : high) = mid;
      }
      exact += pi / rays * low * low;
    }
    const Real error = std::abs(section.area / exact - 1);
    sum += error, worst = std::max(worst, error), ++pairs;
  }
  EXPECT_LT(sum / pairs, 0.02);
  EXPECT_LT(worst, 0.1);
  RecordProperty("mean", std::to_string(sum / pairs));
  RecordProperty("worst", std::to_string(worst));
}

TEST(CoatSection, AddsUpToTheVolumeOfTwoCubesAndTheCoatIsSteiners) {
  const Hull box = cube();
  const PlacedHull below(box, 1, {}, {}), above(box, 1, {}, {0.25, 0.5, 0.9});
  EXPECT_NEAR(common_volume(above.view(), 0, below.view(), 0, {0, 0, 1}), 0.0375, 1e-12);
  const Real t = 0.1;
  EXPECT_NEAR(coat_volume(box, 2, t), 24 * t + 0.25 * pi * t * t * 24 + 4.0 / 3 * pi * t * t * t, 1e-12);  // twelve quarter cylinders, eight eighths of a ball
}
