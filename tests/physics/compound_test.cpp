// Grains of several convex parts under contact dynamics, against closed forms and against grains of one part.
#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/impulse/conditions.hpp>
#include <talus/measure/energy.hpp>
#include <talus/measure/porosity.hpp>
#include <talus/stages/rays.hpp>

#include "../support/plane_sample.hpp"

using namespace talus;
using namespace talus::test;

// Tolerances: the solver stops at a residual of 1e-13 of the mean impulse (PlaneSample), so velocities and forces of order 1 are good to
// 1e-12, divided by a step of 0.01 to 1e-10; over some hundred steps errors of positions add up to 1e-9. Where a test sets a residual of
// 1e-10, energy is checked to ten times that. Areas and lengths in closed form: rounding, 1e-13.

namespace {

std::vector<Vec2> rectangle(Real x0, Real y0, Real x1, Real y1) { return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}; }
Compound two_rectangles(const std::vector<Vec2>& a, const std::vector<Vec2>& b, Real rounding = 0) {
  return make_compound({{a, rounding}, {b, rounding}});
}

const Polygon box = make_polygon(rectangle(0, 0, 2, 1)), disc = make_polygon({{0, 0}}, 0.25);
const Compound halves = two_rectangles(rectangle(0, 0, 1, 1), rectangle(1, 0, 2, 1)),
               lapped = two_rectangles(rectangle(0, 0, 1.3, 1), rectangle(0.6, 0, 2, 1)),
               ell = two_rectangles(rectangle(0, 0, 2, 1), rectangle(0, 1, 1, 2)),
               tee = two_rectangles(rectangle(-0.5, 0, 0.5, 2), rectangle(-1.5, 2, 1.5, 3));

// Lowest point of a grain below its centre.
Real depth_of(const Compound& c) {
  Real least = 0;
  for (const Polygon& p : c.parts)
    for (const Vec2& corner : p.corners) least = min(least, corner.y - p.rounding);
  return -least;
}

}  // namespace

TEST(CompoundAtRest, AnLLeansOnItsBaseAsItsCentreOfMassSays) {
  PlaneSample s(2, 0.5, 0.5);
  s.platen({0, 0}, {0, 1});
  s.grain(ell, {5.0 / 6, depth_of(ell)});
  s.assemble();
  s.state.globals.gravity = {0, -1};
  for (int n = 0; n < 20; ++n) s.step(0.01);
  EXPECT_NEAR(-s.push(0).y, 6, 1e-12);  // area 3, density 2
  ASSERT_EQ(s.state.patches.size(), 1u);
  const Real left = s.position(0).x + s.state.patches.lever_a[0].x,
             right = s.position(0).x + s.state.patches.lever_a[0].y;
  EXPECT_NEAR(min(left, right), 0, 1e-12);
  EXPECT_NEAR(max(left, right), 2, 1e-12);
  const Vec3 impulse = s.state.patches.impulse[0];
  EXPECT_NEAR((left < right ? impulse.x : impulse.y) / 0.01, 6 * (2 - 5.0 / 6) / 2, 1e-10);
  EXPECT_NEAR((left < right ? impulse.y : impulse.x) / 0.01, 6 * (5.0 / 6) / 2, 1e-10);
  EXPECT_NEAR(s.spin(0), 0, 1e-12);
}

TEST(CompoundAtRest, ATStandsOnItsFootUntilItsWeightLeavesIt) {
  // Two rectangles of areas 2 and 3 at heights 1 and 2.5: (2 + 7.5) / 5.
  EXPECT_NEAR(depth_of(tee), 1.9, 1e-14);
  const Real tips = std::atan(0.5 / 1.9);
  for (const Real share : {0.95, 1.05}) {
    PlaneSample s(1, 2, 2);
    s.platen({0, 0}, {0, 1});
    s.grain(tee, {0, depth_of(tee)});
    s.assemble();
    s.state.globals.gravity = {std::sin(share * tips), -std::cos(share * tips)};
    expect_tips(s, share > 1);
  }
}

