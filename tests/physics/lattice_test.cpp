// Lattices of equal spheres: stress in closed form, balance under affine strain, images of a periodic cell.
#include <gtest/gtest.h>

#include <talus/sampling/placement.hpp>

#include "../support/sample.hpp"

using namespace talus;
using namespace talus::test;

// Tolerances: an overlap is a difference of positions, so its rounding is eps d / overlap, 2e-13 of a strain of 1e-3 and more of 1e-4, and Hertz
// makes 3/2 of it; summed over a cell 1e-9 leaves room. 1e-12 where coordinates are dyadic or overlaps deep. What 20,000 damped
// steps leave, 1e-4 under a servo and 1e-6 in a fixed cell, was found and rounded up.

namespace {

using Hertz = HertzMindlin<3>;
constexpr Real d = 2 * sand_radius;

Sample<3> lattice(const std::string& kind, Real strain, int repeats, Real friction = 0) {
  Sample<3> s({sand(friction)});
  s.model.options.rotation = false;
  s.set_law<Hertz>();
  const auto l = sampling::lattice<3>(kind, d * (1 - strain), {repeats, repeats, repeats});
  s.set_box(l.edges);
  std::vector<Ball<3>> balls;
  for (const Vec3& p : l.points) balls.push_back({p, sand_radius, 0, {}, {}});
  s.assemble(balls);
  return s;
}

Real closed_form_pressure(const std::string& kind, Real strain) {
  const Real force = hertz_constant(sand_radius) * std::pow(d * strain, 1.5);
  const Real factor = kind == "sc" ? 1 : kind == "bcc" ? std::sqrt(3.0) : 2 * std::sqrt(2.0);
  return factor * force / (d * (1 - strain) * d * (1 - strain));
}

Real largest_net_force(const Sample<3>& s) {
  Real most = 0;
  for (std::size_t i = 0; i < s.state.grains(); ++i) most = std::max(most, length(s.state.bodies.force[i]));
  return most;
}

Real contact_force(const Sample<3>& s) {
  Real most = 0;
  for (const auto& c : s.contacts()) most = std::max(most, length(c.force));
  return most;
}

}  // namespace

TEST(Lattice, PressureIsTheClosedFormForEveryLatticeAndCellSize) {
  struct Case {
    const char* kind;
    Real strain, kilopascal;
    int nearest;
  };
  for (const Case& c : {Case{"sc", 1e-3, 90.5318, 6}, Case{"bcc", 1e-3, 156.8056, 8}, Case{"fcc", 1e-3, 256.0625, 12},
                        Case{"sc", 1e-4, 2.8577, 6}, Case{"bcc", 1e-4, 4.9497, 8}, Case{"fcc", 1e-4, 8.0828, 12}}) {
    EXPECT_NEAR(closed_form_pressure(c.kind, c.strain) / 1e3, c.kilopascal, 5.1e-5);  // four printed decimals
    for (const int repeats : {1, 2, 3}) {  // one unit cell: spheres touch their own images and others twice
      Sample<3> s = lattice(c.kind, c.strain, repeats);
      s.prepare();
      const Mat3 stress = s.stress();
      const Real p = closed_form_pressure(c.kind, c.strain);
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(stress(k, k) / p, 1, 1e-9) << c.kind << repeats;
      EXPECT_NEAR(stress(0, 1) / p, 0, 1e-9);
      EXPECT_NEAR(stress(1, 2) / p, 0, 1e-9);
      EXPECT_NEAR(measure::coordination(s.state, s.contacts()).all, c.nearest, 1e-12);
      // p = Z phi <F> l / (pi d^3) with l = d (1 - strain) the distance of centres.
      const Real phi = Real(s.state.grains()) * ball_volume<3>(sand_radius) / sample_volume(s.model, s.state);
      EXPECT_NEAR(c.nearest * phi * contact_force(s) * (1 - c.strain) / (pi * d * d) / p, 1, 1e-9);
    }
  }
}

