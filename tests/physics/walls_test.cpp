// Walls that shear: friction under a held load, a confined column, a sphere in a drum, the edge of a ledge. Closed forms.
#include <gtest/gtest.h>

#include "../support/sample.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr Real r = 0.01, stiffness = 1e5;  // m, N/m

Material grain(Real friction) {
  Material m = sand(friction);
  m.young = 1e7;
  return m;
}
// Linear springs between all materials, half as stiff across the normal. The friction of a pair is the geometric mean.
void set_springs(Sample<3>& s, Real k) {
  for (u32 a = 0; a < s.model.materials.size(); ++a)
    for (u32 b = a; b < s.model.materials.size(); ++b)
      s.set_law<Linear<3>>(a, b, {k, k / 2, 0, std::sqrt(s.model.materials[a].friction * s.model.materials[b].friction)});
}

// Balls in a row on a floor, under a lid; friction 0.3 above and 0.5 below.
Sample<3> block(std::size_t balls) {
  Sample<3> s({grain(0.5), grain(0.18)});  // geometric mean of 0.5 and 0.18: 0.3
  s.model.options.rotation = false;
  set_springs(s, stiffness);
  s.set_box({1, 1, 4 * r}, false);
  std::vector<Ball<3>> row;
  for (std::size_t i = 0; i < balls; ++i) row.push_back({{0.2 + 3 * r * Real(i), 0.5, r}, r, 0, {}, {}});
  std::vector<PlacedWall<3>> walls{wall<3>({0, 0, 0}, {0, 0, 1}), wall<3>({0, 0, 2 * r}, {0, 0, -1}, 1)};
  walls[1].drive.control = WallControl::servo;
  walls[1].drive.by_force = 1;
  walls[1].drive.target = 8;
  walls[1].drive.speed_max = 0.01;
  walls[1].drive.gain = 1;
  walls[1].drive.velocity = {0.02, 0, 0};
  s.assemble(row, walls);
  s.options.local_damping = 0.5;
  s.state.globals.dt = 0.05 * std::sqrt(s.mass(0) / stiffness);
  s.prepare();
  return s;
}

}  // namespace

TEST(Walls, ABlockShearedUnderAServoHeldLoadGivesTheFrictionOfTheWeakerPlane) {
  const std::size_t balls = 4;
  Sample<3> s = block(balls);
  s.run(40000);
  const Vec3 on_lid = s.force(balls + 1);
  EXPECT_EQ(s.status, 0u);
  EXPECT_NEAR(on_lid.z, 8, 0.01);                  // the servo's answer is in proportion to its error, which dies out
  EXPECT_NEAR(-on_lid.x / on_lid.z, 0.3, 1e-12);   // it slides: exactly at the limit
  EXPECT_EQ(s.velocity(balls + 1).x, 0.02);
  EXPECT_NEAR(on_lid.y, 0, 1e-12);
}

TEST(Walls, TheWorkOfALidThatSlidesIsWhatFrictionTakes) {
  Sample<3> s = block(1);
  s.run(20000);
  const measure::Energy start = s.energy();
  s.run(20000);
  const measure::Energy end = s.energy();
  const Real way = 20000 * s.state.globals.dt * 0.02, work = 0.3 * 8 * way;
  EXPECT_NEAR((end.boundary - start.boundary) / work, 1, 1e-2);  // the load is within 1e-2 of its target
  EXPECT_NEAR((end.friction - start.friction) / (end.boundary - start.boundary), 1, 1e-3);
}

TEST(Walls, AColumnOfEqualBallsHasTheConstrainedModulusOfItsSprings) {
  // n balls and n + 1 contacts in a row: M = (force/area) / (way/height) = k n / ((n + 1) d) on the area d^2 of a simple cubic lattice.
  const int n = 8;
  const Real d = 2 * r, squeeze = 1e-3 * r;  // at each contact, to begin with
  Sample<3> s({grain(0)});
  set_springs(s, stiffness);
  s.set_box({d, d, n * d}, true);
  s.state.globals.cell.periodic[2] = 0;
  std::vector<Ball<3>> column;
  for (int i = 0; i < n; ++i) column.push_back({{r, r, r - squeeze + i * (d - squeeze)}, r, 0, {}, {}});
  std::vector<PlacedWall<3>> walls{wall<3>({0, 0, 0}, {0, 0, 1}), wall<3>({0, 0, n * d - (n + 1) * squeeze}, {0, 0, -1})};
  const Real way = 1e-3 * n * d;
  walls[1].drive.control = WallControl::velocity;
  walls[1].drive.velocity = {0, 0, -0.01};
  walls[1].drive.until = way / 0.01;
  s.assemble(column, walls);
  s.options.local_damping = 0.7;
  s.state.globals.dt = 0.05 * std::sqrt(s.mass(0) / stiffness);
  s.prepare();
  const Real before = -s.force(n).z;
  s.run(60000);
  const Real modulus = (s.force(n + 1).z - before) / (d * d) / (way / (n * d));
  EXPECT_EQ(s.status, 0u);
  EXPECT_NEAR(before, stiffness * squeeze, 1e-6 * before);
  EXPECT_NEAR(modulus / (stiffness * n / ((n + 1) * d)), 1, 1e-6);  // what local damping leaves of the motion
}

