#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include <talus/exec/host.hpp>
#include <talus/measure/state_hash.hpp>
#include <talus/contact/laws.hpp>

#include "../../support/with_threads.hpp"
#include "../random_state.hpp"

using namespace talus;
using namespace talus::testing;
using talus::law_index;
using talus::test::WithThreads;

namespace {

// Flips each bit of the value in turn, puts it back, and counts the flips that left the hash alone.
template <int D, class T>
int unseen_flips(const State<D>& state, T& value, u64 hash) {
  int unseen = 0;
  for (std::size_t bit = 0; bit < 8 * sizeof value; ++bit) {
    auto* byte = reinterpret_cast<unsigned char*>(&value) + bit / 8;
    *byte ^= static_cast<unsigned char>(1u << bit % 8);
    unseen += state_hash(state) == hash;
    *byte ^= static_cast<unsigned char>(1u << bit % 8);
  }
  return unseen;
}

template <class T>
class StateHash : public ::testing::Test {};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(StateHash, Dimensions);

}  // namespace

TYPED_TEST(StateHash, SeesEveryBitOfEveryBody) {
  auto state = random_state<TypeParam::value>(3, 1, 2, 1);
  const u64 hash = state_hash(state);
  Bodies<TypeParam::value>::visit(state.bodies, [&](const About& about, auto& column) {
    ASSERT_EQ(column.size(), 4u);
    for (auto& value : column) EXPECT_EQ(unseen_flips(state, value, hash), 0) << about.name;
  });
  EXPECT_EQ(state_hash(state), hash);
}

TYPED_TEST(StateHash, SeesEveryBitOfEveryRowThatRemembers) {
  auto state = random_state<TypeParam::value>(1, 0, 2, 2);
  const u64 hash = state_hash(state);
  for_each_law([&]<std::size_t L>() {
    auto& rows = state.template rows_of<L>();
    std::remove_reference_t<decltype(rows)>::visit(rows, [&](const About& about, auto& column) {
      ASSERT_EQ(column.size(), 2u);
      for (auto& value : column) EXPECT_EQ(unseen_flips(state, value, hash), 0) << about.name;
    });
  });
}

TYPED_TEST(StateHash, SeesEveryBitOfTheGlobalsButTheChain) {
  auto state = random_state<TypeParam::value>(1, 0, 1, 3);
  const u64 hash = state_hash(state);
  Globals<TypeParam::value>::visit(state.globals, [&](const About& about, auto& value) {
    const bool is_chain = about.name == "hash" || about.name == "hashes";
    EXPECT_EQ(unseen_flips(state, value, hash), is_chain ? 64 : 0) << about.name;
  });
}

TYPED_TEST(StateHash, SeesWhichBodiesAreDriven) {
  auto state = random_state<TypeParam::value>(3, 2, 0, 4);
  const u64 hash = state_hash(state);
  state.walls = 1;
  EXPECT_NE(state_hash(state), hash);
}

TYPED_TEST(StateHash, SeesTwoBodiesSwapAValue) {
  auto state = random_state<TypeParam::value>(3, 0, 0, 5);
  const u64 hash = state_hash(state);
  std::swap(state.bodies.mass[0], state.bodies.mass[1]);
  EXPECT_NE(state_hash(state), hash);
}

TYPED_TEST(StateHash, SeesARowMoveToAnotherLawWithTheSameHistoryBytes) {
  auto state = random_state<TypeParam::value>(1, 0, 0, 6);
  auto& hertz = state.template rows_of<law_index<HertzMindlin<TypeParam::value>>>();
  auto& linear = state.template rows_of<law_index<Linear<TypeParam::value>>>();
  hertz.resize(1, kept::shifts);
  hertz.key[0] = {1, 2};
  hertz.shift[0] = 0.5;
  hertz.history[0] = {};
  const u64 hash = state_hash(state);
  hertz.resize(0);
  linear.resize(1, kept::shifts);
  linear.key[0] = {1, 2};
  linear.shift[0] = 0.5;
  linear.history[0] = {};
  EXPECT_NE(state_hash(state), hash);
}

TYPED_TEST(StateHash, DoesNotDependOnTheOrderOfBodiesAndRows) {
  auto state = random_state<TypeParam::value>(20, 3, 30, 7);
  const u64 hash = state_hash(state);
  Rng rng{8};
  for (int trial = 0; trial < 5; ++trial) {
    auto order = shuffled(20, rng);
    for (std::size_t wall = 20; wall < 23; ++wall) order.push_back(wall);
    permute(state.bodies, order);
    for_each_law([&]<std::size_t L>() { permute(state.template rows_of<L>(), shuffled(30, rng)); });
    EXPECT_EQ(state_hash(state), hash);
  }
}

TYPED_TEST(StateHash, DoesNotSeeRowsThatRememberNothing) {
  auto state = random_state<TypeParam::value>(2, 0, 0, 9);
  const u64 hash = state_hash(state);
  for_each_law([&]<std::size_t L>() {
    auto& rows = state.template rows_of<L>();
    rows.resize(3, kept::shifts | kept::ledger);
    for (std::size_t r = 0; r < 3; ++r) {
      rows.key[r] = {u32(r), 7};
      rows.shift[r] = 0;
      rows.history[r] = {};
      rows.viscous[r] = {};
    }
  });
  EXPECT_EQ(state_hash(state), hash);
}