TEST(Lattice, StressServoFindsTheStrainOfTheClosedForm) {
  Sample<3> s = lattice("sc", 5e-4, 2);
  s.options.local_damping = 0.7;
  const Real target = closed_form_pressure("sc", 1e-3), mass = s.mass(0);
  const Real k = 1.5 * hertz_constant(sand_radius) * std::sqrt(d * 1e-3);
  for (int i = 0; i < 3; ++i) {
    s.model.cell.holds_stress(i, i) = 1;
    s.model.cell.target(i, i) = target;
  }
  s.model.cell.reference = target;
  s.model.cell.rate_max = 1e-5 * std::sqrt(k / mass);  // 1e-5 of strain per period / 2 pi: quasi-static
  s.state.globals.dt = 0.1 * std::sqrt(mass / k);
  s.prepare();
  s.run(20000);
  const Mat3 stress = s.stress();
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(stress(i, i) / target, 1, 1e-4);
    EXPECT_NEAR((1 - s.state.globals.cell.h(i, i) / (2 * d)) / 1e-3, 1, 1e-4);
  }
  EXPECT_EQ(s.status, 0u);
}

TEST(Lattice, WallTractionEqualsTheContactStressOfTheSamePacking) {
  // A simple cubic block between six walls, placed so that every wall contact carries the force of the inner ones:
  // sphere on plane has twice the reduced radius, h_w = sqrt(2) h_n.
  const Real strain = 1e-3, spacing = d * (1 - strain);
  const Real wall_overlap = d * strain * std::pow(2.0, -1.0 / 3.0);
  const int n = 3;
  const Real edge = (n - 1) * spacing + 2 * (sand_radius - wall_overlap);
  Sample<3> s({sand(0)});
  s.set_law<Hertz>();
  std::vector<Ball<3>> balls;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Real first = sand_radius - wall_overlap;
        balls.push_back({{first + i * spacing, first + j * spacing, first + k * spacing}, sand_radius, 0, {}, {}});
      }
  s.set_box({edge, edge, edge}, false);
  s.assemble(balls, box_walls<3>({edge, edge, edge}));
  s.prepare();
  ASSERT_LT(largest_net_force(s) / contact_force(s), 1e-10);  // balanced up to the rounding of positions
  const Mat3 stress = s.stress();
  for (std::size_t w = 0; w < 6; ++w)
    EXPECT_NEAR(measure::wall_stress(s.model, s.state, w, wall_view(s.model, s.state)) / stress(int(w / 2), int(w / 2)),
                1, 1e-10);

  // The same inner packing as a periodic one: F / spacing^2.
  Sample<3> periodic = lattice("sc", strain, n);
  periodic.prepare();
  const Real area_ratio = (edge * edge) / (n * spacing * n * spacing);
  EXPECT_NEAR(stress(0, 0) * area_ratio / periodic.stress()(0, 0), 1, 1e-10);
}

TEST(Lattice, StressDoesNotDependOnTheOrigin) {
  Sample<3> here = lattice("fcc", 1e-3, 2), there = lattice("fcc", 1e-3, 2);
  for (auto& x : there.state.bodies.position) x += Vec3{0.37 * d, -1.21 * d, 0.11 * d};
  here.prepare();
  there.prepare();
  const Mat3 a = here.stress(), b = there.stress();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(a(i, j), b(i, j), 1e-10 * a(0, 0));  // rounding of overlaps, eps d/overlap
}

TEST(Lattice, StressIsSymmetricWhenMomentsBalanceAndNotWhenRotationIsHeld) {
  // Two spheres pressed together and sheared at the contact: with rotation free the couple shows as torque, not as
  // balance; the antisymmetric part of the stress is that torque. Held rotation carries it in the constraint.
  Sample<3> s({sand(0.5)});
  s.model.options.rotation = false;
  s.set_law<Hertz>();
  s.set_box({4 * d, 4 * d, 4 * d});
  s.assemble({{{0, 0, 0}, sand_radius, 0, {}, {}}, {{0.999 * d, 0, 0}, sand_radius, 0, {0, 1e-3, 0}, {}}});
  s.state.globals.dt = 1e-9;
  s.prepare();
  s.run(20);
  const Mat3 m = s.stress();
  EXPECT_GT(std::abs(m(1, 0)), 1e-9 * m(0, 0));       // shear force times branch
  EXPECT_NEAR(m(0, 1), 0, 1e-3 * std::abs(m(1, 0)));  // the branch has hardly any y
  Sample<3> balanced = lattice("fcc", 1e-3, 2);
  balanced.prepare();
  const Mat3 b = balanced.stress();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) EXPECT_NEAR(b(i, j) - b(j, i), 0, 1e-12 * b(0, 0));
}

