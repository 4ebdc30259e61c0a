#include <talus/scene/toml_input.hpp>

#include <limits>
#include <stdexcept>

#include "expect_error.hpp"

using namespace talus;

namespace {

constexpr i64 most = std::numeric_limits<i64>::max();

TomlInput scene(std::string_view text) { return TomlInput(text, "box.toml"); }

Real length(std::string_view text) {
  return scene(text).number("x", dim::length, Range::any(), std::nullopt, "a length");
}

InputError length_error(std::string_view text, Range range = Range::any()) {
  return error_of([&] { scene(text).number("x", dim::length, range, std::nullopt, "a length"); });
}

}  // namespace

// ---- values --------------------------------------------------------------------------------------------------------

TEST(TomlInput, PlainNumbersAreSiAndStringsMayCarryUnits) {
  EXPECT_EQ(length("x = 3"), 3);
  EXPECT_EQ(length("x = 0.25"), 0.25);
  EXPECT_EQ(length("x = \"0.44 mm\""), 0.44e-3);
  EXPECT_EQ(length("x = \"0.44\""), 0.44);
}

TEST(TomlInput, AUnitOfTheWrongDimensionIsRefusedWithBothDimensions) {
  const auto error = error_of([] {
    scene("\n[material.quartz]\nyoung = '3 mm'")
        .table("material", true, "")
        ->table("quartz", true, "")
        ->number("young", dim::pressure, Range::positive(), std::nullopt, "");
  });
  EXPECT_EQ(error.file, "box.toml");
  EXPECT_EQ(error.line, 3);
  EXPECT_EQ(error.key, "material.quartz.young");
  EXPECT_EQ(error.reason, "expected a pressure (Pa), got '3 mm' (m)");
  EXPECT_TRUE(says(error.hint, "600 kPa"));
  EXPECT_TRUE(says(error.what(), "box.toml:3: material.quartz.young: expected a pressure"));
}

TEST(TomlInput, APlainNumberExpectedRefusesAUnitButTakesPercent) {
  auto in = scene("a = '35 %'\nb = '3 mm'");
  EXPECT_EQ(in.number("a", dim::none, Range::any(), std::nullopt, ""), 0.35);
  const auto error = error_of([&] { in.number("b", dim::none, Range::any(), std::nullopt, ""); });
  EXPECT_EQ(error.reason, "expected a plain number, got '3 mm' (m)");
}

TEST(TomlInput, AnUnknownUnitNamesTheNearest) {
  EXPECT_TRUE(
      says(length_error("x = '3 MM'").reason, "expected a length (m): 'MM' is not a known unit; did you mean 'mm'?"));
}

TEST(TomlInput, AnglesAndTemperaturesMustCarryAUnit) {
  auto in = scene("a = 30\nt = 20\nb = '30 deg'\nu = '20 degC'");
  const auto angle = error_of([&] { in.number("a", dim::angle, Range::any(), std::nullopt, ""); });
  EXPECT_EQ(angle.reason, "expected an angle (rad), got 30 without a unit");
  EXPECT_TRUE(says(angle.hint, "30 deg"));
  const auto temperature = error_of([&] { in.number("t", dim::temperature, Range::any(), std::nullopt, ""); });
  EXPECT_TRUE(says(temperature.hint, "degC"));
  EXPECT_DOUBLE_EQ(in.number("b", dim::angle, Range::any(), std::nullopt, ""), pi / 6);
  EXPECT_DOUBLE_EQ(in.number("u", dim::temperature, Range::any(), std::nullopt, ""), 293.15);
}

TEST(TomlInput, NotANumberAndInfinityAreRefused) {
  for (const char* text : {"x = nan", "x = inf", "x = -inf", "x = 'inf'", "x = 'nan m'"})
    EXPECT_TRUE(says(length_error(text).what(), "finite")) << text;
}

TEST(TomlInput, OutOfRangeShowsTheAllowedRangeInSi) {
  EXPECT_EQ(length_error("x = 0", Range::positive()).reason, "must be greater than 0 m, got 0");
  EXPECT_EQ(length_error("x = '-3 mm'", Range::not_negative()).reason, "must be at least 0 m, got '-3 mm' (-0.003 m)");
  EXPECT_EQ(length_error("x = 7", Range::closed(1, 5)).reason, "must be from 1 to 5 m, got 7");
  EXPECT_EQ(length_error("x = 0.5", Range::below(0, 0.5)).reason, "must be at least 0 m and less than 0.5 m, got 0.5");
}

