// Restitution of contact dynamics: e at every gap, step, speed and theta, and nothing where nobody arrives. Friction of a patch
// where one of its two points carries.
#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/measure/energy.hpp>
#include <talus/sampling/polygons.hpp>

#include "../support/plane_sample.hpp"

using namespace talus;
using namespace talus::test;

// Tolerances: one patch is solved exactly, so 1e-13 of the speed is rounding of a few operations. Where bodies fall, the step matters:
// the tests say how.

namespace {

const Polygon box = make_polygon({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
const Polygon disc = make_polygon({{0, 0}}, 0.5);

// A disc on its way to a wall, so far away that it needs this share of a step to get there.
PlaneSample towards_a_wall(Real e, Real speed, Real dt, Real share, Real theta) {
  PlaneSample s(1, 0, 0, e);
  s.platen({0, 0}, {0, 1});
  s.grain(disc, {0, 0.5 + share * speed * dt});
  s.assemble();
  s.options.theta = theta;
  s.velocity(0) = {0, -speed};
  s.step(dt);
  return s;
}

Real kinetic(const PlaneSample& s) {
  const Bodies<2>& b = s.state.bodies;
  Real sum = 0;
  for (std::size_t i = 0; i < s.state.grains(); ++i)
    sum += 0.5 * b.mass[i] * dot(b.velocity[i], b.velocity[i]) + 0.5 * b.spin[i].x * b.spin[i].x / b.inverse_inertia[i];
  return sum;
}

}  // namespace

TEST(Restitution, IsThatOfTheInputAtEveryGapStepSpeedAndTheta) {
  for (const Real e : {0.05, 0.2, 0.5, 0.9, 1.0})
    for (const Real speed : {1e-4, 0.1, 3.0})
      for (const Real dt : {1e-4, 1e-2})
        for (const Real theta : {0.5, 0.7, 1.0})
          for (const Real share : {0.0, 0.01, 0.25, 0.5, 0.75, 0.99}) {
            const PlaneSample s = towards_a_wall(e, speed, dt, share, theta);
            EXPECT_NEAR(s.state.bodies.velocity[0].y / speed, e, 1e-13)
                << "gap " << share << ", step " << dt << ", speed " << speed << ", theta " << theta;
          }
}

TEST(Restitution, ABodyThatDoesNotArriveInTheStepIsNotTouched) {
  for (const Real e : {0.0, 0.2, 1.0})
    for (const Real theta : {0.5, 1.0})
      for (const Real share : {1.001, 1.2, 2.0}) {
        const PlaneSample s = towards_a_wall(e, 3, 1e-2, share, theta);
        EXPECT_EQ(s.state.bodies.velocity[0].y, -3) << "gap " << share << ", theta " << theta;
      }
}

// It gets there in some step, and rebounds once.
TEST(Restitution, HoldsForPairsThatComeFromAfar) {
  for (const Real gap : {0.1, 0.10037, 0.1071}) {
    PlaneSample s(1, 0, 0, 0.6);
    s.grain(disc, {0, 0});
    s.grain(make_polygon({{0, 0}}, 1), {1.5 + gap, 0});  // four times the mass
    s.assemble();
    s.velocity(0) = {2, 0};
    s.velocity(1) = {-1, 0};
    for (int n = 0; n < 20; ++n) s.step(5e-3);
    EXPECT_NEAR(s.velocity(1).x - s.velocity(0).x, 0.6 * 3, 1e-12);
    EXPECT_NEAR(s.velocity(0).x + 4 * s.velocity(1).x, 2 - 4, 1e-12);
  }
}

// One ball in, one ball out: with gaps that take several steps, a part of one, and none.
TEST(Restitution, ACradleHandsItsImpulseOn) {
  for (const Real gap : {0.05, 0.004, 0.0003, 0.0})
    for (const Real theta : {0.5, 1.0}) {
      PlaneSample s(1, 0, 0, 1);
      for (int i = 0; i < 6; ++i) s.grain(disc, {(1 + gap * (1 + 0.3 * i)) * i, 0});
      s.assemble();
      s.options.theta = theta;
      s.velocity(0) = {1, 0};
      for (int n = 0; n < 100; ++n) s.step(1e-2);
      for (u32 i = 0; i < 5; ++i) EXPECT_NEAR(s.velocity(i).x, 0, 1e-12) << i << ", gap " << gap;
      EXPECT_NEAR(s.velocity(5).x, 1, 1e-12) << "gap " << gap;
    }
}

// Heights after a bounce are e^2 of those before. A step late or early is v dt of way, and the height follows: two steps' way.
TEST(Restitution, ABouncingDiscComesBackToTheRightHeight) {
  for (const Real e : {0.5, 0.8, 1.0}) {
    for (const Real dt : {1e-3, 2.5e-4}) {
      PlaneSample s(1, 0, 0, e);
      s.platen({0, 0}, {0, 1});
      s.grain(disc, {0, 1.5});
      s.assemble();
      s.state.globals.gravity = {0, -9.81};
      s.options.theta = 0.5;  // exact in free fall
      Real height = 1, top = 0;
      int bounces = 0;
      for (int n = 0; bounces < 4; ++n) {
        const Real before = s.velocity(0).y;
        s.step(dt);
        const Real now = s.velocity(0).y;
        if (before < 0 && now > 0) top = 0, ++bounces, height *= e * e;
        top = max(top, s.position(0).y - 0.5);
        if (bounces > 0 && before > 0 && now <= 0) {
          EXPECT_NEAR(top, height, 2 * dt * std::sqrt(2 * 9.81)) << "bounce " << bounces << ", e " << e;
        }
        ASSERT_LT(n, 100000);
      }
    }
  }
}

// Weight is no impact, and neither are the small ways in which a tower settles.
TEST(Restitution, TowersAtRestStayAtRest) {
  for (const Real e : {0.3, 1.0})
    for (const Real theta : {0.5, 1.0}) {
      PlaneSample s(1, 0.4, 0.4, e);
      s.platen({0, 0}, {0, 1});
      for (int i = 0; i < 6; ++i) s.grain(box, {0.03 * (i % 3), 0.5 + i});
      s.assemble();
      s.options.theta = theta;
      s.state.globals.gravity = {0, -9.81};
      for (int n = 0; n < 200; ++n) {
        s.step(0.01);
        for (u32 i = 0; i < 6; ++i) ASSERT_LT(length(s.velocity(i)), 1e-9) << n;  // 0.1 m/s is added and taken in each step
      }
      for (u32 i = 0; i < 6; ++i) EXPECT_NEAR(s.position(i).y, 0.5 + i, 1e-6) << "e " << e << ", theta " << theta;
      EXPECT_NEAR(-s.push(0).y, 6 * 9.81, 1e-6);
    }
}

// A tower that is dropped bounces, loses its energy, and comes to rest: the floor bears its weight.
TEST(Restitution, ATowerThatFallsComesToRest) {
  PlaneSample s(1, 0.4, 0.4, 0.4);
  s.platen({0, 0}, {0, 1});
  for (int i = 0; i < 5; ++i) s.grain(box, {0, 0.6 + 1.02 * i});
  s.assemble();
  s.options.tolerance = 1e-9;
  s.state.globals.gravity = {0, -9.81};
  for (int n = 0; n < 600; ++n) s.step(5e-3);
  for (u32 i = 0; i < 5; ++i) EXPECT_NEAR(length(s.velocity(i)), 0, 1e-6);
  EXPECT_NEAR(-s.push(0).y, 5 * 9.81, 1e-5);
}

// Elastic and smooth: a gas of polygons keeps its energy over ten thousand collisions. Each is solved to 1e-13 of its impulse.
TEST(Restitution, AnElasticGasOfPolygonsKeepsItsEnergy) {
  PlaneSample s(1, 0, 0, 1);
  Rng rng{21, 0, 0};
  i64 drawn = 0;
  for (int i = 0; i < 64; ++i) {
    s.grain(i % 3 == 0 ? box : i % 3 == 1 ? disc : sampling::random_polygon({1, 8, 1, 1, 10, 0}, rng, drawn),
            {1.5 * (i % 8) + 0.75, 1.5 * (i / 8) + 0.75});
    s.blocks.back().velocity = {rng.uniform(-1, 1), rng.uniform(-1, 1)};
    s.blocks.back().spin = rng.uniform(-1, 1);
  }
  s.assemble();
  for (int k = 0; k < 2; ++k) {
    s.state.globals.cell.h(k, k) = 12;
    s.state.globals.cell.periodic[k] = 1;
  }
  const Real before = kinetic(s);
  const auto ledger = measure::energy(s.state, ContactList<2>{});
  i64 collisions = 0;
  for (int n = 0; collisions < 10000 && n < 60000; ++n) {
    s.step(0.01);
    ASSERT_EQ(s.last.status, u32(fine));
    collisions += s.last.impacts;
  }
  EXPECT_GE(collisions, 10000);
  EXPECT_NEAR(kinetic(s) / before, 1, 1e-9);
  EXPECT_NEAR(measure::residual(measure::energy(s.state, ContactList<2>{}), ledger), 0, 1e-9 * before);
}

// A box that stands on one corner, tilted by so little that the other is in reach: friction acts at the one that carries. What one step
// does is known: the corner stays on the floor, friction is mu times its push against the sliding or holds it, both turn the box.
TEST(PatchFriction, ActsAtTheCornerThatCarries) {
  const Real g = 9.81, mu = 0.3;
  for (const Real tilt : {0.3, 0.45, 0.6, -0.5})
    for (const Real dt : {1e-3, 4e-3, 16e-3})
      for (const Real speed : {1.0, -1.0, 0.0}) {  // slides; 0: sticks
        const Real turn = tilt * pi / 180, c = std::cos(turn), k = std::sin(turn);
        const Vec2 arm = tilt > 0 ? Vec2{-0.5 * c + 0.5 * k, -0.5 * k - 0.5 * c} : Vec2{0.5 * c + 0.5 * k, 0.5 * k - 0.5 * c};
        PlaneSample s(1, 0, speed == 0 ? 5 : mu);
        s.platen({0, 0}, {0, 1});
        s.grain(box, {0, -arm.y}, turn);
        s.assemble();
        s.options.reach = 0.05;  // both corners
        s.state.globals.gravity = {0, -g};
        s.velocity(0) = {speed, 0};
        s.step(dt);
        ASSERT_EQ(s.state.patches.size(), 1u);
        ASSERT_NE(s.state.patches.feature[0][1], no_feature) << "one point: nothing is tested";
        const Real inertia = 1.0 / 6;
        Real spin = 0;
        if (speed == 0) {  // the box turns about its corner
          spin = arm.x * g * dt / (inertia + dot(arm, arm));
        } else {
          const Real along = speed > 0 ? -mu : mu;  // friction over push
          const Real lever = (arm.x - arm.y * along) / inertia, push = g * dt / (1 + arm.x * lever);
          spin = push * lever;
        }
        EXPECT_NEAR(s.spin(0) / spin, 1, 1e-11) << "tilt " << tilt << ", step " << dt << ", speed " << speed;
      }
}
