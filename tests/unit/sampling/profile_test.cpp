// Forces scaled with depth, boxes cut out of samples, grains that are held.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include <talus/sampling/crop.hpp>
#include <talus/sampling/profile.hpp>
#include <talus/sampling/replicate.hpp>

#include "../../support/mixed_sample.hpp"

using namespace talus;
using namespace talus::test;
using sampling::HeldLayer;
using sampling::Profile;

namespace {

// 300 balls of two materials under three laws, pressed together and brought nearly to rest.
template <int D>
Sample<D> packed() {
  Sample<D> s = mixed_sample<D>();
  s.state.globals.gravity = {};
  s.options.local_damping = 0.7;
  s.prepare();
  s.run(150);
  s.set_rate({});
  s.run(50);
  for (auto& v : s.state.bodies.velocity) v = {};
  for (auto& w : s.state.bodies.spin) w = {};
  s.scratch = {};
  s.prepare();
  return s;
}

template <int D>
Sample<D> evaluated(const Sample<D>& like, State<D> state) {
  Sample<D> s;
  s.model = like.model;
  s.options = like.options;
  s.state = std::move(state);
  s.state.globals.dt = 1e-12;  // forces as they are, without a step's slip
  s.prepare();
  return s;
}

// Four equal balls on top of one another, periodic along the last axis, under one force.
template <int D, class Law>
Sample<D> column_cell(Real load) {
  Sample<D> s({sand()});
  s.model.options.spheres_in_plane = true;
  s.model.options.rotation = false;
  s.template set_law<Law>();
  const Real r = 1e-3;
  const auto& p = std::get<law_index<Law>>(s.model.pairs.constants.of)[0];
  const Real pitch = 2 * r - Law::overlap_at(p, r / 2, load);
  Vec<D> edges;
  for (int k = 0; k < D; ++k) edges[k] = k == D - 1 ? 4 * pitch : 3 * r;
  s.set_box(edges);
  std::vector<Ball<D>> balls(4);
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < D; ++k) balls[std::size_t(i)].position[k] = k == D - 1 ? (i + 0.5) * pitch : 1.5 * r;
    balls[std::size_t(i)].radius = r;
  }
  s.assemble(balls);
  s.state.globals.dt = 1e-12;
  s.prepare();
  return s;
}

}  // namespace

template <class T>
class StressProfile : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(StressProfile, Dimensions);

TYPED_TEST(StressProfile, EveryContactGetsTheShareOfItsDepth) {
  constexpr int D = TypeParam::value;
  const Sample<D> s = packed<D>();
  ASSERT_EQ(sampling::flaw_of_scaling(s.model), "");
  const Real height = s.state.globals.cell.h(D - 1, D - 1);
  const Profile profile{2 * height, 0.5 / height};
  const Sample<D> scaled = evaluated(s, sampling::scale_forces(sampling::list_contacts(s.state, s.model, s.contacts()), s.model, profile));
  EXPECT_EQ(scaled.status & ~u32(deep_overlap), 0u);
  std::map<std::pair<u64, u64>, ContactSample<D>> before;
  for (const auto& c : s.contacts()) before.emplace(std::pair{c.key.bodies(), c.key.image_and_kind()}, c);
  std::size_t seen = 0;
  Real scale = 0;
  for (const auto& [key, c] : before) scale = std::max(scale, length(c.force));
  for (const auto& c : scaled.contacts()) {
    const auto it = before.find({c.key.bodies(), c.key.image_and_kind()});
    if (it == before.end()) continue;
    ++seen;
    const Real share = profile.share_at(s.state.bodies.position[s.index(c.key.a)][D - 1] + it->second.arm[D - 1]);
    // Rounding of the overlaps in the geometry, 1e-16 of a metre over overlaps of 1e-4 m and more.
    EXPECT_LT(length(c.force - share * it->second.force), 1e-9 * scale);
  }
  EXPECT_EQ(seen, before.size());
}

