#include <gtest/gtest.h>

#include <cmath>

#include <talus/core/rng.hpp>
#include <talus/geometry/hull.hpp>
#include <talus/geometry/mass_properties.hpp>
#include <talus/geometry/sieve_size.hpp>

using namespace talus;

namespace {

std::vector<Vec3> box_points(const Vec3& e) {
  std::vector<Vec3> p;
  for (int k = 0; k < 8; ++k)
    p.push_back({(k & 1 ? 0.5 : -0.5) * e.x, (k & 2 ? 0.5 : -0.5) * e.y, (k & 4 ? 0.5 : -0.5) * e.z});
  return p;
}

}  // namespace

TEST(Hull, OfABoxHasSixFacesAndTheInertiaOfABox) {
  std::vector<Vec3> points = box_points({3, 1, 2});
  points.push_back({0.1, 0.2, 0.3});  // inside: no corner
  const Quat turn = Quat::from_axis({0.6, 0, 0.8}, 0.7);
  for (Vec3& p : points) p = turn.turned(p) + Vec3{5, -3, 2};
  const Hull h = make_hull(points);
  EXPECT_EQ(h.corners.size(), 8u);
  ASSERT_EQ(h.faces(), 6u);
  for (std::size_t f = 0; f < 6; ++f) EXPECT_EQ(h.face_start[f + 1] - h.face_start[f], 4u);
  EXPECT_NEAR(h.volume, 6, 1e-13);
  EXPECT_NEAR(h.surface, 22, 1e-13);
  EXPECT_NEAR(h.reach, std::sqrt(14.0) / 2, 1e-14);
  EXPECT_NEAR(h.moments.x, (1 + 4) / 12.0, 1e-13);  // the smallest first
  EXPECT_NEAR(h.moments.y, (9 + 1) / 12.0, 1e-13);
  EXPECT_NEAR(h.moments.z, (9 + 4) / 12.0, 1e-13);
}

TEST(Hull, OfATetrahedronHasItsVolumeAndMoment) {
  const Hull h = make_hull({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}});  // edge sqrt(8)
  EXPECT_NEAR(h.volume, 8.0 / 3, 1e-14);
  EXPECT_NEAR(h.surface, 8 * std::sqrt(3.0), 1e-13);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(h.moments[k], 8.0 / 20, 1e-14);  // edge^2 / 20
}

TEST(Hull, FacesAreClosedAndLookOutward) {
  Rng rng{7, 1, 0};
  std::vector<Vec3> points;
  for (int k = 0; k < 60; ++k) points.push_back({rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)});
  const Hull h = make_hull(points);
  Vec3 closed{}, centre{};
  for (std::size_t f = 0; f < h.faces(); ++f) {
    const u32 first = h.face_start[f], last = h.face_start[f + 1];
    const Vec3 at = h.corners[h.face_corner[first]];
    Vec3 area{};
    for (u32 k = first; k + 2 < last; ++k)
      area += 0.5 * cross(h.corners[h.face_corner[k + 1]] - at, h.corners[h.face_corner[k + 2]] - at);
    closed += area;
    EXPECT_NEAR(length(area), dot(area, h.normals[f]), 1e-13);
    for (const Vec3& c : h.corners) EXPECT_LE(dot(c - at, h.normals[f]), 1e-13);
  }
  EXPECT_NEAR(length(closed), 0, 1e-13);  // of any closed surface
  (void)centre;
}

TEST(Hull, FlatAndTooFewPointsAreRefused) {
  EXPECT_NE(flaw_of_points({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), "");
  EXPECT_NE(flaw_of_points({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), "");
  EXPECT_NE(flaw_of_points({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, NAN}}), "");
  EXPECT_EQ(flaw_of_points({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), "");
}

TEST(SieveSize, OfABoxIsThatOfItsSmallestFace) {
  EXPECT_NEAR(sieve_size(box_points({1, 1, 1})), 1, 1e-6);
  EXPECT_NEAR(sieve_size(box_points({2, 1, 0.8})), 1, 1e-6);
  // A thin box passes with its end along the diagonal of the hole.
  EXPECT_NEAR(sieve_size(box_points({2, 1, 0.1})), 1.1 / std::sqrt(2.0), 1e-6);
}
