#include <talus/scene/recording_input.hpp>

#include <limits>

#include "expect_error.hpp"

using namespace talus;

TEST(RecordingInput, RecordsWhatIsAskedInOrderWithPaths) {
  RecordingInput in;
  in.number("density", dim::density, Range::positive(), std::nullopt, "mass per volume");
  in.number("angle", dim::angle, Range::any(), pi / 6, "of the slope");
  in.table("cell", true, "the box")->integer("count", 1, 9, 5, "grains");
  for (const auto& stage : in.tables("stage", "protocol")) stage->flag("servo", true, "on");
  for (const auto& name : in.names("material", "materials"))
    in.table("material", true, "")->table(name, true, "")->text("colour", "red", "");
  in.number("density", dim::density, Range::positive(), std::nullopt, "asked twice");

  std::vector<std::string> paths;
  for (const Request& request : in.requests()) paths.push_back(request.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"density", "angle", "cell", "cell.count", "stage", "stage[].servo",
                                             "material", "material.NAME", "material.NAME.colour"}));
  const Request& density = in.requests()[0];
  EXPECT_TRUE(density.is_required);
  EXPECT_EQ(density.dimension, dim::density);
  EXPECT_EQ(density.about, "mass per volume");
  EXPECT_EQ(accepted(density), "greater than 0 kg/m^3");
  EXPECT_EQ(in.requests()[1].fallback, "\"30 deg\"");
  EXPECT_EQ(accepted(in.requests()[3]), "a whole number, from 1 to 9");
  EXPECT_EQ(in.requests()[5].fallback, "true");
}

TEST(RecordingInput, AnswersWithTheDefaultOrWithAValueInsideTheRange) {
  RecordingInput in;
  EXPECT_EQ(in.number("a", dim::length, Range::any(), 3., ""), 3);
  for (const Range& range : {Range::any(), Range::positive(), Range::not_negative(), Range::closed(0, 0.2),
                             Range::below(0, 0.5), Range::closed(5, 7), Range::closed(-7, -5)}) {
    const Real x = in.number("b", dim::length, range, std::nullopt, "");
    EXPECT_GE(x, range.low);
    EXPECT_LE(x, range.high);
    if (range.open_low) { EXPECT_GT(x, range.low); }
  }
  EXPECT_EQ(in.integer("c", 3, std::numeric_limits<i64>::max(), std::nullopt, ""), 3);
  EXPECT_EQ(in.choice("d", {"x", "y"}, std::nullopt, ""), "x");
  EXPECT_EQ(in.numbers("e", dim::length, Range::positive(), 3, std::nullopt, "").size(), 3u);
  EXPECT_FALSE(in.has("f"));
}

TEST(RecordingInput, AnAnswerOpensTheBranchItLeadsTo) {
  RecordingInput in({{"law", "linear"}, {"pair.law", "burgers"}});
  EXPECT_EQ(in.choice("law", {"hertz", "linear"}, "hertz", ""), "linear");
  EXPECT_TRUE(in.has("law"));
  EXPECT_EQ(in.table("pair", false, "")->choice("law", {"hertz", "burgers"}, std::nullopt, ""), "burgers");
}

TEST(RecordingInput, ARuleThatFailsStillThrows) {
  EXPECT_EQ(error_of([] { RecordingInput().table("a", true, "")->fail("b", "is wrong", ""); }).key, "a.b");
}
