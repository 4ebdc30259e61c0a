// The virtual overlap of a row (`shift`): force and tangent it gives, when it is lost, and the column it balances.
#include <gtest/gtest.h>

#include "../support/sample.hpp"

using namespace talus;
using namespace talus::test;

// Tolerances: 1e-12, the rounding of an overlap of a hundredth of the radius (eps / 0.01 = 2e-14) and of the power 3/2 that follows.

namespace {

using Hertz = HertzMindlin<3>;
constexpr std::size_t hertz_rows = law_index<Hertz>;

// Two spheres of radius 1 with an overlap of 1/64, exact in binary.
Sample<3> pair(Real overlap = 0x1p-6, Real friction = 0) {
  Sample<3> s({sand(friction)});
  s.model.options.rotation = false;
  s.set_law<Hertz>();
  s.assemble({{{0, 0, 0}, 1, 0, {}, {}}, {{2 - overlap, 0, 0}, 1, 0, {}, {}}});
  s.prepare();
  return s;
}

Column<Real>& shifts_of(Sample<3>& s) {
  auto& rows = s.state.rows_of<hertz_rows>();
  if (rows.shift.empty()) rows.shift.assign(rows.size(), 0);
  return rows.shift;
}
Real& shift_of(Sample<3>& s) { return shifts_of(s)[0]; }

Real force_of(Sample<3>& s) {
  s.prepare();
  return -s.force(0).x;
}

}  // namespace

TEST(Shift, ScalesTheForceAndKeepsTheTangentOfTheScaledForce) {
  const Real h = hertz_constant(1), overlap = 0x1p-6, whole = h * std::pow(overlap, 1.5);
  for (const Real scale : {0.0, 0.25, 0.5, 1.0, 2.0}) {
    Sample<3> s = pair();
    const Real shift = std::pow(scale * whole / h, 2.0 / 3.0) - overlap;
    shift_of(s) = shift;
    EXPECT_NEAR(force_of(s) / whole, scale, 1e-12) << "s = " << scale;

    const Real k_n = 1.5 * std::pow(h, 2.0 / 3.0) * std::pow(scale * whole, 1.0 / 3.0);
    if (scale > 0) { EXPECT_NEAR(s.contacts().at(0).stiffness / k_n, 1, 1e-12); }
    const auto force_at = [&](Real change) {
      s.position(1).x = 2 - overlap * (1 + change);
      return force_of(s);
    };
    const Real up = force_at(0.01), down = force_at(-0.01);
    EXPECT_NEAR(up / whole, std::pow(std::max(1.01 + shift / overlap, 0.0), 1.5), 1e-12);
    EXPECT_NEAR(down / whole, std::pow(std::max(0.99 + shift / overlap, 0.0), 1.5), 1e-12);
    if (scale > 0) {
      // The central difference misses (1 % / (1 + shift/overlap))^2 / 24: below 3e-5 at s = 0.25.
      EXPECT_NEAR((up - down) / (0.02 * overlap) / k_n, 1, 1e-4) << "s = " << scale;
    }
  }
}

TEST(Shift, IsCarriedThroughRebuildsAndForcedReorders) {
  Sample<3> s = pair();
  shift_of(s) = -0x1p-8;
  const Real once = force_of(s);
  s.scratch = {};
  s.model.options.random_rebuilds = 1;
  for (int n = 0; n < 5; ++n) EXPECT_EQ(force_of(s), once);
  EXPECT_EQ(shift_of(s), -0x1p-8);
  EXPECT_EQ(s.status, 0u);
}

TEST(Shift, IsKeptWhileTheSpheresOverlapAndForgottenWhenBothOverlapsAreGone) {
  const Real overlap = 0x1p-6;
  const auto open_by = [&](Sample<3>& s, Real distance) {
    s.position(1).x = distance;
    return force_of(s);
  };
  {  // scaled down: overlap > 0 but overlap + shift < 0 gives no force and keeps the shift
    Sample<3> s = pair();
    shift_of(s) = -overlap / 2;
    EXPECT_EQ(open_by(s, 2 - overlap / 4), 0);
    EXPECT_EQ(shift_of(s), -overlap / 2);
    EXPECT_GT(open_by(s, 2 - overlap), 0);
    EXPECT_EQ(open_by(s, 2 + overlap / 4), 0);  // both negative: forgotten
    EXPECT_EQ(shift_of(s), 0);
    EXPECT_NEAR(open_by(s, 2 - overlap) / (hertz_constant(1) * std::pow(overlap, 1.5)), 1, 1e-12);
  }
  {  // scaled up: overlap < 0 but overlap + shift > 0 still pushes
    Sample<3> s = pair();
    shift_of(s) = overlap;
    EXPECT_NEAR(open_by(s, 2 + overlap / 2) / (hertz_constant(1) * std::pow(overlap / 2, 1.5)), 1, 1e-12);
    EXPECT_EQ(open_by(s, 2 + 2 * overlap), 0);
    EXPECT_EQ(shift_of(s), 0);
    EXPECT_EQ(open_by(s, 2 + overlap / 2), 0);
  }
}

TEST(Shift, OfSpheresThatPartDoesNotStopTheRun) {
  Sample<3> s = pair();
  shift_of(s) = -0x1p-8;
  s.prepare();
  s.velocity(1) = {1, 0, 0};
  s.state.globals.dt = 1e-2;
  s.run(100);  // a radius apart: far beyond the search skin
  EXPECT_EQ(s.status, 0u);
}

// Contact k of a column of n spheres lies at depth k H / n. Scaled by its depth the cell force n W becomes k W: exactly
// what gravity asks for. Lengths are binary fractions, so overlaps carry no rounding.
TEST(Shift, ColumnScaledByDepthIsInBalanceWithGravityEverywhere) {
  const int n = 16;
  const Real overlap = 0x1p-7, spacing = 2 - overlap, h = hertz_constant(1), h_wall = std::sqrt(2.0) * h;
  Sample<3> s({sand(0.3)});
  s.set_law<Hertz>();
  std::vector<Ball<3>> balls;
  for (int i = 0; i < n; ++i) balls.push_back({{0, 0, 1 - overlap + i * spacing}, 1, 0, {}, {}});  // from the bottom up
  s.assemble(balls, {wall<3>({}, {0, 0, 1})});
  const Real cell_force = h * std::pow(overlap, 1.5), weight = cell_force / n;
  s.state.globals.gravity = {0, 0, -weight / s.mass(0)};
  s.state.globals.dt = 0.1 * std::sqrt(s.mass(0) / (1.5 * h_wall * std::sqrt(overlap)));
  s.prepare();
  auto& rows = s.state.rows_of<hertz_rows>();
  int scaled = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const RowKey key = rows.key[r];
    const bool base = key.b == u32(n);
    if (!base && key.b != key.a + 1) continue;
    const int k = base ? n : n - int(key.b);  // contacts counted from the top
    shifts_of(s)[r] = std::pow(k * weight / (base ? h_wall : h), 2.0 / 3.0) - overlap;
    ++scaled;
  }
  ASSERT_EQ(scaled, n);
  s.prepare();
  for (u32 i = 0; i < u32(n); ++i) EXPECT_LT(length(s.force(i)), 1e-12 * weight) << "sphere " << i;
  std::vector<Vec3> before;
  for (u32 i = 0; i < u32(n); ++i) before.push_back(s.position(i));
  s.run(2000);
  for (u32 i = 0; i < u32(n); ++i) EXPECT_LT(length(s.position(i) - before[i]), 1e-12 * overlap) << "sphere " << i;
  EXPECT_EQ(s.status, 0u);
}
