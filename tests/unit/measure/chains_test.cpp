#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include <talus/measure/chains.hpp>

#include "../../support/plane_sample.hpp"
#include "../../support/soft_sample.hpp"

using namespace talus;
using namespace talus::test;

// Tolerances: rounding (1e-14, 1e-12); forces of a rigid column at rest (residual 1e-13, forces divided by the step: 1e-9).

namespace {

const Polygon disc = make_polygon({{0, 0}}, 0.5), box = make_polygon({{0, 0}, {1, 0}, {1, 1}, {0, 1}});

// Discs of diameter one at places, and contacts with forces as told.
struct Told {
  PlaneSample s{1, 0, 0};
  ContactList<2> contacts;
  explicit Told(const std::vector<Vec2>& places) {
    for (const Vec2& p : places) s.grain(disc, p);
    s.platen({0, 0}, {0, 1});
    s.assemble();
  }
  void push(u32 i, u32 j, Real force, Vec<2, i32> image = {}) {
    if (j < i) {
      std::swap(i, j);
      image = {-image.x, -image.y};
    }
    const Vec2 branch = s.position(i) - s.position(j) - s.state.globals.cell.translation(image);
    const Vec2 normal = (1 / length(branch)) * branch;
    contacts.push_back(
        {RowKey::between(i, j, image), i, j, 0, normal, branch, force * normal, 0, 0, 0, {}, -0.5 * normal});
  }
  void push_wall(u32 i, const Vec2& normal, Real force) {
    const u32 wall = u32(s.state.grains());
    contacts.push_back({{i, wall}, i, wall, 0, normal, 0.5 * normal, force * normal, 0, 0, 0, {}, -0.5 * normal});
  }
  measure::ForceChains find(const measure::ChainRule& rule = {}) {
    std::sort(contacts.begin(), contacts.end(), [](const auto& p, const auto& q) { return p.key < q.key; });
    return measure::force_chains(s.model, s.state, contacts, rule);
  }
};

}  // namespace

TEST(ForceChains, AColumnUnderLoadIsOneChain) {
  std::vector<Vec2> places;
  for (int k = 0; k < 5; ++k) places.push_back({0, 0.5 + k});
  for (int k = 0; k < 5; ++k) places.push_back({3, 0.5 + k});  // beside it, with little load
  Told told(places);
  for (u32 k = 0; k < 4; ++k) {
    told.push(k, k + 1, 2);
    told.push(5 + k, 6 + k, 0.1);
  }
  for (const u32 first : {0u, 5u}) {
    told.push_wall(first, {0, 1}, first == 0 ? 2 : 0.1);
    told.push_wall(first + 4, {0, -1}, first == 0 ? 2 : 0.1);
  }
  const auto chains = told.find();
  ASSERT_EQ(chains.count(), 1u);
  EXPECT_EQ(chains.chains[0].size(), 4u);
  EXPECT_EQ(chains.mean_length(), 5);
  EXPECT_EQ(chains.share(), 0.5);
  for (const auto& link : chains.chains[0]) {
    EXPECT_EQ(link.force, 2);
    EXPECT_NEAR(std::abs(link.branch.y), 1, 1e-14);
  }
  const auto stress = measure::grain_stresses(told.s.model, told.s.state, told.contacts);
  EXPECT_NEAR(stress[2](1, 1), 2 / disc.area, 1e-14);  // force times diameter over area
  EXPECT_NEAR(stress[2](0, 0), 0, 1e-14);
}

TEST(ForceChains, TwoGrainsAreNone) {
  Told told({{0, 0.5}, {0, 1.5}, {5, 0.5}});
  told.push(0, 1, 1);
  EXPECT_EQ(told.find().count(), 0u);
}

// The grain at a bend is stressed along the line that halves it.
TEST(ForceChains, ABendOfMoreThanTwiceTheAngleEndsAChain) {
  const measure::ChainRule rule{30 * pi / 180, 3};
  for (const Real bend : {40 * pi / 180, 80 * pi / 180}) {
    // Three up, then three more in another direction, and some that carry nothing.
    std::vector<Vec2> places;
    for (int k = 0; k < 3; ++k) places.push_back({0, Real(k)});
    for (int k = 1; k <= 3; ++k) places.push_back(Vec2{0, 2} + Real(k) * Vec2{std::sin(bend), std::cos(bend)});
    for (int k = 0; k < 6; ++k) places.push_back({-5, Real(k)});
    Told told(places);
    for (u32 k = 0; k < 5; ++k) told.push(k, k + 1, 1);
    told.push_wall(0, {0, 1}, 1);
    told.push_wall(5, {-std::sin(bend), -std::cos(bend)}, 1);
    const auto chains = told.find(rule);
    ASSERT_EQ(chains.count(), 1u);
    EXPECT_EQ(chains.mean_length(), bend < 60 * pi / 180 ? 6 : 3);  // the last three; the first two are too few
  }
}

