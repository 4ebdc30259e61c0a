// Parameters of a scene, and what --set does to them and to other entries.
#include <limits>

#include <talus/scene/toml_input.hpp>

#include "expect_error.hpp"

using namespace talus;

namespace {

constexpr std::string_view triaxial = R"(title = "triaxial"
[parameters]
confining = { default = "300 kPa", about = "cell pressure", min = "10 kPa", max = "2 MPa" }
law = { default = "hertz", about = "contact law", choices = ["hertz", "linear"] }
[test]
pressure = "$confining"
law = "$law"
[[stage]]
name = "consolidate"
strain = 0.1
[[stage]]
name = "shear"
strain = 0.2
size = [1, 2]
)";

using Settings = std::vector<std::string>;

// What a program would ask of the scene above.
struct Triaxial {
  std::string title, law;
  i64 seed;
  Real pressure;
  std::vector<Real> strain, height;

  explicit Triaxial(const Settings& settings, std::string_view text = triaxial) {
    TomlInput in(text, "triaxial.toml", settings);
    title = in.text("title", "", "what is shown");
    seed = in.integer("seed", 0, 1000, 1, "random numbers");
    auto test = in.table("test", true, "");
    pressure = test->number("pressure", dim::pressure, Range::positive(), std::nullopt, "");
    law = test->choice("law", {"hertz", "linear", "burgers"}, "hertz", "");
    for (const auto& stage : in.tables("stage", "")) {
      stage->text("name", "", "");
      strain.push_back(stage->number("strain", dim::none, Range::closed(0, 1), std::nullopt, ""));
      for (const Real x : stage->numbers("size", dim::length, Range::any(), 0, std::vector<Real>{}, ""))
        height.push_back(x);
    }
    in.table("cell", false, "")->number("height", dim::length, Range::positive(), 1., "");
    in.finish();
  }
};

InputError error_with(const Settings& settings, std::string_view text = triaxial) {
  return error_of([&] { Triaxial(settings, text); });
}

// A scene whose [parameters] hold this line, and whose entry x takes p.
InputError declaration_error(const std::string& line) {
  return error_of([&] {
    TomlInput in("[parameters]\n" + line + "\n[a]\nx = '$p'", "p.toml");
    in.table("a", true, "")->number("x", dim::none, Range::any(), std::nullopt, "");
    in.finish();
  });
}

}  // namespace

// ---- parameters ----------------------------------------------------------------------------------------------------

TEST(Parameters, EntriesTakeTheDefaultOfTheParameterTheyReferTo) {
  const Triaxial read({});
  EXPECT_EQ(read.pressure, 300e3);
  EXPECT_EQ(read.law, "hertz");
}

TEST(Parameters, TheListShowsValueDefaultMeaningAndLimits) {
  TomlInput in(triaxial, "triaxial.toml", {"confining=1 MPa"});
  const auto list = in.parameters();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].name, "confining");
  EXPECT_EQ(list[0].value, "\"1 MPa\"");
  EXPECT_EQ(list[0].fallback, "\"300 kPa\"");
  EXPECT_EQ(list[0].about, "cell pressure");
  EXPECT_EQ(list[0].allowed, "from 10000 to 2000000 Pa");
  EXPECT_TRUE(list[0].is_set);
  EXPECT_EQ(list[0].line, 3);
  EXPECT_EQ(list[1].name, "law");
  EXPECT_EQ(list[1].allowed, "hertz, linear");
  EXPECT_FALSE(list[1].is_set);
}

TEST(Parameters, AReferenceToNoParameterNamesTheNearest) {
  const auto error = error_of([] {
    TomlInput in("[parameters]\nconfining = {default = 1, about = 'p'}\n[a]\nx = '$confinig'", "p.toml");
    in.table("a", true, "")->number("x", dim::none, Range::any(), std::nullopt, "");
  });
  EXPECT_EQ(error.line, 4);
  EXPECT_EQ(error.key, "a.x");
  EXPECT_EQ(error.reason, "refers to the parameter 'confinig', which is not declared");
  EXPECT_EQ(error.hint, "did you mean \"$confining\"?");
  const auto none = error_of([] { TomlInput("x = '$y'").text("x", "", ""); });
  EXPECT_EQ(none.hint, "declare it under [parameters]");
}

TEST(Parameters, AParameterThatNothingRefersToIsAnError) {
  const auto error = declaration_error("p = {default = 1, about = 'p'}\nq = {default = 1, about = 'q'}");
  EXPECT_EQ(error.line, 3);
  EXPECT_EQ(error.key, "parameters.q");
  EXPECT_EQ(error.reason, "is declared but nothing refers to it");
}

