// The resolved scene is a scene: reading it gives the same values and the same text.
#include <cmath>
#include <limits>

#include <talus/scene/toml_input.hpp>

#include "expect_error.hpp"

using namespace talus;

namespace {

constexpr std::string_view column = R"(
title = 'a "quoted" \ title'
law = "$law"
angle = "30 deg"
odd_angle = "0.1234567890123 rad"
room = "20 degC"
step = 0.1
size = ["1 mm", 2, "$depth"]
[parameters]
law = {default = "hertz", about = "contact law"}
depth = {default = "3 cm", about = "of the column"}
[material.steel]
density = 7800
[material."glass beads"]
density = "2.5 g/cm3"
[[stage]]
strain = "5 %"
[[stage.probe]]
at = 3
[stage.servo]
gain = 0.2
[[stage]]
[report]
)";

struct Column {
  std::vector<Real> numbers;
  std::vector<std::string> words;
  std::string resolved;

  explicit Column(std::string_view text, const std::vector<std::string>& settings = {}) {
    TomlInput in(text, "column.toml", settings);
    const auto number = [&](Input& at, const char* key, Dimension dimension, std::optional<Real> fallback,
                            Range range = Range::any()) {
      numbers.push_back(at.number(key, dimension, range, fallback, "meaning of this\nkey"));
    };
    for (const auto& name : in.names("material", "what things are made of")) {
      words.push_back(name);
      auto material = in.table("material", true, "")->table(name, true, "");
      number(*material, "density", dim::density, std::nullopt);
      number(*material, "young", dim::pressure, 6.5e10 / 3);
    }
    words.push_back(in.text("title", "", ""));
    words.push_back(in.choice("law", {"hertz", "linear"}, std::nullopt, "contact law"));
    number(in, "angle", dim::angle, std::nullopt);
    number(in, "odd_angle", dim::angle, std::nullopt);
    number(in, "room", dim::temperature, std::nullopt);
    number(in, "step", dim::time, std::nullopt);
    number(in, "limit", dim::force, std::numeric_limits<Real>::infinity());
    number(in, "cut", dim::length, -1., Range::positive());
    for (const Real x : in.numbers("size", dim::length, Range::any(), 3, std::nullopt, "")) numbers.push_back(x);
    for (const Real x : in.numbers("turns", dim::angle, Range::any(), 0, std::vector<Real>{pi, 1}, ""))
      numbers.push_back(x);
    numbers.push_back(static_cast<Real>(in.integer("seed", 0, 1'000'000'000'000, 1, "")));
    numbers.push_back(in.flag("periodic", true, "") ? 1 : 0);
    for (const auto& stage : in.tables("stage", "one step of the protocol")) {
      number(*stage, "strain", dim::none, 0.1);
      for (const auto& probe : stage->tables("probe", "")) number(*probe, "at", dim::time, 1e-300);
      number(*stage->table("servo", false, ""), "gain", dim::none, 1. / 3);
    }
    words.push_back(in.has("report") ? "with report" : "without");
    if (in.has("report")) in.table("report", false, "");
    number(*in.table("cell", false, "")->table("deep", false, ""), "height", dim::length, 1e22);
    in.finish();
    resolved = in.resolved();
  }
};

std::string without_comments(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    out += line.substr(0, line.find("  #")) + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace

TEST(ResolvedScene, ReadsBackToTheSameBits) {
  const Column first(column, {"depth=1.23456789012345678 m", "stage.1.strain=0.3"});
  const Column second(first.resolved);
  EXPECT_EQ(first.numbers, second.numbers) << first.resolved;
  EXPECT_EQ(first.words, second.words);
}

TEST(ResolvedScene, IsItsOwnResolvedSceneButForTheCommentsOnDefaults) {
  const Column first(column), second(first.resolved), third(second.resolved);
  EXPECT_EQ(second.resolved, third.resolved);
  const auto body = [](const std::string& text) { return without_comments(text.substr(text.find("\n\n"))); };
  EXPECT_EQ(body(first.resolved), body(second.resolved));
}

TEST(ResolvedScene, SpellsOutValueUnitMeaningAndDefault) {
  const std::string text = Column(column, {"law=linear"}).resolved;
  EXPECT_TRUE(says(text, "density = 7800.0  # [kg/m^3] meaning of this key\n"));
  EXPECT_TRUE(says(text, "[material.\"glass beads\"]\ndensity = 2500.0"));
  EXPECT_TRUE(says(text, "young = 21666666666.666668  # [Pa] meaning of this key (default)\n"));
  EXPECT_TRUE(says(text, "title = \"a \\\"quoted\\\" \\\\ title\"\n"));
  EXPECT_TRUE(says(text, "angle = \"30 deg\"  # meaning"));
  EXPECT_TRUE(says(text, "odd_angle = \"0.1234567890123 rad\""));
  EXPECT_TRUE(says(text, "room = \"293.15 K\""));
  EXPECT_TRUE(says(text, "size = [0.001, 2.0, 0.03]"));
  EXPECT_TRUE(says(text, "turns = [\"180 deg\", \"1 rad\"]"));
  EXPECT_TRUE(says(text, "law = \"linear\"  # contact law; one of hertz, linear\n"));
  EXPECT_TRUE(says(text, "strain = 0.05"));
  EXPECT_TRUE(says(text, "[[stage]]  # one step of the protocol\n"));
  EXPECT_TRUE(says(text, "[cell.deep]\nheight = 1e+22"));
}

TEST(ResolvedScene, HoldsTheParametersAsCommentsOnly) {
  const std::string text = Column(column, {"law=linear"}).resolved;
  EXPECT_TRUE(says(text, "#   law = \"linear\" (set; default \"hertz\"): contact law\n"));
  EXPECT_TRUE(says(text, "#   depth = \"3 cm\": of the column\n"));
  EXPECT_FALSE(says(text, "[parameters]"));
  EXPECT_FALSE(says(text, "$"));
}

TEST(ResolvedScene, ADefaultThatMeansNotSetStaysUnset) {
  const std::string text = Column(column).resolved;
  EXPECT_TRUE(says(text, "# limit is not set  # [N]"));
  EXPECT_TRUE(says(text, "# cut is not set  # [m]"));
}
