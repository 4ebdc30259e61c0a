// The energy ledger of small closed systems: what is put in, held and lost adds up, to second order in the time step.
//
// Each system runs for the same time with a step and a quarter of it. The residual is compared with the throughput, the
// energy that was moved about: held at the start, given and gone. It is summed over four random samples, so that one lucky
// cancellation does not pass for accuracy.
#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/sampling/placement.hpp>

#include "../support/sample.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr Real r0 = 0.01, speed = 0.5, young = 1e7;  // m, m/s, Pa: soft grains, contacts of some milliseconds
constexpr int grains = 12;

struct System {
  Real friction = 0, restitution = 1, rolling_friction = 0;
  Real local_damping = 0;
  bool walls = true;    // a closed box; else a periodic cell
  Real wall_speed = 0;  // m/s, of the lower x wall into the box
  Real squeeze = 0;     // 1/s, isotropic compression and shear of the cell
  Real growth = 0;      // 1/s
  Vec3 gravity{};
  Real filling = 1.15;  // size of the box: 1 leaves an eighth to the grains
};

struct Ledger {
  Real residual = 0, throughput = 0;
};

template <class Law>
Ledger keep_ledger(const System& system, u64 seed, int steps) {
  Material m = sand(system.friction, system.restitution);
  m.young = young;
  m.rolling_friction = system.rolling_friction;
  Sample<3> s({m});
  s.set_law<Law>();
  s.options.local_damping = system.local_damping;
  const Real edge = std::cbrt(grains * 8.0) * r0 * system.filling;
  s.set_box({edge, edge, edge}, !system.walls);
  Rng rng{seed, 0, 0};
  std::vector<Real> radii;
  for (int i = 0; i < grains; ++i) radii.push_back(r0 * rng.uniform(0.5, 0.9));
  const auto points = sampling::points_without_overlap<3>(s.state.globals.cell, radii, seed);
  std::vector<Ball<3>> balls;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Ball<3> b{points[i], radii[i], 0, {}, {}};
    for (int k = 0; k < 3; ++k) {
      b.velocity[k] = rng.uniform(-speed, speed);
      b.spin[k] = rng.uniform(-1, 1) * speed / r0;
    }
    balls.push_back(b);
  }
  auto planes = box_walls<3>({edge, edge, edge});
  if (system.wall_speed != 0) {
    planes[0].drive.control = WallControl::velocity;
    planes[0].drive.velocity = {system.wall_speed, 0, 0};
  }
  s.assemble(balls, system.walls ? planes : std::vector<PlacedWall<3>>{});
  Mat3 rate;
  for (int k = 0; k < 3; ++k) rate(k, k) = -system.squeeze;
  rate(0, 1) = 0.7 * system.squeeze;
  s.set_rate(rate);
  s.state.globals.gravity = system.gravity;
  s.state.globals.radius_rate = system.growth;
  s.state.globals.dt = 0.04 / steps;  // about two flights across the box
  s.prepare();
  const measure::Energy start = s.energy();
  s.run(steps);
  const measure::Energy end = s.energy();
  EXPECT_EQ(points.size(), radii.size()) << "seed " << seed;
  EXPECT_EQ(s.status, 0u) << "seed " << seed;
  const Real moved = std::abs(end.boundary) + std::abs(end.gravity) + std::abs(end.growth) + end.friction +
                     end.viscous + std::abs(end.stiffness) + end.local_damping + start.held();
  return {measure::residual(end, start), moved};
}

template <class Law>
Real residual(const System& system, int steps) {
  Real missing = 0, throughput = 0;
  for (u64 seed = 1; seed <= 4; ++seed) {
    const Ledger b = keep_ledger<Law>(system, seed, steps);
    missing += std::abs(b.residual);
    throughput += b.throughput;
  }
  return missing / throughput;
}

using Hertz = HertzMindlin<3>;

// At 2000 steps a contact takes some 60 of them; trapezoids of a sine on 60 steps miss (2 pi / 60)^2 / 12 = 1e-3 of one
// contact's energy at worst. Second order divides the residual by 16 on a quarter of the step; 6 leaves room for
// contacts that open and close between two steps.
template <class Law>
void closes_to_second_order(const System& system, const char* what) {
  const Real coarse = residual<Law>(system, 2000), fine = residual<Law>(system, 8000);
  EXPECT_LT(coarse, 1e-3) << what;
  EXPECT_LT(fine, coarse / 6) << what << ", coarse " << coarse;
}

