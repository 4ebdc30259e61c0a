// A sample of copies of a periodic cell, and its disturbance.
#include <algorithm>
#include <map>
#include <tuple>

#include <gtest/gtest.h>

#include <talus/measure/state_hash.hpp>
#include <talus/sampling/disturb.hpp>
#include <talus/sampling/placement.hpp>
#include <talus/sampling/replicate.hpp>

#include "../../support/mixed_sample.hpp"

using namespace talus;
using namespace talus::test;
using sampling::Replicas;

namespace {

// 300 balls of two materials under three laws, sheared and squeezed until friction is mobilised, some of them periods away
// from the box, a few contacts with virtual overlaps.
template <int D>
Sample<D> sheared_cell() {
  Sample<D> s = mixed_sample<D>();
  Bodies<D>& b = s.state.bodies;
  for (std::size_t i = 0; i < b.size(); i += 7) {
    Vec<D, i32> away{};
    away[int(i) % D] = i % 2 == 0 ? -1 : 2;
    b.position[i] += s.state.globals.cell.translation(away);
  }
  s.prepare();
  s.run(300);
  State<D>::visit_tables(s.state, [](const AboutTable&, auto& table) {
    if constexpr (requires { table.shift; }) {
      table.shift.assign(table.size(), 0);
      for (std::size_t r = 0; r < table.size(); ++r)
        if (table.remembers(r) && table.key[r].a % 3 == 0) table.shift[r] = 1e-5;
    }
  });
  return s;
}

// The same with coordinates on a grid that leaves room for a few copies: rounding changes nothing any more.
template <int D>
Sample<D> cell_on_grid() {
  Sample<D> s = sheared_cell<D>();
  const auto round = [](Real& x) { x = std::floor(x * 0x1p40) * 0x1p-40; };
  for (auto& x : s.state.bodies.position)
    for (int k = 0; k < D; ++k) round(x[k]);
  for (int i = 0; i < D; ++i)
    for (int k = 0; k < D; ++k) round(s.state.globals.cell.h(i, k));
  s.scratch = {};
  return s;
}

template <int D>
Sample<D> evaluated(const Sample<D>& like, State<D> state) {
  Sample<D> s;
  s.model = like.model;
  s.state = std::move(state);
  for (std::size_t w = 0; w < s.model.walls.size(); ++w) s.model.walls[w].uid = s.state.bodies.uid[s.state.grains() + w];  // as the scene does
  s.prepare();
  return s;
}

template <int D>
Replicas<D> copies(int x, int y, int z) {
  Replicas<D> r;
  const int n[3] = {x, y, z};
  for (int k = 0; k < D; ++k) r.along[k] = n[k];
  return r;
}

// Every contact and every grain of the copies against the cell's, as numbers with all their bits.
template <int D>
void expect_copies(const Sample<D>& cell, const Sample<D>& all, u32 copies) {
  std::map<std::pair<u32, u32>, ContactSample<D>> of_cell;
  for (const auto& c : cell.contacts()) of_cell.emplace(std::pair{c.key.a, c.key.b}, c);
  ASSERT_EQ(of_cell.size(), cell.contacts().size()) << "a pair touches twice: the cell is too small for this test";
  const auto contacts = all.contacts();
  ASSERT_EQ(contacts.size(), copies * of_cell.size());
  for (const auto& c : contacts) {
    const auto& once = of_cell.at({c.key.a / copies, c.key.b / copies});
    EXPECT_EQ(c.overlap, once.overlap);
    EXPECT_EQ(c.branch, once.branch);
    EXPECT_EQ(c.force, once.force);
  }
  const Bodies<D>& b = all.state.bodies;
  ASSERT_EQ(all.state.grains(), copies * cell.state.grains());
  for (std::size_t i = 0; i < all.state.grains(); ++i) {
    EXPECT_EQ(b.force[i], cell.force(b.uid[i] / copies));
    EXPECT_EQ(b.torque[i], cell.torque(b.uid[i] / copies));
  }
}

// A sample without the names of its bodies: bodies by their positions, contacts by the places of their bodies in that order.
template <int D>
struct Nameless {
  struct Body {
    Vec<D> position, velocity, force;
    Real radius;
    u32 uid;
  };
  std::vector<Body> bodies;
  std::vector<std::tuple<u32, u32, std::array<i16, 3>, Real>> contacts;

