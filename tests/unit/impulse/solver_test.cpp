#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include <talus/core/rng.hpp>
#include <talus/exec/host.hpp>
#include <talus/impulse/colour.hpp>
#include <talus/impulse/solver.hpp>
#include <talus/impulse/strips.hpp>

#include "../../support/with_threads.hpp"

using namespace talus;
using namespace talus::impulse;
using talus::test::WithThreads;

// Tolerances: ten times the residual that the solver is asked for where that is 1e-10 or less; momentum is kept to the rounding of all impulses added.

namespace {

// Discs of radius 1/2 on top of one another on the ground, falling for one step.
struct Pile {
  std::vector<Patch> patches;
  std::vector<Motion> bodies;
  explicit Pile(int n, Real dt) {
    bodies.push_back({});
    for (int i = 0; i < n; ++i) {
      bodies.push_back({{0, -dt}, 0, 1, 8});  // gravity 1
      Patch p;
      p.a = u32(i) + 1;
      p.b = u32(i);
      p.normal = {0, 1};
      p.lever_a[2] = -0.5;  // moment of the tangent (-1, 0) at the arm (0, -1/2)
      p.lever_b[2] = i == 0 ? 0 : 0.5;
      p.friction = 0.5;
      patches.push_back(p);
    }
  }
};

// A heap of random patches: most between bodies that lie near one another, one of a hundred between any two, a tenth on the floor.
void random_heap(std::vector<Patch>& patches, std::vector<Motion>& bodies, u32 count = 8000) {
  Rng rng{5, 1};
  patches.clear();
  bodies.assign(count, {});
  for (std::size_t i = 1; i < bodies.size(); ++i)
    bodies[i] = {{rng.uniform(-1, 1), rng.uniform(-1, 1)}, rng.uniform(-1, 1), rng.uniform(0.5, 2), rng.uniform(2, 20)};
  for (u32 n = 0; n < 9 * count / 4; ++n) {
    Patch p;
    p.a = u32(rng.below(count));
    p.b = n % 10 == 0 ? 0 : n % 100 == 1 ? u32(rng.below(count)) : p.a + 1 + u32(rng.below(20));
    if (p.a == p.b || p.a == 0 || p.b >= count) continue;
    p.place = {0, Real(p.a)};
    const Real angle = rng.uniform(0, 2 * pi);
    p.normal = {std::cos(angle), std::sin(angle)};
    p.points = 1 + u32(rng.below(2));
    const Real half = p.points == 2 ? 0.1 : 0;
    for (PatchVec* lever : {&p.lever_a, &p.lever_b}) {
      const Real at = rng.uniform(-0.1, 0.1);
      *lever = {at - half, at + half, 0};
    }
    p.lever_a[2] = 0.45;
    p.lever_b[2] = -0.45;
    p.friction = 0.3;
    patches.push_back(p);
  }
}

}  // namespace

TEST(Solver, CarriesTheWeightOfAColumn) {
  Pile column(20, 0.01);
  const SolverReport report = solve(column.patches, column.bodies, {1e-12, 100000});
  EXPECT_FALSE(report.not_converged);
  // A residual becomes an error up to the square of the height: 20^2 times 1e-12 of the mean, 0.1.
  for (int i = 0; i < 20; ++i) EXPECT_NEAR(column.patches[std::size_t(i)].impulse.x, 0.01 * (20 - i), 4e-11);
  // A patch may still part with 1e-12 of the mean impulse times its compliance, 2 / kg; twenty of them add up.
  for (const Motion& m : column.bodies) EXPECT_NEAR(length(m.velocity), 0, 20 * 2 * 1e-12 * 0.105);
}

TEST(Solver, StartsFromTheImpulsesItIsGiven) {
  Pile cold(20, 0.01), warm(20, 0.01);
  const SolverReport first = solve(cold.patches, cold.bodies, {1e-10, 100000, Acceleration::none});
  for (std::size_t i = 0; i < 20; ++i) warm.patches[i].impulse = cold.patches[i].impulse;
  const SolverReport second = solve(warm.patches, warm.bodies, {1e-9, 100000});
  EXPECT_GT(first.sweeps, 100);
  EXPECT_EQ(second.sweeps, 0);
}

TEST(Solver, MomentumSavesSweeps) {
  Pile plain(60, 0.01), quick(60, 0.01);
  const SolverReport slow = solve(plain.patches, plain.bodies, {1e-8, 1000000, Acceleration::none});
  const SolverReport fast = solve(quick.patches, quick.bodies, {1e-8, 1000000, Acceleration::careful});
  EXPECT_FALSE(slow.not_converged);
  EXPECT_FALSE(fast.not_converged);
  EXPECT_LT(10 * fast.sweeps, slow.sweeps);
}

