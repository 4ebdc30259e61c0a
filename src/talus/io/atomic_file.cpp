#include <talus/io/atomic_file.hpp>

#include <cstdio>

#include <talus/io/descriptor.hpp>

namespace talus {
namespace {

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

}  // namespace

std::filesystem::path unfinished(const std::filesystem::path& path) {
  return path.parent_path() / (path.filename().string() + ".part");
}

void write_atomic(const std::filesystem::path& path, std::initializer_list<std::string_view> parts) {
  const std::filesystem::path temporary = unfinished(path);
  try {
    {
      Descriptor file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
      file.need();
      for (const std::string_view part : parts) file.write(part);
      file.sync();
    }
    if (std::rename(temporary.c_str(), path.c_str()) != 0)
      throw FileError(path, "cannot be put in place of the old file: " + system_reason());
    Descriptor(folder_of(path), O_RDONLY | O_DIRECTORY).need().sync();
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
}

void write_text_atomic(const std::filesystem::path& path, std::string_view text) { write_atomic(path, {text}); }

}  // namespace talus
