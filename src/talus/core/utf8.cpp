#include <talus/core/utf8.hpp>

#include <algorithm>

namespace talus {
namespace {

// Length of the character that the text begins with; 0: the first byte begins none. RFC 3629.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xC0) != 0x80) return 0;
  const unsigned second = byte(1);
  const bool is_overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool is_none = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);  // surrogate, too large
  return is_overlong || is_none ? 0 : length;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t n = character(text);
    if (n == 0) return false;
    text.remove_prefix(n);
  }
  return true;
}

std::string to_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t n = character(text);
    out += n == 0 ? std::string_view("\uFFFD") : text.substr(0, n);
    text.remove_prefix(n == 0 ? 1 : n);
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && end + 4 > most && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + " ... (" + std::to_string(text.size() - end) + " more bytes)";
}

std::string readable(std::string_view text, std::size_t word, std::size_t most) {
  std::string out;
  while (!text.empty() && out.size() <= most) {
    const std::size_t space = text.find_first_of(" \n");
    const std::size_t end = std::min(space, text.size());
    for (const char c : shortened(text.substr(0, end), word)) out += (c >= 0 && c < 32) || c == 127 ? '?' : c;
    if (end < text.size()) out += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return shortened(out, most);
}

}  // namespace talus