TEST(TomlInput, ANumberOfTheWrongTypeSaysWhatWasFound) {
  EXPECT_EQ(length_error("x = true").reason, "expected a length (m), found true");
  EXPECT_EQ(length_error("x = [1, 2]").reason, "expected a length (m), found a list of 2");
  EXPECT_EQ(length_error("[x]").reason, "expected a length (m), found a table");
  EXPECT_EQ(length_error("[[x]]").reason, "expected a length (m), found an array of tables");
  EXPECT_TRUE(says(length_error("x = 2024-01-01").reason, "found a date or time, 2024-01-01"));
  EXPECT_TRUE(says(length_error("x = 'wide'").reason, "got 'wide'"));
}

TEST(TomlInput, WholeNumbersTakeIntegralFloatsAndNothingElse) {
  auto in = scene("a = 5e3\nb = 2.5\nc = '5'\nd = 0\ne = nan");
  EXPECT_EQ(in.integer("a", 0, most, std::nullopt, ""), 5000);
  const auto fails = [&](const char* key, i64 low, i64 high) {
    return error_of([&] { in.integer(key, low, high, std::nullopt, ""); }).reason;
  };
  EXPECT_EQ(fails("b", 0, most), "expected a whole number, got 2.5");
  EXPECT_EQ(fails("c", 0, most), "expected a whole number, found text '5'");
  EXPECT_EQ(fails("d", 1, most), "must be at least 1, got 0");
  EXPECT_EQ(fails("d", 1, 9), "must be from 1 to 9, got 0");
  EXPECT_EQ(fails("e", 1, 9), "expected a whole number, got nan");
}

TEST(TomlInput, FlagsAreTrueOrFalseWithoutQuotes) {
  auto in = scene("a = true\nb = 'yes'");
  EXPECT_TRUE(in.flag("a", false, ""));
  EXPECT_TRUE(in.flag("absent", true, ""));
  const auto error = error_of([&] { in.flag("b", false, ""); });
  EXPECT_EQ(error.reason, "expected true or false, found text 'yes'");
  EXPECT_TRUE(says(error.hint, "without quotes"));
}

TEST(TomlInput, AWordOutsideTheChoicesNamesThemAndTheNearest) {
  auto in = scene("law = 'herz'\nother = 'glue'\nright = 'linear'");
  const std::vector<std::string> laws{"hertz", "linear"};
  const auto error = error_of([&] { in.choice("law", laws, std::nullopt, ""); });
  EXPECT_EQ(error.reason, "must be one of hertz, linear; got 'herz'");
  EXPECT_EQ(error.hint, "did you mean 'hertz'?");
  EXPECT_EQ(error_of([&] { in.choice("other", laws, std::nullopt, ""); }).hint, "");
  EXPECT_EQ(in.choice("right", laws, std::nullopt, ""), "linear");
  EXPECT_EQ(in.choice("absent", laws, "hertz", ""), "hertz");
}

TEST(TomlInput, TextMustBeText) {
  auto in = scene("title = 3");
  EXPECT_EQ(error_of([&] { in.text("title", "", ""); }).reason, "expected text, found the number 3");
}

TEST(TomlInput, AListIsCheckedInLengthAndElementByElement) {
  auto in = scene("size = ['1 mm', 2, 0.5]\nshort = [1, 2]\none = 3\nbad = [1, '2 Pa']\nempty = []");
  const auto read = [&](const char* key) {
    return in.numbers(key, dim::length, Range::positive(), 3, std::nullopt, "");
  };
  EXPECT_EQ(read("size"), (std::vector<Real>{1e-3, 2, 0.5}));
  EXPECT_EQ(error_of([&] { read("short"); }).reason, "expected a list of 3, each a length (m); found a list of 2");
  EXPECT_EQ(error_of([&] { read("one"); }).reason, "expected a list of 3, each a length (m); found the number 3");
  const auto bad = error_of([&] { in.numbers("bad", dim::length, Range::any(), 0, std::nullopt, ""); });
  EXPECT_EQ(bad.key, "bad[1]");
  EXPECT_EQ(bad.line, 4);
  EXPECT_TRUE(says(bad.reason, "got '2 Pa' (Pa)"));
  EXPECT_TRUE(in.numbers("empty", dim::length, Range::any(), 0, std::nullopt, "").empty());
  EXPECT_EQ(in.numbers("absent", dim::length, Range::any(), 2, std::vector<Real>{1, 2}, "").size(), 2u);
}

// ---- missing and unknown keys --------------------------------------------------------------------------------------

