// The automatic step of the explicit method and the restitution of dashpots.
#include <gtest/gtest.h>

#include <talus/dem/dem_method.hpp>

#include "../support/sample.hpp"

using namespace talus;
using namespace talus::test;

namespace {

// A ball that flies to a wall. `Law` with a restitution.
template <class Law>
Sample<3> flight(Real restitution, Real speed, Real gap = 1e-5) {
  Sample<3> s({sand(0, restitution)});
  s.set_law<Law>();
  s.assemble({{{sand_radius + gap, 0, 0}, sand_radius, 0, {-speed, 0, 0}, {}}}, {wall<3>({}, {1, 0, 0})});
  return s;
}

// The step after a long flight: by then it has grown as far as it may.
template <class Law>
Real automatic_step(Real restitution, Real speed, Real local_damping = 0) {
  Sample<3> s = flight<Law>(restitution, speed, 1);
  const auto method = dem::make_method<3>({.step = {local_damping}});
  method->prepare(s.model, s.state);
  const Real first = method->first_step(s.model, s.state).dt;
  s.state.globals.dt = first;
  for (int n = 0; n < 50; ++n) method->follow_contacts(s.model, s.state, first);
  return s.state.globals.dt;
}

template <class Law>
Real rebound(Real restitution, Real speed, Real dt, Real share) {
  Sample<3> s = flight<Law>(restitution, speed, share * speed * dt);
  s.state.globals.dt = dt;
  s.prepare();
  for (int n = 0; n < 1000000 && (s.velocity(0).x < 0 || s.position(0).x < sand_radius); ++n) s.step();
  s.run(2);
  return s.velocity(0).x / speed;
}

template <class Law>
void expect_restitution() {
  for (const Real e : {0.2, 0.3, 0.5, 0.7, 0.9, 0.97})
    for (const Real speed : {0.001, 0.1, 3.0}) {
      const Real dt = automatic_step<Law>(e, speed);
      for (int k = 0; k < 10; ++k)
        EXPECT_NEAR(rebound<Law>(e, speed, dt, (k + 0.5) / 10) / e, 1, 0.01) << "e " << e << ", speed " << speed << ", place " << k;
    }
}

}  // namespace

// 1 %: what dynamics.restitution_error asks by default.
TEST(Rebound, TheAutomaticStepGivesTheRestitutionOfLinearDashpots) { expect_restitution<Linear<3>>(); }
// Tsuji's dashpots give e to 1e-3 themselves.
TEST(Rebound, AndThatOfHertz) { expect_restitution<HertzMindlin<3>>(); }

// Undamped and locally damped samples have the step that they had: nothing of it depends on restitution.
TEST(Rebound, WithoutDashpotsOrWithLocalDampingTheStepIsThatOfTheSprings) {
  const Real springs = automatic_step<Linear<3>>(1, 0.1);
  EXPECT_EQ(automatic_step<Linear<3>>(0.5, 0.1, 0.3), springs);
  EXPECT_LT(automatic_step<Linear<3>>(0.5, 0.1), 0.5 * springs);
}
