#pragma once
// An open file of the operating system, closed at the end of its scope.
#include <filesystem>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <talus/io/file_error.hpp>

namespace talus {

class Descriptor {
 public:
  Descriptor() = default;
  Descriptor(const std::filesystem::path& path, int flags)
      : path_(path), id_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  Descriptor(Descriptor&& other) noexcept : path_(std::move(other.path_)), id_(std::exchange(other.id_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(id_, other.id_);
    return *this;
  }
  ~Descriptor() {
    if (id_ >= 0) ::close(id_);
  }

  bool is_open() const { return id_ >= 0; }
  int id() const { return id_; }
  const std::filesystem::path& path() const { return path_; }

  // The rest throws FileError.
  Descriptor& need() {
    if (!is_open()) throw FileError(path_, "cannot be opened: " + system_reason());
    return *this;
  }
  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(id_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw FileError(path_, "cannot be written: " + system_reason());
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  // Fewer bytes than asked for only at the end of the file.
  std::size_t read(char* to, std::size_t size) {
    std::size_t done = 0;
    while (done < size) {
      const ssize_t n = ::read(id_, to + done, size - done);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw FileError(path_, "cannot be read: " + system_reason());
      if (n == 0) break;
      done += static_cast<std::size_t>(n);
    }
    return done;
  }
  void sync() {
    if (::fsync(id_) != 0) throw FileError(path_, "cannot be synced to the disk: " + system_reason());
  }

 private:
  std::filesystem::path path_;
  int id_ = -1;
};

}  // namespace talus