  explicit Nameless(const State<D>& s) {
    const Bodies<D>& b = s.bodies;
    for (std::size_t i = 0; i < b.size(); ++i)
      bodies.push_back({b.position[i], b.velocity[i], b.force[i], b.radius[i], b.uid[i]});
    std::sort(bodies.begin(), bodies.end(), [](const Body& p, const Body& q) {
      for (int k = 0; k < D; ++k)
        if (p.position[k] != q.position[k]) return p.position[k] < q.position[k];
      return false;
    });
    std::map<u32, u32> place;
    for (std::size_t i = 0; i < bodies.size(); ++i) place[bodies[i].uid] = u32(i);
    State<D>::visit_tables(s, [&](const AboutTable&, const auto& table) {
      if constexpr (requires { table.history; })
        for (std::size_t r = 0; r < table.size(); ++r)
          if (table.remembers(r)) {
            const RowKey& k = table.key[r];
            contacts.emplace_back(place[k.a], place[k.b], std::array{k.period[0], k.period[1], k.period[2]},
                                  reinterpret_cast<const Real&>(table.history[r]));
          }
    });
    std::sort(contacts.begin(), contacts.end());
  }
};

}  // namespace

template <class T>
class Replication : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Replication, Dimensions);

TYPED_TEST(Replication, CopiesHaveTheOverlapsForcesAndNetForcesOfTheCellBitByBit) {
  constexpr int D = TypeParam::value;
  const Sample<D> cell = cell_on_grid<D>();
  const Sample<D> once = evaluated(cell, cell.state);
  EXPECT_GT(measure::forces(once.contacts()).mobilised, 0.05);
  for (const auto& r : {copies<D>(2, 3, 2), copies<D>(1, 4, 1), copies<D>(3, 1, 1)}) {
    ASSERT_EQ(sampling::flaw_of(cell.state, r), "");
    const State<D> made = sampling::replicate(cell.state, r);
    EXPECT_EQ(sampling::branch_error(cell.state, made, r), 0);
    const Sample<D> all = evaluated(cell, made);
    EXPECT_EQ(all.status, 0u);  // no contact lost what it remembered
    expect_copies(once, all, u32(r.count()));
  }
}

TYPED_TEST(Replication, OneCopyIsTheCellItself) {
  constexpr int D = TypeParam::value;
  const Sample<D> cell = sheared_cell<D>();
  const State<D> same = sampling::replicate(cell.state, copies<D>(1, 1, 1));
  EXPECT_EQ(state_hash(same), state_hash(cell.state));
  for (std::size_t i = 0; i < same.bodies.size(); ++i) EXPECT_EQ(same.bodies.position[i], cell.state.bodies.position[i]);
}

TYPED_TEST(Replication, ACopyOfCopiesIsTheDirectOneButForNames) {
  constexpr int D = TypeParam::value;
  const Sample<D> cell = sheared_cell<D>();  // on no grid: both ways must round alike
  const State<D> direct = sampling::replicate(cell.state, copies<D>(2, 3, 4));
  const State<D> again = sampling::replicate(sampling::replicate(cell.state, copies<D>(2, 1, 2)), copies<D>(1, 3, 2));
  for (int k = 0; k < D; ++k) EXPECT_EQ(direct.globals.cell.edge(k), again.globals.cell.edge(k));
  const Nameless<D> p(direct), q(again);
  ASSERT_EQ(p.bodies.size(), q.bodies.size());
  for (std::size_t i = 0; i < p.bodies.size(); ++i) {
    EXPECT_EQ(p.bodies[i].position, q.bodies[i].position);
    EXPECT_EQ(p.bodies[i].velocity, q.bodies[i].velocity);
    EXPECT_EQ(p.bodies[i].radius, q.bodies[i].radius);
  }
  EXPECT_EQ(p.contacts, q.contacts);
  const Nameless<D> f(evaluated(cell, direct).state), g(evaluated(cell, again).state);
  for (std::size_t i = 0; i < f.bodies.size(); ++i) EXPECT_EQ(f.bodies[i].force, g.bodies[i].force);
}

