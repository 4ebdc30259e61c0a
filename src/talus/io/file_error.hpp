#pragma once
// The disk refused while a run was going on: full, unplugged, no longer writable. What is wrong before the first step
// is an InputError instead.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace talus {

struct FileError : std::runtime_error {
  FileError(const std::filesystem::path& file_, const std::string& reason)
      : std::runtime_error(file_.string() + ": " + reason), file(file_) {}

  std::filesystem::path file;
};

// The reason the operating system gave for the last failed call.
inline std::string system_reason() { return std::strerror(errno); }

}  // namespace talus
