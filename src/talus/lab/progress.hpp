#pragma once
// What the progress line shows: where the protocol stands, the stress that is held, and the channels that have a word there.
#include <optional>
#include <string>
#include <vector>

#include <talus/lab/experiment.hpp>

namespace talus::lab {

struct Progress {
  std::string stage;
  std::size_t stage_index = 0, stages = 0;
  double stage_share = 0;  // 0..1; no share of its time where the stage has a goal
  std::optional<Goal> goal;   // of the running stage, when nobody knows how long it takes
  double steps_left = 0;      // of the run, in the stages that know theirs
  std::size_t open_ahead = 0; // later stages that nobody knows the end of
  i64 step = 0;
  Real time = 0, dt = 0;
  std::size_t grains = 0;
  Real stress = 0, target = 0;  // Pa; target 0 when none is held
  struct Shown {
    std::string word, channel;
    Real value;
  };
  std::vector<Shown> shown;
  double run_share() const { return step > 0 ? double(step) / (double(step) + steps_left) : 0; }
};

template <int D>
Progress progress_of(const Experiment<D>& experiment, const Channels<D>& channels, const Observation<D>& seen);

}  // namespace talus::lab
