#pragma once
// A simulation that a program drives: open, step, observe, control, record, resume. The command line is one such program.
// Errors of input are InputError, of files FileError; how a run ended is a lab::Result.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <talus/io/run_folder.hpp>
#include <talus/io/summary.hpp>
#include <talus/lab/runner.hpp>
#include <talus/simulation/listener.hpp>
#include <talus/simulation/loaded_scene.hpp>
#include <talus/simulation/recorder.hpp>

namespace talus::simulation {

class Simulation {
 public:
  // A scene that is ready for its first step. Nothing is written. The listener outlives the simulation.
  explicit Simulation(LoadedScene scene, RunOptions options = {}, Listener& listener = nobody());
  static Simulation open(const std::string& scene, const std::vector<std::string>& settings = {},
                         RunOptions options = {}, Listener& listener = nobody());
  // The folder of a run: goes on from its newest checkpoint, or from the start when it has none, and records there.
  static Simulation resume(const std::filesystem::path& folder, RunOptions options = {}, Listener& listener = nobody());
  static Simulation resume(RunFolder claimed, RunOptions options = {}, Listener& listener = nobody());

  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  // From the first step on, everything is written into a folder, which must be new or empty; without a name: runs/NAME-0001.
  void record(const std::optional<std::filesystem::path>& folder = std::nullopt);

  // Before the first step: the sample as the scene made it, to be changed. Such a simulation is not recorded.
  template <int D>
  State<D>& sample();  // D is the dimension of the scene

  // On by steps, to a simulated time, to the end of the protocol. `until` as outcome: it can go on.
  lab::Result step(i64 steps = 1);
  lab::Result run(Real until = 1e300);
  // Called by a listener: the run stops at this look, after a checkpoint.
  void stop();

  // Where it is now.
  i64 steps() const;
  Real time() const;
  u64 state_hash();
  lab::Row row();  // all channels
  template <int D>
  lab::Observation<D> look();  // D is the dimension of the scene

  // Of a folder that was resumed: the run is complete, there is nothing to do.
  bool was_complete() const;
  // The program leaves here: writes checkpoint, summary and report of what was recorded.
  Summary finish();

  const LoadedScene& scene() const;
  const RunFolder& folder() const;  // of a recorded run

  static Listener& nobody();

 private:
  class Body;  // what does not depend on the dimension
  template <int D>
  class BodyOf;
  std::unique_ptr<Body> body_;
};

}  // namespace talus::simulation
