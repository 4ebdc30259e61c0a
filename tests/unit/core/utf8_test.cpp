#include <gtest/gtest.h>

#include <talus/core/utf8.hpp>

using namespace talus;

TEST(Utf8, TellsTextFromOtherBytes) {
  for (const char* text : {"", "plain", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) EXPECT_TRUE(is_utf8(text)) << text;
  // A lone byte, an overlong slash, a surrogate, beyond the last character, cut off.
  for (const char* text : {"\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "a\xE2\x82"}) EXPECT_FALSE(is_utf8(text)) << text;
}

TEST(Utf8, ReplacesBytesThatAreNoneAndKeepsTheRest) {
  EXPECT_EQ(to_utf8("na\xFFme \xC3\xA4"), "na\xEF\xBF\xBDme \xC3\xA4");
  EXPECT_TRUE(is_utf8(to_utf8("\xED\xA0\x80\xC3")));
}

TEST(Utf8, ShortensBetweenCharacters) {
  EXPECT_EQ(shortened("short", 10), "short");
  const std::string long_text = "abc\xE2\x82\xAC\xE2\x82\xAC";
  for (std::size_t most = 1; most < long_text.size(); ++most) EXPECT_TRUE(is_utf8(shortened(long_text, most))) << most;
  EXPECT_EQ(shortened("0123456789", 4), "0123 ... (6 more bytes)");
}

TEST(Utf8, AMessageHasNoControlCharactersAndNoEndlessWords) {
  EXPECT_EQ(readable("a\x1b[31m b\tc\nd", 100, 100), "a?[31m b?c\nd");
  EXPECT_EQ(readable("key " + std::string(20, 'x') + " end", 5, 100), "key xxxxx ... (15 more bytes) end");
  EXPECT_LT(readable(std::string(100000, ' '), 5, 100).size(), 150u);
  EXPECT_EQ(readable(std::string("a\0b", 3), 5, 100), "a?b");
}