// A hexagonal pack with a line of contacts upright: the columns that carry more are the chains.
TEST(ForceChains, ColumnsOfAHexagonalPackThatCarryMore) {
  const int columns = 5, tall = 6;
  std::vector<Vec2> places;
  for (int c = 0; c < columns; ++c)
    for (int k = 0; k < tall; ++k) places.push_back({c * std::sqrt(3.0) / 2, k + 0.5 + 0.5 * (c % 2)});
  Told told(places);
  const auto at = [&](int c, int k) { return u32(c * tall + k); };
  for (int c = 0; c < columns; ++c) {
    const Real force = c % 2 == 1 ? 2 : 1;
    for (int k = 0; k + 1 < tall; ++k) told.push(at(c, k), at(c, k + 1), force);
    told.push_wall(at(c, 0), {0, 1}, force);
    told.push_wall(at(c, tall - 1), {0, -1}, force);
    for (int k = 0; k < tall && c + 1 < columns; ++k) told.push(at(c, k), at(c + 1, k), 0.01);
  }
  const auto chains = told.find();
  ASSERT_EQ(chains.count(), 2u);
  EXPECT_EQ(chains.mean_length(), tall);
  EXPECT_NEAR(chains.share(), 0.4, 1e-14);
  for (std::size_t i = 0; i < chains.in_chain.size(); ++i)
    EXPECT_EQ(chains.in_chain[i], told.s.state.bodies.uid[i] / tall % 2 == 1) << i;
}

// All contacts across rows carry the same: lines of one family are taken, and close upon themselves across the cell. Each
// row is half a disc further, so a line comes back to its column after two turns of four rows.
TEST(ForceChains, AnEvenlyLoadedPeriodicLatticeHasRingsAlongOneFamilyOfLines) {
  const int n = 4;
  const Real pitch = std::sqrt(3.0) / 2;
  std::vector<Vec2> places;
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) places.push_back({c + 0.5 * (r % 2), r * pitch});
  Told told(places);
  Cell<2>& cell = told.s.state.globals.cell;
  cell.h(0, 0) = n;
  cell.h(1, 1) = n * pitch;
  cell.periodic[0] = cell.periodic[1] = 1;
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c)
      for (const int right : {0, 1}) {  // the two above
        const int column = c + (r % 2) - 1 + right, row = r + 1;
        const auto wrap = [&](int k) { return (k + n) % n; };
        told.push(u32(r * n + c), u32(wrap(row) * n + wrap(column)), 1,
                  {(column - wrap(column)) / n, (row - wrap(row)) / n});
      }
  for (const auto& c : told.contacts) ASSERT_NEAR(length(c.branch), 1, 1e-12);
  const auto chains = told.find();
  ASSERT_EQ(chains.count(), 2u);
  EXPECT_EQ(chains.share(), 1);
  for (const auto& ring : chains.chains) {
    EXPECT_EQ(ring.size(), 8u);
    for (const auto& link : ring) EXPECT_LT(link.branch.x * link.branch.y, 0);  // up to the left or down to the right
  }
}

// Both methods say where forces act: a column between platens has the stress of its load.
TEST(ForceChains, AColumnByBothMethods) {
  const Real load = 3;
  PlaneSample rigid(1, 0.5, 0.5);
  rigid.platen({0, 0}, {0, 1});
  rigid.platen({0, 6}, {0, -1});
  for (int k = 0; k < 6; ++k) rigid.grain(box, {0, 0.5 + k});
  rigid.assemble();
  rigid.state.bodies.take_forces();
  WallDrive<2>& cap = rigid.model.drives[1];
  cap.control = WallControl::free;
  cap.target = load;
  cap.area = 1;
  cap.mass = 1;
  for (int n = 0; n < 50; ++n) rigid.step(0.01);
  const auto contacts = impulse::contacts(rigid.state);
  for (const Mat<2>& s : measure::grain_stresses(rigid.model, rigid.state, contacts)) EXPECT_NEAR(s(1, 1), load, 1e-9);
  EXPECT_EQ(measure::force_chains(rigid.model, rigid.state, contacts).mean_length(), 6);

  const Real stiffness = 1e6, overlap = load / stiffness;
  SoftSample soft(1, stiffness, 0, 0, 1);
  soft.platen({0, 0}, {0, 1});
  for (int k = 0; k < 6; ++k) soft.grain(disc, {0, (1 - overlap) * (0.5 + k) - 0.5 * overlap});
  soft.platen({0, (1 - overlap) * 6 - overlap}, {0, -1});
  soft.assemble();
  soft.prepare(1e-5);
  for (const Mat<2>& s : measure::grain_stresses(soft.model, soft.state, soft.contacts()))
    EXPECT_NEAR(s(1, 1), load / disc.area, 1e-5 * load);
  // A wall is stiffer than a disc: contacts there lie deeper by half an overlap, and the stress at the ends is that much less.
  const auto chains = measure::force_chains(soft.model, soft.state, soft.contacts());
  ASSERT_EQ(chains.count(), 1u);
  EXPECT_EQ(chains.mean_length(), 4);
}
