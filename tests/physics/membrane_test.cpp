// Closed forms for the membrane, for walls that are free bodies, and for grains that are taken away.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/impulse/conditions.hpp>
#include <talus/measure/energy.hpp>
#include <talus/measure/shear_band.hpp>
#include <talus/stages/rays.hpp>
#include <talus/state/remove.hpp>
#include <talus/stages/wall_view.hpp>

#include "../support/plane_sample.hpp"

using namespace talus;
using namespace talus::test;

// Tolerances: 1e-13 and 1e-12 are the rounding of sums over some hundred rays or grains of order 1; 1e-9 that of bodies at rest after some ten
// steps with a solver residual of 1e-13; 1e-6 after a fall (found, rounded up). Rays are 0.001 apart: 2e-3 is one ray at each end.

namespace {

const Polygon box = make_polygon({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
const Polygon disc = make_polygon({{0, 0}}, 0.5);
constexpr Real stress = 7;

// Between a base at 0 and a cap at this height; the first platens.
void enclose(PlaneSample& s, Real height, Real spacing = 0.05) {
  s.platen({0, 0}, {0, 1});
  s.platen({0, height}, {0, -1});
  s.model.membrane = {stress, spacing, 0, 1};
}

// columns x rows of unit squares that touch one another, the lower left corner at the origin.
PlaneSample bricks(int columns, int rows, Real friction) {
  PlaneSample s(2, friction, friction);
  s.options.tolerance = 1e-11;  // forces among bricks are not unique: the last digits would take long
  enclose(s, rows);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) s.grain(box, {c + 0.5, r + 0.5});
  s.assemble();
  for (std::size_t w = 0; w < 2; ++w) s.model.drives[w].axis = 1;
  s.state.bodies.take_forces();
  return s;
}

measure::Energy energy(const PlaneSample& s) { return measure::energy(s.state, impulse::contacts(s.state)); }

}  // namespace

TEST(Membrane, RaysMeasureAWallOfBricksExactly) {
  const PlaneSample s = bricks(3, 2, 0);
  const Rays rays = cast_rays(s.model, s.state);
  EXPECT_EQ(rays.ray.size(), 40u);
  EXPECT_NEAR(rays.area(), 6, 1e-13);
  EXPECT_NEAR(rays.width(), 3, 1e-13);
  EXPECT_EQ(rays.share_hit(), 1);
  EXPECT_NEAR(measure::void_ratio(s.model, s.state, rays), 0, 1e-13);
}

// A wall of bricks has no voids; where one brick is missing, each circle of the map that holds the hole has its area.
TEST(VoidMap, SeesAMissingBrick) {
  const int columns = 30, rows = 24;
  const PlaneSample whole = bricks(columns, rows, 0);
  const auto full = measure::void_map(whole.model, whole.state, cast_rays(whole.model, whole.state));
  EXPECT_GT(full.size(), 30u);
  for (const auto& at : full) EXPECT_NEAR(at.ratio, 0, 1e-12);
  PlaneSample s(2, 0, 0);
  enclose(s, rows);
  const Vec2 hole{14.5, 11.5};
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      if (length(Vec2{c + 0.5, r + 0.5} - hole) > 0.1) s.grain(box, {c + 0.5, r + 0.5});
  s.assemble();
  const Real diameter = 2 * s.state.bodies.radius[0], radius = 2.5 * diameter;
  int holding = 0;
  for (const auto& at : measure::void_map(s.model, s.state, cast_rays(s.model, s.state))) {
    const Real away = length(at.at - hole), half_diagonal = std::sqrt(0.5);
    EXPECT_NEAR(at.spacing, 2 * diameter, 1e-12);
    if (away < radius - half_diagonal) {
      ++holding;
      EXPECT_NEAR(at.ratio, 1 / (pi * radius * radius - 1), 1e-10);
    } else if (away > radius + half_diagonal) {
      EXPECT_NEAR(at.ratio, 0, 1e-12);
    }
  }
  EXPECT_GT(holding, 2);
}

// The circle of the test: a tenth of the sample, about the bricks that have turned.
TEST(VoidMap, TheCircleOfTheTestLiesWhereGrainsHaveTurned) {
  PlaneSample s = bricks(30, 24, 0);
  s.state.bodies.turn_start = s.state.bodies.turn;
  const Vec2 centre{18, 13};
  for (std::size_t i = 0; i < s.state.grains(); ++i)
    if (length(s.state.bodies.position[i] - centre) < 3) s.state.bodies.turn[i].x += 0.2;
  const Circle found = measure::rve_of(s.state, cast_rays(s.model, s.state));
  EXPECT_NEAR(pi * found.radius * found.radius, 0.1 * 30 * 24, 1e-9);
  const Real spacing = 0.5 * 3 * 2 * s.state.bodies.radius[0];  // of the places that are tried
  EXPECT_LT(length(found.centre - centre), spacing);
}

TEST(Membrane, PushesEachSideWithStressTimesHeight) {
  PlaneSample s = bricks(3, 2, 0);
  EXPECT_NEAR(push_membrane(s.model, s.state), 3, 1e-13);
  for (u32 g = 0; g < 6; ++g) {
    const Real side = g % 3 == 0 ? 1 : g % 3 == 2 ? -1 : 0;  // the middle column sees no ray
    EXPECT_NEAR(s.state.bodies.applied[s.index(g)].x, side * stress, 1e-13) << g;
    EXPECT_EQ(s.state.bodies.applied[s.index(g)].y, 0);
  }
  s.model.membrane.stress = 0;
  EXPECT_EQ(push_membrane(s.model, s.state), 0);
  for (u32 g = 0; g < 6; ++g) EXPECT_EQ(s.state.bodies.applied[s.index(g)].x, 0);
}

// Of two discs, one behind the other and half a radius higher, rays of the upper part miss the first.
TEST(Membrane, PushesWhatItMeetsFirst) {
  PlaneSample s(2, 0, 0);
  enclose(s, 2, 0.001);
  const u32 first = s.grain(disc, {0, 0.75}), behind = s.grain(disc, {1, 1});
  s.assemble();
  s.state.bodies.take_forces();
  push_membrane(s.model, s.state);
  // From the left the lower disc hides all below its top at 1.25; from the right the other all above its bottom at 0.5.
  const Rays rays = cast_rays(s.model, s.state);
  Real to_first = 0, to_behind = 0;
  for (const Ray& r : rays.ray) {
    if (!r.hits()) continue;
    (s.state.bodies.uid[r.left_body] == first ? to_first : to_behind) += rays.spacing;
  }
  EXPECT_NEAR(to_first, 1, 2e-3);
  EXPECT_NEAR(to_behind, 0.25, 2e-3);
  EXPECT_NEAR(rays.share_hit(), 1.25 / 2, 1e-3);  // from 0.25 to 1.5 of 2
  EXPECT_NEAR(s.state.bodies.applied[s.index(first)].x, stress * (1 - 0.25), 0.03);
  EXPECT_NEAR(s.state.bodies.applied[s.index(behind)].x, stress * (0.25 - 1), 0.03);
}

TEST(Membrane, ForcesDoNotDependOnTheOrderOfGrains) {
  PlaneSample s(2, 0, 0);
  enclose(s, 4);
  Rng rng{3, 0, 0};
  for (int k = 0; k < 30; ++k) s.grain(k % 2 ? disc : box, {rng.uniform(0, 3), rng.uniform(0.5, 3.5)});
  s.grain(box, {-1, 2});
  s.grain(box, {-1, 2});  // one on another: met at one place
  s.assemble();
  for (std::size_t i = 0; i < s.state.grains(); ++i) s.state.bodies.turn[i].x = i < 30 ? rng.uniform(0, 6) : 0;
  s.state.bodies.take_forces();
  push_membrane(s.model, s.state);
  std::vector<Real> forces;
  for (u32 g = 0; g < 32; ++g) forces.push_back(s.state.bodies.applied[s.index(g)].x);
  EXPECT_GT(forces[30], 0);
  EXPECT_EQ(forces[31], 0);
  Bodies<2>::visit(s.state.bodies, [&](const About&, auto& column) {
    if (!column.empty()) std::reverse(column.begin(), column.begin() + 32);
  });
  push_membrane(s.model, s.state);
  for (u32 g = 0; g < 32; ++g) EXPECT_EQ(s.state.bodies.applied[s.index(g)].x, forces[g]) << g;
}

// A brick and a disc are pushed together over a gap of 3: stress times their height times the way, lost when they meet.
TEST(Membrane, WorkOfTheMembraneIsInTheLedger) {
  PlaneSample s(2, 0, 0);
  enclose(s, 10);
  s.grain(box, {0, 5});
  s.grain(disc, {4, 5});
  s.assemble();
  s.state.bodies.take_forces();
  for (int k = 0; k < 50; ++k) s.step(0.01);
  const auto e = energy(s);
  EXPECT_GT(e.boundary, 1);
  EXPECT_NEAR(e.kinetic, e.boundary, 1e-12 * e.boundary);
  EXPECT_NEAR(2 * box.area * s.velocity(0).x, -2 * disc.area * s.velocity(1).x, 1e-12);
  for (int k = 0; k < 100; ++k) s.step(0.01);
  EXPECT_NEAR(energy(s).boundary, stress * 3, 1e-10);
  EXPECT_NEAR(energy(s).viscous, stress * 3, 1e-10);
}

// Bricks under the same stress from all sides, the cap a free body: nothing moves, and platens feel stress times width.
TEST(FreeWall, HoldsItsStressOnASampleAtRest) {
  PlaneSample s = bricks(3, 2, 0.5);
  s.model.drives[1].control = WallControl::free;
  s.model.drives[1].target = stress;
  s.model.drives[1].mass = 4;
  for (int k = 0; k < 50; ++k) s.step(0.01);
  EXPECT_NEAR(s.push(1).y, 3 * stress, 1e-9);
  EXPECT_NEAR(s.push(0).y, -3 * stress, 1e-9);
  EXPECT_NEAR(s.state.bodies.position[s.state.grains() + 1].y, 2, 1e-9);
  EXPECT_NEAR(wall_view(s.model, s.state).area(1), 3, 1e-12);
  EXPECT_NEAR(sample_volume(s.model, s.state), 6, 1e-9);
}

// With nothing below it a free wall falls as a body does: v = stress width t / mass; then it is caught by the bricks.
TEST(FreeWall, MovesAsABodyWithItsMassAndLosesNoEnergyUnseen) {
  PlaneSample s = bricks(3, 2, 0.5);
  const std::size_t cap = s.state.grains() + 1;
  s.state.bodies.position[cap].y = 2.5;
  WallDrive<2>& drive = s.model.drives[1];
  drive = {.control = WallControl::free, .target = stress, .mass = 4, .area = 3, .axis = 1};
  for (int k = 0; k < 20; ++k) s.step(0.01);
  EXPECT_NEAR(s.state.bodies.velocity[cap].y, -0.2 * 3 * stress / 4, 1e-12);
  for (int k = 0; k < 200; ++k) s.step(0.01);
  const auto e = energy(s);
  EXPECT_NEAR(s.state.bodies.velocity[cap].y, 0, 1e-9);
  EXPECT_NEAR(s.push(1).y, 3 * stress, 1e-6);
  EXPECT_GT(e.viscous, 1);  // lost when it hit them
  EXPECT_NEAR(e.given(), e.gone() + e.held(), 1e-9 * e.given());
  drive.control = WallControl::fixed;  // driven again: what it carries is entered in the ledger
  s.state.bodies.velocity[cap] = {0, 3};
  s.step(0.01);
  EXPECT_EQ(s.state.bodies.mass[cap], 0);
  EXPECT_NEAR(s.state.globals.removed_kinetic, 0.5 * 4 * 9, 1e-12);
}

TEST(Removal, KeepsLedgerNamesAndContactsOfTheOthers) {
  PlaneSample s(2, 0.3, 0.3);
  s.platen({0, 0}, {0, 1});
  for (int k = 0; k < 3; ++k) s.grain(disc, {0.01 * k, 0.6 + 1.1 * k});
  s.grain(disc, {5, 0.6});
  s.assemble();
  s.state.globals.gravity = {0, -10};
  for (int k = 0; k < 40; ++k) s.step(0.01);
  const auto before = energy(s);
  std::vector<bool> gone(4);
  for (std::size_t i = 0; i < 4; ++i) gone[i] = s.state.bodies.uid[i] == 1;
  remove_grains(s.state, gone);
  ASSERT_EQ(s.state.grains(), 3u);
  const auto after = energy(s);
  EXPECT_NEAR(after.given(), before.given(), 1e-12 * before.given());
  EXPECT_NEAR(after.gone() + after.held(), before.gone() + before.held(), 1e-12 * before.given());
  std::vector<u32> uids(s.state.bodies.uid.begin(), s.state.bodies.uid.end());
  std::sort(uids.begin(), uids.end());
  EXPECT_EQ(uids, (std::vector<u32>{0, 2, 3, 4}));
  for (const RowKey& key : s.state.patches.key) EXPECT_TRUE(key.a != 1 && key.b != 1);
  EXPECT_LT(impulse::contact_residual(s.state), 1e-9);  // finds its bodies although uids have gaps
  s.scratch.pairs.valid = false;
  for (int k = 0; k < 100; ++k) s.step(0.01);  // the third falls on the first
  const auto end = energy(s);
  EXPECT_NEAR(end.given(), end.gone() + end.held(), 1e-10 * end.given());
  EXPECT_LT(s.position(2).y, 1.51);
  for (const auto& c : impulse::contacts(s.state)) EXPECT_LT(c.b, s.state.bodies.size());
}

TEST(ShearBand, IsFoundWhereGrainsHaveTurned) {
  PlaneSample s = bricks(20, 30, 0);
  s.state.bodies.turn_start = s.state.bodies.turn;
  for (std::size_t i = 0; i < s.state.grains(); ++i) {
    const Vec2 from = s.state.bodies.position[i] - Vec2{12, 17};
    // Full turns count; a brick so turned is where it was.
    s.state.bodies.turn[i].x += (s.state.bodies.uid[i] % 2 ? 2 : -2) * pi * (dot(from, from) < 9 ? 1 : 0);
  }
  const Rays rays = cast_rays(s.model, s.state);
  const Circle c = measure::most_turned(s.state, rays, 0.1 * rays.area(), 3);
  EXPECT_NEAR(pi * c.radius * c.radius, 60, 1e-9);
  EXPECT_NEAR(c.centre.x, 12, 0.8);  // half a step of the grid
  EXPECT_NEAR(c.centre.y, 17, 0.8);
  EXPECT_NEAR(measure::void_ratio_in(s.model, s.state, c), 0, 1e-9);  // bricks leave no voids
}

TEST(ShearBand, CircleStaysInsideTheSample) {
  PlaneSample s = bricks(20, 30, 0);
  s.state.bodies.turn_start = s.state.bodies.turn;
  s.state.bodies.turn[s.index(0)].x += 2 * pi;  // in a corner
  const Rays rays = cast_rays(s.model, s.state);
  const Circle c = measure::most_turned(s.state, rays, 60, 3);
  EXPECT_GE(c.centre.x - c.radius, -1e-12);
  EXPECT_GE(c.centre.y - c.radius, -1e-12);
  EXPECT_NEAR(c.centre.x, c.radius, 1e-9);
  EXPECT_EQ(measure::most_turned(s.state, rays, 500, 3).radius, 0);  // wider than the sample
}
