#include <talus/scene/toml_input.hpp>

#include "expect_error.hpp"

using namespace talus;

namespace {

Real rebuilds(TomlInput& in) {
  return in.table("dynamics", false, "")->number("random_rebuilds", dim::none, Range::any(), 0.0, "");
}

std::string placement(TomlInput& in) {
  return in.table("grains", true, "")
      ->table("sand", true, "")
      ->table("place", true, "")
      ->choice("kind", {"random-without-overlap", "lattice"}, std::nullopt, "");
}

}  // namespace

TEST(OldNames, AnOldKeyIsReadUnderItsNewNameWithANote) {
  TomlInput in("[dynamics]\n\nshake = 0.25", "box.toml");
  EXPECT_EQ(rebuilds(in), 0.25);
  EXPECT_NO_THROW(in.finish());
  ASSERT_EQ(in.notes().size(), 1u);
  EXPECT_EQ(in.notes()[0], "box.toml:3: dynamics.shake is now called dynamics.random_rebuilds");
  EXPECT_TRUE(says(in.resolved(), "random_rebuilds = 0.25"));
  EXPECT_FALSE(says(in.resolved(), "shake"));
}

TEST(OldNames, APresentKeyNeedsNoNote) {
  TomlInput in("[dynamics]\nrandom_rebuilds = 0.25", "box.toml");
  EXPECT_EQ(rebuilds(in), 0.25);
  EXPECT_TRUE(in.notes().empty());
}

TEST(OldNames, ASettingMayUseTheOldNameAndReplacesTheValueOfTheFile) {
  for (const std::string in_file : {"shake", "random_rebuilds"})
    for (const std::string in_setting : {"shake", "random_rebuilds"}) {
      TomlInput in("[dynamics]\n" + in_file + " = 0.25", "box.toml", {"dynamics." + in_setting + "=0.5"});
      EXPECT_EQ(rebuilds(in), 0.5) << in_file << " in the file, " << in_setting << " in --set";
      EXPECT_NO_THROW(in.finish());
    }
  TomlInput in("", "box.toml", {"dynamics.shake=0.5"});
  ASSERT_EQ(in.notes().size(), 1u);
  EXPECT_EQ(in.notes()[0], "--set dynamics.shake=0.5: dynamics.shake is now called dynamics.random_rebuilds");
}

TEST(OldNames, BothNamesInOneFileAreRefused) {
  const auto error = error_of([] { TomlInput("[dynamics]\nrandom_rebuilds = 0\nshake = 0.25", "box.toml"); });
  EXPECT_EQ(error.line, 3);
  EXPECT_EQ(error.key, "dynamics.shake");
  EXPECT_EQ(error.reason, "is the old name of dynamics.random_rebuilds, which is given too");
}

TEST(OldNames, AnErrorInAnOldEntryNamesItsLine) {
  TomlInput in("[dynamics]\n\nshake = 'often'", "box.toml");
  const auto error = error_of([&] { rebuilds(in); });
  EXPECT_EQ(error.line, 3);
  EXPECT_EQ(error.key, "dynamics.random_rebuilds");
}

TEST(OldNames, AnOldWordOfAChoiceIsReadAsTheNewOneAlsoThroughAParameter) {
  TomlInput in("[grains.sand.place]\nkind = 'apart'", "box.toml");
  EXPECT_EQ(placement(in), "random-without-overlap");
  EXPECT_EQ(placement(in), "random-without-overlap");
  ASSERT_EQ(in.notes().size(), 1u);  // once, however often it is read
  EXPECT_EQ(in.notes()[0], "box.toml:2: grains.sand.place.kind \"apart\" is now called \"random-without-overlap\"");
  EXPECT_TRUE(says(in.resolved(), "kind = \"random-without-overlap\""));

  TomlInput by_parameter("parameters.how = {default = 'apart', about = ''}\ngrains.sand.place.kind = '$how'",
                         "box.toml");
  EXPECT_EQ(placement(by_parameter), "random-without-overlap");
}

TEST(OldNames, AnOldWordOfOneChoiceIsNoWordOfAnother) {
  TomlInput in("kind = 'apart'", "box.toml");
  EXPECT_TRUE(says(error_of([&] { in.choice("kind", {"a", "b"}, std::nullopt, ""); }).reason, "apart"));
}