TEST(Solver, TakesOverlapsOutWithoutMomentum) {
  Pile pile(5, 0.01);
  Solver solver;
  solver.solve(pile.patches, pile.bodies, {1e-3, 1000});
  const std::vector<Motion> bodies = pile.bodies;
  std::vector<Motion> displaced;
  std::vector<PatchVec> gaps(pile.patches.size(), PatchVec{-1e-3, 0, 0});
  solver.separate(pile.patches, pile.bodies, gaps, {1e-10, 100000}, displaced);
  for (std::size_t i = 1; i < 6; ++i) EXPECT_NEAR(displaced[i].velocity.y, 1e-3 * Real(i), 1e-11);
  EXPECT_EQ(displaced[0].velocity, Vec2{});
  for (PatchVec& gap : gaps) gap.x = 1e-3;
  solver.separate(pile.patches, pile.bodies, gaps, {1e-10, 100000}, displaced);
  for (const Motion& m : displaced) EXPECT_EQ(m.velocity, Vec2{});  // nothing to do
  for (std::size_t i = 0; i < bodies.size(); ++i) EXPECT_EQ(pile.bodies[i].velocity, bodies[i].velocity);
}

TEST(Solver, SaysWhenItDidNotGetThere) {
  Pile column(20, 0.01);
  const SolverReport report = solve(column.patches, column.bodies, {1e-12, 10, Acceleration::none});
  EXPECT_TRUE(report.not_converged);
  EXPECT_EQ(report.sweeps, 10);
  EXPECT_GT(report.residual, 1e-3);
}

TEST(Solver, SaysSoWhenAVelocityIsNotANumber) {
  Pile pile(3, 0.01);
  pile.bodies[2].velocity.y = NAN;
  const SolverReport report = solve(pile.patches, pile.bodies, {1e-8, 5});
  EXPECT_TRUE(report.not_converged);
  EXPECT_EQ(report.residual, HUGE_VAL);
}

TEST(Solver, KeepsMomentumBetweenFreeBodies) {
  std::vector<Patch> patches;
  std::vector<Motion> bodies;
  random_heap(patches, bodies);
  std::erase_if(patches, [](const Patch& p) { return p.b == 0; });
  const auto momentum = [&] {
    Vec2 sum{};
    for (std::size_t i = 1; i < bodies.size(); ++i) sum += (1 / bodies[i].inverse_mass) * bodies[i].velocity;
    return sum;
  };
  const Vec2 before = momentum();
  solve(patches, bodies, {1e-8, 200});
  EXPECT_NEAR(length(momentum() - before), 0, 1e-9);
}

// A sample of rows of bodies on a floor, each in touch with the next two of its row and the row above, with one body that all of
// a row touch.
TEST(Strips, ThreadsSideBySideShareNoBody) {
  constexpr u32 wide = 40, high = 60, beam = wide * high + 1;
  std::vector<Patch> patches;
  std::vector<Motion> bodies(beam + 1, Motion{{}, 0, 1, 1});
  bodies[0] = {};
  const auto add = [&](u32 a, u32 b, Real x, Real y) {
    Patch p;
    p.a = a;
    p.b = b;
    p.place = {x, y};
    patches.push_back(p);
  };
  for (u32 y = 0; y < high; ++y)
    for (u32 x = 0; x < wide; ++x) {
      const u32 me = 1 + y * wide + x;
      if (y == 0) add(me, 0, x, y);
      if (x + 1 < wide) add(me, me + 1, x + 0.5, y);
      if (y + 1 < high) add(me, me + wide, x, y + 0.5);
      if (y == high / 2) add(me, beam, x, y);
    }
  add(1, beam - 1, 20, 30);  // from the lowest row to the highest
  Strips strips;
  strips.cut(patches, bodies);
  ASSERT_EQ(strips.count, 4u);
  EXPECT_EQ(strips.order.size(), patches.size());
  EXPECT_EQ(std::set<u32>(strips.order.begin(), strips.order.end()).size(), patches.size());
  EXPECT_EQ(strips.bodies.size(), beam);  // all but the floor
  const auto bodies_of = [&](u32 group) {
    std::set<u32> of;
    for (u32 k = strips.start[group]; k < strips.start[group + 1]; ++k)
      for (const u32 body : {patches[strips.order[k]].a, patches[strips.order[k]].b})
        if (body != 0) of.insert(body);
    return of;
  };
  const auto share = [&](u32 one, u32 other) {
    const std::set<u32> a = bodies_of(one), b = bodies_of(other);
    EXPECT_GT(a.size(), 30u);
    EXPECT_TRUE(std::none_of(a.begin(), a.end(), [&](u32 body) { return b.contains(body); })) << one << ' ' << other;
  };
  for (u32 s = 0; s < strips.count; ++s)
    for (u32 t = 0; t < s; ++t) share(strips.inside(s), strips.inside(t));
  share(strips.seam(0), strips.seam(2));
  // As many in each strip, few between, and what reaches far or crowds round one body left over.
  for (u32 s = 0; s < strips.count; ++s)
    EXPECT_NEAR(strips.start[s + 1] - strips.start[s], patches.size() / 4.0, patches.size() / 20.0);
  EXPECT_EQ(strips.start[strips.left_over() + 1] - strips.start[strips.left_over()], wide + 1);
}