TEST(PeriodicCell, AffineStrainOfFccLeavesNoNetForce) {
  // Deep overlaps, 5 %, keep the rounding of overlaps, eps * cell / overlap = 1e-14, well below the bound.
  Sample<3> s = lattice("fcc", 5e-2, 2, 0.3);
  Mat3 rate;
  rate(0, 0) = -20;
  rate(1, 1) = 10;
  rate(0, 1) = 15;
  rate(2, 0) = -5;
  s.set_rate(rate);
  s.state.globals.dt = 1e-7;
  s.prepare();
  s.run(200);  // strains of 4e-4: shear springs stretch, normal forces change
  ASSERT_GT(contact_force(s), 0);
  EXPECT_LT(largest_net_force(s) / contact_force(s), 1e-12);
}

TEST(PeriodicCell, TranslationAndWholePeriodsChangeNoForce) {
  const auto forces = [](Vec3 by, bool periods) {
    Sample<3> s({sand(0)});
    s.set_law<Hertz>();
    s.set_box({8, 8, 8});  // powers of two: the shifts below are exact
    s.state.globals.cell.h(0, 1) = 2;
    Rng rng{7, 0, 0};
    std::vector<Ball<3>> balls;
    for (int i = 0; i < 40; ++i) {
      Vec3 x;
      for (int k = 0; k < 3; ++k) x[k] = std::floor(rng.uniform(0, 8) * 1048576) / 1048576;
      x += by;
      if (periods) x += s.state.globals.cell.translation({i % 3 - 1, i % 2, -(i % 5)});
      balls.push_back({x, 1, 0, {}, {}});
    }
    s.assemble(balls);
    s.prepare();
    std::vector<Vec3> f;
    for (u32 i = 0; i < 40; ++i) f.push_back(s.force(i));
    return f;
  };
  const auto at_rest = forces({}, false);
  for (const auto& other : {forces({3.25, -1.5, 17}, false), forces({}, true), forces({-5.125, 0, 1}, true)})
    for (std::size_t i = 0; i < at_rest.size(); ++i)
      for (int k = 0; k < 3; ++k) EXPECT_EQ(at_rest[i][k], other[i][k]) << "seed 7, ball " << i;  // exact numbers
}

TEST(PeriodicCell, APairAcrossTheFaceFeelsWhatAPairInTheMiddleFeels) {
  for (const Real tilt : {0.0, 0.25, 1.5}) {  // orthogonal and sheared cells
    const auto force = [&](Vec3 centre) {
      Sample<3> s({sand(0)});
      s.set_law<Hertz>();
      s.set_box({16, 16, 16});
      s.state.globals.cell.h(0, 2) = 16 * tilt;
      s.state.globals.cell.h(1, 0) = 4 * tilt;
      s.assemble({{centre - Vec3{0.5, 0.25, 0.75}, 1, 0, {}, {}}, {centre + Vec3{0.5, 0.25, 0.75}, 1, 0, {}, {}}});
      s.prepare();
      return s.force(0);
    };
    const Vec3 middle = force({8, 8, 8});
    ASSERT_GT(length(middle), 0);
    for (const Vec3& x : {Vec3{0, 8, 8}, Vec3{8, 16, 8}, Vec3{8, 8, 0}, Vec3{0, 0, 0}, Vec3{16, 0, 16}})
      EXPECT_EQ(force(x), middle) << "tilt " << tilt;  // dyadic coordinates: exact
  }
}