TEST(Parameters, AWrongDefaultIsReportedAtTheParameterWithTheEntryThatTakesIt) {
  const auto error = declaration_error("p = {default = '3 mm', about = 'p'}");
  EXPECT_EQ(error.line, 2);
  EXPECT_EQ(error.key, "a.x");
  EXPECT_EQ(error.reason, "expected a plain number, got '3 mm' (m) (value of parameter 'p')");
}

TEST(Parameters, AParameterIsDeclaredWithDefaultAndMeaning) {
  EXPECT_TRUE(says(declaration_error("p = 3").hint, "p = {default = 3, about = \"...\"}"));
  EXPECT_EQ(declaration_error("p = {about = 'p'}").reason, "has no default");
  EXPECT_EQ(declaration_error("p = {default = 3}").reason, "does not say what it means");
  EXPECT_EQ(declaration_error("p = {default = 3, about = 4}").key, "parameters.p.about");
  EXPECT_EQ(declaration_error("p = {defualt = 3, about = 'p'}").hint, "did you mean 'default'?");
  EXPECT_TRUE(says(declaration_error("p = {default = 3, about = 'p', unit = 'kPa'}").hint, "\"600 kPa\""));
  EXPECT_TRUE(says(declaration_error("p = {default = '$q', about = 'p'}").reason, "a value of its own"));
  EXPECT_TRUE(says(error_of([] { TomlInput("parameters = 3"); }).reason, "expected a table"));
}

TEST(Parameters, LimitsBindTheDefaultToo) {
  EXPECT_EQ(declaration_error("p = {default = 3, about = 'p', max = 2}").reason, "must be at most 2, got 3");
  EXPECT_TRUE(says(declaration_error("p = {default = 'a', about = 'p', choices = ['b', 'c']}").reason, "one of b, c"));
  EXPECT_TRUE(
      says(declaration_error("p = {default = 3, about = 'p', min = 4, max = 2}").reason, "min is greater than max"));
  EXPECT_TRUE(
      says(declaration_error("p = {default = '3 mm', about = 'p', min = '1 Pa'}").reason, "expected a length (m)"));
  EXPECT_TRUE(says(declaration_error("p = {default = 'a', about = 'p', min = 1}").reason, "only numbers have limits"));
  EXPECT_TRUE(says(declaration_error("p = {default = 1, about = 'p', choices = 3}").reason, "expected a list"));
}

TEST(Parameters, AListMayBeAParameterAndAParameterAnElementOfAList) {
  TomlInput in(
      "a = '$list'\nb = ['$one', 3]\n[parameters]\nlist = {default = [1, 2], about = 'l'}\n"
      "one = {default = '1 mm', about = 'o'}");
  EXPECT_EQ(in.numbers("a", dim::length, Range::any(), 2, std::nullopt, ""), (std::vector<Real>{1, 2}));
  EXPECT_EQ(in.numbers("b", dim::length, Range::any(), 2, std::nullopt, ""), (std::vector<Real>{1e-3, 3}));
  EXPECT_NO_THROW(in.finish());
}

// ---- --set ---------------------------------------------------------------------------------------------------------

TEST(Settings, ANameWithoutADotSetsAParameter) {
  EXPECT_EQ(Triaxial({"confining=500 kPa"}).pressure, 500e3);
  EXPECT_EQ(Triaxial({"confining=5e5"}).pressure, 500e3) << "plain numbers are SI";
  EXPECT_EQ(Triaxial({"confining = \"500 kPa\""}).pressure, 500e3) << "TOML, with spaces";
  EXPECT_EQ(Triaxial({"law=linear"}).law, "linear");
}

TEST(Settings, ANameWithoutADotSetsATopLevelKeyWhenNoParameterHasIt) {
  EXPECT_EQ(Triaxial({"seed=7"}).seed, 7);
  EXPECT_EQ(Triaxial({"title=another = title"}).title, "another = title");
  EXPECT_EQ(Triaxial({"title=2024-01-01"}).title, "2024-01-01");
  EXPECT_EQ(Triaxial({"title=12"}).title, "12") << "text needs no quotes on the command line";
  EXPECT_EQ(Triaxial({"title="}).title, "");
}

