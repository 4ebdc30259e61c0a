#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include <talus/core/rng.hpp>
#include <talus/sampling/assemble.hpp>
#include <talus/stages/pair_list.hpp>

using namespace talus;

namespace {

// Discs in a periodic cell or between walls, with unwrapped positions.
struct Discs {
  Model<2> model;
  State<2> state;

  Discs(std::size_t count, bool periodic, u64 seed) {
    Rng rng{seed};
    model.materials.push_back({"disc", 2500, 1e8, 0.3, 0.5, 0.5, 0, false});
    model.pairs.resize(1);
    Cell<2>& cell = state.globals.cell;
    cell.h(0, 0) = 10;
    cell.h(1, 1) = 7;
    cell.h(0, 1) = 1.5;  // sheared
    cell.periodic = {periodic, periodic};
    std::vector<sampling::Ball<2>> balls(count);
    for (auto& ball : balls) {
      ball.radius = rng.uniform(0.2, 0.6);
      ball.position = cell.h * Vec2{rng.uniform(), rng.uniform()};
      if (periodic) ball.position += cell.translation({i32(rng.below(7)) - 3, i32(rng.below(7)) - 3});
    }
    std::vector<sampling::PlacedWall<2>> walls;
    if (!periodic) {
      walls.push_back({"floor", {0, 0}, WallPlane<2>{{0, 1}}});
      walls.push_back({"side", {0, 0}, WallPlane<2>{{1, 0}}});
    }
    sampling::assemble(model, state, balls, walls);
  }

  // Gap of a pair that a key names, from the uids.
  Real gap(const RowKey& key) const { return gap(key, index_by_uid(state.bodies)); }
  Real gap(const RowKey& key, const std::vector<u32>& index) const {
    const u32 i = index[key.a], j = index[key.b];
    const Bodies<2>& b = state.bodies;
    if (j >= state.grains())
      return dot(b.position[i] - b.position[j], model.shapes[b.shape[j]].wall.direction()) - b.radius[i];
    const Vec2 branch = b.position[i] - b.position[j] - state.globals.cell.translation(key.image<2>());
    return length(branch) - b.radius[i] - b.radius[j];
  }

  // All pairs and images with a gap below `reach`, one by one.
  std::set<RowKey> all_within(Real reach) const {
    std::set<RowKey> out;
    const u32 bodies = u32(state.bodies.size()), grains = u32(state.grains());  // uids are 0.. from assemble
    const std::vector<u32> index = index_by_uid(state.bodies);
    const i32 most = state.globals.cell.periodic[0] ? 8 : 0;
    for (u32 a = 0; a < grains; ++a)
      for (u32 b = a; b < bodies; ++b)
        for (i32 x = b < grains ? -most : 0; x <= (b < grains ? most : 0); ++x)
          for (i32 y = b < grains ? -most : 0; y <= (b < grains ? most : 0); ++y) {
            if (a == b && x == 0 && y == 0) continue;
            const RowKey key = RowKey::between(a, b, Vec<2, i32>{x, y});
            if (gap(key, index) < reach) out.insert(key);
          }
    return out;
  }
};

// A body and its own image are one pair, named from either side.
std::size_t count_of(const PairList& pairs, const RowKey& key) {
  return std::size_t(std::count(pairs.key.begin(), pairs.key.end(), key));
}

void expect_all_found(bool periodic, Real reach) {
  Discs discs(60, periodic, 5);
  PairList pairs;
  ASSERT_EQ(search(discs.model, discs.state, pairs, reach), u32(fine));
  ASSERT_TRUE(pairs.valid);
  const std::set<RowKey> wanted = discs.all_within(reach);
  ASSERT_GT(wanted.size(), 40u);
  std::size_t across = 0, walls = 0;
  for (const RowKey& key : wanted) {
    if (key.a == key.b) continue;
    EXPECT_EQ(count_of(pairs, key), 1u) << key.a << ' ' << key.b << ' ' << key.period[0] << ' ' << key.period[1];
    across += key.has_image();
    walls += key.b >= discs.state.grains();
  }
  EXPECT_EQ(across > 0, periodic);
  EXPECT_EQ(walls > 0, !periodic);
  for (std::size_t k = 0; k < pairs.key.size(); ++k) {
    const RowKey& key = pairs.key[k];
    EXPECT_EQ(discs.state.bodies.uid[pairs.body_a[k]], key.a);
    EXPECT_EQ(discs.state.bodies.uid[pairs.body_b[k]], key.b);
    EXPECT_LE(key.a, key.b);
    EXPECT_LT(discs.gap(key), pairs.skin) << "a pair beyond the skin";
    EXPECT_TRUE(k == 0 || pairs.key[k - 1] < key);  // in order of keys, none twice
  }
}

}  // namespace

TEST(PairList, HasEveryPairOfACellWithinReachThroughItsImage) {
  for (const Real reach : {0.0, 0.1, 0.5}) expect_all_found(true, reach);
}
TEST(PairList, HasEveryPairAndEveryWallWithinReach) {
  for (const Real reach : {0.0, 0.1, 0.5}) expect_all_found(false, reach);
}

TEST(PairList, IsTheSameWhateverTheOrderOfBodies) {
  Discs discs(60, true, 6);
  PairList first, second;
  search(discs.model, discs.state, first, 0.1);
  discs.model.options.random_rebuilds = 1;  // bodies in a random order before they are sorted
  discs.model.options.random_rebuild_seed = 9;
  search(discs.model, discs.state, second, 0.1);
  EXPECT_TRUE(std::equal(first.key.begin(), first.key.end(), second.key.begin(), second.key.end()));
}

TEST(PairList, IsStaleBeforeAPairThatIsNotInItCanTouch) {
  Discs discs(60, true, 7);
  PairList pairs;
  const Real reach = 0.05;
  search(discs.model, discs.state, pairs, reach);
  EXPECT_FALSE(is_stale(discs.state, pairs, 0));
  Rng rng{8};
  int steps = 0;
  while (!is_stale(discs.state, pairs, reach)) {
    for (const RowKey& key : discs.all_within(reach))
      ASSERT_EQ(count_of(pairs, key), key.a == key.b ? 0u : 1u);
    for (std::size_t i = 0; i < discs.state.grains(); ++i)
      discs.state.bodies.position[i] += Vec2{rng.uniform(-0.004, 0.004), rng.uniform(-0.004, 0.004)};
    ASSERT_LT(++steps, 1000);
  }
  EXPECT_GT(steps, 1);
}

TEST(PairList, ABodyTooManyPeriodsAwayIsReported) {
  Discs discs(20, true, 10);
  discs.state.bodies.position[3] += discs.state.globals.cell.translation({image_limit, 0});
  PairList pairs;
  EXPECT_EQ(search(discs.model, discs.state, pairs, 0), u32(too_many_periods));
}