TYPED_TEST(Replication, RoundingMovesBranchesByAFewUnitsOfTheGrid) {
  constexpr int D = TypeParam::value;
  const Sample<D> cell = sheared_cell<D>();
  const auto r = copies<D>(3, 3, 3);
  // The grid is 2^-47 of 2 m, the power above the largest coordinate (0.4 m, three periods). A branch is made of two positions and up to three
  // edges, each rounded by less than one unit: 5 sqrt(3) 1.4e-14 m over a branch of at least 0.012 m.
  const Real error = sampling::branch_error(cell.state, sampling::replicate(cell.state, r), r);
  EXPECT_LT(error, 1.1e-11);
  EXPECT_GT(error, 0);  // the cell lies on no grid: that of a sample measured against itself would be 0
}

TYPED_TEST(Replication, LinksThroughFacesThatOpenAreDroppedAndGrainsAreInsideThem) {
  constexpr int D = TypeParam::value;
  const Sample<D> cell = cell_on_grid<D>();
  auto r = copies<D>(2, 3, 1);
  auto closed = sampling::replicate(cell.state, r);
  r.open[0] = 1;
  const State<D> made = sampling::replicate(cell.state, r);
  EXPECT_EQ(made.globals.cell.periodic[0], 0);
  EXPECT_EQ(made.globals.cell.periodic[1], 1);
  const Mat<D> inverse_h = inverse(made.globals.cell.h);
  for (const auto& x : made.bodies.position) {
    const Real s = (inverse_h * x)[0];
    EXPECT_GE(s, -1e-12);
    EXPECT_LE(s, 1 + 1e-12);
  }
  const Sample<D> whole = evaluated(cell, closed), open = evaluated(cell, made);
  EXPECT_EQ(open.status, 0u);
  EXPECT_LT(open.contacts().size(), whole.contacts().size());
  // What is left has its force, and no new contact has come. Copies are counted anew where grains were put into the box.
  std::map<std::pair<u32, u32>, Vec<D>> forces;
  for (const auto& c : whole.contacts()) forces[{c.key.a / 6, c.key.b / 6}] = c.force;
  for (const auto& c : open.contacts()) {
    EXPECT_EQ(c.key.period[0], 0);
    EXPECT_EQ(c.force, (forces.at({c.key.a / 6, c.key.b / 6})));
  }
  std::size_t crossing = 0;
  for (const auto& c : evaluated(cell, cell.state).contacts()) {
    const Mat<D> to_cell = inverse(cell.state.globals.cell.h);
    const auto period = [&](u32 uid) { return std::floor((to_cell * cell.state.bodies.position[cell.index(uid)])[0]); };
    crossing += c.key.period[0] + period(c.key.b) - period(c.key.a) != 0;
  }
  EXPECT_GT(crossing, 0u);
  EXPECT_EQ(open.contacts().size(), whole.contacts().size() - 3 * crossing);  // one of two copies along x, three along y
}

