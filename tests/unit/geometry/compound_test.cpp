#include <gtest/gtest.h>

#include <cmath>

#include <talus/core/rng.hpp>
#include <talus/geometry/circle_overlap.hpp>
#include <talus/geometry/manifold.hpp>
#include <talus/geometry/outlines.hpp>

using namespace talus;

// Tolerances: rounding of some ten operations near 1 (1e-14, 1e-13); the sum over 200,000 strips has an end like a root, 1e-7. A grain that is cut
// twice has corners that fall together within 1e-9 (the parts may leave such a seam): areas and gaps to 1e-8 and 1e-7.

namespace {

std::vector<Vec2> rectangle(Real x0, Real y0, Real x1, Real y1) { return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}; }

// What lies to the left of a line through `at`.
std::vector<Vec2> left_of(const std::vector<Vec2>& corners, const Vec2& at, const Vec2& along) {
  const auto side = [&](const Vec2& x) { return along.x * (x.y - at.y) - along.y * (x.x - at.x); };
  std::vector<Vec2> out;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2 &a = corners[i], &b = corners[(i + 1) % corners.size()];
    const Real da = side(a), db = side(b);
    if (da >= 0) out.push_back(a);
    if (da * db < 0) out.push_back(a + (da / (da - db)) * (b - a));
  }
  return out;
}

std::vector<Vec2> random_corners(Rng& rng, Real radius = 1) {
  const int n = 3 + int(rng.below(8));
  std::vector<Vec2> corners;
  for (int k = 0; k < n; ++k) {
    const Real angle = 2 * pi * (k + 0.8 * rng.uniform()) / n;
    corners.push_back(radius * Vec2{std::cos(angle), std::sin(angle)});
  }
  return corners;
}

// Where the centre of mass lies from the first corner of the first part.
Vec2 centre_of(const Compound& c, const std::vector<PartSketch>& parts) {
  return parts[0].corners[0] - c.parts[0].corners[0];
}

}  // namespace

TEST(Compound, AnLHasTheAreaCentreAndMomentOfItsTwoRectangles) {
  const std::vector<PartSketch> touching{{rectangle(0, 0, 2, 1), 0}, {rectangle(0, 1, 1, 2), 0}},
      overlapping{{rectangle(0, 0, 2, 1), 0}, {rectangle(0, 0, 1, 2), 0}},
      thrice{{rectangle(0, 0, 2, 1), 0}, {rectangle(0, 0.5, 1, 2), 0}, {rectangle(0, 0, 1, 1), 0}};
  for (const auto& parts : {touching, overlapping, thrice}) {
    ASSERT_EQ(flaw_of(parts), "");
    const Compound c = make_compound(parts);
    EXPECT_NEAR(c.whole.area, 3, 1e-14);
    EXPECT_NEAR(centre_of(c, parts).x, 5.0 / 6, 1e-14);
    EXPECT_NEAR(centre_of(c, parts).y, 5.0 / 6, 1e-14);
    EXPECT_NEAR(c.whole.second_moment, 11.0 / 6, 1e-14);
    EXPECT_NEAR(c.whole.reach, std::hypot(7.0 / 6, 5.0 / 6), 1e-14);
  }
}

TEST(Compound, ARoundedLGainsStripsAndSectorsAndLosesTheInnerCorner) {
  for (const Real r : {0.01, 0.1, 0.4}) {
    const Compound c = make_compound({{rectangle(0, 0, 2, 1), r}, {rectangle(0, 1, 1, 2), r}});
    EXPECT_NEAR(c.whole.area, 3 + 8 * r + 5 * pi * r * r / 4 - r * r, 1e-13) << r;
  }
}

