#pragma once
// Text that is not UTF-8: arguments and names of files are bytes, what is written into files is text.
#include <string>
#include <string_view>

namespace talus {

bool is_utf8(std::string_view text);
// With the replacement character in place of bytes that are none.
std::string to_utf8(std::string_view text);
// The first `most` bytes or a little less, so that no character is cut, and how many are left out.
std::string shortened(std::string_view text, std::size_t most);

// A message for people: without control characters but line ends, words beyond `word` bytes and the whole beyond `most` shortened.
std::string readable(std::string_view text, std::size_t word, std::size_t most);

}  // namespace talus
