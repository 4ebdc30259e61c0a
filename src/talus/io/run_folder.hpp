#pragma once
// The folder of one run and the names of what lies in it.
#include <filesystem>
#include <optional>
#include <string>

#include <talus/core/input_error.hpp>
#include <talus/io/descriptor.hpp>

namespace talus {

// Another process is writing into the folder.
struct FolderTaken : InputError {
  using InputError::InputError;
};

class RunFolder {
 public:
  // With `out`: this folder, made with its parents; it must be new or empty. Without: runs/NAME-0001 under `base`, or
  // the next number that is free; two processes that ask at once get two folders. It is claimed. Throws InputError.
  static RunFolder create(const std::optional<std::filesystem::path>& out, const std::string& name,
                          const std::filesystem::path& base = ".");
  // The folder of an earlier run, to resume or to report. Throws InputError when it holds no resolved scene.
  static RunFolder open(const std::filesystem::path& folder);

  // Claims the folder for this process, which writes into it from now on: before the first byte is read or written. The
  // claim lasts as long as this object; the system takes it back when the process ends, however it ends. FolderTaken when
  // another process holds it. File systems that know no locks let everybody in.
  void claim();

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path scene() const { return path_ / "scene.toml"; }
  std::filesystem::path summary() const { return path_ / "summary.json"; }
  std::filesystem::path series() const { return path_ / "series.csv"; }
  std::filesystem::path report() const { return path_ / "report.html"; }
  std::filesystem::path vtk() const { return path_ / "vtk"; }
  // Checkpoints lie in the folder itself: checkpoint.hpp names them.

 private:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
  Descriptor claim_;
};

}  // namespace talus
