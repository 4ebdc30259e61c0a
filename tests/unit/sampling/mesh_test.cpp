#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <stdexcept>

#include <talus/geometry/hull.hpp>
#include <talus/geometry/sieve_size.hpp>
#include <talus/sampling/hull_forms.hpp>
#include <talus/geometry/mesh.hpp>

using namespace talus;
using namespace talus::sampling;

namespace {

// A tetrahedron of volume 1/6, as each format writes it; `flip`: its last face looks inward.
const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

std::string stl(int faces = 4, bool inward = false) {
  std::string out = "solid t\n";
  for (int f = 0; f < faces; ++f) {
    out += "facet normal 0 0 0\nouter loop\n";
    for (int k = 0; k < 3; ++k) {
      const double* c = corner[face[f][inward ? 2 - k : k]];
      out += "vertex " + std::to_string(c[0]) + " " + std::to_string(c[1]) + " " + std::to_string(c[2]) + "\n";
    }
    out += "endloop\nendfacet\n";
  }
  return out + "endsolid t\n";
}
std::string stl_binary() {
  std::string out(84 + 4 * 50, '\0');
  const u32 count = 4;
  std::memcpy(out.data() + 80, &count, 4);
  for (int f = 0; f < 4; ++f)
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j) {
        const float x = float(corner[face[f][k]][j]);
        std::memcpy(out.data() + 84 + 50 * f + 12 + 12 * k + 4 * j, &x, 4);
      }
  return out;
}
const char* obj = "# a tetrahedron\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nf 1//1 3//1 2//1\nf 1 2 4\nf 1 4 3\nf -3 -2 -1\n";
const char* ply =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\n"
    "end_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

}  // namespace

TEST(Mesh, IsTheSameFromEveryFormat) {
  for (const std::string& text : {stl(), stl_binary(), std::string(obj), std::string(ply)}) {
    const Mesh mesh = parse_mesh(text);
    EXPECT_EQ(mesh.points.size(), 4u) << "points at one place are one";
    EXPECT_EQ(mesh.triangles.size(), 4u);
    EXPECT_EQ(flaw_of(mesh), "");
    EXPECT_NEAR(volume_of(mesh), 1.0 / 6, 1e-15);
  }
}

TEST(Mesh, ThatIsOpenOrInvertedHasAFlaw) {
  EXPECT_NE(flaw_of(parse_mesh(stl(3))).find("open"), std::string::npos);
  EXPECT_NE(flaw_of(parse_mesh(stl(4, true))).find("inverted"), std::string::npos);
  EXPECT_NE(flaw_of(Mesh{}), "");
  Mesh one_turned = parse_mesh(stl());
  std::swap(one_turned.triangles[0][0], one_turned.triangles[0][1]);
  EXPECT_NE(flaw_of(one_turned).find("same way"), std::string::npos);
}

TEST(Mesh, RefusesWhatItCannotReadWithTheLine) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      parse_mesh(text);
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message("v 0 0 0\nv 1 x 0\n"), "line 2: 'x' is no number");
  EXPECT_EQ(message("v 0 0 0\nf 1 2 3\n"), "line 2: a face has a corner that is not there");
  EXPECT_EQ(message("ply\nformat binary_little_endian 1.0\nend_header\n"), "line 2: only PLY files of text are read");
}

TEST(HullForms, ABoxAndASphereHaveTheirVolumes) {
  const Hull box = make_hull(box_points({1, 2, 3}));
  EXPECT_NEAR(box.volume, 6, 1e-12);
  EXPECT_EQ(box.faces(), 6u);
  const auto points = sphere_points({2, 2, 2});
  EXPECT_EQ(points.size(), 642u);
  const Hull sphere = make_hull(points);
  EXPECT_NEAR(sphere.volume / (4 * pi / 3), 1, 1e-2);
  EXPECT_LT(sphere.volume, 4 * pi / 3);
  EXPECT_NEAR(sphere.moments.x, 0.4, 5e-3) << "2/5 r^2";
  EXPECT_NEAR(sieve_size(at_unit_size(box).corners), 1, 1e-6);
}
