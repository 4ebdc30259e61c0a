#include <talus/core/base64.hpp>

#include <cstddef>

namespace talus {

std::string base64(std::span<const unsigned char> bytes) {
  static constexpr char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    const unsigned word = unsigned(bytes[i]) << 16 | (left > 1 ? unsigned(bytes[i + 1]) << 8 : 0u) |
                          (left > 2 ? unsigned(bytes[i + 2]) : 0u);
    out += digit[word >> 18 & 63];
    out += digit[word >> 12 & 63];
    out += left > 1 ? digit[word >> 6 & 63] : '=';
    out += left > 2 ? digit[word & 63] : '=';
  }
  return out;
}

}  // namespace talus
