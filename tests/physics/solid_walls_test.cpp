// Cones, meshes and flexible walls as balls feel them. Closed forms and conservation.
#include <gtest/gtest.h>

#include <talus/core/rng.hpp>

#include "../support/sample.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr Real r = 0.01, stiffness = 1e5;  // m, N/m

Sample<3> with_walls(const std::vector<Ball<3>>& balls, const std::vector<PlacedWall<3>>& walls, const Vec3& gravity = {}, Real damping = 0) {
  Sample<3> s({sand(0)});
  s.model.options.rotation = false;
  s.set_law<Linear<3>>(0, 0, {stiffness, stiffness / 2, 0, 0});
  s.set_box({1, 1, 1}, false);
  s.assemble(balls, walls);
  s.options.local_damping = damping;
  s.state.globals.gravity = gravity;
  s.state.globals.dt = 0.02 * std::sqrt(s.mass(0) / stiffness);
  s.prepare();
  return s;
}
PlacedWall<3> placed(const WallShape<3>& shape, const Vec3& position) {
  PlacedWall<3> p;
  p.name = "wall";
  p.position = position;
  p.shape = shape;
  return p;
}

// A box of 0.2 m x 0.2 m x 0.1 m, twelve triangles, its upper face at 0.
const char* box = R"(v -1 -1 -1
v 1 -1 -1
v 1 1 -1
v -1 1 -1
v -1 -1 0
v 1 -1 0
v 1 1 0
v -1 1 0
f 1 3 2
f 1 4 3
f 5 6 7
f 5 7 8
f 1 2 6
f 1 6 5
f 2 3 7
f 2 7 6
f 3 4 8
f 3 8 7
f 4 1 5
f 4 5 8
)";
WallShape<3> mesh_box() { return WallMesh<3>::of(kept_mesh(box, 0.1), false); }

// A wall of facets around (0.5, 0.5), 1 m high.
std::vector<PlacedWall<3>> facets(Real radius, u32 columns, u32 rows) {
  std::vector<PlacedWall<3>> out;
  for (u32 k = 0; k < rows; ++k)
    for (u32 c = 0; c < columns; ++c) {
      PlacedWall<3> p = placed(WallFacet<3>::of({0, 0, 1}, radius, 0, 1, columns, rows, c, k), {0.5, 0.5, 0});
      p.name = "side_" + std::to_string(k) + "_" + std::to_string(c);
      out.push_back(p);
    }
  return out;
}

}  // namespace

TEST(Cone, ABallBouncesOffItsSideAsOffThePlaneThatTouchesIt) {
  // 45 degrees, tip down at (0.5, 0.5, 0.5): a ball that comes along x goes off downwards.
  const WallShape<3> cone = WallRevolution<3>::about_axis({0, 0, 1}, {0, 0.2, 0.4}, {0, 0.2, 0.2});
  Sample<3> s = with_walls({{{0.65, 0.5, 0.6}, r, 0, {-1, 0, 0}, {}}}, {placed(cone, {0.5, 0.5, 0.5})});
  const Real before = s.kinetic();
  s.run(20000);
  EXPECT_EQ(s.status, 0u);
  EXPECT_NEAR(s.kinetic() / before, 1, 1e-5);  // 150 steps of one contact
  EXPECT_NEAR(s.velocity(0).x, 0, 2e-3);  // the ball moves along the side while it is in contact
  EXPECT_NEAR(s.velocity(0).y, 0, 1e-12);
  EXPECT_NEAR(s.velocity(0).z, -1, 1e-5);
}

TEST(Cone, ARodCarriesTheWeightOfABallOnItsEnd) {
  const WallShape<3> rod = WallRevolution<3>::about_axis({0, 0, 1}, {0, 0.3}, {0.02, 0.02});
  Sample<3> s = with_walls({{{0.5, 0.505, 0.3 + r}, r, 0, {}, {}}}, {placed(rod, {0.5, 0.5, 0})}, {0, 0, -9.81}, 0.5);
  s.run(20000);
  EXPECT_NEAR(s.force(1).z / (-s.mass(0) * 9.81), 1, 1e-9);
}

