// Closed forms for the contact solver: slopes, collisions, and the limit loads of Rowe's hexagonal packs.
#include <gtest/gtest.h>

#include "plane_world.hpp"

using namespace talus;
using namespace talus::impulse;

namespace {

const Polygon box = make_polygon({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
const Polygon disc = make_polygon({{0, 0}}, 0.5);
constexpr Real deg = pi / 180;

// A grain on a slope, seen along the slope: gravity is turned instead.
PlaneWorld slope(const Polygon& shape, Real angle, Real mu) {
  PlaneWorld w;
  w.platen({0, 0}, {0, 1}, mu);
  w.grain(shape, {0, 0.5}, 2);
  w.gravity = {std::sin(angle), -std::cos(angle)};
  w.options = {1e-13, 10000};
  return w;
}

// Rows of discs of diameter 1 between two smooth platens, pushed in from the sides. Returns the largest ratio of vertical
// to horizontal stress once the upper platen moves.
Real limit_ratio(const std::vector<int>& rows, Real phi_mu, bool turns) {
  const Real pitch = std::sqrt(3.0) / 2;
  const int widest = *std::max_element(rows.begin(), rows.end());
  PlaneWorld w;
  w.friction = std::tan(phi_mu);
  w.options = {1e-8, 100000};
  const u32 bottom = w.platen({0, 0}, {0, 1}, 0);
  const u32 top = w.platen({0, 1 + pitch * Real(rows.size() - 1)}, {0, -1}, 0);
  int inclined = 0;  // contacts per gap between rows
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Real offset = (widest - rows[r]) * 0.5, y = 0.5 + pitch * Real(r);
    for (int k = 0; k < rows[r]; ++k) {
      const u32 g = w.grain(disc, {offset + k, y}, 0.1 / disc.area, turns);
      // Only discs that stick out are pushed: twice on inner rows, once on the first and the last.
      const Real force = rows[r] == widest ? (r == 0 || r + 1 == rows.size() ? 1 : 2) * pitch : 0;
      if (k == 0) w.grains[g].force.x += force;
      if (k + 1 == rows[r]) w.grains[g].force.x -= force;
    }
    if (r > 0) inclined = rows[r] + rows[r - 1] - 1;
  }
  const Real width = inclined * 0.5;
  // On packs that begin with a narrow row the protruding rows are inner ones only; sigma_2 stays sum / height.
  Real side = 0;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (rows[r] == widest) side += (r == 0 || r + 1 == rows.size() ? 1 : 2) * pitch;
  const Real sigma2 = side / (pitch * Real(rows.size() - 1));
  const Real dt = 0.02;
  Real peak = 0;
  for (int n = 0; n < 150; ++n) {
    const Real speed = 1e-4 * min(Real(n) / 50, Real(1));
    w.platens[top].velocity = {0, -speed};
    const SolverReport report = w.step(dt);
    if (n <= 50) continue;  // the first steps start from nothing, and the platen speeds up
    EXPECT_FALSE(report.capped) << n;
    peak = max(peak, -w.platens[bottom].push.y / width / sigma2);
  }
  EXPECT_NEAR(-w.platens[bottom].push.y / w.platens[top].push.y, 1, 1e-3);
  EXPECT_LT(w.deepest, 1e-6);
  return peak;
}

}  // namespace

TEST(ImpulseSlope, ABoxSticksBelowTheAngleOfFriction) {
  PlaneWorld w = slope(box, 20 * deg, std::tan(21 * deg));
  for (int n = 0; n < 100; ++n) w.step(0.01);
  EXPECT_NEAR(length(w.motion(0).velocity), 0, 1e-12);
  EXPECT_NEAR(w.motion(0).spin, 0, 1e-12);
  EXPECT_NEAR(-w.platens[0].push.y, 2 * std::cos(20 * deg), 1e-12);  // its weight, across
  EXPECT_NEAR(w.platens[0].push.x, 2 * std::sin(20 * deg), 1e-12);   // and along
}

TEST(ImpulseSlope, ABoxSlidesAboveIt) {
  const Real mu = 0.3, angle = 30 * deg;
  PlaneWorld w = slope(box, angle, mu);
  for (int n = 0; n < 100; ++n) w.step(0.01);
  EXPECT_NEAR(w.motion(0).velocity.x, std::sin(angle) - mu * std::cos(angle), 1e-12);  // after 1 s
  EXPECT_NEAR(w.motion(0).velocity.y, 0, 1e-12);
  EXPECT_NEAR(w.motion(0).spin, 0, 1e-12);
}

TEST(ImpulseSlope, ADiscRollsOrSlips) {
  PlaneWorld rolls = slope(disc, 30 * deg, 0.3);  // rolls above tan(30)/3 = 0.19
  PlaneWorld slips = slope(disc, 30 * deg, 0.1);
  for (int n = 0; n < 100; ++n) {
    rolls.step(0.01);
    slips.step(0.01);
  }
  EXPECT_NEAR(rolls.motion(0).velocity.x, 2.0 / 3 * std::sin(30 * deg), 1e-12);
  EXPECT_NEAR(rolls.motion(0).spin, -rolls.motion(0).velocity.x / 0.5, 1e-12);
  EXPECT_NEAR(slips.motion(0).velocity.x, std::sin(30 * deg) - 0.1 * std::cos(30 * deg), 1e-12);
  EXPECT_NEAR(slips.motion(0).spin, -0.1 * std::cos(30 * deg) * 0.5 / (0.125), 1e-12);  // mu N r / I
}

TEST(ImpulseSlope, ATallBoxTipsWhenItsWeightLeavesTheBase) {
  for (const Real angle : {25 * deg, 28 * deg}) {  // width over height 1/2: tips above 26.57 degrees
    PlaneWorld w;
    w.platen({0, 0}, {0, 1}, 2);
    w.grain(make_polygon({{0, 0}, {1, 0}, {1, 2}, {0, 2}}), {0, 1}, 1);
    w.gravity = {std::sin(angle), -std::cos(angle)};
    w.options = {1e-13, 10000};
    for (int n = 0; n < 50; ++n) w.step(0.01);
    if (angle < 26 * deg)
      EXPECT_NEAR(w.motion(0).spin, 0, 1e-12);
    else
      EXPECT_LT(w.motion(0).spin, -1e-3);
  }
}

TEST(ImpulseOverlap, IsTakenOutAndLeavesNoMotion) {
  PlaneWorld w;
  w.platen({0, 0}, {0, 1}, 0.5);
  w.grain(box, {0, 0.5 - 1e-3}, 1);
  w.grain(box, {0.2, 1.5 - 3e-3}, 1);
  w.friction = 0.5;
  w.options = {1e-13, 10000};
  w.step(0.01);
  w.step(0.01);
  EXPECT_LT(w.deepest, 1e-6);  // what the second step saw
  for (u32 g = 0; g < 2; ++g) {
    EXPECT_EQ(w.motion(g).velocity, Vec2{});
    EXPECT_EQ(w.motion(g).spin, 0);
  }
}

TEST(ImpulseCollision, RestitutionIsThatOfTheInput) {
  PlaneWorld w;
  w.restitution = 0.6;
  w.reach = 0.1;
  w.grain(disc, {0, 0}, 1);
  w.grain(disc, {1.0, 0}, 3);
  w.motion(0).velocity = {2, 0};
  w.motion(1).velocity = {-1, 0};
  w.step(1e-3);
  EXPECT_NEAR(w.motion(1).velocity.x - w.motion(0).velocity.x, 0.6 * 3, 1e-12);
  EXPECT_NEAR((w.motion(0).velocity.x + 3 * w.motion(1).velocity.x), 2 - 3, 1e-12);
}

// Limit loads by static limit analysis of the perfect packs: tan 60 tan(60 + phi) when discs cannot turn or no corner
// disc has a single inclined contact; less where corner discs roll.
TEST(ImpulseRowe, LimitLoadsOfHexagonalPacks) {
  const std::vector<int> five_four{5, 4, 5, 4, 5, 4, 5}, six_seven{6, 7, 6, 7, 6};
  const Real phi = 10 * deg, full = std::tan(60 * deg) * std::tan(60 * deg + phi);
  const Real corners = std::tan(60 * deg) * (6 * std::tan(60 * deg + phi) + 2 * std::tan(60 * deg)) / 8;
  EXPECT_NEAR(corners, 4.3191, 1e-4);
  EXPECT_NEAR(limit_ratio(five_four, phi, false) / full, 1, 0.01);
  EXPECT_NEAR(limit_ratio(five_four, phi, true) / corners, 1, 0.01);
  EXPECT_NEAR(limit_ratio(six_seven, phi, true) / full, 1, 0.01);
}
