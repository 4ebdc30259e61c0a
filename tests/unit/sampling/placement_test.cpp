#include <gtest/gtest.h>

#include <talus/sampling/assemble.hpp>
#include <talus/sampling/placement.hpp>

using namespace talus;
using namespace talus::sampling;

namespace {

template <int D>
Cell<D> box(Real edge, bool periodic) {
  Cell<D> cell;
  for (int k = 0; k < D; ++k) {
    cell.h(k, k) = edge;
    cell.periodic[k] = periodic;
  }
  return cell;
}

// Smallest gap between two balls, images of the neighbouring cells included.
template <int D>
Real closest(const Cell<D>& cell, const std::vector<Vec<D>>& points, const std::vector<Real>& radii) {
  Real least = 1e300;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      Vec<D> apart = points[i] - points[j];
      for (int k = 0; k < D; ++k)
        if (cell.periodic[k]) apart[k] -= cell.h(k, k) * std::round(apart[k] / cell.h(k, k));
      least = std::min(least, length(apart) - radii[i] - radii[j]);
    }
  return least;
}

}  // namespace

TEST(PointsWithoutOverlap, KeepBallsApartFromEachOtherAndFromOpenFaces) {
  std::vector<Real> radii;
  for (int i = 0; i < 150; ++i) radii.push_back(0.03 + 0.05 * (i % 7) / 7.0);
  for (const bool periodic : {true, false}) {
    const Cell<3> cell = box<3>(1, periodic);
    const auto points = points_without_overlap<3>(cell, radii, 9);
    ASSERT_EQ(points.size(), radii.size());
    EXPECT_GE(closest(cell, points, radii), 0);
    for (std::size_t i = 0; i < points.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        EXPECT_GE(points[i][k], periodic ? 0 : radii[i]);
        EXPECT_LE(points[i][k], periodic ? 1 : 1 - radii[i]);
      }
  }
}

TEST(FixedPoints, AreDistinctPointsOfAGridThatFillsTheCell) {
  Cell<3> cell = box<3>(1, true);
  cell.h(2, 2) = 2;
  const auto placed = fixed_points<3>(cell, 100, 3);  // 3.7 to an edge of 1: 4 x 4 x 7
  ASSERT_EQ(placed.points.size(), 100u);
  EXPECT_DOUBLE_EQ(placed.apart, 0.25);
  EXPECT_GE(closest(cell, placed.points, std::vector<Real>(100, 0.125)), -1e-15);
  for (const Vec3& p : placed.points) {
    EXPECT_EQ(p.x * 4 - 0.5, std::floor(p.x * 4));
    EXPECT_NEAR(p.z * 3.5 - 0.5, std::round(p.z * 3.5 - 0.5), 1e-12);
  }
  EXPECT_FALSE(fixed_points<3>(cell, 100, 4).points[0] == placed.points[0] && fixed_points<3>(cell, 100, 4).points[1] == placed.points[1]);
  EXPECT_EQ(fixed_points<3>(cell, 100, 3).points[7], placed.points[7]);
}

TEST(PointsWithoutOverlap, AreTheSameForTheSameSeedAndOthersForAnother) {
  const std::vector<Real> radii(50, 0.05);
  const Cell<2> cell = box<2>(1, true);
  const auto a = points_without_overlap<2>(cell, radii, 1), b = points_without_overlap<2>(cell, radii, 1),
             c = points_without_overlap<2>(cell, radii, 2);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i] == b[i]);
  EXPECT_FALSE(a[0] == c[0]);
}

TEST(PointsWithoutOverlap,
     FewTinyBallsInALargeCellTakeNoMoreRoomThanOthers) {  // bins as wide as they are would be 10^14
  const std::vector<Real> radii(3, 1e-7);
  EXPECT_EQ(points_without_overlap<2>(box<2>(1, true), radii, 1).size(), radii.size());
  // Wider bins than needed keep balls apart too: one large ball among many small ones, and small ones alone.
  for (const bool periodic : {true, false}) {
    std::vector<Real> mixed(400, 0.012);
    const Cell<2> cell = box<2>(1, periodic);
    const auto alone = points_without_overlap<2>(cell, mixed, 4);
    ASSERT_EQ(alone.size(), mixed.size());
    EXPECT_GE(closest(cell, alone, mixed), 0);
    mixed.resize(12);
    mixed.push_back(0.2);
    const auto few = points_without_overlap<2>(cell, mixed, 4);
    ASSERT_EQ(few.size(), mixed.size());
    EXPECT_GE(closest(cell, few, mixed), 0);
  }
}

TEST(PointsWithoutOverlap, SayWhenTheRoomRunsOut) {
  const std::vector<Real> radii(100, 0.2);
  EXPECT_LT(points_without_overlap<3>(box<3>(1, true), radii, 1).size(), radii.size());
}

TEST(LatticePoints, HaveTheirNumberOfNeighboursAtTheSpacing) {
  struct Case {
    const char* kind;
    int per_cell, nearest;
  };
  for (const Case& c : {Case{"sc", 1, 6}, Case{"bcc", 2, 8}, Case{"fcc", 4, 12}}) {
    const auto l = lattice<3>(c.kind, 1, {3, 3, 3});
    EXPECT_EQ(l.points.size(), std::size_t(27 * c.per_cell)) << c.kind;
    EXPECT_EQ(l.nearest, c.nearest);
    int near = 0;
    for (std::size_t j = 1; j < l.points.size(); ++j) {
      Vec3 apart = l.points[j] - l.points[0];
      for (int k = 0; k < 3; ++k) apart[k] -= l.edges[k] * std::round(apart[k] / l.edges[k]);
      EXPECT_GT(length(apart), 1 - 1e-12) << c.kind;
      near += length(apart) < 1 + 1e-12;
    }
    EXPECT_EQ(near, c.nearest) << c.kind;
  }
}

TEST(Assemble, GivesSpheresAndDiscsTheirMassAndInertia) {
  Model<3> space;
  State<3> in_space;
  space.materials.push_back({.name = "sand", .density = 2650});
  assemble<3>(space, in_space, {{{}, 2, 0, {}, {}}}, {});
  const Real mass = 2650 * 4.0 / 3.0 * pi * 8;
  EXPECT_DOUBLE_EQ(in_space.bodies.mass[0], mass);
  EXPECT_DOUBLE_EQ(1 / in_space.bodies.inverse_inertia[0], 0.4 * mass * 4);

  for (const bool spheres : {false, true}) {
    Model<2> plane;
    State<2> in_plane;
    plane.materials.push_back({.name = "sand", .density = 2650});
    plane.options.spheres_in_plane = spheres;
    assemble<2>(plane, in_plane, {{{}, 2, 0, {}, {}}}, {});
    const Real m = spheres ? mass : 2650 * pi * 4;
    EXPECT_DOUBLE_EQ(in_plane.bodies.mass[0], m);
    EXPECT_DOUBLE_EQ(1 / in_plane.bodies.inverse_inertia[0], (spheres ? 0.4 : 0.5) * m * 4);
  }
}