TEST(TomlInput, AMissingKeyIsReportedWhereItsTableStartsWithItsMeaning) {
  auto in = scene("\n\n[cell]\n");
  auto cell = in.table("cell", true, "");
  const auto error =
      error_of([&] { cell->number("height", dim::length, Range::any(), std::nullopt, "height at rest"); });
  EXPECT_EQ(error.line, 3);
  EXPECT_EQ(error.key, "cell.height");
  EXPECT_EQ(error.reason, "is required but missing");
  EXPECT_TRUE(says(error.hint, "a length (m): height at rest"));
}

TEST(TomlInput, AMissingKeyThatIsMisspeltIsFoundInTheTable) {
  auto in = scene("[cell]\nwidth = 1\nhieght = 2");
  auto cell = in.table("cell", true, "");
  const auto error = error_of([&] { cell->number("height", dim::length, Range::any(), std::nullopt, ""); });
  EXPECT_EQ(error.line, 3);
  EXPECT_EQ(error.hint, "there is 'hieght'; did you mean 'height'?");
}

TEST(TomlInput, AnUnknownKeyIsRefusedWithLineAndNearestKnownKey) {
  auto in = scene("seed = 1\n[cell]\nheight = 1\nfrcition = 0.5\n");
  in.integer("seed", 0, most, 1, "");
  auto cell = in.table("cell", true, "");
  cell->number("height", dim::length, Range::any(), std::nullopt, "");
  cell->number("friction", dim::none, Range::any(), 0.5, "");
  const auto error = error_of([&] { in.finish(); });
  EXPECT_EQ(error.line, 4);
  EXPECT_EQ(error.key, "cell.frcition");
  EXPECT_EQ(error.reason, "unknown key");
  EXPECT_EQ(error.hint, "did you mean 'friction'?");
}

TEST(TomlInput, AnUnknownKeyLikeNoOtherListsTheKnownOnes) {
  auto in = scene("seed = 1\ncolour = 'red'");
  in.integer("seed", 0, most, 1, "");
  in.text("title", "", "");
  EXPECT_EQ(error_of([&] { in.finish(); }).hint, "the keys known here are: seed, title");
}

TEST(TomlInput, AllUnknownKeysAreNamedDownTheFile) {
  auto in = scene("zeta = 1\n[cell]\n[foo]\na = 1\n[[stage]]\nbar = 1\n");
  in.table("cell", true, "");
  in.tables("stage", "");
  const auto error = error_of([&] { in.finish(); });
  EXPECT_EQ(error.key, "zeta");
  EXPECT_TRUE(says(error.hint, "also line 3, foo: unknown table"));
  EXPECT_TRUE(says(error.hint, "also line 6, stage[0].bar: unknown key"));
  EXPECT_FALSE(says(error.hint, "foo.a"));
}

TEST(TomlInput, AKeyAskedForOnlyInAnotherCaseIsUnknown) {
  auto in = scene("kind = 'ball'\nedge = 1\nradius = 2");
  in.text("kind", std::nullopt, "");
  in.number("radius", dim::length, Range::any(), std::nullopt, "");
  EXPECT_EQ(error_of([&] { in.finish(); }).key, "edge");
}

TEST(TomlInput, AKeyThatWasTestedButNotReadIsNeedless) {
  auto in = scene("young = 1\nshear = 2");
  if (in.has("young")) in.number("young", dim::pressure, Range::any(), std::nullopt, "");
  EXPECT_TRUE(in.has("shear"));
  EXPECT_FALSE(in.has("bulk"));
  const auto error = error_of([&] { in.finish(); });
  EXPECT_EQ(error.key, "shear");
  EXPECT_TRUE(says(error.reason, "another entry makes it needless"));
}

TEST(TomlInput, AFullyReadSceneIsAccepted) {
  auto in = scene("seed = 3\n[cell]\nheight = 1\n");
  EXPECT_EQ(in.integer("seed", 0, most, 1, ""), 3);
  in.table("cell", true, "")->number("height", dim::length, Range::any(), std::nullopt, "");
  EXPECT_NO_THROW(in.finish());
}

// ---- tables --------------------------------------------------------------------------------------------------------

TEST(TomlInput, AMissingTableReadsAsEmptyUnlessRequired) {
  auto in = scene("");
  EXPECT_EQ(in.table("cell", false, "")->number("height", dim::length, Range::any(), 2., ""), 2);
  const auto error = error_of([&] { in.table("grains", true, "what is poured"); });
  EXPECT_EQ(error.key, "grains");
  EXPECT_TRUE(says(error.hint, "a table: what is poured"));
  const auto below = error_of([&] { in.table("cell", false, "")->text("name", std::nullopt, ""); });
  EXPECT_EQ(below.key, "cell.name");
}