// Gravity towards the inner corner of an L that cannot turn: the disc there leans on both parts alike.
TEST(CompoundAtRest, ADiscInTheInnerCornerTouchesBothParts) {
  PlaneSample s(1, 0, 0);
  s.platen({0, 0}, {0, 1});
  s.platen({0, 0}, {1, 0});
  s.grain(ell, {5.0 / 6, depth_of(ell)}, 0, false);
  const u32 guest = s.grain(disc, {1.25, 1.25});
  s.assemble();
  s.state.globals.gravity = {-1, -1};
  for (int n = 0; n < 20; ++n) s.step(0.01);
  EXPECT_NEAR(length(s.velocity(guest)), 0, 1e-12);
  EXPECT_NEAR(s.position(guest).x, 1.25, 1e-9);
  EXPECT_NEAR(s.position(guest).y, 1.25, 1e-9);
  int pushes = 0;
  for (std::size_t k = 0; k < s.state.patches.size(); ++k) {
    const RowKey& key = s.state.patches.key[k];
    if (key.b != guest) continue;
    ++pushes;
    const Vec2 normal = s.state.patches.normal[k];  // from the disc to the L
    EXPECT_EQ(key.sub_a, normal.y < -0.5 ? 0u : 1u);
    EXPECT_NEAR(s.state.patches.impulse[k].x / 0.01, disc.area, 1e-10);
  }
  EXPECT_EQ(pushes, 2);
}

// Falls on a corner, turns over, slides and comes to rest: with a seam or with parts that overlap as in one piece. Overlaps
// of a millionth of the radius are left by the step, so paths may differ by as much.
TEST(CompoundBox, OfTwoHalvesFallsAsTheWholeBoxDoes) {
  const auto fall = [](const Compound* c) {
    PlaneSample s(1, 0.4, 0.4, 0.2);
    s.platen({0, 0}, {0, 1});
    if (c)
      s.grain(*c, {0, 2}, 0.6);
    else
      s.grain(box, {0, 2}, 0.6);
    s.assemble();
    s.state.globals.gravity = {0, -1};
    s.velocity(0) = {1, 0};
    std::vector<Real> path;
    for (int n = 0; n < 600; ++n) {
      s.step(0.01);
      EXPECT_EQ(s.last.status, 0u);
      path.insert(path.end(), {s.position(0).x, s.position(0).y, s.angle(0)});
    }
    return path;
  };
  const auto whole = fall(nullptr);
  EXPECT_GT(whole[whole.size() - 3], 0.5);  // it has slid
  for (const Compound* c : {&halves, &lapped}) {
    const auto path = fall(c);
    for (std::size_t k = 0; k < path.size(); ++k) ASSERT_NEAR(path[k], whole[k], 1e-6) << k;
  }
}

// A box and a disc cross the seam of a floor of two parts: nothing holds them but friction.
TEST(CompoundBox, NothingCatchesOnItsSeam) {
  const Compound floor = two_rectangles(rectangle(-5, -1, 0, 0), rectangle(0, -1, 5, 0));
  for (const bool round : {false, true}) {
    PlaneSample s(1, round ? 0 : 0.1, 0.1);
    s.grain(floor, {0, -0.5}, 0, false);
    const Polygon small = make_polygon(rectangle(0, 0, 0.5, 0.5));
    const u32 guest = s.grain(round ? disc : small, {-1, 0.25});
    s.assemble();
    s.state.bodies.inverse_mass[s.index(0)] = 0;  // the floor stays
    s.state.globals.gravity = {0, -1};
    s.velocity(guest) = {1, 0};
    for (int n = 0; n < 200; ++n) s.step(0.01);
    const Real slowed = round ? 0 : 0.1;
    EXPECT_NEAR(s.velocity(guest).x, 1 - slowed * 2, 1e-9);
    // The impulse of a step acts before the move: n(n+1)/2 steps of g dt^2.
    EXPECT_NEAR(s.position(guest).x, -1 + 2 - slowed * 0.01 * 0.01 * 200 * 201 / 2, 1e-9);
    EXPECT_NEAR(s.position(guest).y, 0.25, 1e-6);
    EXPECT_NEAR(s.spin(guest), 0, 1e-9);
  }
}

