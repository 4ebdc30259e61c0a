#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/impulse/local_solve.hpp>

using namespace talus;
using namespace talus::impulse;

// Tolerance 1e-12: rounding of a 3 x 3 system with a condition number of some hundred.

namespace {

// Two grains of about the size 1 that meet at an edge or at one point.
Patch random_patch(Rng& rng, Motion& a, Motion& b) {
  a = {{}, 0, rng.uniform(0.5, 2), rng.uniform(2, 20)};
  b = {{}, 0, rng.uniform() < 0.3 ? 0 : rng.uniform(0.5, 2), 0};
  if (b.inverse_mass > 0) b.inverse_inertia = rng.uniform(2, 20);
  Patch p;
  const Real angle = rng.uniform(0, 2 * pi);
  p.normal = {std::cos(angle), std::sin(angle)};
  p.points = 1 + u32(rng.below(2));
  p.friction = rng.uniform() < 0.1 ? 0 : rng.uniform(0, 1.0);
  const Real middle = rng.uniform(-0.2, 0.2), half = p.points == 2 ? rng.uniform(0.05, 0.2) : 0;
  p.lever_a[0] = middle - half;
  p.lever_a[1] = middle + half;
  p.lever_a[2] = rng.uniform(0.4, 0.5);
  const Real shift = rng.uniform(-0.2, 0.2);
  p.lever_b[0] = shift - half;
  p.lever_b[1] = shift + half;
  p.lever_b[2] = -rng.uniform(0.4, 0.5);
  p.w = p.compliance(a, b);
  return p;
}

}  // namespace

TEST(LocalSolve, FulfilsSignoriniAndCoulomb) {
  Rng rng{3, 1};
  int taken[case_count] = {};
  for (int n = 0; n < 100000; ++n) {
    Motion a, b;
    Patch p = random_patch(rng, a, b);
    const PatchVec free{rng.uniform(-1, 0.5), rng.uniform(-1, 0.5), rng.uniform(-1, 1)};
    const u32 hint = u32(rng.below(case_count));
    const LocalSolution s = solve_local(p.w, p.friction, p.points, hint, free);
    const PatchVec own = p.w * s.impulse;
    const Real u1 = free.x + own.x, u2 = free.y + own.y, ut = free.z + own.z;
    const PatchVec& i = s.impulse;
    const Real bound = p.friction * normal_of(i), eps = 1e-13;
    ++taken[s.number];
    ASSERT_LE(s.violation, eps) << n;
    ASSERT_GE(i.x, -eps);
    ASSERT_GE(u1, -eps);
    ASSERT_NEAR(i.x * u1, 0, eps);
    if (p.points == 2) {
      ASSERT_GE(i.y, -eps);
      ASSERT_GE(u2, -eps);
      ASSERT_NEAR(i.y * u2, 0, eps);
    } else {
      ASSERT_EQ(i.y, 0);
    }
    ASSERT_LE(std::abs(i.z), bound + eps);
    ASSERT_LE(i.z * ut, eps);                             // friction brakes
    ASSERT_NEAR((bound - std::abs(i.z)) * ut, 0, 5e-13);  // and slips only at its bound
  }
  for (const int count : taken) EXPECT_GT(count, 500);
}

TEST(LocalSolve, DoesNotDependOnTheHint) {
  Rng rng{4, 1};
  for (int n = 0; n < 20000; ++n) {
    Motion a, b;
    Patch p = random_patch(rng, a, b);
    const PatchVec free{rng.uniform(-1, 0.5), rng.uniform(-1, 0.5), rng.uniform(-1, 1)};
    const LocalSolution s = solve_local(p.w, p.friction, p.points, 0, free);
    for (u32 hint = 1; hint < case_count; ++hint) {
      const LocalSolution t = solve_local(p.w, p.friction, p.points, hint, free);
      ASSERT_NEAR(t.impulse.x, s.impulse.x, 1e-12);
      ASSERT_NEAR(t.impulse.y, s.impulse.y, 1e-12);
      ASSERT_NEAR(t.impulse.z, s.impulse.z, 1e-12);
    }
  }
}

TEST(LocalSolve, HoldsWhenBodiesCannotTurn) {  // both points then have one velocity: the matrix is singular
  Motion a{{}, 0, 1, 0}, b{};
  Patch p;
  p.normal = {0, 1};
  p.points = 2;
  p.friction = 0.5;
  p.w = p.compliance(a, b);
  const LocalSolution s = solve_local(p.w, p.friction, p.points, 0, {-2, -2, 0.5});
  EXPECT_DOUBLE_EQ(normal_of(s.impulse), 2);
  EXPECT_DOUBLE_EQ(s.impulse.z, -0.5);
  EXPECT_EQ(s.violation, 0);
  const LocalSolution slides = solve_local(p.w, p.friction, p.points, 0, {-2, -2, 5});
  EXPECT_DOUBLE_EQ(slides.impulse.z, -1);
}
