// Averages on samples small enough to know the answer.
#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/sampling/placement.hpp>

#include "../../support/sample.hpp"

using namespace talus;
using namespace talus::test;

// Tolerance 1e-12: rounding, of overlaps as differences of positions too where they are deep; 1e-18 of a volume of 1e-3.

namespace {

using Hertz = HertzMindlin<3>;

Sample<3> balls_at(const std::vector<Vec3>& points, Real radius = 1) {
  Sample<3> s({sand(0.3)});
  s.set_law<Hertz>();
  std::vector<Ball<3>> balls;
  for (const Vec3& p : points) balls.push_back({p, radius, 0, {}, {}});
  s.set_box({100, 100, 100}, false);
  s.assemble(balls);
  s.prepare();
  return s;
}

}  // namespace

TEST(MeanDiameter, HasTheSameBitsInAnyOrderOfTheGrains) {
  Rng rng{7};
  std::vector<Ball<3>> balls;
  for (int k = 0; k < 40; ++k) balls.push_back({{3.0 * k, 0, 0}, rng.uniform(0.1, 1), 0, {}, {}});
  Sample<3> s({sand(0.3)});
  s.set_law<Hertz>();
  s.set_box({200, 100, 100}, false);
  s.assemble(balls);
  const Real before = measure::mean_diameter(s.state);
  for (std::size_t i = 40; i-- > 1;) {  // shuffled: a checkpoint puts grains in order of uids, a search in order of places
    const std::size_t j = rng.below(i + 1);
    std::swap(s.state.bodies.uid[i], s.state.bodies.uid[j]);
    std::swap(s.state.bodies.radius[i], s.state.bodies.radius[j]);
  }
  EXPECT_EQ(measure::mean_diameter(s.state), before);
}

TEST(Coordination, CountsContactsRattlersAndTheMechanicalPart) {
  // A row of four touching balls and two that touch nothing: contacts 1, 2, 2, 1, 0, 0.
  const Sample<3> s = balls_at({{0, 0, 0}, {1.99, 0, 0}, {3.98, 0, 0}, {5.97, 0, 0}, {0, 9, 0}, {9, 9, 0}});
  const auto z = measure::coordination(s.state, s.contacts());
  EXPECT_EQ(z.contacts, 3u);
  EXPECT_DOUBLE_EQ(z.all, 2 * 3 / 6.0);
  EXPECT_DOUBLE_EQ(z.mechanical, (2 * 3 - 2) / 2.0);  // (2 Nc - N1) / (Np - N0 - N1)
  EXPECT_DOUBLE_EQ(z.rattlers, 4 / 6.0);
}

TEST(Overlap, OfAShareOfTheContactsIsThatOfTheOneAtThisRank) {
  // Overlaps over the radius 1: 0.01, 0.02, 0.03.
  const Sample<3> s = balls_at({{0, 0, 0}, {1.99, 0, 0}, {3.97, 0, 0}, {5.94, 0, 0}});
  EXPECT_NEAR(measure::overlap_below(s.state, s.contacts(), 0.99), 0.03, 1e-12);
  EXPECT_NEAR(measure::overlap_below(s.state, s.contacts(), 0.6), 0.02, 1e-12);
  EXPECT_NEAR(measure::overlap_below(s.state, s.contacts(), 0.3), 0.01, 1e-12);
  EXPECT_EQ(measure::overlap_below(s.state, {}, 0.99), 0);
}

TEST(Coordination, CountsAWallAsAContactOfTheGrainOnly) {
  Sample<3> s({sand(0.3)});
  s.set_law<Hertz>();
  s.assemble({{{0, 0, 0.99}, 1, 0, {}, {}}, {{0, 0, 2.98}, 1, 0, {}, {}}}, {wall<3>({}, {0, 0, 1})});
  s.prepare();
  const auto z = measure::coordination(s.state, s.contacts());
  EXPECT_EQ(z.contacts, 2u);
  EXPECT_DOUBLE_EQ(z.all, 1.5);  // the lower grain has two, the upper one
}

TEST(Coordination, OfNoGrainsAndNoContactsIsZero) {
  const Sample<3> s = balls_at({{0, 0, 0}});
  const auto z = measure::coordination(s.state, s.contacts());
  EXPECT_EQ(z.all, 0);
  EXPECT_EQ(z.mechanical, 0);
  EXPECT_EQ(z.rattlers, 1);
}

TEST(Fabric, OfCubicLatticesIsIsotropicAndOfARowIsAlongIt) {
  for (const char* kind : {"sc", "bcc", "fcc"}) {
    const auto l = sampling::lattice<3>(kind, 1.99, {2, 2, 2});
    Sample<3> s = balls_at(l.points);
    s.set_box(l.edges);
    s.prepare();
    const Mat3 f = measure::fabric(s.state, s.contacts());
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(f(i, j), i == j ? 1.0 / 3 : 0, 1e-12) << kind;  // rounding of normals
  }
  const Sample<3> row = balls_at({{0, 0, 0}, {1.2, 1.5, 0}, {2.4, 3.0, 0}});
  const Mat3 f = measure::fabric(row.state, row.contacts());
  const Real length2 = 1.2 * 1.2 + 1.5 * 1.5;
  EXPECT_NEAR(f(0, 0), 1.44 / length2, 1e-12);
  EXPECT_NEAR(f(0, 1), 1.8 / length2, 1e-12);
  EXPECT_NEAR(f(2, 2), 0, 1e-12);
}

