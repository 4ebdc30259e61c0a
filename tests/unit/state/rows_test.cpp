#include <gtest/gtest.h>

#include <algorithm>

#include <talus/state/state.hpp>

using namespace talus;

TEST(Rows, RememberWhatIsNeededForTheNextStep) {
  Rows<Linear<3>> rows;
  rows.resize(4, kept::shifts | kept::ledger);
  for (std::size_t r = 0; r < 4; ++r) {
    rows.shift[r] = 0;
    rows.history[r] = {};
    rows.viscous[r] = {};
  }
  rows.shift[1] = 1e-9;
  rows.history[2].shear.y = 1e-30;
  rows.viscous[3].x = 1;  // the ledger needs it: half of its work belongs to the next step
  EXPECT_FALSE(rows.remembers(0));
  EXPECT_TRUE(rows.remembers(1));
  EXPECT_TRUE(rows.remembers(2));
  EXPECT_TRUE(rows.remembers(3));
}

TEST(Bodies, EveryColumnIsListedOnceWithUnitAndMeaning) {
  Bodies<3> bodies;
  std::vector<std::string_view> names;
  Bodies<3>::visit(bodies, [&](const About& about, const auto&) {
    names.push_back(about.name);
    EXPECT_FALSE(about.unit.empty()) << about.name;
    EXPECT_FALSE(about.meaning.empty()) << about.name;
  });
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  bodies.resize(3);
  EXPECT_EQ(bodies.size(), 3u);
  EXPECT_TRUE(bodies.work.empty());  // no ledger, no column
}
