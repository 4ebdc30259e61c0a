#include <cmath>

#include <gtest/gtest.h>

#include <talus/core/csv.hpp>
#include <talus/core/input_error.hpp>

using namespace talus;

namespace {

// The message of the error that the text gives; empty when it is accepted.
std::string complaint(std::string_view text) {
  try {
    parse_csv(text, "grains.csv");
    return "";
  } catch (const InputError& error) { return error.what(); }
}

bool says(const std::string& message, std::string_view part) { return message.find(part) != std::string::npos; }

}  // namespace

TEST(Csv, GivesColumnsInSi) {
  const auto table = parse_csv("d [mm], passing [%], n\n0.44, 10, 3\n1e0,+55.5,-4\n", "sieve.csv");
  EXPECT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.values("d", dim::length), (std::vector<Real>{0.44e-3, 1e-3}));  // exactly: no product with 0.001
  EXPECT_EQ(table.values("passing", dim::none), (std::vector<Real>{0.1, 0.555}));
  EXPECT_EQ(table.values("n", dim::none), (std::vector<Real>{3, -4}));
  EXPECT_EQ(table.values("n", dim::length), (std::vector<Real>{3, -4}));  // plain numbers are SI of any dimension
}

TEST(Csv, ReadsWhatSpreadsheetsWrite) {
  const auto table =
      parse_csv("\xEF\xBB\xBF# sieve of sample 3\r\n\r\n\"d [mm]\",\"w [g]\"\r\n\"1\",2\r\n\r\n3,4", "x.csv");
  EXPECT_EQ(table.header_line, 3);
  EXPECT_EQ(table.lines, (std::vector<int>{4, 6}));
  EXPECT_EQ(table.values("w", dim::mass), (std::vector<Real>{2e-3, 4e-3}));
}

TEST(Csv, NamesLineAndColumnOfAFault) {
  for (const char* field : {"nan", "inf", "-inf", "1e999", "abc", "1 mm", "0x10", "1.5.2", "1 2"}) {
    const auto message = complaint("x,y [mm]\n1,2\n3," + std::string(field) + "\n");
    EXPECT_TRUE(says(message, "grains.csv:3: column 2 (y): ")) << message;
    EXPECT_TRUE(says(message, field)) << message;
  }
  EXPECT_TRUE(says(complaint("x,y\n1,\n"), "grains.csv:2: column 2 (y): the field is empty"));
  EXPECT_TRUE(says(complaint("x,y\n1\n"), "grains.csv:2: the line has 1 fields, the header has 2"));
  EXPECT_TRUE(says(complaint("x,y\n1,2\n1,5,2\n"), "grains.csv:3: the line has 3 fields"));
}

TEST(Csv, InsistsOnAHeader) {
  EXPECT_TRUE(says(complaint(""), "no header"));
  EXPECT_TRUE(says(complaint("# nothing\n"), "no header"));
  EXPECT_TRUE(says(complaint("x,y\n"), "no rows"));
  EXPECT_TRUE(says(complaint("1,2\n3,4\n"), "must name the columns"));
  EXPECT_TRUE(says(complaint("x;y\n3;4\n"), "not separated by commas"));
  EXPECT_TRUE(says(complaint("x,x\n3,4\n"), "occurs twice"));
  EXPECT_TRUE(says(complaint("x,,y\n3,4,5\n"), "no name"));
  EXPECT_TRUE(says(complaint("x [mm,y\n3,4\n"), "lacks a ']'"));
  EXPECT_TRUE(says(complaint("x [mmm]\n3\n"), "mmm"));
}

TEST(Csv, SaysWhichColumnWasMeant) {
  const auto table = parse_csv("radius [mm],x [s]\n1,2\n", "grains.csv");
  try {
    table.values("radios", dim::length);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(says(error.what(), "grains.csv:1: radios: there is no column 'radios'")) << error.what();
    EXPECT_TRUE(says(error.hint, "did you mean 'radius'")) << error.hint;
  }
  try {
    table.values("x", dim::length);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(says(error.reason, "'s' is a time (s), expected a length (m)")) << error.reason;
  }
}

TEST(Csv, RefusesColumnsThatNobodyReadsAndNamesTheNearest) {
  const auto table = parse_csv("x [mm],Vx [m/s],diameter [mm],radius [mm]\n1,2,3,4\n", "grains.csv");
  const auto why = [](auto&& ask) -> std::string {
    try {
      ask();
      return "";
    } catch (const InputError& error) { return error.what(); }
  };
  const std::vector<std::string> known{"x", "vx", "diameter", "radius"};
  const std::string unknown = why([&] { table.need_known(known); });
  EXPECT_TRUE(says(unknown, "grains.csv:1: Vx")) << unknown;
  EXPECT_TRUE(says(unknown, "did you mean 'vx'?")) << unknown;
  EXPECT_EQ(why([&] { table.need_known({"x", "Vx", "diameter", "radius"}); }), "");
  EXPECT_TRUE(says(why([&] { table.need_one_of("diameter", "radius"); }), "keep one"));
  EXPECT_EQ(why([&] { table.need_one_of("x", "y"); }), "");
}

TEST(Csv, ConvertsAColumnToTheBitsOfSingleQuantities) {
  for (const char* unit : {"mm", "kPa", "%", "deg", "rpm", "degC", "1", "m3/h", "min"}) {
    const std::string text = "a [" + std::string(unit) + "]\n";
    for (const char* number : {"0.44", "-0", "1e-5", "+17.25", "123456789.123", ".5"}) {
      const auto table = parse_csv(text + number + "\n", "x.csv");
      const Real one = parse_quantity(std::string(number) + " " + unit).value, two = table.columns[0].values[0];
      EXPECT_EQ(one, two) << number << " " << unit;
      EXPECT_EQ(std::signbit(one), std::signbit(two)) << number << " " << unit;
    }
  }
}
