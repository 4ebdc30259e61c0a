#pragma once
// The vtk/ folder of a run: a .vtp file of each kind for each picture, and a .pvd collection of each kind that gives them times.
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <talus/io/vtk.hpp>

namespace talus {

// A .pvd file: which picture belongs to which time.
class PvdFile {
 public:
  explicit PvdFile(std::filesystem::path path) : path_(std::move(path)) {}
  // Takes over the entries of the file that are there, up to `time`. Throws InputError when it is not one of ours.
  static PvdFile resume(const std::filesystem::path& path, Real time);
  // Adds a picture in the folder of the .pvd and writes the file anew; a picture that is there already is not added again. Throws FileError.
  void add(Real time, const std::string& file);
  // Forgets files whose names end like this.
  void forget(std::string_view ending);
  bool has(Real time) const { return !entries_.empty() && entries_.back().time == time; }

 private:
  struct Entry {
    Real time;  // s
    std::string file;
  };
  void write() const;
  std::filesystem::path path_;
  std::vector<Entry> entries_;
};

// KIND-<step>.vtp and KIND.pvd, KIND being grains, contacts, cell; of polygons and hulls also outlines, with walls also walls; of a continuum
// particles, cell and walls.
class VtkFolder {
 public:
  explicit VtkFolder(const std::filesystem::path& folder);  // made when needed; throws FileError
  static VtkFolder resume(const std::filesystem::path& folder, Real time);

  template <int D>
  void write(const Moment<D>& seen);
  // Where a run was stopped: KIND-<step>-stop.vtp, gone when the run goes on. None where there is a picture of this time.
  template <int D>
  void write_stop(const Moment<D>& seen);

 private:
  void forget_stop();
  template <int D>
  void write(const Moment<D>& seen, const std::string& ending);
  std::filesystem::path folder_;
  std::map<std::string, PvdFile> collections_;
  bool is_stopped_ = false;  // its last picture is one of write_stop
};

}  // namespace talus
