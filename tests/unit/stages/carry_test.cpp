#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include <talus/exec/host.hpp>
#include <talus/stages/carry.hpp>
#include <talus/contact/laws.hpp>

#include "../random_state.hpp"

using namespace talus;
using namespace talus::testing;

namespace {

constexpr std::size_t uids = 1000;  // keys of random states have smaller ones

// Rows of the old table in another order, some left out, and as many new ones.
template <class Table>
Table renewed(const Table& old, const std::vector<std::size_t>& kept_rows, Rng& rng) {
  Table now;
  for (const std::size_t r : kept_rows) {
    now.key.push_back(old.key[r]);
    RowKey fresh = old.key[r];
    ++fresh.sub_b;  // the same bodies through other parts
    now.key.push_back(fresh);
    fill(fresh, rng);
    now.key.push_back(fresh);
  }
  return now;
}

}  // namespace

TEST(Carry, EveryColumnOfEveryTableFollowsItsKey) {
  const State<3> state = random_state<3>(1, 0, 300, 1);
  Rng rng{2};
  State<3>::visit_tables(state, [&](const AboutTable& about, const auto& old) {
    if constexpr (requires { old.key; }) {
      if (about.name == "patches" || about.name == "hull_patches") return;  // they last for one step
      const auto order = shuffled(old.size(), rng);
      auto now = renewed(old, order, rng);
      ASSERT_EQ(carry<exec::Host>(old, now, uids, ~0u), u32(fine)) << about.name;
      visit_both(now, old, [&](const About& column_about, auto& column, const auto& before) {
        using T = typename std::remove_reference_t<decltype(column)>::value_type;
        if constexpr (!std::is_same_v<T, RowKey>) {
          ASSERT_EQ(column.size(), now.size()) << column_about.name;
          const T none{};
          for (std::size_t k = 0; k < order.size(); ++k) {
            EXPECT_EQ(std::memcmp(&column[3 * k], &before[order[k]], sizeof(T)), 0) << column_about.name;
            EXPECT_EQ(std::memcmp(&column[3 * k + 1], &none, sizeof(T)), 0) << column_about.name;
            EXPECT_EQ(std::memcmp(&column[3 * k + 2], &none, sizeof(T)), 0) << column_about.name;
          }
        }
      });
    }
  });
}

TEST(Carry, RowsThatRememberNothingMayGoOthersMayNot) {
  const State<3> state = random_state<3>(1, 0, 30, 3);
  const auto& old = state.rows_of<law_index<HertzMindlin<3>>>();  // every third row remembers nothing
  Rng rng{4};
  std::vector<std::size_t> remembering;
  for (std::size_t r = 0; r < old.size(); ++r)
    if (old.remembers(r)) remembering.push_back(r);
  ASSERT_EQ(remembering.size(), 20u);
  auto now = renewed(old, remembering, rng);
  EXPECT_EQ(carry<exec::Host>(old, now, uids, ~0u), u32(fine));
  remembering.pop_back();
  auto fewer = renewed(old, remembering, rng);
  EXPECT_EQ(carry<exec::Host>(old, fewer, uids, ~0u), u32(lost_history));
}

TEST(Carry, ARowOfABodyThatIsNotKnownIsLost) {
  Springs old, now;
  old.resize(2);
  old.key[0] = {1, 2};
  old.key[1] = {7, 8};
  old.shear[0] = old.shear[1] = 1;
  now.key.push_back({1, 2});
  EXPECT_EQ(carry<exec::Host>(old, now, 5, 0), u32(lost_history));
  EXPECT_EQ(now.shear[0], 1);
}

TEST(Carry, AColumnThatIsKeptFromNowOnBeginsWithZeros) {
  Rows<Linear<3>> old, now;
  old.resize(1);
  old.key[0] = {0, 1};
  old.history[0].shear.x = 3;
  now.key.push_back(old.key[0]);
  ASSERT_EQ(carry<exec::Host>(old, now, 2, kept::ledger | kept::multi_contact), u32(fine));
  EXPECT_EQ(now.history[0].shear.x, 3);
  EXPECT_TRUE(all_zero(now.viscous[0]));
  EXPECT_TRUE(all_zero(now.load[0]));
  EXPECT_TRUE(now.shift.empty());
}
