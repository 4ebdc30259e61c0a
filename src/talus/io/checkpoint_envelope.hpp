#pragma once
// The 512 bytes at the head of a checkpoint: kind, format, step, length and sum of the rest, as text.
#include <filesystem>
#include <string>
#include <string_view>

#include <talus/core/real.hpp>

namespace talus {

struct Envelope {
  static constexpr std::size_t size = 512;  // HDF5 looks for its data at powers of two from here
  static constexpr int format = 3;          // raise it when the layout of the file changes

  i64 step = 0;
  u64 bytes = 0;  // after the envelope
  u64 sum = 0;    // of the step and these bytes

  static Envelope around(std::string_view content, i64 step);
  std::string text() const;
};

// Throws InputError with the fault: missing, of another kind or format, cut short, damaged.
Envelope check_seal(const std::filesystem::path& path);

}  // namespace talus
