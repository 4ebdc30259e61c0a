#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include <talus/verify/table.hpp>

using namespace talus::verify;

TEST(Check, WhatIsNoNumberDoesNotPass) {
  EXPECT_TRUE((Check{"a", 2, 2.01, "1", 0.01, "r"}.passes()));
  EXPECT_FALSE((Check{"a", 2, 2.03, "1", 0.01, "r"}.passes()));
  EXPECT_FALSE((Check{"a", 2, std::nan(""), "1", 1e9, "r"}.passes()));
  EXPECT_FALSE((Check{"a", 0, 0.2, "1", 0.1, "r"}.passes()));  // nothing to divide by: absolute
}

TEST(Curve, GivesItsWorstPointAndDoesNotPassWithoutPoints) {
  Curve curve("speed", "m/s", 0.01, "r");
  EXPECT_FALSE(curve.worst().passes());
  curve.add("first", 1, 1.001);
  curve.add("second", 1, 1.1);
  curve.add("third", 1, 1.0);
  EXPECT_EQ(curve.worst().obtained, 1.1);
  EXPECT_NE(curve.worst().what.find("second"), std::string::npos);
  curve.add("fourth", 1, std::nan(""));
  EXPECT_FALSE(curve.worst().passes());
}

TEST(Table, APageTakesThePlaceOfTheOneBeforeAndLeavesTheRest) {
  const Case one{"name", "source", "scene", {}};
  const auto with = [&](double obtained) { return page({{&one, {{"what", 1, obtained, "1", 0.1, "why"}}}}, "talus verify"); };
  const std::string first = with_page("# Title\n\n", with(1)) + "\nAfter.\n", second = with_page(first, with(2));
  EXPECT_NE(second.find("# Title"), std::string::npos);
  EXPECT_NE(second.find("After."), std::string::npos);
  EXPECT_NE(second.find("0 of 1"), std::string::npos);
  EXPECT_EQ(second.find("1 of 1"), std::string::npos);
}

TEST(Cases, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Case& c : cases()) EXPECT_TRUE(names.insert(c.name).second) << c.name;
}