// Grains of four kinds fly about in a sheared periodic cell at rest.
TEST(CompoundGas, KeepsMomentumLosesEnergyAndClosesTheLedger) {
  PlaneSample s(1, 0.5, 0, 0.5);
  Rng rng{12, 0, 0};
  const Compound dumbbell = make_compound({{{{0, 0}}, 0.6}, {{{0.9, 0}}, 0.5}}),
                 rounded = two_rectangles(rectangle(0, 0, 1.4, 0.5), rectangle(0, 0.5, 0.5, 1.2), 0.1);
  for (int i = 0; i < 36; ++i) {
    const Vec2 at{3.1 * (i % 6) + 1.5, 3.1 * (i / 6) + 1.5};
    const Real turned = rng.uniform(0, 6);
    if (i % 4 == 3)
      s.grain(box, at, turned);
    else
      s.grain(i % 4 == 0 ? ell : i % 4 == 1 ? dumbbell : rounded, at, turned);
    s.blocks.back().velocity = {rng.uniform(-2, 2), rng.uniform(-2, 2)};
    s.blocks.back().spin = rng.uniform(-2, 2);
  }
  s.assemble();
  s.options.tolerance = 1e-10;
  Cell<2>& cell = s.state.globals.cell;
  for (int k = 0; k < 2; ++k) cell.h(k, k) = 18.6, cell.periodic[k] = 1;
  cell.h(0, 1) = 4;
  const auto momentum = [&] {
    Vec2 sum;
    for (std::size_t i = 0; i < s.state.grains(); ++i) sum += s.state.bodies.mass[i] * s.state.bodies.velocity[i];
    return sum;
  };
  const Vec2 before = momentum();
  const auto start = measure::energy(s.state, ContactList<2>{});
  Real energy = start.kinetic, deepest = 0;
  i64 together = 0;
  for (int n = 0; n < 800; ++n) {
    s.step(0.01);
    ASSERT_EQ(s.last.status, 0u) << n;
    const Real now = measure::energy(s.state, ContactList<2>{}).kinetic;
    EXPECT_LE(now, energy * (1 + 1e-9)) << n;
    energy = now;
    deepest = max(deepest, s.last.overlap);
    for (std::size_t k = 1; k < s.state.patches.size(); ++k)
      together += s.state.patches.key[k].a == s.state.patches.key[k - 1].a &&
                  s.state.patches.key[k].b == s.state.patches.key[k - 1].b;
  }
  EXPECT_GT(together, 20);  // pairs that met with several parts
  EXPECT_LT(energy, 0.7 * start.kinetic);
  EXPECT_LT(deepest, 0.02);
  EXPECT_NEAR(length(momentum() - before), 0, 1e-11);
  const auto now = measure::energy(s.state, ContactList<2>{});
  EXPECT_NEAR(measure::residual(now, start), 0, 1e-10 * start.kinetic);
  EXPECT_NEAR(impulse::contact_residual(s.state), s.last.residual, 1e-9 * s.last.residual + 1e-13);
}

TEST(CompoundMeasures, CirclesAndRaysSeeTheUnion) {
  for (const Compound* c : {&halves, &lapped}) {
    PlaneSample s(1, 0, 0);
    s.platen({0, 0}, {0, 1});
    s.platen({0, 1}, {0, -1});
    s.grain(*c, {5, 0.5});
    s.assemble();
    EXPECT_NEAR(measure::solid_volume(s.model, s.state), 2, 1e-13);
    EXPECT_NEAR(measure::porosity_in_ball(s.model, s.state, Vec2{5, 0.5}, 0.4), 0, 1e-13);
    EXPECT_NEAR(measure::porosity_in_ball(s.model, s.state, Vec2{6, 0.5}, 0.4), 0.5, 1e-13);
    s.model.membrane = {3, 0.05, 0, 1};
    s.state.bodies.take_forces();
    const Rays rays = cast_rays(s.model, s.state);
    EXPECT_NEAR(rays.width(), 2, 1e-13);
    EXPECT_EQ(rays.share_hit(), 1);
    push_membrane(s.model, s.state);
    EXPECT_NEAR(s.state.bodies.applied[0].x, 0, 1e-12);
  }
}