TEST(ReplicationWithWalls, GrainsFeelTheWallAsInTheCellAndWallsAreTheLastBodies) {
  Sample<3> s = mixed_sample<3>();
  std::vector<Ball<3>> balls;
  for (std::size_t i = 0; i < s.state.grains(); ++i)
    balls.push_back({s.state.bodies.position[i], s.state.bodies.radius[i], s.state.bodies.material[i], s.state.bodies.velocity[i], {}});
  s.state.globals.cell.periodic[2] = 0;
  s.set_rate({});
  s.assemble(balls, {wall<3>({0, 0, 0.001}, {0, 0, 1})});
  s.prepare();
  s.run(100);
  const auto round = [](Real& x) { x = std::floor(x * 0x1p40) * 0x1p-40; };
  for (auto& x : s.state.bodies.position)
    for (int k = 0; k < 3; ++k) round(x[k]);
  for (int k = 0; k < 3; ++k) round(s.state.globals.cell.h(k, k));
  const Sample<3> once = evaluated(s, s.state), all = evaluated(s, sampling::replicate(s.state, copies<3>(2, 2, 1)));
  ASSERT_EQ(all.state.walls, 1u);
  EXPECT_EQ(all.state.bodies.uid[all.state.grains()], 4 * 300u);
  EXPECT_EQ(all.status, 0u);
  int touching = 0;
  for (const auto& c : once.contacts()) touching += c.b >= once.state.grains();
  EXPECT_GT(touching, 5);
  for (std::size_t i = 0; i < all.state.grains(); ++i) EXPECT_EQ(all.state.bodies.force[i], once.force(all.state.bodies.uid[i] / 4));
  EXPECT_NE(sampling::flaw_of(s.state, copies<3>(1, 1, 2)), "") << "the cell does not repeat along z";
}

TEST(ReplicationRefuses, ACellThatIsNarrowerThanTwoGrainsOrHasOneGrain) {
  Sample<3> s;
  s.set_box({3.9, 8, 8});
  s.assemble({{{1, 1, 1}, 1, 0, {}, {}}, {{1, 4, 1}, 0.5, 0, {}, {}}});
  EXPECT_NE(sampling::flaw_of(s.state, copies<3>(2, 1, 1)).find("along x"), std::string::npos);
  EXPECT_EQ(sampling::flaw_of(s.state, copies<3>(1, 2, 2)), "");
  s.assemble({{{1, 1, 1}, 0.5, 0, {}, {}}});
  EXPECT_NE(sampling::flaw_of(s.state, copies<3>(2, 1, 1)).find("two grains"), std::string::npos);
}

TEST(Disturbance, ChangesDiametersMassesAndVelocitiesByTheUidAlone) {
  Sample<3> s = sheared_cell<3>();
  s.model.options.rotation = true;
  const State<3> before = s.state, after = sampling::disturb(before, s.model, {0.0075, 0.01}, 5);
  Real least = 1, most = 1;
  for (std::size_t i = 0; i < before.grains(); ++i) {
    const Real ratio = after.bodies.radius[i] / before.bodies.radius[i];
    least = std::min(least, ratio);
    most = std::max(most, ratio);
    EXPECT_NEAR(after.bodies.mass[i] / before.bodies.mass[i], ratio * ratio * ratio, 1e-14);  // rounding of three products
    EXPECT_NEAR(length(after.bodies.velocity[i] - before.bodies.velocity[i]), 0.01, 1e-15);
  }
  EXPECT_GE(least, 1 - 0.0075);
  EXPECT_LE(most, 1 + 0.0075);
  EXPECT_GT(most - least, 0.014);  // 300 draws from an interval of 0.015
  State<3>::visit_tables(after, [](const AboutTable&, const auto& table) {
    if constexpr (requires { table.shift; }) {
      for (const Real shift : table.shift) EXPECT_EQ(shift, 0);
    }
  });
  // Another order in memory, the same numbers.
  State<3> turned = before;
  std::swap(turned.bodies.uid[3], turned.bodies.uid[9]);
  std::swap(turned.bodies.radius[3], turned.bodies.radius[9]);
  EXPECT_EQ(sampling::disturb(turned, s.model, {0.0075, 0}, 5).bodies.radius[9], after.bodies.radius[3]);
  EXPECT_NE(sampling::disturb(before, s.model, {0.0075, 0}, 6).bodies.radius[3], after.bodies.radius[3]);
  EXPECT_EQ(state_hash(sampling::disturb(before, s.model, {}, 5)), state_hash(before));
}