TYPED_TEST(StressProfile, WithoutDepthThereIsNoForceAndTheOverlapsStay) {
  constexpr int D = TypeParam::value;
  const Sample<D> s = packed<D>();
  Sample<D> none = evaluated(s, sampling::scale_forces(sampling::list_contacts(s.state, s.model, s.contacts()), s.model, {-1e9, 1}));
  EXPECT_TRUE(none.contacts().empty());
  none.run(20);
  EXPECT_TRUE(none.contacts().empty());
  EXPECT_EQ(none.status, 0u);
}

namespace {

// A plane at height 0 that faces up.
template <int D>
State<D> plane_below(Model<D>& model) {
  Vec<D> up{};
  up[D - 1] = 1;
  State<D> walls;
  sampling::assemble<D>(model, walls, {}, {wall<D>({}, up)});
  return walls;
}

// n cells on top of each other, open at both ends.
template <int D>
State<D> stacked(const State<D>& cell, i32 n) {
  sampling::Replicas<D> r;
  for (int k = 0; k < D; ++k) r.along[k] = k == D - 1 ? n : 1;
  r.open[D - 1] = 1;
  return sampling::replicate(cell, r);
}

// Five such cells on a plane, their forces scaled to the weight above.
template <int D, class Law>
Sample<D> column(Real g) {
  const Sample<D> cell = column_cell<D, Law>(1.0);
  Sample<D> s = cell;
  s.scratch = {};
  const State<D> walls = plane_below(s.model);
  State<D> made = stacked(cell.state, 5);
  made = sampling::list_contacts(made, s.model, evaluated(cell, made).contacts());
  made = sampling::restore_overlaps(made, s.model, cell.contacts(), 5);
  made = sampling::add_walls(made, walls, s.model);
  Real force = 0;
  for (const auto& c : cell.contacts()) force += dot(c.force, c.normal) / 4;
  made = sampling::press_on_walls(made, s.model, force);
  const Real height = made.globals.cell.h(D - 1, D - 1);
  s.state = sampling::scale_forces(made, s.model, {height, 20 * cell.mass(0) * g / (force * height)});
  s.state.globals.gravity[D - 1] = -g;
  s.state.globals.dt = 1e-7;
  s.prepare();
  return s;
}

template <int D, class Law>
void expect_balance() {
  constexpr Real g = 9.81;
  Sample<D> s = column<D, Law>(g);
  ASSERT_EQ(s.contacts().size(), 20u);
  const Real weight = s.mass(0) * g;
  std::vector<Real> forces;
  for (const auto& c : s.contacts()) forces.push_back(dot(c.force, c.normal) / weight);
  std::sort(forces.begin(), forces.end());
  // Coordinates up to 0.04 m are rounded to 3e-18 m, overlaps are 1e-7 m and more: forces of up to 20 weights to 1e-9 of one.
  for (std::size_t k = 0; k < forces.size(); ++k) EXPECT_NEAR(forces[k], Real(k + 1), 1e-9);
  std::map<u32, Vec<D>> start;
  for (std::size_t i = 0; i < s.state.grains(); ++i) start[s.state.bodies.uid[i]] = s.state.bodies.position[i];
  s.run(2000);
  EXPECT_EQ(s.status, 0u);
  // In these steps a ball that nothing holds falls by 2e-7 m.
  for (const auto& [uid, x] : start) EXPECT_LT(length(s.position(uid) - x), 1e-15);
}

}  // namespace

TYPED_TEST(StressProfile, AColumnIsBalancedToTheLastBitsAndDoesNotMove) {
  expect_balance<TypeParam::value, HertzMindlin<TypeParam::value>>();
  expect_balance<TypeParam::value, Linear<TypeParam::value>>();
}

