#include <talus/io/summary.hpp>

#include <limits>
#include <stdexcept>

#include "scratch_folder.hpp"

using namespace talus;
using namespace talus::testing;

namespace {

class SummaryTest : public ScratchFolder {};

Summary example() {
  Summary s;
  s.scene = "scenes/shear.toml";
  s.title = "Shear \"box\" \u00e4";
  s.version = "0.1.0";
  s.seed = 0xffffffffffffffff;
  s.threads = 4;
  s.command = "talus run scenes/shear.toml";
  s.started = "2020-02-03T04:05:06Z";
  s.wall_time_s = 0.1;
  s.steps = 123456789012;
  s.state_hash = "0123456789abcdef";
  s.status = "done";
  s.extra["stage"] = "shear";
  s.extra["grains"] = "5000";
  s.extra["stages"] = R"(["grow","shear"])";
  s.extra["tag"] = "007";
  s.figures = {{"zeta", 1.0 / 3, "1", "last in the alphabet, first in the file", ""},
               {"angle_deg", std::nullopt, "deg", "angle at failure", "the sample did not fail"}};
  return s;
}

}  // namespace

TEST_F(SummaryTest, GivesTheSameBack) {
  write_summary(folder / "summary.json", example());
  const Summary back = read_summary(folder / "summary.json");
  EXPECT_EQ(back.title, example().title);
  EXPECT_EQ(back.seed, 0xffffffffffffffffu);
  EXPECT_EQ(back.commit, "");
  EXPECT_EQ(back.steps, 123456789012);
  EXPECT_EQ(back.wall_time_s, 0.1);
  EXPECT_EQ(back.state_hash, "0123456789abcdef");
  EXPECT_EQ(back.extra, example().extra);
  ASSERT_EQ(back.figures.size(), 2u);
  EXPECT_EQ(back.figures[0].name, "zeta");
  EXPECT_EQ(back.figure("zeta")->value, 1.0 / 3);
  EXPECT_FALSE(back.figure("angle_deg")->value);
  EXPECT_EQ(back.figure("angle_deg")->reason, "the sample did not fail");
  EXPECT_EQ(back.figure("none"), nullptr);

  write_summary(folder / "again.json", back);
  EXPECT_EQ(bytes_of(folder / "again.json"), bytes_of(folder / "summary.json"));
}

TEST_F(SummaryTest, WritesAFigureThatWasNotReachedAsNull) {
  write_summary(folder / "summary.json", example());
  EXPECT_TRUE(
      says(bytes_of(folder / "summary.json"), "\"angle_deg\": {\n      \"value\": null,\n      \"unit\": \"deg\""));
}

TEST_F(SummaryTest, NeverHidesAMissingFigure) {
  Summary s = example();
  s.figures[0].value = std::numeric_limits<Real>::quiet_NaN();
  write_summary(folder / "summary.json", s);
  EXPECT_EQ(read_summary(folder / "summary.json").figures[0].reason, "the value is not finite");

  s.figures[1].reason = "";
  EXPECT_THROW(write_summary(folder / "summary.json", s), std::logic_error);
  s = example();
  s.figures[1].name = "zeta";
  EXPECT_THROW(write_summary(folder / "summary.json", s), std::logic_error);
  s = example();
  s.extra["seed"] = "1";
  EXPECT_THROW(write_summary(folder / "summary.json", s), std::logic_error);
}

TEST_F(SummaryTest, SurvivesATitleThatIsNotUtf8) {
  Summary s = example();
  s.title = "Versuch \xe4";
  write_summary(folder / "summary.json", s);
  EXPECT_EQ(read_summary(folder / "summary.json").title, "Versuch \xef\xbf\xbd");
}

TEST_F(SummaryTest, ThatWasChangedAfterwardsIsRefused) {
  Summary s = example();
  s.files["series.csv"] = FileRecord::of("step\n0\n");
  write_summary(folder / "summary.json", s);
  EXPECT_EQ(read_summary(folder / "summary.json").files, s.files);
  const std::string whole = bytes_of(folder / "summary.json");
  for (std::size_t k = 0; k < whole.size(); ++k) {
    std::string other = whole;
    other[k] ^= 4;
    put_bytes(folder / "summary.json", other);
    EXPECT_NE(complaint([&] { read_summary(folder / "summary.json"); }), "") << k << " " << whole[k];
  }
}

TEST_F(SummaryTest, OfAnotherKindIsRefused) {
  const auto read = [&](const std::string& text) {
    put_bytes(folder / "summary.json", text);
    return complaint([&] { read_summary(folder / "summary.json"); });
  };
  EXPECT_TRUE(says(read("{"), "summary.json: is not a summary of a run"));
  EXPECT_TRUE(says(read("[]"), "is not a summary of a run"));
  EXPECT_TRUE(says(read("{\"schema_version\": 1}"), "provenance"));
  EXPECT_TRUE(says(read("{\"schema_version\": 2}"), "schema_version: is 2, this program reads 1"));
  EXPECT_TRUE(says(complaint([&] { read_summary(folder / "none.json"); }), "there is no such file"));
}
