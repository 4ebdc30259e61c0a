#include <talus/io/atomic_file.hpp>

#include <cstdio>
#include <vector>

#include <sys/stat.h>

namespace talus {
namespace {

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

void need_file_or_nothing(const std::filesystem::path& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode) && !S_ISLNK(found.st_mode))
    throw FileError(path, "is not a file, and is not replaced by one");
}

}  // namespace

// Not O_TRUNC on what is there: it follows a link, and a second process that has the file open would write into ours.
Descriptor create_file(const std::filesystem::path& path, int flags) {
  need_file_or_nothing(path);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) throw FileError(path, "cannot be replaced: " + system_reason());
  Descriptor file(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | flags);
  file.need();
  return file;
}

std::filesystem::path unfinished(const std::filesystem::path& path) {
  return path.parent_path() / (path.filename().string() + ".part");
}

void remove_unfinished(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> found;
  for (auto entry = std::filesystem::directory_iterator(folder, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error))
    if (entry->path().extension() == ".part" && !entry->is_directory(error)) found.push_back(entry->path());
  for (const auto& path : found) std::filesystem::remove(path, error);
}

void write_atomic(const std::filesystem::path& path, std::initializer_list<std::string_view> parts) {
  const std::filesystem::path temporary = unfinished(path);
  need_file_or_nothing(path);
  Descriptor file = create_file(temporary);
  try {
    for (const std::string_view part : parts) file.write(part);
    file.sync();
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