TYPED_TEST(StressProfile, ABoxKeepsItsGrainsAndTheContactsAmongThem) {
  constexpr int D = TypeParam::value;
  const Sample<D> s = packed<D>();
  sampling::Replicas<D> r;
  Vec<D> size;
  for (int k = 0; k < D; ++k) {
    r.along[k] = 2;
    r.open[k] = 1;
    size[k] = 1.3 * s.state.globals.cell.h(k, k);
  }
  const Vec<D, i32> fill = sampling::copies_to_fill(s.state.globals.cell, size);
  for (int k = 0; k < D; ++k) EXPECT_GE(fill[k], 2);
  const State<D> whole = sampling::replicate(s.state, r);
  ASSERT_EQ(sampling::flaw_of_box(whole.globals.cell, size), "");
  const Sample<D> part = evaluated(s, sampling::crop(whole, size));
  EXPECT_EQ(part.status & ~u32(deep_overlap), 0u);  // no contact lost what it remembered
  Real expected = 1;
  for (int k = 0; k < D; ++k) expected *= 1.3;
  EXPECT_NEAR(Real(part.state.grains()), expected * Real(s.state.grains()), 0.05 * expected * Real(s.state.grains()));
  for (std::size_t i = 0; i < part.state.grains(); ++i)
    for (int k = 0; k < D; ++k) {
      EXPECT_GE(part.state.bodies.position[i][k], 0);
      EXPECT_LT(part.state.bodies.position[i][k], size[k]);
    }
  Vec<D> large = size;
  large[0] *= 2;
  EXPECT_NE(sampling::flaw_of_box(whole.globals.cell, large), "");
  EXPECT_NE(sampling::flaw_of_box(s.state.globals.cell, size), "");  // it repeats
}

TYPED_TEST(StressProfile, HeldGrainsDoNotMoveAndDoNotTouchOneAnother) {
  constexpr int D = TypeParam::value;
  Sample<D> s = packed<D>();
  HeldLayer<D> layer;
  layer.low[D - 1] = 1;
  layer.thickness = 0.045;
  const auto before = s.contacts();
  Sample<D> held = evaluated(s, sampling::hold(s.state, layer));
  EXPECT_EQ(held.status & ~u32(deep_overlap), 0u);
  held.state.globals.dt = 2e-5;
  held.state.globals.gravity[D - 1] = -10;
  std::map<u32, Vec<D>> start;
  for (std::size_t i = 0; i < held.state.grains(); ++i)
    if (!(held.state.bodies.inverse_mass[i] > 0)) start[held.state.bodies.uid[i]] = held.state.bodies.position[i];
  ASSERT_GT(start.size(), 30u);
  ASSERT_LT(start.size(), 200u);
  EXPECT_LT(held.contacts().size(), before.size());
  held.run(300);
  for (const auto& [uid, x] : start) EXPECT_EQ(held.position(uid), x);
  for (const auto& c : held.contacts()) EXPECT_FALSE(start.contains(c.key.a) && start.contains(c.key.b));
  // None of them counts: the ratio is that of the free grains alone.
  Real resultant = 0, total = 0;
  std::map<u32, std::pair<Vec<D>, Real>> net;
  for (const auto& c : held.contacts())
    for (const auto& [uid, sign] : {std::pair{c.key.a, 1.0}, std::pair{c.key.b, -1.0}}) {
      net[uid].first += sign * c.force;
      net[uid].second += length(c.force);
    }
  for (std::size_t i = 0; i < held.state.grains(); ++i) {
    const u32 uid = held.state.bodies.uid[i];
    if (start.contains(uid)) continue;
    resultant += length(net[uid].first + held.state.bodies.mass[i] * held.state.globals.gravity);
    total += net[uid].second;
  }
  EXPECT_NEAR(measure::unbalanced(held.state, held.contacts(), held.state.globals.gravity), resultant / total, 1e-12 * resultant / total);
}

TEST(StressProfile, GrainsAtAWallPushItWithWhatTheCutTookFromThem) {
  // Five cells of a column: of the contact that the cut at the bottom takes, the plane gets all, since the stress on its area is that contact's force.
  const Sample<3> cell = column_cell<3, HertzMindlin<3>>(1.0);
  sampling::Replicas<3> r;
  r.along = {1, 1, 5};
  r.open[2] = 1;
  Sample<3> s = cell;
  s.scratch = {};
  State<3> walls;
  sampling::assemble<3>(s.model, walls, {}, {wall<3>({}, {0, 0, 1})});
  State<3> made = sampling::replicate(cell.state, r);
  const auto of_cell = cell.contacts();
  const Mat3 stress = measure::stress(of_cell, cell.state.globals.cell.volume());
  made = sampling::list_contacts(made, s.model, evaluated(cell, made).contacts());
  made = sampling::restore_overlaps(made, s.model, of_cell, 5);
  made = sampling::add_walls(made, walls, s.model);
  const auto lost = sampling::lost_contacts(made, evaluated(s, made).contacts(), of_cell, cell.state.grains(), 5);
  ASSERT_EQ(lost.size(), 2u);  // at the bottom, and at the top, where no wall is
  made = sampling::press_on_walls(made, s.model, stress, lost, 0);
  const Sample<3> pressed = evaluated(s, made);
  Real on_plane = 0;
  for (const auto& c : pressed.contacts())
    if (c.b >= pressed.state.grains()) on_plane += c.force.z;
  EXPECT_NEAR(on_plane / (stress(2, 2) * cell.state.globals.cell.h(0, 0) * cell.state.globals.cell.h(1, 1)), 1, 1e-9);  // overlaps of 1e-6 m in coordinates of 0.05 m
  EXPECT_NEAR(on_plane / dot(of_cell[0].force, of_cell[0].normal), 1, 1e-9);
}

