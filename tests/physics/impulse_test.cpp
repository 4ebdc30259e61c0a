// Closed forms for the contact solver: slopes, collisions, and the limit loads of Rowe's hexagonal packs.
#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/impulse/conditions.hpp>
#include <talus/measure/energy.hpp>
#include <talus/sampling/placement.hpp>
#include <talus/sampling/polygons.hpp>

#include "../support/plane_sample.hpp"

using namespace talus;
using namespace talus::test;

// Tolerances: the solver stops at a residual of 1e-13 of the mean impulse (PlaneSample): 1e-12 for velocities and forces of order 1, some ten
// times that after hundreds of steps. Where a test sets another residual, ten times that. After a fall 1e-6 (positions, forces) and 1e-8
// (velocities) are what is left when it is looked at: found, and rounded up. Limit loads: 1 %, as in the scenario rowe_limit.

namespace {

const Polygon box = make_polygon({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
const Polygon disc = make_polygon({{0, 0}}, 0.5);
constexpr Real deg = pi / 180;

// A grain on a slope, seen along the slope: gravity is turned instead.
PlaneSample slope(const Polygon& shape, Real height, Real angle, Real mu) {
  PlaneSample s(2, 0, mu);
  s.platen({0, 0}, {0, 1});
  s.grain(shape, {0, height});
  s.assemble();
  s.state.globals.gravity = {std::sin(angle), -std::cos(angle)};
  return s;
}

// Rows of discs of diameter 1 between two smooth platens, pushed in from the sides. Returns the largest ratio of vertical
// to horizontal stress once the upper platen moves.
Real limit_ratio(const std::vector<int>& rows, Real phi_mu, bool turns, int unlocked_at = 0) {
  const Real pitch = std::sqrt(3.0) / 2;
  const int widest = *std::max_element(rows.begin(), rows.end());
  PlaneSample s(0.1 / disc.area, std::tan(phi_mu), 0);
  s.options.tolerance = 1e-8;
  s.options.max_sweeps = 100000;
  s.options.acceleration = impulse::Acceleration::careful;
  s.platen({0, 0}, {0, 1});
  s.platen({0, 1 + pitch * Real(rows.size() - 1)}, {0, -1});
  std::vector<std::pair<u32, Real>> pushes;
  int inclined = 0;  // contacts per gap between rows
  Real side = 0;     // N, of all pushes from one side
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Real offset = (widest - rows[r]) * 0.5, y = 0.5 + pitch * Real(r);
    // Only discs that stick out are pushed: twice on inner rows, once on the first and the last.
    const Real force = rows[r] == widest ? (r == 0 || r + 1 == rows.size() ? 1 : 2) * pitch : 0;
    side += force;
    for (int k = 0; k < rows[r]; ++k) {
      const u32 g = s.grain(disc, {offset + k, y}, 0, turns && unlocked_at == 0);
      if (k == 0) pushes.emplace_back(g, force);
      if (k + 1 == rows[r]) pushes.emplace_back(g, -force);
    }
    if (r > 0) inclined = rows[r] + rows[r - 1] - 1;
  }
  s.assemble();
  s.state.bodies.take_forces();
  for (const auto& [g, force] : pushes) s.state.bodies.applied[g].x += force;
  const Real width = inclined * 0.5, sigma2 = side / (pitch * Real(rows.size() - 1));
  WallDrive<2>& top = s.model.drives[1];
  top.control = WallControl::velocity;
  Real peak = 0, deepest = 0;
  for (int n = 0; n < 150; ++n) {
    top.velocity = {0, -1e-4 * min(Real(n) / 50, Real(1))};
    if (n == unlocked_at && turns)
      for (std::size_t i = 0; i < s.state.grains(); ++i)
        s.state.bodies.inverse_inertia[i] = 1 / (0.5 * s.state.bodies.mass[i] * 0.25);
    s.step(0.02);
    EXPECT_EQ(s.last.status, 0u);
    if (n <= max(50, unlocked_at + 20)) continue;  // the first steps start from nothing, and the platen speeds up
    EXPECT_EQ(s.last.not_converged, 0) << n;
    peak = max(peak, -s.push(0).y / width / sigma2);
    deepest = max(deepest, s.last.overlap * 0.5);
  }
  EXPECT_NEAR(-s.push(0).y / s.push(1).y, 1, 1e-3);
  EXPECT_LT(deepest, 1e-6);
  return peak;
}

}  // namespace

TEST(ImpulseSlope, ABoxSticksBelowTheAngleOfFriction) {
  PlaneSample s = slope(box, 0.5, 20 * deg, std::tan(21 * deg));
  for (int n = 0; n < 100; ++n) s.step(0.01);
  EXPECT_NEAR(length(s.velocity(0)), 0, 1e-12);
  EXPECT_NEAR(s.spin(0), 0, 1e-12);
  EXPECT_NEAR(-s.push(0).y, 2 * std::cos(20 * deg), 1e-12);  // its weight, across
  EXPECT_NEAR(s.push(0).x, 2 * std::sin(20 * deg), 1e-12);   // and along
}

TEST(ImpulseSlope, ABoxSlidesAboveIt) {
  const Real mu = 0.3, angle = 30 * deg;
  PlaneSample s = slope(box, 0.5, angle, mu);
  for (int n = 0; n < 100; ++n) s.step(0.01);
  EXPECT_NEAR(s.velocity(0).x, std::sin(angle) - mu * std::cos(angle), 1e-12);  // after 1 s
  EXPECT_NEAR(s.velocity(0).y, 0, 1e-12);
  EXPECT_NEAR(s.spin(0), 0, 1e-12);
}

TEST(ImpulseSlope, ADiscRollsOrSlips) {
  PlaneSample rolls = slope(disc, 0.5, 30 * deg, 0.3);  // rolls above tan(30)/3 = 0.19
  PlaneSample slips = slope(disc, 0.5, 30 * deg, 0.1);
  for (int n = 0; n < 100; ++n) {
    rolls.step(0.01);
    slips.step(0.01);
  }
  EXPECT_NEAR(rolls.velocity(0).x, 2.0 / 3 * std::sin(30 * deg), 1e-12);
  EXPECT_NEAR(rolls.spin(0), -rolls.velocity(0).x / 0.5, 1e-12);
  EXPECT_NEAR(slips.velocity(0).x, std::sin(30 * deg) - 0.1 * std::cos(30 * deg), 1e-12);
  EXPECT_NEAR(slips.spin(0), -0.1 * std::cos(30 * deg) * 0.5 / (0.125), 1e-12);  // mu N r / I
}

TEST(ImpulseSlope, ATallBoxTipsWhenItsWeightLeavesTheBase) {
  for (const Real angle : {25 * deg, 28 * deg}) {  // width over height 1/2: tips above 26.57 degrees
    PlaneSample s = slope(make_polygon({{0, 0}, {1, 0}, {1, 2}, {0, 2}}), 1, angle, 2);
    expect_tips(s, angle > 26 * deg);
  }
}

TEST(ImpulseOverlap, IsTakenOutAndLeavesNoMotion) {
  PlaneSample s(1, 0.5, 0.5);
  s.platen({0, 0}, {0, 1});
  s.grain(box, {0, 0.5 - 1e-3});
  s.grain(box, {0.2, 1.5 - 3e-3});
  s.assemble();
  s.step(0.01);
  EXPECT_GT(s.last.overlap, 1e-3);
  s.step(0.01);
  EXPECT_LT(s.last.overlap, 1e-6);  // what the second step saw
  for (u32 g = 0; g < 2; ++g) {
    EXPECT_EQ(s.velocity(g), Vec2{});
    EXPECT_EQ(s.spin(g), 0);
  }
}

TEST(ImpulseCollision, RestitutionIsThatOfTheInput) {
  PlaneSample s(1, 0, 0, 0.6);
  s.grain(disc, {0, 0});
  s.grain(make_polygon({{0, 0}}, 1), {1.5, 0});  // four times the mass
  s.assemble();
  s.velocity(0) = {2, 0};
  s.velocity(1) = {-1, 0};
  s.step(1e-3);
  EXPECT_NEAR(s.velocity(1).x - s.velocity(0).x, 0.6 * 3, 1e-12);
  EXPECT_NEAR(s.velocity(0).x + 4 * s.velocity(1).x, 2 - 4, 1e-12);
}

// Two boxes side by side in a periodic cell, pushed against one another: momentum stays, and they meet across the face too.
// Weight is no impact: a body at rest stays there, whatever its restitution.
TEST(ImpulseCollision, ABodyAtRestDoesNotRebound) {
  PlaneSample s(1, 0.3, 0.3, 0.5);
  s.platen({0, 0}, {0, 1});
  s.grain(box, {0, 0.5});
  s.assemble();
  s.state.globals.gravity = {0, -1};
  for (int n = 0; n < 50; ++n) {
    s.step(0.01);
    EXPECT_NEAR(length(s.velocity(0)), 0, 1e-14) << n;
  }
  EXPECT_NEAR(s.position(0).y, 0.5, 1e-12);
}

TEST(ImpulsePeriodic, GrainsMeetAcrossAFace) {
  PlaneSample s(1, 0, 0);
  s.grain(box, {0.6, 0.5});
  s.grain(box, {1.7, 0.5});
  s.assemble();
  s.state.globals.cell.h(0, 0) = 2.2;
  s.state.globals.cell.periodic[0] = 1;
  s.velocity(0) = {-1, 0};
  for (int n = 0; n < 50; ++n) s.step(0.01);  // the gap of 0.1 across the face closes after 0.1 s
  EXPECT_NEAR(s.velocity(0).x, -0.5, 1e-12);
  EXPECT_NEAR(s.velocity(1).x, -0.5, 1e-12);
  EXPECT_NEAR(s.position(1).x - s.position(0).x, 1.2, 1e-12);  // 2.2 minus a width
}

TEST(ImpulsePeriodic, AGrainThatMeetsItsOwnImageIsReported) {
  for (const Real width : {1.3, 1.0001, 0.99}) {  // however fast they go, a gap between them stays
    PlaneSample s(1, 0, 0);
    s.grain(box, {0.6, 0.5});
    s.assemble();
    s.state.globals.cell.h(0, 0) = width;
    s.state.globals.cell.periodic[0] = 1;
    s.velocity(0) = {-3, 1};
    for (int n = 0; n < 5 && s.last.status == fine; ++n) s.step(0.01);
    EXPECT_EQ(s.last.status, width > 1 ? u32(fine) : u32(own_image)) << width;
    EXPECT_TRUE(width < 1 || s.velocity(0).x == -3) << width;
  }
}

// Limit loads by static limit analysis of the perfect packs: tan 60 tan(60 + phi) when discs cannot turn or no corner
// disc has a single inclined contact; less where corner discs roll.
// A free cap on three boxes: the base bears its load, by stress or by force, and all weights.
TEST(ImpulsePlaten, AFreeOneBearsItsLoad) {
  for (const bool by_force : {false, true}) {
    PlaneSample s(1, 0.3, 0.3);
    s.platen({0, 0}, {0, 1});
    s.platen({0, 3.2}, {0, -1});
    for (int i = 0; i < 3; ++i) s.grain(box, {0, 0.5 + 1.01 * i});
    s.assemble();
    s.state.globals.gravity = {0, -1};
    s.state.bodies.take_forces();
    WallDrive<2>& cap = s.model.drives[1];
    cap.control = WallControl::free;
    cap.mass = 5;
    cap.target = 20;
    cap.by_force = by_force;
    cap.area = 2;
    for (int n = 0; n < 200; ++n) s.step(0.01);
    Real weight = cap.mass;
    for (std::size_t i = 0; i < s.state.grains(); ++i) weight += s.state.bodies.mass[i];
    EXPECT_NEAR(-s.push(0).y, weight + (by_force ? 20 : 40), 1e-6);
    EXPECT_NEAR(s.push(1).y, cap.mass + (by_force ? 20 : 40), 1e-6);
    EXPECT_NEAR(length(s.velocity(2)), 0, 1e-8);
  }
}

// A platen that speeds up goes the way of its ramp: half of the ramp's time at full speed is lost.
TEST(ImpulsePlaten, SpeedsUpAlongItsRamp) {
  PlaneSample s(1, 0.3, 0.3);
  s.platen({0, 0}, {0, 1});
  s.grain(box, {0, 10});
  s.assemble();
  WallDrive<2>& base = s.model.drives[0];
  base.control = WallControl::velocity;
  base.velocity = {0, 0.2};
  base.ramp = 1;
  for (int n = 0; n < 200; ++n) s.step(0.01);
  EXPECT_NEAR(s.state.bodies.position[s.state.grains()].y, 0.2 * (2 - 0.5), 0.2 * 0.5 * 0.01 + 1e-12);  // half a step
}

// Positions move with theta of the new velocity: a body in free fall is where the rule says, and one half is exact.
TEST(ImpulseTheta, PositionsTakeBothVelocities) {
  for (const Real theta : {0.5, 0.75, 1.0}) {
    PlaneSample s(1, 0, 0);
    s.grain(box, {0, 50});
    s.assemble();
    s.state.globals.gravity = {0, -1};
    s.options.theta = theta;
    for (int n = 0; n < 100; ++n) s.step(0.02);
    EXPECT_NEAR(s.position(0).y, 50 - 0.5 * 4 - (theta - 0.5) * 0.02 * 2, 1e-11);
  }
  // Into a floor: no contact is closed early or missed, whatever theta.
  for (const Real theta : {0.5, 0.75, 1.0}) {
    PlaneSample s(1, 0, 0);
    s.platen({0, 0}, {0, 1});
    s.grain(box, {0, 0.6});
    s.assemble();
    s.state.globals.gravity = {0, -1};
    s.options.theta = theta;
    Real lowest = 1;
    for (int n = 0; n < 200; ++n) s.step(0.01), lowest = min(lowest, s.position(0).y);
    EXPECT_NEAR(s.position(0).y, 0.5, 1e-6) << theta;
    EXPECT_GT(lowest, 0.5 - 1e-6) << theta;
    EXPECT_NEAR(s.velocity(0).y, 0, 1e-9) << theta;
  }
}

// What a tower bears is known from the step before by the corners and edges that meet: there is less to solve than when it is
// forgotten.
TEST(ImpulseWarmStart, ImpulsesFollowTheirFeatures) {
  const auto sweeps = [](bool forget) {
    PlaneSample s(1, 0.5, 0.5);
    s.platen({0, 0}, {0, 1});
    for (int i = 0; i < 8; ++i) s.grain(box, {0.02 * (i % 3), 0.5 + i});
    s.assemble();
    s.state.globals.gravity = {0, -1};
    s.options.tolerance = 1e-6;
    s.step(0.01);
    i64 sum = 0;
    for (int n = 0; n < 20; ++n) {
      if (forget) s.state.patches.resize(0);
      s.scratch = {};  // what is kept besides the state does not matter
      s.step(0.01);
      sum += s.last.sweeps;
    }
    return sum;
  };
  EXPECT_LT(5 * sweeps(false), sweeps(true));
}

TEST(ImpulseRowe, LimitLoadsOfHexagonalPacks) {
  const std::vector<int> five_four{5, 4, 5, 4, 5, 4, 5}, six_seven{6, 7, 6, 7, 6};
  const Real phi = 10 * deg, full = std::tan(60 * deg) * std::tan(60 * deg + phi);
  const Real corners = std::tan(60 * deg) * (6 * std::tan(60 * deg + phi) + 2 * std::tan(60 * deg)) / 8;
  EXPECT_NEAR(corners, 4.3191, 1e-4);
  EXPECT_NEAR(limit_ratio(five_four, phi, false) / full, 1, 0.01);
  EXPECT_NEAR(limit_ratio(five_four, phi, true) / corners, 1, 0.01);
  EXPECT_NEAR(limit_ratio(six_seven, phi, true) / full, 1, 0.01);
}

// Coulomb's friction is not associated: at 20 degrees of friction the rigid 6-7 pack has more than one answer. From rest with
// free discs it rolls at about half the limit load (docs/results/rowe); loaded with locked discs it stays at the limit when
// they are freed.
TEST(ImpulseRowe, APackThatIsLoadedBeforeItsDiscsAreFreedStaysAtTheLimit) {
  const Real phi = 20 * deg, full = std::tan(60 * deg) * std::tan(60 * deg + phi);
  EXPECT_NEAR(limit_ratio({6, 7, 6, 7, 6}, phi, true, 60) / full, 1, 0.01);
}

// Grains that fly about in a periodic cell: nothing acts from outside, friction and impacts only take energy.
TEST(ImpulseGas, KeepsMomentumAndLosesEnergy) {
  PlaneSample s(1, 0.5, 0, 0.5);
  Rng rng{11, 0, 0};
  for (int i = 0; i < 36; ++i) {
    s.grain(i % 2 == 0 ? box : disc, {1.5 * (i % 6) + 0.7, 1.5 * (i / 6) + 0.7});
    s.blocks.back().velocity = {rng.uniform(-1, 1), rng.uniform(-1, 1)};
    s.blocks.back().spin = rng.uniform(-1, 1);
  }
  s.assemble();
  s.options.tolerance = 1e-10;
  for (int k = 0; k < 2; ++k) {
    s.state.globals.cell.h(k, k) = 9;
    s.state.globals.cell.periodic[k] = 1;
  }
  const auto look = [&] {
    const Bodies<2>& b = s.state.bodies;
    struct {
      Vec2 momentum;
      Real energy = 0;
    } out;
    for (std::size_t i = 0; i < b.size(); ++i) {
      out.momentum += b.mass[i] * b.velocity[i];
      out.energy +=
          0.5 * b.mass[i] * dot(b.velocity[i], b.velocity[i]) + 0.5 * b.spin[i].x * b.spin[i].x / b.inverse_inertia[i];
    }
    return out;
  };
  const auto before = look();
  const auto ledger = measure::energy(s.state, ContactList<2>{});
  Real energy = before.energy;
  i64 collisions = 0;
  for (int n = 0; n < 400; ++n) {
    s.step(0.01);
    ASSERT_EQ(s.last.status, 0u);
    ASSERT_EQ(s.last.not_converged, 0);
    collisions += !s.state.patches.key.empty();
    const Real now = look().energy;
    EXPECT_LE(now, energy * (1 + 1e-9)) << n;
    energy = now;
  }
  EXPECT_GT(collisions, 100);
  EXPECT_LT(energy, 0.7 * before.energy);
  EXPECT_NEAR(length(look().momentum - before.momentum), 0, 1e-12);
  const auto now = measure::energy(s.state, ContactList<2>{});
  EXPECT_GT(now.friction, 0.01 * before.energy);
  EXPECT_GT(now.viscous, 0.01 * before.energy);  // impacts
  EXPECT_NEAR(measure::residual(now, ledger), 0, 1e-10 * before.energy);
}

// The ledger of a sample that is pushed by platens, by forces from outside and by gravity closes to rounding: impulses times
// mean velocities are the change of the kinetic energy. In a cell that deforms it does not, by the inertia of the affine
// motion.
TEST(ImpulseLedger, ClosesUnderPlatensForcesAndGravity) {
  PlaneSample s(1, 0.3, 0.2, 0.1);
  s.platen({0, 0}, {0, 1});
  s.platen({0, 6}, {0, -1});
  for (int i = 0; i < 30; ++i) s.grain(i % 2 == 0 ? box : disc, {1.3 * (i % 6), 1.1 * (i / 6) + 0.55});
  s.assemble();
  s.options.tolerance = 1e-9;
  s.state.globals.gravity = {0.3, -1};
  s.state.bodies.take_forces();
  for (std::size_t i = 0; i < s.state.grains(); ++i) s.state.bodies.applied[i] = {i % 3 == 0 ? -1.0 : 0.2, 0.1};
  s.model.drives[1].control = WallControl::velocity;
  s.model.drives[1].velocity = {0.1, -0.3};
  const auto start = measure::energy(s.state, ContactList<2>{});
  for (int n = 0; n < 300; ++n) {
    s.step(0.01);
    ASSERT_EQ(s.last.status, 0u) << n;
  }
  const auto end = measure::energy(s.state, ContactList<2>{});
  EXPECT_GT(std::abs(end.boundary), 1);
  EXPECT_GT(end.gravity, 1);
  EXPECT_GT(end.friction, 1);
  EXPECT_NEAR(measure::residual(end, start), 0, 1e-10 * (std::abs(end.boundary) + end.gravity));
}

// What the state tells of a step is what the solver said of it: on a platen, in a cell that is sheared and squeezed, and for a game
// engine's solver.
TEST(ImpulseResidual, FromTheStateIsThatOfTheSolver) {
  Rng rng{5, 0, 0};
  i64 drawn = 0;
  enum Kind { piled, sheared, fixed };
  for (const auto& [kind, tolerance] : {std::pair{piled, 1e-2}, {piled, 1e-4}, {piled, 1e-7}, {sheared, 1e-4}, {fixed, 1e-4}}) {
    PlaneSample s(1, 0.4, 0.3, 0.1);
    if (kind != sheared) s.platen({0, 0}, {0, 1});
    for (int i = 0; i < 60; ++i) {
      s.grain(i % 3 == 0 ? disc : sampling::random_polygon({1, 8, 1, 1, 10, 0}, rng, drawn),
              {1.02 * (i % 10) + 0.5, 1.05 * (i / 10) + 0.6});
      s.blocks.back().spin = rng.uniform(-1, 1);
    }
    s.assemble();
    s.options.tolerance = tolerance;
    s.options.fixed_count = kind == fixed;
    s.options.sweeps = 10;
    if (kind == sheared) {
      for (int k = 0; k < 2; ++k) {
        s.state.globals.cell.h(k, k) = k == 0 ? 10.3 : 6.4;
        s.state.globals.cell.periodic[k] = 1;
        s.model.cell.target(k, k) = -0.05;
      }
      s.model.cell.target(0, 1) = 0.3;
    } else {
      s.state.globals.gravity = {0, -1};
    }
    int compared = 0;
    for (int n = 0; n < 100; ++n) {
      s.step(0.02);
      ASSERT_EQ(s.last.status, u32(fine)) << n;
      const Real mine = impulse::contact_residual(s.state);
      // Impacts leave nothing in the state: one that is not solved shows in the count alone.
      const bool unsolved = mine > tolerance * (1 + 1e-6), counted = s.last.not_converged == 1;
      EXPECT_TRUE(kind == fixed || unsolved == counted || (counted && s.last.impacts > 0));
      if (std::isfinite(mine))
        EXPECT_NEAR(mine, s.last.residual, 1e-9 * s.last.residual + 1e-13) << n;
      else  // nothing pushes, and something should
        EXPECT_EQ(mine, s.last.residual) << n;
      compared += std::isfinite(mine) && mine > 1e-3 * tolerance;
      // It sees friction as the step stored it: that is the friction of the materials.
      for (std::size_t k = 0; k < s.state.patches.size(); ++k)
        EXPECT_EQ(s.state.patches.friction[k], s.state.patches.key[k].b < 60 ? 0.4 : 0.3);
    }
    EXPECT_GT(compared, 30);
    if (kind == fixed) continue;
    // It is not blind: a velocity or an impulse that is wrong shows.
    const Real before = impulse::contact_residual(s.state);
    for (std::size_t i = 0; i < s.state.grains(); ++i) s.state.bodies.velocity[i] += Vec2{0, -0.01 * Real(i)};
    EXPECT_GT(impulse::contact_residual(s.state), 10 * before);
  }
}

// Overlaps beyond the slop of 0.005 diameters: a fifth of what is left in each position sweep, and no velocity from it.
TEST(ImpulseFixedCount, TakesAFifthOfAnOverlapOutInEachPositionSweep) {
  for (const i64 sweeps : {0, 1, 3, 10}) {
    PlaneSample s(1, 0, 0);
    s.platen({0, 0}, {0, 1});
    s.grain(disc, {0, 0.5 - 0.02});
    s.assemble();
    s.options.fixed_count = true;
    s.options.position_sweeps = sweeps;
    s.step(0.01);
    EXPECT_NEAR(0.5 - s.position(0).y, 0.005 + 0.015 * std::pow(0.8, Real(sweeps)), 1e-12) << sweeps;
    EXPECT_EQ(s.velocity(0).y, 0);
  }
}

// A game engine's solver comes to the same answer when it is given enough sweeps, and to a worse one with few.
TEST(ImpulseFixedCount, ConvergesToTheAccurateSolver) {
  const auto pile = [](i64 sweeps) {
    PlaneSample s(1, 0.5, 0.5);
    s.platen({0, 0}, {0, 1});
    for (int i = 0; i < 5; ++i) s.grain(box, {0.05 * (i % 3), 0.5 + i});
    s.assemble();
    s.state.globals.gravity = {0, -1};
    s.options.fixed_count = true;
    s.options.sweeps = sweeps;
    s.step(0.01);
    return std::pair(s.last.residual, -s.push(0).y);
  };
  const auto [rough, weight_rough] = pile(10);
  const auto [fine, weight_fine] = pile(3000);
  EXPECT_GT(rough, 1e-2);
  EXPECT_LT(weight_rough, 4.9);
  EXPECT_LT(fine, 1e-9);
  EXPECT_NEAR(weight_fine, 5, 1e-8);
}

TEST(RowePack, RowsAndSideForces) {
  const sampling::DiscRows five_four = sampling::disc_rows({5, 4, 5, 4, 5, 4, 5}),
                           six_seven = sampling::disc_rows({6, 7, 6, 7, 6}),
                           four = sampling::disc_rows({4, 4, 4, 4, 4, 4, 4, 4});
  for (const auto& rows : {five_four, six_seven, four}) {
    ASSERT_EQ(rows.points.size(), 32u);
    int touching = 0;
    for (std::size_t i = 0; i < 32; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Real apart = length(rows.points[i] - rows.points[j]);
        EXPECT_GT(apart, 1 - 1e-12);
        touching += apart < 1 + 1e-9;
      }
    EXPECT_GT(touching, 60);
  }
  EXPECT_EQ(five_four.inclined, 8);
  EXPECT_EQ(four.inclined, 7);
  EXPECT_EQ(six_seven.inclined, 12);
  EXPECT_TRUE(five_four.has_corners);
  EXPECT_TRUE(four.has_corners);
  EXPECT_FALSE(six_seven.has_corners);

  PlaneSample s(1, 0, 0);
  for (const Vec2& p : five_four.points) s.grain(disc, p);
  s.assemble();
  sampling::push_sides(s.state, 2);
  const Real pitch = std::sqrt(3.0) / 2;
  Real left = 0, right = 0;
  for (const Vec2& f : s.state.bodies.applied) (f.x > 0 ? left : right) += f.x;
  EXPECT_NEAR(left, 2 * 6 * pitch, 1e-12);
  EXPECT_NEAR(right, -2 * 6 * pitch, 1e-12);
  EXPECT_NEAR(s.state.bodies.applied[0].x, 2 * pitch, 1e-12);      // a corner
  EXPECT_NEAR(s.state.bodies.applied[9].x, 2 * 2 * pitch, 1e-12);  // the first of the third row
}