TEST(Compound, TwoDiscsShareALens) {
  const std::vector<PartSketch> parts{{{{0, 0}}, 1}, {{{1, 0}}, 1}};
  ASSERT_EQ(flaw_of(parts), "");
  const Compound c = make_compound(parts);
  const Real lens = 2 * pi / 3 - std::sqrt(3.0) / 2;
  EXPECT_NEAR(c.whole.area, 2 * pi - lens, 1e-14);
  EXPECT_NEAR(centre_of(c, parts).x, 0.5, 1e-14);
  EXPECT_NEAR(centre_of(c, parts).y, 0, 1e-14);
  // The same by thin strips across: each is a chord of the right disc, twice for both halves.
  Real second = 0;
  const int strips = 200000;
  const Real width = 1.5 / strips;
  for (int k = 0; k < strips; ++k) {
    const Real x = (k + 0.5) * width, half = std::sqrt(1 - (x - 0.5) * (x - 0.5));
    second += 2 * width * (2 * half * x * x + 2 * half * half * half / 3);
  }
  EXPECT_NEAR(c.whole.second_moment, second, 1e-7);
}

// A convex grain cut in two, with a seam or with parts that overlap, is the grain.
TEST(Compound, AGrainCutInTwoIsTheGrain) {
  Rng rng{3, 0, 0};
  int cut = 0;
  for (int n = 0; n < 300; ++n) {
    const std::vector<Vec2> corners = random_corners(rng);
    const Real rounding = n % 3 == 0 ? 0.2 : 0;
    const Real angle = rng.uniform(0, 2 * pi), overlap = n % 2 == 0 ? 0 : 0.1;
    const Vec2 at{rng.uniform(-0.2, 0.2), rng.uniform(-0.2, 0.2)}, along{std::cos(angle), std::sin(angle)};
    const Vec2 out{along.y, -along.x};
    const std::vector<PartSketch> parts{{left_of(corners, at + overlap * out, along), rounding},
                                        {left_of(corners, at - overlap * out, -along), rounding}};
    if (parts[0].corners.size() < 3 || parts[1].corners.size() < 3 || !flaw_of(parts).empty()) continue;
    ++cut;
    const Compound c = make_compound(parts);
    const Polygon whole = make_polygon(corners, rounding);
    EXPECT_NEAR(c.whole.area, whole.area, 1e-8 * whole.area) << n;
    EXPECT_NEAR(c.whole.second_moment, whole.second_moment, 1e-8 * whole.second_moment) << n;
    EXPECT_NEAR(c.whole.reach, whole.reach, 1e-8) << n;
    Outlines outlines;
    const u32 first = outlines.add(c);
    const Placement placed = Placement::at({0.3, 0.1}, rng.uniform(0, 6));
    const Circle circle{{0.6, 0.2}, 0.8};
    EXPECT_NEAR(overlap_area(outlines.around(first), c.whole.reach, placed, circle),
                overlap_area(view(whole), placed, circle), 1e-8)
        << n;
  }
  EXPECT_GT(cut, 250);
}

