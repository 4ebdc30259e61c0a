// Distances to a closed mesh: against a box and a sphere in closed form, on which side, whatever the triangles.
#include <gtest/gtest.h>

#include <cmath>

#include <talus/core/rng.hpp>
#include <talus/geometry/wall_shape.hpp>

using namespace talus;

namespace {

// A unit cube; an L of two cubes, whose inner edge is hollow.
const char* cube = R"(v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
)";
const char* ell = R"(v 0 0 0
v 2 0 0
v 2 1 0
v 1 1 0
v 1 2 0
v 0 2 0
v 0 0 1
v 2 0 1
v 2 1 1
v 1 1 1
v 1 2 1
v 0 2 1
f 1 4 3
f 1 3 2
f 1 6 5
f 1 5 4
f 7 8 9
f 7 9 10
f 7 10 11
f 7 11 12
f 1 2 8 7
f 2 3 9 8
f 3 4 10 9
f 4 5 11 10
f 5 6 12 11
f 6 1 7 12
)";

Real to_cube(const Vec3& x) {  // signed
  Vec3 out;
  Real inside = -HUGE_VAL;
  for (int k = 0; k < 3; ++k) {
    const Real beyond = std::max(-x[k], x[k] - 1);
    out[k] = std::max(beyond, Real(0));
    inside = std::max(inside, beyond);
  }
  return inside > 0 ? length(out) : inside;
}

Vec3 somewhere(Rng& rng, Real low, Real high) { return {rng.uniform(low, high), rng.uniform(low, high), rng.uniform(low, high)}; }

}  // namespace

TEST(WallMesh, TheGapToACubeIsThatInClosedFormOutsideAndInside) {
  const WallShape<3> wall(WallMesh<3>::of(kept_mesh(cube, 1), false));
  Rng rng{3, 0, 0};
  for (int n = 0; n < 5000; ++n) {
    const Vec3 x = somewhere(rng, -1, 2);
    const Surface<3> s = wall.at(x);
    EXPECT_NEAR(s.gap, to_cube(x), 1e-14);
    EXPECT_NEAR(length(s.normal), 1, 1e-13);
    EXPECT_NEAR(to_cube(x - s.gap * s.normal), 0, 1e-13);
  }
}

TEST(WallMesh, SeenFromInsideGapAndNormalAreTurnedRound) {
  const WallShape<3> out(WallMesh<3>::of(kept_mesh(cube, 2), false)), in(WallMesh<3>::of(kept_mesh(cube, 2), true));
  Rng rng{4, 0, 0};
  for (int n = 0; n < 500; ++n) {
    const Vec3 x = somewhere(rng, -1, 3);
    EXPECT_EQ(in.at(x).gap, -out.at(x).gap);
    EXPECT_EQ(in.at(x).normal, -out.at(x).normal);
    EXPECT_NEAR(out.at(x).gap, 2 * to_cube(0.5 * x), 1e-13);
    for (const WallShape<3>& wall : {out, in}) EXPECT_EQ(wall.is_within(x, 0.2), wall.at(x).gap < 0.2);
  }
  EXPECT_TRUE(in.encloses());
  EXPECT_FALSE(out.encloses());
}

TEST(WallMesh, AHollowEdgeIsOutsideAndItsCornersAreInsideWhereTheyAre) {
  const WallShape<3> wall(WallMesh<3>::of(kept_mesh(ell, 1), false));
  EXPECT_NEAR(wall.at({1.5, 1.25, 0.5}).gap, 0.25, 1e-15);
  EXPECT_NEAR(wall.at({0.9, 0.9, 0.5}).gap, -std::sqrt(0.02), 1e-15);  // the nearest is the hollow edge
  EXPECT_NEAR(wall.at({2.3, -0.4, 0.5}).gap, 0.5, 1e-15);
  EXPECT_NEAR(wall.at({1.01, 1.01, 0.5}).gap, 0.01, 1e-15);
}

TEST(WallMesh, AFaceCutIntoTrianglesIsOneFace) {
  const WallShape<3> wall(WallMesh<3>::of(kept_mesh(cube, 1), false));
  for (const Real x : {0.1, 0.5, 0.500001, 0.9})
    for (const Real y : {0.1, 0.5, 0.9}) {  // across the diagonal of the upper face
      const Surface<3> s = wall.at({x, y, 1.2});
      EXPECT_NEAR(s.gap, 0.2, 1e-15);
      EXPECT_NEAR(length(s.normal - Vec3{0, 0, 1}), 0, 1e-15);
    }
}

TEST(WallMesh, AnOpenOrInvertedSurfaceIsNone) {
  std::string open = cube, inverted = cube;
  open.resize(open.rfind("f "));
  for (const char* face : {"f 1 4 3 2", "f 5 6 7 8", "f 1 2 6 5", "f 2 3 7 6", "f 3 4 8 7", "f 4 1 5 8"}) {
    std::string turned{face, 1};
    for (const char* c = face + std::string(face).size() - 1; c > face; --c)
      if (*c != ' ') turned += std::string(" ") + *c;
    inverted.replace(inverted.find(face), std::string(face).size(), turned);
  }
  EXPECT_THROW(kept_mesh(open, 1), std::runtime_error);
  EXPECT_THROW(kept_mesh(inverted, 1), std::runtime_error);
  EXPECT_EQ(&kept_mesh(cube, 1), &kept_mesh(cube, 1));
}

TEST(WallMesh, ASphereOfManyFacetsIsASphereToTheirSagitta) {
  // 32 x 64 facets of the sphere of radius 1: in latitude and longitude.
  std::string text;
  const int rows = 32, columns = 64;
  const auto add = [&](Real x, Real y, Real z) { text += "v " + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + "\n"; };
  add(0, 0, -1);
  for (int r = 1; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const Real latitude = -pi / 2 + pi * r / rows, longitude = 2 * pi * c / columns;
      add(std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude), std::sin(latitude));
    }
  add(0, 0, 1);
  const auto at = [&](int r, int c) { return std::to_string(r == 0 ? 1 : r == rows ? 2 + (rows - 1) * columns : 2 + (r - 1) * columns + c % columns); };
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      if (r > 0) text += "f " + at(r, c) + " " + at(r, c + 1) + " " + at(r + 1, c) + "\n";
      if (r + 1 < rows) text += "f " + at(r, c + 1) + " " + at(r + 1, c + 1) + " " + at(r + 1, c) + "\n";
    }
  const WallShape<3> wall(WallMesh<3>::of(kept_mesh(text, 1), false));
  Rng rng{6, 0, 0};
  const Real sagitta = 2 * (1 - std::cos(pi / rows / 2)) + 1e-5;  // of a facet in both directions; six digits of the file
  for (int n = 0; n < 3000; ++n) {
    const Vec3 x = somewhere(rng, -1.5, 1.5);
    EXPECT_NEAR(wall.at(x).gap, length(x) - 1, sagitta);
  }
}