// A shear spring takes its slip across the normal at the end of the step instead of its middle: an error of first order
// whose size is the turn of the contact in one step, overlap / radius (here up to 5 %) over the 240 steps of a contact,
// times the share of the shear spring: 1e-4 bounds it. Stiff grains see a hundredth of it.
template <class Law>
void closes_with_friction(System system, const char* what) {
  system.friction = 0.4;
  EXPECT_LT(residual<Law>(system, 8000), 1e-4) << what;
}

}  // namespace

TEST(EnergyLedger, ClosesForElasticBalls) { closes_to_second_order<Hertz>({}, "Hertz"); }
TEST(EnergyLedger, ClosesWithFriction) {
  closes_with_friction<Hertz>({}, "Hertz");
  closes_with_friction<Linear<3>>({}, "linear");
}
TEST(EnergyLedger, ClosesWithRollingFriction) {
  closes_with_friction<Rolling<Hertz>>({.rolling_friction = 0.2}, "Hertz");
  closes_with_friction<Rolling<Linear<3>>>({.rolling_friction = 0.2}, "linear");
}
TEST(EnergyLedger, ClosesWithDashpots) {
  closes_to_second_order<Hertz>({.restitution = 0.5}, "Hertz");
  closes_to_second_order<Linear<3>>({.restitution = 0.5}, "linear");
  closes_with_friction<Hertz>({.restitution = 0.5}, "Hertz");
  closes_with_friction<Linear<3>>({.restitution = 0.5}, "linear");
}
TEST(EnergyLedger, ClosesWithLocalDamping) {
  // The entry of a step counts the half step to come, in which its force still acts: an error of first order that does
  // not grow, half a step of the damping power at the moment of reading.
  const System damped{.local_damping = 0.3};
  const Real coarse = residual<Hertz>(damped, 2000), fine = residual<Hertz>(damped, 8000);
  EXPECT_LT(coarse, 1e-3);
  EXPECT_LT(fine, coarse / 3);
  closes_with_friction<Hertz>({.local_damping = 0.3}, "friction");
}
TEST(EnergyLedger, ClosesUnderGravity) {
  closes_to_second_order<Hertz>({.gravity = {0, 3, -9.81}}, "no friction");
  closes_with_friction<Hertz>({.gravity = {0, 3, -9.81}}, "friction");
}
TEST(EnergyLedger, ClosesWithAMovingWall) {
  closes_to_second_order<Hertz>({.wall_speed = 0.1}, "no friction");
  closes_with_friction<Hertz>({.wall_speed = 0.1}, "friction");
}
TEST(EnergyLedger, ClosesInACellUnderStrain) {
  closes_to_second_order<Hertz>({.walls = false, .squeeze = 4, .filling = 0.95}, "no friction");
  closes_with_friction<Hertz>({.walls = false, .squeeze = 4, .filling = 0.95}, "friction");
}
TEST(EnergyLedger, ClosesWhileGrainsGrow) {
  closes_to_second_order<Hertz>({.growth = 5}, "Hertz");
  closes_to_second_order<Linear<3>>({.growth = 5}, "linear");
  closes_with_friction<Hertz>({.restitution = 0.5, .growth = 5}, "friction and dashpots");
}

TEST(EnergyLedger, FreeFallTurnsHeightIntoKineticEnergyAtEveryStep) {
  Sample<3> s;
  s.set_law<Hertz>();
  s.assemble({{{}, sand_radius, 0, {0.1, 0, 0.2}, {}}});
  s.state.globals.gravity = {0, 0, -9.81};
  s.state.globals.dt = 1e-3;
  s.prepare();
  const measure::Energy start = s.energy();
  Real missing = 0, astray = 0;
  for (int n = 0; n < 100; ++n) {
    s.step();
    const measure::Energy now = s.energy();
    missing = std::max(missing, std::abs(measure::residual(now, start)));
    astray = std::max(astray, std::abs(now.gravity + s.mass(0) * 9.81 * s.position(0).z));
  }
  // Both entries are exact for constant acceleration; 100 additions round.
  EXPECT_LT(missing, 1e-12 * start.kinetic);
  EXPECT_LT(astray, 1e-12 * start.kinetic);
}