// ---- a drum ------------------------------------------------------------------------------------------------------------------

namespace {

constexpr Real drum_radius = 0.1, drum_spin = 2;  // m, rad/s

// A ball at the bottom of a drum about y, whose surface moves towards +x there.
Sample<3> drum(bool rotation, Real friction, i64 steps) {
  Sample<3> s({grain(friction)});
  s.model.options.rotation = rotation;
  set_springs(s, 2000);
  s.set_box({1, 1, 1}, false);
  PlacedWall<3> p;
  p.name = "drum";
  p.position = {0.5, 0.5, 0.5};
  p.shape = WallCylinder<3>::around({0, 1, 0}, drum_radius);
  p.drive.control = WallControl::velocity;
  p.drive.spin = {0, -drum_spin, 0};
  s.assemble({{{0.5, 0.5, 0.5 - drum_radius + r}, r, 0, {}, {}}}, {p});
  s.options.local_damping = rotation ? 0.05 : 0.2;
  s.state.globals.gravity = {0, 0, -9.81};
  s.state.globals.dt = 0.05 * std::sqrt(s.mass(0) / 2000);
  s.prepare();
  s.run(steps);
  EXPECT_EQ(s.status, 0u);
  return s;
}

// rad, of the ball from the bottom, positive towards +x.
Real angle_of_ball(const Sample<3>& s) {
  const Vec3 at = s.state.bodies.position[s.index(0)] - Vec3{0.5, 0.5, 0.5};
  return std::atan2(at.x, -at.z);
}

}  // namespace

TEST(Walls, ABallThatCannotRollStandsInATurningDrumAtItsAngleOfFriction) {
  const Sample<3> s = drum(false, 0.4, 120000);
  EXPECT_NEAR(angle_of_ball(s), std::atan(0.4), 5e-5);  // it comes nearer by half in 10,000 steps
}

TEST(Walls, ABallThatMayRollStaysAtTheBottomOfATurningDrumAndRollsWithIt) {
  const Sample<3> s = drum(true, 0.4, 200000);
  EXPECT_NEAR(angle_of_ball(s), 0, 2e-2);
  EXPECT_NEAR(s.state.bodies.spin[s.index(0)].y / (-drum_spin * drum_radius / r), 1, 2e-2);  // both what local damping brakes
}

TEST(Walls, TheWorkOfATurningDrumIsWhatFrictionTakes) {
  Sample<3> s = drum(false, 0.4, 60000);
  const measure::Energy start = s.energy();
  s.run(20000);
  const measure::Energy end = s.energy();
  const Real time = 20000 * s.state.globals.dt, friction = s.mass(0) * 9.81 * std::sin(std::atan(0.4));
  EXPECT_NEAR((end.boundary - start.boundary) / (friction * drum_spin * drum_radius * time), 1, 2e-2);  // the ball still swings
  EXPECT_NEAR((end.friction - start.friction) / (end.boundary - start.boundary), 1, 1e-3);
}

// ---- a ledge -----------------------------------------------------------------------------------------------------------------

TEST(Walls, ABallFallsOffALedgeRoundItsEdgeWithoutLoss) {
  // An elastic ball without friction that rolls off an edge keeps its energy: height into speed.
  Sample<3> s({grain(0)});
  set_springs(s, stiffness);
  s.set_box({1, 1, 1}, false);
  PlacedWall<3> p;
  p.name = "step";
  p.position = {0.5, 0, 0.5};
  p.shape = WallLedge<3>::facing({1, 0, 0}, {0, 0, 1});
  s.assemble({{{0.5, 0.5, 0.5 + r}, r, 0, {0.05, 0, 0}, {}}}, {p});
  s.state.globals.gravity = {0, 0, -9.81};
  s.state.globals.dt = 0.01 * std::sqrt(s.mass(0) / stiffness);
  s.prepare();
  const auto all = [&] { return s.kinetic() + s.energy().elastic_normal + s.mass(0) * 9.81 * s.position(0).z; };
  const Real before = all();
  while (s.position(0).z > 0.5 - 2 * r && s.state.globals.step < 2000000) s.step();
  EXPECT_EQ(s.status, 0u);
  EXPECT_GT(s.position(0).x, 0.5 + r / 2);  // past the edge
  EXPECT_NEAR((all() - before) / (s.mass(0) * 9.81 * 3 * r), 0, 1e-3);  // of what it fell
}
