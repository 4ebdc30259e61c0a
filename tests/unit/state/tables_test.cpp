#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include <talus/core/scalars.hpp>
#include <talus/state/remove.hpp>
#include <talus/contact/laws.hpp>

#include "../random_state.hpp"

using namespace talus;
using namespace talus::testing;

namespace {

template <class T>
class Tables : public ::testing::Test {};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Tables, Dimensions);

// A table with a column that its visit forgets.
struct Forgetful : Table<Forgetful> {
  Column<u32> uid;
  Column<Vec3> forgotten;
  template <class Self, class F>
  static constexpr void visit(Self& s, F&& f) {
    f(About{"uid", "1", "number"}, s.uid);
  }
};
static_assert(!lists_all_columns<Forgetful>);

template <class T>
bool same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace

TYPED_TEST(Tables, AndAllTheirColumnsAreListed) {
  constexpr int D = TypeParam::value;
  static_assert(lists_all_globals<D>());
  static_assert(lists_all_tables<D>());
  State<D> state;
  std::set<std::string> tables;
  State<D>::visit_tables(state, [&](const AboutTable& about, auto& table) {
    using Table = std::remove_reference_t<decltype(table)>;
    EXPECT_TRUE(tables.insert(std::string(about.name)).second) << about.name;
    std::set<std::string> columns, in_hash;
    Table::visit(table, [&](const About& column, const auto&) {
      EXPECT_TRUE(columns.insert(std::string(column.name)).second) << about.name << ' ' << column.name;
      EXPECT_TRUE(in_hash.insert(std::string(column.hash_name())).second) << about.name << ' ' << column.name;
      EXPECT_FALSE(column.unit.empty() || column.meaning.empty()) << about.name << ' ' << column.name;
    });
    EXPECT_EQ(sizeof(Table), columns.size() * sizeof(Column<u32>)) << about.name;
  });
  EXPECT_EQ(tables.size(), 5 + law_count);
}

TYPED_TEST(Tables, KeepOptionalColumnsOnlyWhereAskedFor) {
  constexpr int D = TypeParam::value;
  State<D> state;
  State<D>::visit_tables(state, [&](const AboutTable&, auto& table) {
    using Table = std::remove_reference_t<decltype(table)>;
    const auto rows = [&](u32 options) {
      Table::visit(table, [&](const About& about, const auto& column) {
        EXPECT_EQ(column.size(), (about.options & ~options) == 0 ? 3u : 0u) << about.name << ' ' << options;
      });
    };
    for (u32 option = 1; option <= kept::tangential_forces; option *= 2) {
      table.resize(3, option);
      rows(option);
      table.resize(3);
      rows(0);
      table.add(option);
      rows(option);
      table.resize_unset(3, kept::ledger | option);
      rows(kept::ledger | option);
    }
  });
}

TYPED_TEST(Tables, LoseTheContactsOfBodiesThatAreForgottenAndNoOthers) {
  constexpr int D = TypeParam::value;
  const State<D> before = random_state<D>(4, 1, 60, 1);
  State<D> after = before;
  const std::set<u32> names{before.patches.key[0].a, before.patches.key[1].b, before.springs.key[2].a,
                            before.template rows_of<law_index<HertzMindlin<D>>>().key[3].b};
  forget_contacts(after, {names.begin(), names.end()});
  State<D>::visit_tables(after, [&](const AboutTable& about, auto& table) {
    using Table = std::remove_reference_t<decltype(table)>;
    if constexpr (requires { table.key; })
      State<D>::visit_tables(before, [&](const AboutTable& other, const auto& whole) {
        if constexpr (std::is_same_v<Table, std::remove_cvref_t<decltype(whole)>>)
          visit_both(table, whole, [&](const About& column_about, auto& column, const auto& old) {
            std::size_t next = 0;
            for (std::size_t r = 0; r < whole.size(); ++r) {
              if (names.contains(whole.key[r].a) || names.contains(whole.key[r].b)) continue;
              ASSERT_LT(next, column.size()) << about.name << ' ' << column_about.name;
              EXPECT_TRUE(same_bytes(column[next++], old[r])) << about.name << ' ' << column_about.name;
            }
            EXPECT_EQ(next, column.size()) << about.name << ' ' << other.name << ' ' << column_about.name;
          });
      });
  });
  EXPECT_LT(after.patches.size(), before.patches.size());
  EXPECT_LT(after.springs.size(), before.springs.size());
  constexpr std::size_t hertz = law_index<HertzMindlin<D>>;
  EXPECT_LT(after.template rows_of<hertz>().size(), before.template rows_of<hertz>().size());
}

TYPED_TEST(Tables, LoseGrainsInEveryColumnAndWallsInheritTheirLedger) {
  constexpr int D = TypeParam::value;
  const State<D> before = random_state<D>(6, 2, 0, 2);
  State<D> after = before;
  remove_grains(after, {false, true, false, true, false, false});
  EXPECT_EQ(after.grains(), 4u);
  const std::vector<std::size_t> left{0, 2, 4, 5, 6, 7};  // 6 is the first wall
  visit_both(after.bodies, before.bodies, [&](const About& about, auto& column, const auto& old) {
    using T = typename std::remove_reference_t<decltype(column)>::value_type;
    ASSERT_EQ(column.size(), left.size()) << about.name;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (!about.is_inherited || left[i] != 6) {
        EXPECT_TRUE(same_bytes(column[i], old[left[i]])) << about.name;
        continue;
      }
      const auto* now = reinterpret_cast<const scalar_of<T>*>(&column[i]);
      for (std::size_t k = 0; k < scalar_count<T>; ++k) {
        const auto leaf = [&](std::size_t body) { return reinterpret_cast<const scalar_of<T>*>(&old[body])[k]; };
        EXPECT_NEAR(double(now[k]), double(leaf(6) + leaf(1) + leaf(3)), 1e-13) << about.name;  // of sums up to 30
      }
    }
  });
}
