#pragma once
// The frames of a run's film, one file each, so that a run that is killed goes on with it.
#include <filesystem>

#include <talus/core/real.hpp>
#include <talus/report/report.hpp>

namespace talus::simulation {

class FilmFolder {
 public:
  explicit FilmFolder(std::filesystem::path run) : run_(std::move(run)) {}
  void add(i64 step, const report::Picture& frame) const;
  // After a resume: forgets frames beyond this step.
  void go_back_to(i64 step) const;
  // film.png in the run folder, from all frames; of fewer than two nothing is written.
  void finish() const;

 private:
  std::filesystem::path run_;
};

}  // namespace talus::simulation
