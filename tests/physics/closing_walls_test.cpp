// A cylinder that closes in on balls: forces, the servo that holds a radial pressure, hoop balance, work. Closed forms.
#include <gtest/gtest.h>

#include "../support/sample.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr Real r = 0.01, stiffness = 1e5;  // m, N/m

PlacedWall<3> cylinder(Real radius) {
  PlacedWall<3> p;
  p.name = "side";
  p.position = {0.5, 0.5, 0};
  p.shape = WallCylinder<3>::around({0, 0, 1}, radius);
  return p;
}
PlacedWall<3> closing(Real radius, Real speed, Real way) {
  PlacedWall<3> p = cylinder(radius);
  p.drive.control = WallControl::velocity;
  p.drive.radius_rate = speed;
  p.drive.until = way / std::abs(speed);
  return p;
}
PlacedWall<3> under_pressure(Real radius, Real pressure) {
  PlacedWall<3> p = cylinder(radius);
  p.drive.control = WallControl::servo;
  p.drive.radial = 1;
  p.drive.target = pressure;
  p.drive.speed_max = 0.02;
  p.drive.gain = 0.5;
  return p;
}

// Balls around the axis of a cylinder, in a cell of height 3 r that repeats along z.
Sample<3> inside(const std::vector<Vec3>& places, const PlacedWall<3>& side, Real friction = 0, Real dashpot = 0) {
  Sample<3> s({sand(friction)});
  s.model.options.rotation = false;
  s.set_law<Linear<3>>(0, 0, {stiffness, stiffness / 2, dashpot, friction});
  s.set_box({1, 1, 3 * r}, false);
  s.state.globals.cell.periodic[2] = 1;
  std::vector<Ball<3>> balls;
  for (const Vec3& x : places) balls.push_back({Vec3{0.5, 0.5, 1.5 * r} + x, r, 0, {}, {}});
  s.assemble(balls, {side});
  s.options.local_damping = 0.5;
  s.state.globals.dt = 0.05 * std::sqrt(s.mass(0) / stiffness);
  s.prepare();
  return s;
}
const Closing& of_side(const Sample<3>& s) { return s.state.bodies.closing[s.state.grains()]; }

// n balls that just touch one another, side by side on a circle. m, its radius.
Real ring_radius(int n) { return r / std::sin(pi / n); }
std::vector<Vec3> ring(int n) {
  std::vector<Vec3> places;
  for (int k = 0; k < n; ++k) places.push_back(ring_radius(n) * Vec3{std::cos(2 * pi * k / n), std::sin(2 * pi * k / n), 0});
  return places;
}

}  // namespace

TEST(ClosingWall, ABallLiesOnTheBottomOfACylinderWithItsWeight) {
  Sample<3> s({sand(0)});
  s.model.options.rotation = false;
  s.set_law<Linear<3>>(0, 0, {stiffness, stiffness / 2, 0, 0});
  s.set_box({1, 1, 1}, false);
  PlacedWall<3> pipe = cylinder(0.1);
  pipe.position = {0, 0.5, 0.5};
  pipe.shape = WallCylinder<3>::around({1, 0, 0}, 0.1);
  s.assemble({{{0.5, 0.5, 0.4 + r}, r, 0, {}, {}}}, {pipe});
  s.options.local_damping = 0.5;
  s.state.globals.gravity = {0, 0, -9.81};
  s.state.globals.dt = 0.05 * std::sqrt(s.mass(0) / stiffness);
  s.prepare();
  s.run(5000);
  const Real weight = s.mass(0) * 9.81;
  EXPECT_EQ(s.status, 0u);
  EXPECT_NEAR(s.force(1).z / -weight, 1, 1e-9);
  EXPECT_NEAR((0.4 + r - s.position(0).z) / (weight / stiffness), 1, 1e-6);  // what subtracting places leaves of digits
}

TEST(ClosingWall, TwoBallsPressedByAShrinkingCylinderShareItsWayAsSpringsInARow) {
  // Three springs of one stiffness, two of them at the wall: balls at +-x with x = (r + R)/3, force k (4 r - 2 R)/3.
  const Real way = 1e-3 * r;
  Sample<3> s = inside({{r, 0, 0}, {-r, 0, 0}}, closing(2 * r, 0.01, way));
  s.run(20000);
  const Real radius = 2 * r - way, force = stiffness * (4 * r - 2 * radius) / 3;
  EXPECT_EQ(s.status, 0u);
  EXPECT_NEAR(of_side(s).way / way, 1, 1e-12);
  EXPECT_EQ(of_side(s).speed, 0);  // the way is done
  EXPECT_NEAR(of_side(s).push / (2 * force), 1, 1e-9);
  EXPECT_NEAR(length(s.force(2)) / force, 0, 1e-9);  // the resultant says nothing
  EXPECT_NEAR((s.position(0).x - 0.5) / ((r + radius) / 3), 1, 1e-9);
}