TEST(Fabric, OfAHexagonalLayerIsIsotropicInThePlane) {
  const auto l = sampling::lattice<2>("hexagonal", 1.99, {4, 3});
  Sample<2> s({sand(0)});
  s.model.options.spheres_in_plane = true;
  s.set_law<HertzMindlin<2>>();
  std::vector<Ball<2>> balls;
  for (const Vec2& p : l.points) balls.push_back({p, 1, 0, {}, {}});
  s.set_box(l.edges);
  s.assemble(balls);
  s.prepare();
  const auto f = measure::fabric(s.state, s.contacts());
  EXPECT_NEAR(f(0, 0), 0.5, 1e-12);
  EXPECT_NEAR(f(0, 1), 0, 1e-12);
  EXPECT_DOUBLE_EQ(measure::coordination(s.state, s.contacts()).all, 6);
}

TEST(Unbalanced, IsZeroInBalanceAndOneForALonePush) {
  const auto l = sampling::lattice<3>("fcc", 1.9, {2, 2, 2});
  Sample<3> s = balls_at(l.points);
  s.set_box(l.edges);
  s.prepare();
  EXPECT_NEAR(measure::unbalanced(s.state, s.contacts(), s.state.globals.gravity), 0,
              1e-13);  // rounding of twelve forces
  const Sample<3> pair = balls_at({{0, 0, 0}, {1.9, 0, 0}});
  EXPECT_DOUBLE_EQ(measure::unbalanced(pair.state, pair.contacts(), pair.state.globals.gravity), 1);
}

TEST(Forces, MeanSpreadAndMobilisedFrictionOfTwoContacts) {
  const Sample<3> s = balls_at({{0, 0, 0}, {1.96, 0, 0}, {1.96, 1.99, 0}});
  const Real h = hertz_constant(1), a = h * std::pow(0.04, 1.5), b = h * std::pow(0.01, 1.5);
  const auto f = measure::forces(s.contacts());
  EXPECT_NEAR(f.mean / ((a + b) / 2), 1, 1e-12);
  EXPECT_NEAR(f.deviation / ((a - b) / 2), 1, 1e-12);
  EXPECT_NEAR(f.most / a, 1, 1e-12);
  EXPECT_NEAR(f.mobilised, 0, 1e-14);  // rounding of the normals
}

TEST(InertialNumber, IsRateTimesSizeTimesRootOfDensityOverPressure) {
  Sample<3> s = balls_at({{0, 0, 0}, {50, 0, 0}}, 0.105e-3);
  s.state.globals.cell.rate(2, 2) = -10;
  Mat3 stress;
  for (int k = 0; k < 3; ++k) stress(k, k) = 1e5;
  EXPECT_NEAR(measure::inertial_number(s.model, s.state, stress, wall_view(s.model, s.state)),
              10 * 0.21e-3 * std::sqrt(2650 / 1e5), 1e-12);
  EXPECT_EQ(measure::inertial_number(s.model, s.state, Mat3{}, wall_view(s.model, s.state)), 0);
}

TEST(WallStress, EqualsTheInnerStressOfASettledBox) {
  // Balls that are too large for their box, at rest after damping. Walls without friction: then nothing but their normal
  // forces holds the sample, and each of two facing walls carries what the contacts carry.
  const Real edge = 0.1;
  Material m = sand(0.3, 0.5);
  m.young = 1e7;
  Material smooth = m;
  smooth.friction = 0;
  Sample<3> s({m, smooth});
  s.set_law<Hertz>();
  s.options.local_damping = 0.5;
  s.model.options.overlap_limit = 1;
  s.set_box({edge, edge, edge}, false);
  Rng rng{12, 0, 0};
  std::vector<Ball<3>> balls;
  for (int i = 0; i < 64; ++i) {
    const Vec3 cell{Real(i % 4), Real(i / 4 % 4), Real(i / 16)};
    Ball<3> b;
    for (int k = 0; k < 3; ++k) b.position[k] = (cell[k] + rng.uniform(0.4, 0.6)) * edge / 4;
    b.radius = 0.0135 * rng.uniform(0.9, 1.1);
    balls.push_back(b);
  }
  s.assemble(balls, box_walls<3>({edge, edge, edge}, 1));
  s.state.globals.dt = 5e-5;
  s.prepare();
  s.run(20000);
  const auto contacts = s.contacts();
  const Real left = measure::unbalanced(s.state, contacts, s.state.globals.gravity);
  ASSERT_LT(left, 1e-6);  // at rest
  const Mat3 stress = s.stress();
  // Balance of every grain makes the walls equal to the stress; forces that are off by a share `left` leave about that
  // share times the number of contacts on a chain from wall to wall.
  for (int k = 0; k < 3; ++k) {
    const Real low = measure::wall_stress(s.model, s.state, std::size_t(2 * k), wall_view(s.model, s.state));
    const Real high = measure::wall_stress(s.model, s.state, std::size_t(2 * k + 1), wall_view(s.model, s.state));
    EXPECT_NEAR((low + high) / 2 / stress(k, k), 1, 100 * left + 1e-12);
    EXPECT_NEAR(low / high, 1, 100 * left + 1e-12);
  }
  EXPECT_NEAR(sample_volume(s.model, s.state), edge * edge * edge, 1e-18);
}
