#pragma once
// Bytes as text (RFC 4648, with padding).
#include <span>
#include <string>

namespace talus {

std::string base64(std::span<const unsigned char> bytes);

}  // namespace talus
