// Motion of single bodies in closed form: free fall, spin, rest on a plane, rolling and sliding down an incline.
#include <gtest/gtest.h>

#include "../support/sample.hpp"

using namespace talus;
using namespace talus::test;

namespace {

// One ball of radius 1 on the plane y = 0 under gravity g inclined by the angle, at its equilibrium overlap under the
// normal part; linear springs with k = 1e5 m g / R (overlap 1e-5 R).
constexpr Real g = 10, stiffness = 1e5;
template <int D, class Law = Linear<D>>
Sample<D> on_incline(Real angle, typename Law::Params params) {
  Material m = sand();
  m.density = D == 2 ? 1 / pi : 3 / (4 * pi);  // mass 1
  Sample<D> s({m});
  s.template set_law<Law>(0, 0, params);
  Vec<D> start{}, up{}, gravity{};
  const Real k = stiffness * g;
  start[1] = 1 - g * std::cos(angle) / k;
  up[1] = 1;
  gravity[0] = g * std::sin(angle);
  gravity[1] = -g * std::cos(angle);
  s.assemble({{start, 1, 0, {}, {}}}, {wall<D>({}, up)});
  s.state.globals.gravity = gravity;
  s.state.globals.dt = 0.1 / std::sqrt(k);
  s.prepare();
  return s;
}
template <int D>
typename Linear<D>::Params springs(Real friction, Real restitution = 0.5) {
  return {stiffness * g, stiffness * g, damping_ratio(restitution), friction};
}
template <int D>
Real spin_of(Sample<D>& s) {  // about the axis that rolling down turns: negative z
  return -s.spin(0)[D == 2 ? 0 : 2];
}

template <int D>
void check_incline(Real inertia) {  // I / (m R^2)
  const Real mu = 0.3, steepest = std::atan(mu * (1 + 1 / inertia));
  for (const Real share : {0.3, 0.8, 1.2}) {
    const Real angle = share * steepest;
    Sample<D> s = on_incline<D>(angle, springs<D>(mu));
    const i64 steps = 50000;
    s.run(steps);
    const Real t = Real(steps) * s.state.globals.dt;
    const bool rolls = share < 1;
    const Real a = rolls ? g * std::sin(angle) / (1 + inertia) : g * (std::sin(angle) - mu * std::cos(angle));
    const Real turn = rolls ? a : mu * g * std::cos(angle) / inertia;
    // The tangential spring starts unloaded and swings once in about 1/500 of the run; the arm is R - overlap.
    EXPECT_NEAR(s.velocity(0)[0] / (a * t), 1, 1e-3) << "angle / limit = " << share;
    EXPECT_NEAR(spin_of(s) / (turn * t), 1, 1e-3) << "angle / limit = " << share;
  }
}

}  // namespace

TEST(FreeFall, FollowsTheParabolaExactlyAtEveryStep) {
  Sample<3> s;
  s.set_law<HertzMindlin<3>>();
  s.assemble({{{0, 0, 0}, sand_radius, 0, {1, 2, 3}, {4, 5, 6}}});
  s.state.globals.gravity = {0, -1, -9.81};
  s.state.globals.dt = 1e-3;
  s.prepare();
  s.run(1000);
  // Velocity Verlet is exact for constant acceleration; 1000 additions round.
  EXPECT_NEAR(s.position(0).x, 1, 1e-12);
  EXPECT_NEAR(s.position(0).y, 2 - 0.5, 1e-12);
  EXPECT_NEAR(s.position(0).z, 3 - 0.5 * 9.81, 1e-12);
  EXPECT_NEAR(s.velocity(0).z, 3 - 9.81, 1e-12);
  EXPECT_EQ(s.spin(0), (Vec3{4, 5, 6}));  // nothing turns it
}

TEST(RestingSphere, SinksIntoElasticAndRigidPlanesByTheClosedForm) {
  for (const bool rigid : {false, true}) {
    Material plane = sand();
    plane.rigid = rigid;
    Sample<3> s({sand(), plane});
    s.set_law<HertzMindlin<3>>(0, 0, mix<HertzMindlin<3>>(sand(), sand(), {0.3, 1, 0}));
    s.set_law<HertzMindlin<3>>(0, 1, mix<HertzMindlin<3>>(sand(), plane, {0.3, 1, 0}));
    s.options.local_damping = 0.7;
    s.assemble({{{0, 0, sand_radius}, sand_radius, 0, {}, {}}}, {wall<3>({}, {0, 0, 1}, 1)});
    s.state.globals.gravity = {0, 0, -9.81};
    const Real expected = rigid ? 1.050324e-10 : 1.667285e-10;
    const Real h = (rigid ? 8 : 4) * sand_shear_modulus * std::sqrt(sand_radius) / (3 * (1 - sand_poisson));
    EXPECT_NEAR(std::pow(s.mass(0) * 9.81 / h, 2.0 / 3.0) / expected, 1, 1e-6);  // seven digits
    s.state.globals.dt = 0.1 * std::sqrt(s.mass(0) / (1.5 * h * std::sqrt(expected)));
    s.prepare();
    s.run(3000);
    // The overlap is a difference of two numbers 6e5 times as large: rounding 1e-10 of it.
    EXPECT_NEAR((sand_radius - s.position(0).z) / expected, 1, 1e-6) << (rigid ? "rigid" : "elastic");
    EXPECT_NEAR(measure::unbalanced(s.state, s.contacts(), s.state.globals.gravity), 0, 1e-8);
  }
}