TEST(ClosingWall, AServoBringsARingOfBallsToItsRadialPressureAndTheRingIsInHoopBalance) {
  const int n = 8;
  const Real pressure = 2e4;
  Sample<3> s = inside(ring(n), under_pressure(ring_radius(n) + r, pressure));
  s.run(40000);
  EXPECT_EQ(s.status, 0u);
  Real on_wall = 0, hoop = 0;  // N, of one ball
  for (const auto& c : s.contacts()) {
    Real& force = c.b >= u32(n) ? on_wall : hoop;
    force += dot(c.force, c.normal) / n;
  }
  const Real radius = ring_radius(n) + r - of_side(s).way, area = 2 * pi * radius * 3 * r;
  EXPECT_NEAR(n * on_wall / area / pressure, 1, 1e-6);  // sum F / (2 pi R H); the servo's error dies out
  EXPECT_NEAR(of_side(s).push / (n * on_wall), 1, 1e-12);
  EXPECT_NEAR(on_wall / (2 * hoop * std::sin(pi / n)), 1, 1e-6);
  EXPECT_NEAR(wall_view(s.model, s.state).area(0) / area, 1, 1e-12);
  EXPECT_NEAR(sample_volume(s.model, s.state) / (pi * radius * radius * 3 * r), 1, 1e-12);
}

TEST(ClosingWall, ItsWorkIsWhatTheSpringsHoldAndDampingTakes) {
  Sample<3> s = inside(ring(8), closing(ring_radius(8) + r, 0.002, 2e-3 * r));
  const measure::Energy start = s.energy();
  s.run(6000);
  const measure::Energy end = s.energy();
  EXPECT_EQ(s.status, 0u);
  EXPECT_GT(end.boundary, 0);
  EXPECT_GT(end.elastic_normal / end.boundary, 0.5);
  // The trapezoid on some 80 steps of a swing of the springs: (2 pi / 80)^2 / 12 of what swings.
  EXPECT_NEAR(measure::residual(end, start) / end.boundary, 0, 1e-3);
}

// Dashpots see how fast the surface comes: what they take is a part of the work.
TEST(ClosingWall, ItsWorkIsWhatSpringsHoldAndDashpotsTake) {
  Sample<3> s = inside(ring(8), closing(ring_radius(8) + r, 0.02, 2e-3 * r), 0, damping_ratio(0.3));
  s.options.local_damping = 0;
  const measure::Energy start = s.energy();
  s.run(600);
  const measure::Energy end = s.energy();
  EXPECT_EQ(s.status, 0u);
  EXPECT_GT(end.viscous / end.boundary, 0.05);
  EXPECT_NEAR(measure::residual(end, start) / end.boundary, 0, 1e-2);
}

TEST(ClosingWall, AWallThatBacksOutTakesWhatTheSpringsHeld) {
  Sample<3> s = inside(ring(8), closing(ring_radius(8) + r, 0.001, 2e-3 * r));
  s.options.local_damping = 0;
  s.run(3000);
  const Real there = s.energy().boundary;
  WallDrive<3>& drive = s.model.drives[0];
  drive.radius_rate = -0.001;
  drive.since = s.state.globals.time;
  drive.until = drive.since + 2e-3 * r / 0.001;
  s.run(3000);
  EXPECT_NEAR(of_side(s).way / (2e-3 * r), 0, 1e-9);
  EXPECT_GT(there, 0);
  EXPECT_LT(std::abs(s.energy().boundary - s.energy().held()), 1e-3 * there);
}

TEST(ClosingWall, ABallFarFromTheSurfaceIsFoundWhenItComes) {
  // It begins many skins away: lists grow stale though no body moves.
  Sample<3> s = inside({{r, 0, 0}, {-r, 0, 0}}, closing(4 * r, 0.5, 2.001 * r));
  s.run(6000);
  EXPECT_EQ(s.status, 0u);
  EXPECT_GT(s.scratch.rebuilds, 5);
  EXPECT_NEAR(of_side(s).way / r, 2.001, 1e-12);
  EXPECT_NEAR(of_side(s).push / (2 * stiffness * 2e-3 * r / 3), 1, 1e-6);
}

TEST(ClosingWall, StretchesWithAPeriodicAxisSoThatNothingRubs) {
  Sample<3> s = inside(ring(8), closing(ring_radius(8) + r, 0.01, 1e-3 * r), 0.5);
  s.run(10000);
  Mat3 rate{};
  rate(2, 2) = -1;
  s.set_rate(rate);
  s.run(2000);
  EXPECT_EQ(s.status, 0u);
  EXPECT_LT(s.state.globals.cell.h(2, 2), 3 * r * 0.999);
  for (const auto& c : s.contacts()) EXPECT_EQ(c.force.z, 0);
}

TEST(ClosingWall, HasTheSameBitsWhateverTheOrderOfBodies) {
  Real push[2], way[2];
  for (const int shuffled : {0, 1}) {
    Sample<3> s = inside(ring(12), under_pressure(ring_radius(12) + r, 1e4), 0.3);
    s.model.options.random_rebuilds = shuffled ? 0.2 : 0;
    s.run(3000);
    push[shuffled] = of_side(s).push;
    way[shuffled] = of_side(s).way;
  }
  EXPECT_GT(push[0], 0);
  EXPECT_EQ(push[0], push[1]);
  EXPECT_EQ(way[0], way[1]);
}