TEST(Solver, PatchesOfOneColourShareNoBody) {
  std::vector<Patch> patches;
  std::vector<Motion> bodies;
  random_heap(patches, bodies);
  for (u32 other = 2; other < 202; ++other) {  // a large body among many
    Patch p;
    p.a = 1;
    p.b = other;
    patches.push_back(p);
  }
  const Colours colours = colour(patches, bodies);
  EXPECT_GT(colours.count(), 200u);
  EXPECT_GT(colours.start[1], exec::Host::few);  // threads share a colour
  std::set<u32> all;
  for (std::size_t c = 0; c < colours.count(); ++c) {
    std::set<u32> seen;
    for (u32 k = colours.start[c]; k < colours.start[c + 1]; ++k) {
      const Patch& p = patches[colours.order[k]];
      all.insert(colours.order[k]);
      EXPECT_TRUE(p.a == 0 || seen.insert(p.a).second);
      EXPECT_TRUE(p.b == 0 || seen.insert(p.b).second);
    }
  }
  EXPECT_EQ(all.size(), patches.size());
}

TEST(Solver, WhatItSolvedBeforeLeavesNoTrace) {
  Solver used;
  for (const u32 count : {8000u, 2000u, 600u, 300u, 3000u, 8000u}) {  // 16 strips, 4, 1, 1, 8, 16
    std::vector<Patch> patches, again;
    std::vector<Motion> bodies, bodies_again, displaced, displaced_again;
    random_heap(patches, bodies, count);
    if (count < 1000) std::erase_if(patches, [](const Patch& p) { return p.b > p.a + 20; });  // nothing is left over
    again = patches;
    bodies_again = bodies;
    Solver fresh;
    for (const int threads : {1, 3}) {
      const WithThreads guard(threads);
      const SolverReport one = used.solve(patches, bodies, {1e-8, 100}),
                         other = fresh.solve(again, bodies_again, {1e-8, 100});
      EXPECT_EQ(one.sweeps, other.sweeps);
      EXPECT_EQ(one.residual, other.residual);
      const std::vector<PatchVec> gaps(patches.size(), PatchVec{-1e-3, 1e-4, 0});
      used.separate(patches, bodies, gaps, {1e-6, 20}, displaced);
      fresh.separate(again, bodies_again, gaps, {1e-6, 20}, displaced_again);
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        ASSERT_EQ(bodies[i].velocity, bodies_again[i].velocity) << count;
        ASSERT_EQ(displaced[i].velocity, displaced_again[i].velocity) << count;
      }
    }
  }
}

TEST(Solver, GivesTheSameBitsOnAnyNumberOfThreads) {
  std::vector<Patch> reference;
  std::vector<Motion> reference_bodies;
  random_heap(reference, reference_bodies);
  const WithThreads one(1);
  Strips strips;
  strips.cut(reference, reference_bodies);
  ASSERT_GE(strips.count, 8u);
  for (u32 g = 0; g < strips.groups(); ++g)
    ASSERT_LT(strips.start[g], strips.start[g + 1]) << g;  // work in every group
  solve(reference, reference_bodies, {1e-8, 50});
  for (const int threads : {2, 3, 7}) {
    const WithThreads guard(threads);
    std::vector<Patch> patches;
    std::vector<Motion> bodies;
    random_heap(patches, bodies);
    solve(patches, bodies, {1e-8, 50});
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      ASSERT_EQ(bodies[i].velocity, reference_bodies[i].velocity);
      ASSERT_EQ(bodies[i].spin, reference_bodies[i].spin);
    }
    for (std::size_t i = 0; i < patches.size(); ++i) {
      ASSERT_EQ(patches[i].impulse.x, reference[i].impulse.x);
      ASSERT_EQ(patches[i].impulse.y, reference[i].impulse.y);
      ASSERT_EQ(patches[i].impulse.z, reference[i].impulse.z);
    }
  }
}
