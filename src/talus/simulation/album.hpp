#pragma once
// The pictures of a run for its report: where the test begins, at its peak, at the end, forces, and a film of the test. All are files of
// the run folder; the peak is known when a checkpoint is written, so that a run that is killed goes on with it.
#include <filesystem>
#include <optional>

#include <nlohmann/json_fwd.hpp>

#include <talus/lab/experiment.hpp>
#include <talus/report/picture.hpp>
#include <talus/simulation/film_folder.hpp>

namespace talus::simulation {

template <int D>
class Album {
 public:
  Album(std::filesystem::path run, const lab::Experiment<D>& x) : run_(std::move(run)), film_(run_), x_(x) {}

  void stage_begins(const lab::Observation<D>& seen);
  void add_frame(const lab::Observation<D>& seen);
  // `last`: of the protocol.
  void stage_ends(const lab::Observation<D>& seen, bool last);
  // The stills of an end, or of where a run is left (`last`). No frame: the film is that of a run which was not stopped.
  void draw_end(const lab::Observation<D>& seen, bool last);
  void finish(bool done);

  // Beside a checkpoint. What is known of the peak is drawn first.
  nlohmann::json keep();
  void recall(const nlohmann::json& kept, i64 step);

 private:
  void put(const char* name, const report::Picture& picture) const;
  bool has_film() const { return x_.cadence.film_every > 0 || x_.cadence.film_frames > 0; }
  void look_for_peak(const lab::Observation<D>& seen, const report::Grains& grains);
  void draw_peak();
  void draw_forces(const lab::Observation<D>& seen) const;  // in space

  std::filesystem::path run_;
  FilmFolder film_;
  const lab::Experiment<D>& x_;
  Real scale_ = 0;                     // of the film, pixels per m; 0: it has no frame
  Real peak_ = -1;                     // largest deviator stress of the frames while the sample is sheared, Pa; below 0: none
  i64 peak_step_ = 0, last_step_ = 0;  // of that frame, of the last one
  std::optional<report::Grains> at_peak_;  // not drawn yet
};

}  // namespace talus::simulation