TEST(Incline, SphereRollsOrSlidesWithTheTextbookAcceleration) { check_incline<3>(0.4); }
TEST(Incline, DiscRollsOrSlidesWithTheTextbookAcceleration) { check_incline<2>(0.5); }

TEST(FlatGround, SlidingSphereEndsRollingAtFiveSeventhsOfItsSpeed) {
  const Real mu = 0.3, v0 = 1;
  Sample<3> s = on_incline<3>(0, springs<3>(mu));
  s.velocity(0) = {v0, 0, 0};
  const Real until = 2 * v0 / (7 * mu * g);
  const i64 half = i64(0.5 * until / s.state.globals.dt);
  s.run(half);
  EXPECT_NEAR(s.velocity(0).x, v0 - mu * g * s.state.globals.time, 1e-3);  // still sliding
  s.run(2 * half);
  // Angular momentum about the ground is kept whatever the friction: 5 v + 2 R w, up to overlap over radius.
  EXPECT_NEAR((5 * s.velocity(0).x + 2 * spin_of(s)) / 7, 5.0 / 7.0 * v0, 1e-5);
  // The surface point stays within the swing of the tangential spring, mu g sqrt(7/2 m/k) = 5.6e-3.
  EXPECT_NEAR(s.velocity(0).x - spin_of(s), 0, 5.7e-3);
}

TEST(FlatGround, SpinAboutTheNormalMeetsNoResistance) {
  Rolling<Linear<3>>::Params p{springs<3>(0.3), 0.1};
  Sample<3> s = on_incline<3, Rolling<Linear<3>>>(0, p);
  s.spin(0) = {0, 7, 0};
  s.run(1000);
  EXPECT_NEAR(s.spin(0).y, 7, 1e-12);
}

// The couple of rolling friction carries at most mu_r R N, gravity turns the disc with R W sin: it stays as long as
// tan(angle) < mu_r (R - overlap instead of R: 1e-5).
template <int D>
void check_rolling_friction() {
  const Real rolling = 0.1;
  for (const Real share : {0.5, 0.95, 1.05, 2.0}) {
    const Real angle = std::atan(share * rolling);
    typename Rolling<Linear<D>>::Params p{springs<D>(0.5), rolling};
    Sample<D> s = on_incline<D, Rolling<Linear<D>>>(angle, p);
    s.options.local_damping = 0.3;  // the start from an unloaded spring would swing to twice the couple
    // Let gravity lean over gradually for the same reason.
    const Vec<D> full = s.state.globals.gravity;
    for (int n = 0; n < 40000; ++n) {
      s.state.globals.gravity[0] = full[0] * std::min(1.0, n / 20000.0);
      s.step();
    }
    // Springs bend by mu_r / k: some 1e-5 R. A disc that rolls has moved by 1/2 a t^2.
    const bool stays = share < 1;
    if (stays) {
      EXPECT_LT(std::abs(s.velocity(0)[0]), 1e-6) << "tan(angle) / mu_r = " << share;
      EXPECT_LT(s.position(0)[0], 1e-3);
    } else {
      EXPECT_GT(s.velocity(0)[0], 1e-3) << "tan(angle) / mu_r = " << share;
    }
  }
}
TEST(Incline, DiscWithRollingFrictionStaysIfTheSlopeIsBelowIt) { check_rolling_friction<2>(); }
TEST(Incline, SphereWithRollingFrictionStaysIfTheSlopeIsBelowIt) { check_rolling_friction<3>(); }

TEST(Incline, RollingFrictionTakesItsShareOfTheAcceleration) {
  // (1 + I/mR^2) a = g (sin - mu_r cos)
  const Real rolling = 0.1, angle = std::atan(0.3);
  Rolling<Linear<2>>::Params p{springs<2>(0.5), rolling};
  Sample<2> s = on_incline<2, Rolling<Linear<2>>>(angle, p);
  const i64 steps = 50000;
  s.run(steps);
  const Real a = g * (std::sin(angle) - rolling * std::cos(angle)) / 1.5;
  // The rolling spring fills up over an angle of 1 / (2.25 k mu_r): the run starts that much late, some 1e-3.
  EXPECT_NEAR(s.velocity(0).x / (a * Real(steps) * s.state.globals.dt), 1, 5e-3);
}

TEST(TurningWall, DragsABallAlongWithItsSurfaceWhereTheyTouch) {
  const Real mu = 0.3;
  Sample<3> s = on_incline<3>(0, springs<3>(mu));
  s.position(0).x = 3;
  s.model.drives[0].control = WallControl::velocity;
  s.model.drives[0].spin = {0, 1, 0};  // the surface moves with 3 m/s along -z under the ball, which slides all the time
  const i64 steps = 500;
  s.run(steps);
  const Real t = Real(steps) * s.state.globals.dt;
  EXPECT_NEAR(s.velocity(0).z, -mu * g * t, 0.01 * mu * g * t);  // the first step and the turn of the direction: below 1 %
  EXPECT_NEAR(s.velocity(0).x, 0, 0.01 * mu * g * t);
  EXPECT_NEAR(s.spin(0).x, 2.5 * mu * g * t, 0.025 * mu * g * t);  // moment of the friction force about the centre
}