// A cut grain meets others where the whole one does: the smallest gap is the same, and every normal is one along which the
// whole grains are apart, or nearly so. A seam that could be touched would give normals across it.
TEST(Compound, NothingCatchesOnASeam) {
  Rng rng{4, 0, 0};
  int met = 0, at_seam = 0;
  for (int n = 0; n < 20000; ++n) {
    const std::vector<Vec2> corners = n % 4 == 0 ? rectangle(-1, -0.6, 1, 0.6) : random_corners(rng);
    const Real rounding = n % 3 == 0 ? 0.1 : 0, overlap = n % 2 == 0 ? 0 : 0.1;
    // Rectangles are cut across, or along a diagonal.
    const Real angle = n % 8 == 0 ? pi / 2 : n % 4 == 0 ? std::atan2(0.6, 1) : rng.uniform(0, 2 * pi);
    const Vec2 along{std::cos(angle), std::sin(angle)}, out{along.y, -along.x};
    const std::vector<PartSketch> parts{{left_of(corners, overlap * out, along), rounding},
                                        {left_of(corners, -overlap * out, -along), rounding}};
    if (parts[0].corners.size() < 3 || parts[1].corners.size() < 3 || !flaw_of(parts).empty()) continue;
    Outlines outlines;
    const u32 first = outlines.add(make_compound(parts));
    const Polygon whole = make_polygon(corners, rounding),
                  other = n % 7 == 0 ? make_polygon({{0, 0}}, 0.3)
                                     : make_polygon(random_corners(rng, 0.7), n % 5 ? 0 : 0.1);
    const Placement at = Placement::at({}, rng.uniform(0, 2 * pi));
    // Moved until it touches, then a little deeper or farther.
    const Real direction = rng.uniform(0, 2 * pi), turn = rng.uniform(0, 2 * pi);
    const auto there = [&](Real d) { return Placement::at(d * Vec2{std::cos(direction), std::sin(direction)}, turn); };
    Real near_by = 0, far = 5;
    const auto gap_at = [&](Real d) {
      const Manifold m = find_manifold(view(whole), at, view(other), there(d), 10);
      return m.count == 2 ? min(m.point[0].gap, m.point[1].gap) : m.point[0].gap;
    };
    for (int k = 0; k < 60; ++k) (gap_at((near_by + far) / 2) > 0 ? far : near_by) = (near_by + far) / 2;
    const Placement b = there(far + (n % 2 ? -1e-4 : 0.05) * rng.uniform());
    const Real reach = 0.3;
    const Manifold expected = find_manifold(view(whole), at, view(other), b, reach);
    ASSERT_GT(expected.count, 0);
    Real least = 1e300, least_expected = 1e300;
    for (int k = 0; k < expected.count; ++k) least_expected = min(least_expected, expected.point[k].gap);
    const PartView stranger{view(other), {}, true, {}, other.reach, 0};
    int parts_met = 0;
    for (u32 part = 0; part < 2; ++part) {
      const Manifold m = part_manifold(outlines.part(first + part), at, stranger, b, reach);
      parts_met += m.count > 0;
      for (int k = 0; k < m.count; ++k) least = min(least, m.point[k].gap);
      if (m.count == 0) continue;
      // Along the normal, from b to a. A corner belongs to its edge within 0.05 rad, and 1.3 is the largest reach.
      Real low = 1e300, high = -1e300;
      for (const Vec2& c : whole.corners) low = min(low, dot(m.normal, at.turned(c)) - whole.rounding);
      for (const Vec2& c : other.corners) high = max(high, dot(m.normal, b.position + b.turned(c)) + other.rounding);
      EXPECT_GT(low - high, -0.05 * 1.3) << n << " part " << part;
    }
    ++met;
    at_seam += parts_met == 2;
    EXPECT_NEAR(least, least_expected, 1e-7) << n;
  }
  EXPECT_GT(met, 15000);
  EXPECT_GT(at_seam, 800);
}

TEST(Compound, NamesWhatIsWrong) {
  EXPECT_NE(flaw_of(std::vector<PartSketch>{}).find("no parts"), std::string::npos);
  EXPECT_NE(flaw_of({{rectangle(0, 0, 1, 1), 0}, {rectangle(1.5, 0, 2, 1), 0}}).find("part 2 is apart"),
            std::string::npos);
  EXPECT_EQ(flaw_of({{rectangle(0, 0, 1, 1), 0.25}, {rectangle(1.5, 0, 2, 1), 0.25}}), "");  // roundings touch
  EXPECT_NE(
      flaw_of({{rectangle(0, 0, 1, 1), 0}, {{{0, 0}, {2, 0}, {0.5, 0.5}, {0, 2}}, 0}}).find("part 2: it is not convex"),
      std::string::npos);
  EXPECT_EQ(flaw_of({{rectangle(-2, -0.1, 2, 0.1), 0}, {rectangle(-0.1, -2, 0.1, 2), 0}}), "");  // a cross
}