TEST(TomlInput, ATableOfAnotherKindIsRefused) {
  auto in = scene("a = 1\n[[b]]\n[c]\nx = 1\n[d]\ny = 2");
  EXPECT_EQ(error_of([&] { in.table("a", false, ""); }).reason, "expected a table, found the number 1");
  EXPECT_EQ(error_of([&] { in.table("b", false, ""); }).hint, "write [b] instead of [[b]]");
  const auto single = error_of([&] { in.tables("c", ""); });
  EXPECT_EQ(single.reason, "expected an array of tables, found a table");
  EXPECT_TRUE(says(single.hint, "[[c]]"));
  EXPECT_EQ(single.line, 3);
  const auto name = error_of([&] { in.names("d", ""); });
  EXPECT_EQ(name.key, "d.y");
  EXPECT_EQ(name.reason, "expected a table, found the number 2");
}

TEST(TomlInput, TablesOfAnArrayComeInOrderAndAreNumberedFromZero) {
  auto in = scene("[[stage]]\nstrain = 1\n[[stage]]\nstrain = 2\n[[stage]]\nstrain = -1");
  auto stages = in.tables("stage", "");
  ASSERT_EQ(stages.size(), 3u);
  const auto strain = [&](int i) {
    return stages[i]->number("strain", dim::none, Range::positive(), std::nullopt, "");
  };
  EXPECT_EQ(strain(0), 1);
  EXPECT_EQ(strain(1), 2);
  const auto error = error_of([&] { strain(2); });
  EXPECT_EQ(error.key, "stage[2].strain");
  EXPECT_EQ(error.line, 6);
  EXPECT_TRUE(in.tables("probe", "").empty());
}

TEST(TomlInput, NamesComeInFileOrder) {
  auto in = scene("[material.steel]\n[material.quartz]\n[material.\"glass beads\"]");
  EXPECT_EQ(in.names("material", ""), (std::vector<std::string>{"steel", "quartz", "glass beads"}));
  EXPECT_TRUE(in.names("pair", "").empty());
}

TEST(TomlInput, ANamedTableThatNothingReadsIsAnError) {
  auto in = scene("[material.steel]\n[material.quartz]");
  in.names("material", "");
  in.table("material", true, "")->table("steel", true, "");
  const auto error = error_of([&] { in.finish(); });
  EXPECT_EQ(error.key, "material.quartz");
  EXPECT_EQ(error.line, 2);
  EXPECT_EQ(error.reason, "is declared but nothing refers to it");
}

TEST(TomlInput, ATableOutlivesTheInputItCameFrom) {
  std::unique_ptr<Input> cell;
  {
    auto in = scene("[cell]\nheight = 2");
    cell = in.table("cell", true, "");
  }
  EXPECT_EQ(cell->number("height", dim::length, Range::any(), std::nullopt, ""), 2);
}

// ---- other errors --------------------------------------------------------------------------------------------------

TEST(TomlInput, ASyntaxErrorNamesFileAndLine) {
  const auto error = error_of([] { scene("a = 1\nb = = 2\n"); });
  EXPECT_EQ(error.file, "box.toml");
  EXPECT_EQ(error.line, 2);
  EXPECT_TRUE(says(error.reason, "not valid TOML"));
  EXPECT_EQ(error_of([] { scene("a = 1\na = 2\n"); }).line, 2) << "a key given twice";
}

TEST(TomlInput, AFailingRuleOfTheCallerGetsThePlaceOfItsKey) {
  auto in = scene("[cell]\nheight = 1\nwidth = 2");
  auto cell = in.table("cell", true, "");
  const auto error = error_of([&] { cell->fail("width", "wider than high", "make it narrower"); });
  EXPECT_EQ(error.line, 3);
  EXPECT_EQ(error.key, "cell.width");
  const auto whole = error_of([&] { cell->fail("", "is odd", ""); });
  EXPECT_EQ(whole.line, 1);
  EXPECT_EQ(whole.key, "cell");
}

TEST(TomlInput, AnotherFileIsReadThroughTheCallback) {
  TomlInput in("sieve = 'curve.csv'\nlost = 'lost.csv'", "box.toml", {}, [](const std::string& path) -> std::string {
    if (path == "lost.csv") throw std::runtime_error("no such file");
    return "contents of " + path;
  });
  EXPECT_EQ(in.file("sieve", ""), "contents of curve.csv");
  const auto error = error_of([&] { in.file("lost", ""); });
  EXPECT_EQ(error.line, 2);
  EXPECT_EQ(error.reason, "cannot read 'lost.csv': no such file");
  EXPECT_EQ(error_of([] { scene("a = 'b'").file("a", ""); }).key, "a");
}
