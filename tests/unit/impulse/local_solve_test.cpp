#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/impulse/local_solve.hpp>

using namespace talus;
using namespace talus::impulse;

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
    const Impulse free{rng.uniform(-1, 0.5), rng.uniform(-1, 0.5), rng.uniform(-1, 1)};
    p.hint = u32(rng.below(case_count));
    const LocalSolution s = solve_patch(p, free);
    const Impulse own = p.w.times(s.impulse);
    const Real u1 = free.first + own.first, u2 = free.second + own.second, ut = free.along + own.along;
    const Impulse& i = s.impulse;
    const Real bound = p.friction * i.normal(), eps = 1e-13;
    ++taken[s.number];
    ASSERT_LE(s.violation, eps) << n;
    ASSERT_GE(i.first, -eps);
    ASSERT_GE(u1, -eps);
    ASSERT_NEAR(i.first * u1, 0, eps);
    if (p.points == 2) {
      ASSERT_GE(i.second, -eps);
      ASSERT_GE(u2, -eps);
      ASSERT_NEAR(i.second * u2, 0, eps);
    } else {
      ASSERT_EQ(i.second, 0);
    }
    ASSERT_LE(std::abs(i.along), bound + eps);
    ASSERT_LE(i.along * ut, eps);                             // friction brakes
    ASSERT_NEAR((bound - std::abs(i.along)) * ut, 0, 5e-13);  // and slips only at its bound
  }
  for (const int count : taken) EXPECT_GT(count, 500);
}

TEST(LocalSolve, DoesNotDependOnTheHint) {
  Rng rng{4, 1};
  for (int n = 0; n < 20000; ++n) {
    Motion a, b;
    Patch p = random_patch(rng, a, b);
    const Impulse free{rng.uniform(-1, 0.5), rng.uniform(-1, 0.5), rng.uniform(-1, 1)};
    p.hint = 0;
    const LocalSolution s = solve_patch(p, free);
    for (p.hint = 1; p.hint < case_count; ++p.hint) {
      const LocalSolution t = solve_patch(p, free);
      ASSERT_NEAR(t.impulse.first, s.impulse.first, 1e-12);
      ASSERT_NEAR(t.impulse.second, s.impulse.second, 1e-12);
      ASSERT_NEAR(t.impulse.along, s.impulse.along, 1e-12);
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
  const LocalSolution s = solve_patch(p, {-2, -2, 0.5});
  EXPECT_DOUBLE_EQ(s.impulse.normal(), 2);
  EXPECT_DOUBLE_EQ(s.impulse.along, -0.5);
  EXPECT_EQ(s.violation, 0);
  const LocalSolution slides = solve_patch(p, {-2, -2, 5});
  EXPECT_DOUBLE_EQ(slides.impulse.along, -1);
}
