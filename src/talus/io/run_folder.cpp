#include <talus/io/run_folder.hpp>

#include <cerrno>

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <talus/core/input_error.hpp>
#include <talus/io/file_error.hpp>

namespace talus {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& reason, const std::string& hint = {}) {
  throw InputError(path.string(), 0, "", reason, hint);
}

void make_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) refuse(path, "the folder cannot be made: " + error.message());
}

// Makes the folder where it is missing.
fs::path folder_at(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_directory(status)) refuse(path, "is a file, not a folder", "choose another folder");
  make_folders(path);
  return path;
}

void need_empty(const fs::path& path) {
  std::error_code error;
  const bool is_empty = fs::is_empty(path, error);
  if (error) refuse(path, "the folder cannot be read: " + error.message());
  if (!is_empty) refuse(path, "the folder is not empty; choose another folder or remove it");
  if (::access(path.c_str(), W_OK | X_OK) != 0) refuse(path, "the folder cannot be written to: " + system_reason());
}

std::string four_digits(int n) {
  const std::string digits = std::to_string(n);
  return std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits;
}

fs::path count_up(const fs::path& runs, const std::string& name) {
  if (name.empty() || name.find('/') != std::string::npos || name.front() == '.')
    refuse(runs / name, "'" + name + "' cannot be the name of a run", "choose a folder with --out");
  make_folders(runs);
  // mkdir fails when the folder is there already, so whoever makes it owns it: looking first would let two processes
  // take the same number.
  for (int n = 1; n < 1'000'000; ++n) {
    const fs::path path = runs / (name + "-" + four_digits(n));
    if (::mkdir(path.c_str(), 0777) == 0) return path;
    if (errno != EEXIST) refuse(path, "the folder cannot be made: " + system_reason());
  }
  refuse(runs, "there is no free number left for " + name);
}

}  // namespace

RunFolder RunFolder::create(const std::optional<fs::path>& out, const std::string& name, const fs::path& base) {
  RunFolder run(out ? folder_at(*out) : count_up(base == "." ? fs::path("runs") : base / "runs", name));
  run.claim();  // before the look at what is in it: two processes may have found it empty
  need_empty(run.path_);
  return run;
}

RunFolder RunFolder::open(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) refuse(folder, "there is no such folder");
  RunFolder run(folder);
  if (!fs::is_regular_file(run.scene(), error)) refuse(folder, "is not the folder of a run: it holds no scene.toml");
  return run;
}

void RunFolder::claim() {
  Descriptor held(path_, O_RDONLY | O_DIRECTORY);
  if (!held.is_open()) return;  // who may write into it but not read it finds out when it is listed
  if (::flock(held.id(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw FolderTaken(path_.string(), 0, "", "another process is writing into this folder", "wait until it is done, or stop it");
  struct stat mine {}, there {};
  if (::fstat(held.id(), &mine) != 0 || ::stat(path_.c_str(), &there) != 0 || mine.st_ino != there.st_ino ||
      mine.st_dev != there.st_dev)
    refuse(path_, "the folder was moved or replaced at this moment");
  claim_ = std::move(held);
}

}  // namespace talus