TEST(Mesh, ABallSlidesAcrossTheEdgeBetweenCoplanarFacetsAsOnAPlane) {
  const Vec3 top{0.5, 0.5, 0.2};
  const Ball<3> ball{{0.44, 0.53, 0.2 + r}, r, 0, {0.5, -0.2, 0}, {}};
  Sample<3> on_mesh = with_walls({ball}, {placed(mesh_box(), top)}, {0, 0, -9.81}), on_plane = with_walls({ball}, {placed(WallPlane<3>::facing({0, 0, 1}), top)}, {0, 0, -9.81});
  Real most = 0;
  for (int n = 0; n < 25000; ++n) {
    on_mesh.step();
    on_plane.step();
    most = std::max(most, std::abs(on_mesh.force(1).z - on_plane.force(1).z));
  }
  EXPECT_GT(on_mesh.position(0).x - 0.5, on_mesh.position(0).y - 0.5);  // it has crossed the diagonal
  EXPECT_LT(most / (on_plane.mass(0) * 9.81), 1e-6);
  EXPECT_NEAR(length(on_mesh.position(0) - on_plane.position(0)), 0, 1e-14);
}

TEST(Mesh, ABallThatRollsOverItsRimKeepsItsEnergy) {
  Sample<3> s = with_walls({{{0.58, 0.5, 0.3 + r}, r, 0, {0.1, 0, 0}, {}}}, {placed(mesh_box(), {0.5, 0.5, 0.3})}, {0, 0, -9.81});
  const Real before = s.kinetic() + s.mass(0) * 9.81 * s.position(0).z;
  s.run(60000);
  EXPECT_LT(s.position(0).z, 0.25);  // it has fallen off
  EXPECT_NEAR((s.kinetic() + s.mass(0) * 9.81 * s.position(0).z) / before, 1, 1e-6);
}

TEST(Mesh, ABoxThatIsPushedInHoldsTheSumOfTheForcesOnIt) {
  PlacedWall<3> p = placed(mesh_box(), {0.5, 0.5, 0.3});
  p.drive.control = WallControl::velocity;
  p.drive.velocity = {0, 0, 0.01};
  p.drive.until = 1e-3;
  Sample<3> s = with_walls({{{0.45, 0.5, 0.3 + r}, r, 0, {}, {}}, {{0.55, 0.52, 0.3 + r}, r, 0, {}, {}}}, {p}, {}, 0.7);
  while (s.state.globals.time < 5e-4) s.step();
  EXPECT_NEAR(length(s.force(2) + s.contacts()[0].force + s.contacts()[1].force), 0, 1e-12);
  EXPECT_GT(-s.force(2).z, 0);
}

TEST(FlexibleWall, EachPointLiesBeforeOneFacetWhoseGapIsThatOfTheCylinder) {
  const auto all = facets(0.3, 7, 4);
  const WallShape<3> cylinder = WallCylinder<3>::around({0, 0, 1}, 0.3);
  Rng rng{8, 0, 0};
  Real area = 0, volume = 0;
  for (const auto& f : all) area += f.shape.own_area(0.1), volume += f.shape.own_volume(0.1);
  EXPECT_NEAR(area, 2 * pi * 0.2, 1e-14);
  EXPECT_NEAR(volume, pi * 0.04, 1e-14);
  for (int n = 0; n < 20000; ++n) {
    Vec3 x{rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4), rng.uniform(-0.2, 1.2)};
    if (n % 5 == 0) x = {0.25 * std::cos(2 * pi * (n % 7) / 7), 0.25 * std::sin(2 * pi * (n % 7) / 7), 0.25 * (n % 4)};  // on their edges
    int claimed = 0;
    for (const auto& f : all) {
      const Surface<3> s = f.shape.at(x);
      if (s.gap < 1) {
        ++claimed;
        EXPECT_NEAR(s.gap, cylinder.at(x).gap, 1e-15);
        EXPECT_NEAR(length(s.normal - cylinder.at(x).normal), 0, 1e-14);
        EXPECT_TRUE(s.gap > 0.02 || f.shape.is_within(x, 0.02));
      }
    }
    EXPECT_EQ(claimed, 1);
  }
}

TEST(FlexibleWall, TheSearchFindsEveryFacetThatABallMayComeBefore) {
  const auto all = facets(0.3, 5, 3);
  Rng rng{9, 0, 0};
  for (int n = 0; n < 20000; ++n) {
    const Vec3 x{rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4), rng.uniform(0, 1)};
    const Vec3 there = x + 0.0577 * Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};  // nearer than 0.1
    for (const auto& f : all) EXPECT_TRUE(!(f.shape.at(there).gap < 0) || f.shape.is_within(x, 0.1));
  }
}

