#pragma once
// Fingerprints of bytes: 64 bits, the same on every machine with the same byte order. Good enough to tell states and
// texts apart and to find damage; not a defence against forgery.
#include <cstring>
#include <string>
#include <string_view>

#include <talus/core/rng.hpp>

namespace talus {

// Joins two fingerprints; the order matters.
TALUS_HD u64 hash_join(u64 first, u64 second) { return Rng::mix(Rng::mix(first) ^ second); }

// Goes on from `seed` over the bytes, eight at a time; a last incomplete word is filled with zeros. The caller puts the
// length into the seed where it varies.
inline u64 hash_bytes(u64 seed, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  u64 hash = seed;
  for (; size >= sizeof(u64); bytes += sizeof(u64), size -= sizeof(u64)) {
    u64 word;
    std::memcpy(&word, bytes, sizeof word);
    hash = Rng::mix(hash ^ word);
  }
  if (size > 0) {
    u64 word = 0;
    std::memcpy(&word, bytes, size);
    hash = Rng::mix(hash ^ word);
  }
  return hash;
}

inline u64 hash_text(std::string_view text) { return hash_bytes(Rng::mix(text.size()), text.data(), text.size()); }

// 16 hexadecimal digits.
inline std::string hex(u64 value) {
  std::string out(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) out[i] = "0123456789abcdef"[value & 15];
  return out;
}

}  // namespace talus
