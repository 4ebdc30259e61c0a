#include <string>

#include <gtest/gtest.h>

#include <talus/core/nesting.hpp>
#include <talus/core/quantity.hpp>

using namespace talus;

namespace {

std::string repeated(const std::string& part, int times) {
  std::string out;
  for (int k = 0; k < times; ++k) out += part;
  return out;
}

}  // namespace

TEST(Nesting, TellsTheLineOfTomlThatIsTooDeep) {
  EXPECT_EQ(too_deep_toml("a = 1\nb = " + repeated("[", 200) + repeated("]", 200)), 2);
  EXPECT_EQ(too_deep_toml("\n\n" + repeated("a.", 200) + "a = 1\n"), 3);
  EXPECT_EQ(too_deep_toml("[" + repeated("a.", 200) + "a]\n"), 1);
  EXPECT_EQ(too_deep_toml("[" + repeated("a.", 60) + "a]\nx = 1\n" + repeated("b.", 60) + "b = 1"), 3);  // both together
  EXPECT_EQ(too_deep_toml(repeated("a.", 60) + "a = {" + repeated("b.", 60) + "b = 1}"), 1);
  EXPECT_EQ(too_deep_toml("x = \"\"\"\n\n\"\"\"\ny = " + repeated("{a=", 200)), 4);
}

TEST(Nesting, LetsTomlPassWhoseBracketsAreTextOrClosed) {
  EXPECT_EQ(too_deep_toml(repeated("a = [1.5, [2.5], {b.c = 1}]\n", 500)), 0);
  EXPECT_EQ(too_deep_toml("a = \"" + repeated("[{.\\\"", 500) + "\"\n"), 0);
  EXPECT_EQ(too_deep_toml("a = '" + repeated("[{.\"", 500) + "'\n# " + repeated("[", 500) + "\n"), 0);
  EXPECT_EQ(too_deep_toml("a = '''" + repeated("[\n", 500) + "'''\n"), 0);
  EXPECT_EQ(too_deep_toml("a = [\n" + repeated("1.0,\n", 500) + "]\n"), 0);
  EXPECT_EQ(too_deep_toml(repeated("[a.b.c]\n[[d.e]]\n", 500)), 0);
}

TEST(Nesting, TellsJsonThatIsTooDeep) {
  EXPECT_TRUE(too_deep_json(repeated("[", 200)));
  EXPECT_TRUE(too_deep_json(repeated("{\"a\":", 200)));
  EXPECT_FALSE(too_deep_json("\"" + repeated("[\\\"", 200) + "\""));
  EXPECT_FALSE(too_deep_json(repeated("[{}]", 200)));
}

TEST(Nesting, ParenthesesOfAUnitHaveALimit) {
  EXPECT_EQ(parse_quantity("3 (((((m)))))").value, 3);
  EXPECT_THROW(parse_quantity("3 " + repeated("(", 100) + "m" + repeated(")", 100)), std::invalid_argument);
}
