#pragma once
// Opens what is read as a whole: plain files. A pipe would wait for a writer, a device may have no end.
#include <sys/stat.h>

#include <talus/core/input_error.hpp>
#include <talus/io/descriptor.hpp>

namespace talus {

// Not open when the system refuses, with errno as it left it. Throws InputError for what is no plain file, or has more bytes.
inline Descriptor open_regular(const std::filesystem::path& path, std::size_t largest = ~std::size_t{0} / 2) {
  Descriptor file(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);  // without waiting for the other end of a pipe
  struct ::stat about {};
  if (!file.is_open() || ::fstat(file.id(), &about) != 0) return file;
  if (S_ISDIR(about.st_mode)) throw InputError(path.string(), 0, "", "is a folder, not a file");
  if (!S_ISREG(about.st_mode)) throw InputError(path.string(), 0, "", "is not a plain file: pipes and devices are not read");
  if (std::size_t(about.st_size) > largest)
    throw InputError(path.string(), 0, "", "is larger than " + std::to_string(largest >> 20) + " MB");
  return file;
}

}  // namespace talus
