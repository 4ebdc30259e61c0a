#pragma once
// Length and fingerprint of what a text file held at a moment: checkpoint and summary keep them, so that a file that was
// cut or damaged afterwards is found before anything is computed from it. Line by line, so that it grows with the file.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <talus/core/real.hpp>

namespace talus {

struct FileRecord {
  u64 bytes = 0, hash = 0;

  static FileRecord of(std::string_view text);
  void add(std::string_view line);  // with its end
  bool operator==(const FileRecord&) const = default;

  std::string text() const;  // "123 bytes, hash 0123456789abcdef"
  static std::optional<FileRecord> read(std::string_view text);

  // The part of a longer text that this was made of. Throws InputError when the text does not begin with it. `when`: as in
  // "at the checkpoint of step 100".
  std::string part_of(const std::string& text, const std::filesystem::path& file, const std::string& when) const;
};

}  // namespace talus