TEST(PeriodicCell, ASmallCellTouchesThroughSeveralImagesAndItself) {
  // Two spheres of radius 1 at half the edge along x in a cell of 1.875 x 4 x 4: each touches itself through x (overlap
  // 0.125), and the other on both sides (overlap 1.0625). By symmetry there is no net force; the stress is exact.
  Sample<3> s({sand(0)});
  s.set_law<Hertz>();
  s.model.options.overlap_limit = 2;
  s.set_box({1.875, 4, 4});
  s.assemble({{{0.5, 1, 1}, 1, 0, {}, {}}, {{0.5 + 0.9375, 1, 1}, 1, 0, {}, {}}});
  s.prepare();
  const Real h = hertz_constant(1);
  const Real own = h * std::pow(0.125, 1.5), other = h * std::pow(1.0625, 1.5);
  EXPECT_EQ(s.contacts().size(), 4u);  // two with the other, one with itself for each
  EXPECT_NEAR(length(s.force(0)), 0, 1e-12 * other);
  EXPECT_NEAR(s.stress()(0, 0) / ((2 * own * 1.875 + 2 * other * 0.9375) / (1.875 * 16)), 1, 1e-12);

  // A cell thinner than one sphere: the sphere reaches its second image too.
  Sample<3> thin({sand(0)});
  thin.set_law<Hertz>();
  thin.model.options.overlap_limit = 2;
  thin.set_box({0.75, 4, 4});
  thin.assemble({{{0.1, 1, 1}, 1, 0, {}, {}}});
  thin.prepare();
  const Real first = h * std::pow(1.25, 1.5), second = h * std::pow(0.5, 1.5);
  EXPECT_EQ(thin.contacts().size(), 2u);
  EXPECT_NEAR(thin.stress()(0, 0) / ((first * 0.75 + second * 1.5) / (0.75 * 16)), 1, 1e-12);
}

// Strain and back with friction that never slips, quasi-statically: the state comes back. Hertz with kept shear and the
// linear law are elastic along a path that is retraced.
TEST(PeriodicCell, ElasticSampleReturnsAfterStrainAndBack) {
  const auto returns = [](auto set_law, Real stiffness) {
    Sample<3> s({sand(1e9)});
    s.model.options.rotation = false;
    s.options.local_damping = 0.5;
    set_law(s);
    const auto l = sampling::lattice<3>("fcc", d * 0.99, {2, 2, 2});
    s.set_box(l.edges);
    std::vector<Ball<3>> balls;
    Rng rng{11, 0, 0};
    for (const Vec3& p : l.points) balls.push_back({p, sand_radius * rng.uniform(0.999, 1.001), 0, {}, {}});
    s.assemble(balls);
    s.state.globals.dt = 0.15 * std::sqrt(s.mass(0) / stiffness);
    s.prepare();
    s.run(8000);  // to rest: sizes differ by 0.1 %, so the lattice has to settle
    std::vector<Vec3> before;
    for (u32 i = 0; i < l.points.size(); ++i) before.push_back(s.position(i));
    const Mat3 stress = s.stress();
    Mat3 rate;
    rate(0, 1) = 1;
    rate(2, 2) = -0.5;
    rate = (2e-4 / (6000 * s.state.globals.dt)) * rate;  // a strain of 2e-4 in 6,000 steps
    s.set_rate(rate);
    s.run(6000);
    const Mat3 strained = s.stress();
    s.set_rate(Real(-1) * rate);
    s.run(6000);
    s.set_rate({});
    s.run(8000);
    EXPECT_EQ(s.status, 0u);
    EXPECT_GT(std::abs(strained(0, 1) - stress(0, 1)), 1e-3 * stress(0, 0));  // it was a strain worth speaking of
    Real furthest = 0;
    for (u32 i = 0; i < before.size(); ++i) furthest = std::max(furthest, length(s.position(i) - before[i]));
    const Mat3 back = s.stress();
    Real change = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) change = std::max(change, std::abs(back(i, j) - stress(i, j)));
    EXPECT_LT(furthest / d, 1e-6);
    EXPECT_LT(change / stress(0, 0), 1e-6);
  };
  const Real k = 1.5 * hertz_constant(sand_radius) * std::sqrt(0.01 * d);
  returns([&](Sample<3>& s) { s.set_law<Linear<3>>(0, 0, {k, 0.5 * k, 0, 1e9}); }, k);
  returns([&](Sample<3>& s) { s.set_law<Hertz>({{"shear_unloading", "kept"}}); }, k);
}