namespace {

// Balls in a cylinder that has closed in on them while the cell was squeezed along its axis, where it repeats; on a grid, as above.
Sample<3> slice_on_grid() {
  Sample<3> s({sand(0.4)});
  s.model.options.rotation = false;
  s.set_law<Linear<3>>(0, 0, {1e5, 5e4, 0, 0.4});
  s.set_box({0.2, 0.2, 0.08}, false);
  s.state.globals.cell.periodic[2] = 1;
  PlacedWall<3> side;
  side.name = "side";
  side.position = {0.1, 0.1, 0.04};
  side.shape = WallCylinder<3>::around({0, 0, 1}, 0.09);
  side.drive.control = WallControl::velocity;
  side.drive.radius_rate = 0.2;
  std::vector<Ball<3>> balls;
  const std::vector<Real> small(120, 0.009);
  for (const Vec3& x : sampling::points_without_overlap<3>(s.state.globals.cell, small, 7, {}, {side.shape, side.position, 1})) balls.push_back({x, 0.012, 0, {}, {}});
  s.assemble(balls, {side});
  s.options.local_damping = 0.5;
  Mat3 rate{};
  rate(2, 2) = -2;
  s.set_rate(rate);
  s.state.globals.dt = 0.05 * std::sqrt(s.mass(0) / 1e5);
  s.prepare();
  s.run(400);
  const auto round = [](Real& x) { x = std::floor(x * 0x1p40) * 0x1p-40; };
  for (auto& x : s.state.bodies.position)
    for (int k = 0; k < 3; ++k) round(x[k]);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) round(s.state.globals.cell.h(i, k));
  s.scratch = {};
  return s;
}

}  // namespace

TEST(ReplicationOfSlices, CopiesAlongACylinderHaveTheForcesOfTheSliceAndPressTheWallAsOftenAsThereAreCopies) {
  const Sample<3> cell = slice_on_grid(), once = evaluated(cell, cell.state);
  ASSERT_EQ(cell.state.grains(), 120u);
  ASSERT_EQ(once.status, 0u);
  std::size_t at_wall = 0;
  for (const auto& c : once.contacts()) at_wall += c.b >= 120;
  EXPECT_GT(at_wall, 10u);
  EXPECT_GT(measure::forces(once.contacts()).mobilised, 0.05);
  const Replicas<3> r = copies<3>(1, 1, 5);
  State<3> made = sampling::replicate(cell.state, r);
  EXPECT_EQ(made.walls, 1u);
  EXPECT_EQ(sampling::branch_error(cell.state, made, r), 0);
  Sample<3> like = cell;
  like.model.walls[0].uid = made.bodies.uid[made.grains()];
  const Sample<3> all = evaluated(like, made);
  EXPECT_EQ(all.status, 0u);
  expect_copies(once, all, 5);
  auto open = copies<3>(1, 1, 2);
  open.open[2] = 1;
  Sample<3> cut = cell;
  cut.state.bodies.position[3].z += 2 * cell.state.globals.cell.h(2, 2);  // it comes back into the box, its contact with the wall stays
  cut.state.bodies.position[7].z -= cell.state.globals.cell.h(2, 2);
  const Sample<3> moved = evaluated(cut, cut.state);  // its contacts go by the names of their images
  State<3> two = sampling::replicate(moved.state, open);
  like.model.walls[0].uid = two.bodies.uid[two.grains()];
  EXPECT_EQ(evaluated(like, two).status, 0u);
  const Closing a = once.state.bodies.closing[120], b = all.state.bodies.closing[600];
  EXPECT_EQ(a.way, b.way);
  EXPECT_NEAR(b.push / (5 * a.push), 1, 1e-14);
}
