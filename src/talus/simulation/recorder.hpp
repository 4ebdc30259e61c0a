#pragma once
// Everything one run writes into its folder: series, hash chain, checkpoints, VTK, pictures, summary, report.
#include <optional>
#include <string>

#include <talus/io/checkpoint.hpp>
#include <talus/io/hash_chain.hpp>
#include <talus/io/run_folder.hpp>
#include <talus/io/series.hpp>
#include <talus/io/summary.hpp>
#include <talus/io/test_start.hpp>
#include <talus/io/vtk_folder.hpp>
#include <talus/lab/results.hpp>
#include <talus/lab/runner.hpp>
#include <talus/simulation/album.hpp>
#include <talus/simulation/listener.hpp>
#include <talus/simulation/loaded_scene.hpp>

namespace talus::simulation {

// How a simulation was asked for.
struct RunOptions {
  std::string device;           // empty: the scene's
  std::string command, commit;  // for the record: what was typed, what the program was built from
};

template <int D>
class Recorder {
 public:
  // The folder is claimed. `text`: the scene that lies in it, not read again: what it holds may have changed since.
  Recorder(RunFolder folder, scene::Scene<D>& scene, const LoadedScene& loaded, std::string_view text,
           RunOptions options, Listener& listener);

  // Begins the files of a new run.
  void create();
  // Takes the newest checkpoint of the folder. False when there is none: the run starts anew.
  bool load();

  // Of a run that was complete when it was loaded: writes the report if it is missing.
  bool was_complete() const;
  // Its last stage had ended when it was stopped: only the summary is missing.
  bool protocol_done() const { return protocol_done_; }

  // Writes what the runner makes from now on; the runner goes on with what the checkpoint knew.
  lab::Hooks<D> hooks();
  void attach(lab::Runner<D>& runner);
  // Writes summary and report. `figures`: of stages.
  Summary finish(const lab::Result& result, const Figures& figures);

  const RunFolder& folder() const { return folder_; }

 private:
  void begin_files();
  void write_gradings() const;
  void recall(const std::string& extra);
  std::optional<FileRecord> held(const std::filesystem::path& file) const;
  void write_row(const lab::Row& row);
  double wall() const;
  void checkpoint(const State<D>& state);
  void stage_begin(const lab::Observation<D>& seen);
  void stage_end(const lab::Observation<D>& seen);
  Moment<D> moment(const lab::Observation<D>& seen) const { return {seen.model, seen.state, seen.contacts(), test_start_}; }
  Summary provenance(const lab::Result& result) const;

  RunFolder folder_;
  scene::Scene<D>& scene_;
  const LoadedScene& loaded_;
  RunOptions options_;
  Listener& listener_;
  HashChain chain_;
  double start_, wall_before_ = 0;
  FileRecord scene_text_;
  i64 first_step_ = 0;
  std::string started_;
  Provenance provenance_;
  std::optional<Series> series_;
  std::optional<VtkFolder> vtk_;
  SeriesData data_;
  Real series_from_ = 0;                    // step of its first row; above 0 when the file was lost before a resume
  const lab::Runner<D>* runner_ = nullptr;  // from `attach` on
  SinceRow since_row_;                      // between the last row and the checkpoint
  i64 pictures_ = 0, frames_ = 0;           // of the stage that ran when the checkpoint was written
  Album<D> album_;
  TestStart<D> test_start_;                 // for pictures
  Figures figures_;                         // of stages that were done before a resume
  bool protocol_done_ = false;              // the last stage has ended
  std::map<std::string, FileRecord> held_;  // series and chain, as the checkpoint of a resume knows them
};

}  // namespace talus::simulation