TEST(FlexibleWall, TheSearchFindsFacetsThatHaveMovedOutwardsByMoreThanTheReach) {
  const auto all = facets(0.3, 12, 8);
  const Real way = -0.1, ball = 0.03, skin = 0.005;  // m
  Rng rng{10, 0, 0};
  for (int n = 0; n < 20000; ++n) {
    const Vec3 x{rng.uniform(-0.45, 0.45), rng.uniform(-0.45, 0.45), rng.uniform(0, 1)};
    const Vec3 there = x + 0.577 * skin * Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
    for (const auto& f : all) EXPECT_TRUE(!(f.shape.at(there).gap - way < ball) || f.shape.is_within(x, ball + skin + way));
  }
}

TEST(FlexibleWall, FacetsHoldStressesOfTheirOwn) {
  // A cross of five balls: two pairs of facets press it with different stresses, which pass one another through the ball in the middle.
  std::vector<Ball<3>> balls{{{0.5, 0.5, 0.5}, r, 0, {}, {}}};
  for (int k = 0; k < 4; ++k) {
    const Real angle = pi / 4 + k * pi / 2;
    balls.push_back({Vec3{0.5, 0.5, 0.5} + 2 * r * Vec3{std::cos(angle), std::sin(angle), 0}, r, 0, {}, {}});
  }
  auto walls = facets(3 * r, 4, 1);
  for (std::size_t w = 0; w < walls.size(); ++w) {
    walls[w].drive.control = WallControl::servo;
    walls[w].drive.radial = 1;
    walls[w].drive.target = w % 2 == 0 ? 100 : 250;  // Pa
    walls[w].drive.speed_max = 2e-3;
    walls[w].drive.gain = 0.5;
  }
  Sample<3> s = with_walls(balls, walls, {}, 0.5);
  s.run(150000);
  const auto& closing = s.state.bodies.closing;
  const Real area = walls[0].shape.own_area(0);
  for (std::size_t w = 0; w < 2; ++w) {  // a row of balls may still swing between its two facets, which nothing but their servos holds: their sum does not
    const Closing &near = closing[s.state.grains() + w], &far = closing[s.state.grains() + w + 2];
    const Real goal = 2 * walls[w].drive.target * area * (1 - (near.way + far.way) / 2 / (3 * r));
    EXPECT_NEAR((near.push + far.push) / goal, 1, 1e-6) << w;
    EXPECT_NEAR(near.push / far.push, 1, 1e-2) << w;
    EXPECT_NEAR((near.way + far.way) / (2 * (near.push + far.push) / stiffness), 1, 1e-6) << w;  // springs in a row: at both walls, and two in between
  }
  Real volume = 0;
  for (std::size_t w = 0; w < 4; ++w) volume += walls[w].shape.own_volume(closing[s.state.grains() + w].way);
  EXPECT_NEAR(sample_volume(s.model, s.state) / volume, 1, 1e-14);
}

TEST(FlexibleWall, AFacetCountsAsFarAsItLiesBetweenThePlatens) {
  auto walls = facets(0.2, 4, 5);  // 0.2 m high each
  for (const auto& [z, up] : {std::pair{0.1, 1}, std::pair{0.7, -1}}) {
    PlacedWall<3> platen = placed(WallPlane<3>::facing({0, 0, Real(up)}), {0.5, 0.5, z});
    platen.name = up > 0 ? "base" : "lid";
    walls.push_back(platen);
  }
  Sample<3> s = with_walls({{{0.5, 0.5, 0.4}, r, 0, {}, {}}}, walls);
  const WallView<3> view = wall_view(s.model, s.state);
  const Real arc = 2 * pi * 0.2 / 4;
  for (const auto& [row, height] : {std::pair{0, 0.1}, {1, 0.2}, {2, 0.2}, {3, 0.1}, {4, 0.0}}) EXPECT_NEAR(view.area(std::size_t(4 * row + 1)), arc * height, 1e-15);
  EXPECT_NEAR(view.volume(), pi * 0.04 * 0.6, 1e-15);
}

TEST(FlexibleWall, ABallThatGoesRoundFeelsNoSteps) {
  const Ball<3> ball{{0.5 + 0.2 - r, 0.5, 0.5}, r, 0, {0, 1, 0.1}, {}};
  Sample<3> flexible = with_walls({ball}, facets(0.2, 9, 5)), rigid = with_walls({ball}, {placed(WallCylinder<3>::around({0, 0, 1}, 0.2), {0.5, 0.5, 0})});
  const Real before = flexible.kinetic();
  flexible.run(20000);
  rigid.run(20000);
  EXPECT_NEAR(length(flexible.position(0) - rigid.position(0)), 0, 1e-9);
  EXPECT_NEAR((flexible.energy().held()) / before, 1, 1e-4);
}