TEST(Settings, ADottedPathSetsAnyEntry) {
  EXPECT_EQ(Triaxial({"stage.1.strain=0.3"}).strain, (std::vector<Real>{0.1, 0.3}));
  EXPECT_EQ(Triaxial({"stage[1].strain=0.3"}).strain, (std::vector<Real>{0.1, 0.3})) << "as messages write it";
  EXPECT_EQ(Triaxial({"stage.consolidate.strain=35 %"}).strain, (std::vector<Real>{0.35, 0.2}));
  EXPECT_EQ(Triaxial({"stage.shear.size.1=4 mm"}).height, (std::vector<Real>{1, 4e-3}));
  EXPECT_EQ(Triaxial({"stage.0.size=[5]"}).height, (std::vector<Real>{5, 1, 2}));
  EXPECT_EQ(Triaxial({"test.pressure=1 kPa"}).pressure, 1e3);
  EXPECT_NO_THROW(Triaxial({"cell.height=3 mm"})) << "a table that the file does not have";
  EXPECT_EQ(Triaxial({"parameters.confining.default=20 kPa"}).pressure, 20e3);
}

TEST(Settings, ValuesFromTheCommandLineGoThroughTheSameChecks) {
  const auto unit = error_with({"confining=3 mm"});
  EXPECT_EQ(unit.file, "--set confining=3 mm");
  EXPECT_EQ(unit.line, 0);
  EXPECT_EQ(unit.reason, "expected a pressure (Pa), got '3 mm' (m)");
  const auto limit = error_with({"confining=3 MPa"});
  EXPECT_EQ(limit.reason, "must be from 10000 to 2000000 Pa, got '3 MPa' (3000000 Pa)");
  EXPECT_EQ(error_with({"confining=3"}).reason, "must be from 10000 to 2000000 Pa, got 3");
  EXPECT_TRUE(says(error_with({"law=burgers"}).reason, "must be one of hertz, linear"));
  const auto range = error_with({"stage.1.strain=2"});
  EXPECT_EQ(range.file, "--set stage.1.strain=2");
  EXPECT_EQ(range.key, "stage[1].strain");
  EXPECT_EQ(range.reason, "must be from 0 to 1, got 2");
  EXPECT_TRUE(says(error_with({"seed=abc"}).what(), "--set seed=abc: seed: expected a whole number, found text 'abc'"));
  EXPECT_TRUE(says(error_with({"confining=high"}).reason, "got 'high'"));
}

TEST(Settings, AnUnknownNameNamesTheNearestParameterOrKey) {
  const auto error = error_with({"confinning=3 kPa"});
  EXPECT_EQ(error.file, "--set confinning=3 kPa");
  EXPECT_EQ(error.reason, "neither a parameter of this scene nor a key of its top level");
  EXPECT_EQ(error.hint, "did you mean 'confining'?");
  EXPECT_EQ(error_with({"sed=3"}).hint, "did you mean 'seed'?");
}

TEST(Settings, AnUnknownEntryNamesTheNearest) {
  const auto key = error_with({"test.presure=3"});
  EXPECT_EQ(key.file, "--set test.presure=3");
  EXPECT_EQ(key.key, "test.presure");
  EXPECT_EQ(key.hint, "did you mean 'pressure'?");
  EXPECT_EQ(error_with({"tset.pressure=3"}).hint, "did you mean 'test'?");
  EXPECT_EQ(error_with({"stage.shaer.strain=3"}).hint, "did you mean 'shear'?");
  EXPECT_EQ(error_with({"stage.xyz.strain=3"}).hint, "the names are: consolidate, shear");
  EXPECT_EQ(error_with({"stage.2.strain=3"}).reason, "has 2 entries, numbered 0 to 1");
  EXPECT_EQ(error_with({"gravity.x=3"}).reason, "unknown table");
}

TEST(Settings, ASettingThatMakesNoSenseIsRefused) {
  EXPECT_EQ(error_with({"confining"}).reason, "has no value");
  EXPECT_EQ(error_with({"=3"}).reason, "has no name");
  EXPECT_EQ(error_with({"seed=1", "seed=2"}).reason, "is set twice");
  EXPECT_TRUE(says(error_with({"test..x=3"}).reason, "empty part"));
  EXPECT_TRUE(says(error_with({"test=3"}).hint, "--set test.key=value"));
  EXPECT_TRUE(says(error_with({"stage=3"}).hint, "--set stage.0.key=value"));
  EXPECT_EQ(error_with({"title.x=3"}).reason, "has no entries below it: it is text 'triaxial'");
  EXPECT_TRUE(says(error_with({"parameters.confining=3"}).hint, "--set confining="));
}

TEST(Settings, AnEntrySetDirectlyLeavesItsParameterInPeaceUnlessBothAreSet) {
  EXPECT_NO_THROW(Triaxial({"test.pressure=1 kPa"}));
  const auto error = error_with({"test.pressure=1 kPa", "confining=500 kPa"});
  EXPECT_EQ(error.file, "--set confining=500 kPa");
  EXPECT_TRUE(says(error.reason, "has no effect"));
}