TYPED_TEST(StressProfile, WallsGiveBackTheNormalPartOfLostContactsToGrainsThatDoNotReachThemToo) {
  constexpr int D = TypeParam::value;
  Sample<D> cell = packed<D>();
  for (Real& r : cell.state.bodies.radius) r *= 1.3;  // more of them touch
  cell = evaluated(cell, cell.state);
  const auto of_cell = cell.contacts();
  const auto grains = u32(cell.state.grains());
  Sample<D> s = cell;
  s.scratch = {};
  const State<D> walls = plane_below(s.model);
  State<D> made = sampling::add_walls(stacked(cell.state, 2), walls, s.model);
  made = sampling::list_contacts(made, s.model, evaluated(s, made).contacts());
  const auto contacts = evaluated(s, made).contacts();
  const auto lost = sampling::lost_contacts(made, contacts, of_cell, grains, 2);
  ASSERT_GT(lost.size(), 20u);

  // What a grain had in the cell is what it has and what it lost.
  std::map<u32, Vec<D>> in_cell, net, taken;
  Real scale = 0;
  for (const auto& c : of_cell) in_cell[c.key.a] += c.force, in_cell[c.key.b] -= c.force, scale = std::max(scale, length(c.force));
  for (const auto& c : contacts)
    if (c.a < made.grains() && c.b < made.grains()) net[c.key.a] += c.force, net[c.key.b] -= c.force;
  std::map<u32, Real> upwards;  // of contacts across the plane
  for (const auto& l : lost) {
    const u32 uid = made.bodies.uid[l.grain];
    taken[uid] += l.force;
    if (l.partner[D - 1] < 0) upwards[uid] += l.force[D - 1];
  }
  for (const auto& [uid, force] : taken) EXPECT_LT(length(in_cell[uid / 2] - net[uid] - force), 1e-6 * scale);  // copies lie on a grid

  const Mat<D> stress = measure::stress(of_cell, cell.state.globals.cell.volume());
  const Sample<D> pressed = evaluated(s, sampling::press_on_walls(made, s.model, stress, lost, 0));
  EXPECT_EQ(pressed.status & ~u32(deep_overlap), 0u);  // no row is lost when pairs are searched for
  Real sum = 0, got = 0;
  for (const auto& [uid, f] : upwards) sum += std::max(f, Real(0));
  std::size_t apart = 0, seen = 0;
  for (const auto& c : pressed.contacts()) {
    if (c.b < pressed.state.grains()) continue;
    got += c.force[D - 1];
    ++seen;
    apart += pressed.state.bodies.position[c.a][D - 1] > pressed.state.bodies.radius[c.a];
  }
  Real area = 1;
  for (int k = 0; k + 1 < D; ++k) area *= cell.state.globals.cell.h(k, k);
  EXPECT_NEAR(got / (stress(D - 1, D - 1) * area), 1, 1e-9);
  EXPECT_GT(apart, 3u);
  for (const auto& c : pressed.contacts()) {
    if (c.b < pressed.state.grains()) continue;
    EXPECT_NEAR(c.force[D - 1] / got, std::max(upwards[c.key.a], Real(0)) / sum, 1e-9);
  }
  EXPECT_EQ(seen, std::size_t(std::count_if(upwards.begin(), upwards.end(), [](const auto& u) { return u.second > 0; })));
}