TYPED_TEST(StateHash, DoesNotDependOnTheNumberOfThreads) {
  const auto state = random_state<TypeParam::value>(5000, 2, 3000, 10);
  const u64 hash = state_hash(state);
  for (const int threads : {1, 2, 7}) {
    const WithThreads guard(threads);
    EXPECT_EQ(state_hash(state), hash) << threads << " threads";
  }
}

TYPED_TEST(StateHash, TellsNegativeZeroFromZero) {
  auto state = random_state<TypeParam::value>(1, 0, 0, 11);
  state.bodies.mass[0] = 0.0;
  const u64 hash = state_hash(state);
  state.bodies.mass[0] = -0.0;
  EXPECT_NE(state_hash(state), hash);
}

TEST(StateHash, ChainKeepsTheWholePast) {
  auto straight = random_state<3>(4, 0, 4, 12);
  straight.globals.hash = 0;
  straight.globals.hashes = 0;
  auto detour = straight;
  extend_chain(straight);
  extend_chain(straight);

  extend_chain(detour);
  detour.globals.time += 1;
  extend_chain(detour);
  detour.globals.time = straight.globals.time;
  extend_chain(straight);
  extend_chain(detour);

  EXPECT_EQ(straight.globals.hashes, 3);
  EXPECT_EQ(state_hash(straight), state_hash(detour));
  EXPECT_NE(straight.globals.hash, detour.globals.hash);
}

// Hashes of keys as they were published when a key had 16 bytes, in each table: image in space, image in the plane, image
// and parts in the plane.
TEST(StateHash, OfKeysIsTheOneThatWasPublished) {
  const u64 published[3][3] = {{0x6cc2accc686d7d58, 0x04d6c4f4a41e4b14, 0x9c5f5fac6f6659d0},
                               {0x779e066ab631e0ca, 0x7c609c13223735ca, 0x4997158a351ffd83},
                               {0x3179bf80ce029c6c, 0x21d04f5920198728, 0xfe2bfd5805e1b61d}};
  const auto hash = []<int D>(std::integral_constant<int, D>, const RowKey& key, int table) {
    State<D> state;
    if (table == 0) {
      auto& rows = state.template rows_of<law_index<Linear<D>>>();
      rows.resize(1, kept::shifts | kept::ledger);
      rows.key[0] = key;
      rows.history[0].shear.x = 2;
    } else if (table == 1) {
      state.springs.resize(1);
      state.springs.key[0] = key;
      state.springs.shear[0] = 3;
      state.springs.viscous[0] = {1, 2, 4};
    } else {
      state.patches.resize(1);
      state.patches.key[0] = key;
    }
    return hex(state_hash(state));
  };
  const std::integral_constant<int, 2> in_plane;
  const std::integral_constant<int, 3> in_space;
  const RowKey space = RowKey::between(3, 70000, Vec<3, i32>{-1, 2, 32000}),
               plane = RowKey::between(3, 70000, Vec<2, i32>{-1, 2}), parts = plane.of_parts(5, 65535);
  for (int table = 0; table < 3; ++table) {
    EXPECT_EQ(hash(in_space, space, table), hex(published[table][0])) << table;
    EXPECT_EQ(hash(in_plane, plane, table), hex(published[table][1])) << table;
    EXPECT_EQ(hash(in_plane, parts, table), hex(published[table][2])) << table;
    // What the old form had no room for is another contact.
    RowKey coat = space;
    coat.kind = ContactKind::coat;
    EXPECT_NE(hash(in_space, coat, table), hex(published[table][0]));
    EXPECT_NE(hash(in_space, RowKey{3, 70000}.of_parts(1, 0), table),
              hash(in_space, RowKey::between(3, 70000, Vec<3, i32>{0, 0, 1}), table));
  }
}

TEST(StateHash, OfBodiesAndGlobalsIsTheOneThatWasPublished) {
  EXPECT_EQ(hex(state_hash(State<3>{})), "bcf9d3a487550df1");
  EXPECT_EQ(hex(state_hash(State<2>{})), "aa2c30697e63128f");
  State<3> state;
  state.bodies.resize(2, kept::ledger | kept::turns | kept::applied);
  state.bodies.uid[1] = 9;
  state.walls = 1;
  EXPECT_EQ(hex(state_hash(state)), "f2b39267dcc24eab");
}

// A changed value here means that hashes in old checkpoints and logs no longer compare: raise the checkpoint format.
TEST(StateHash, OfTextsIsFixed) {
  EXPECT_EQ(hex(hash_text("")), hex(hash_text(std::string_view())));
  EXPECT_NE(hash_text("a"), hash_text(std::string_view("a\0", 2)));
  EXPECT_EQ(hex(0x0123456789abcdefull), "0123456789abcdef");
}
