#pragma once
// What the progress line shows: where the protocol stands, the stress that is held, and the channels that have a word there.
#include <string>
#include <vector>

#include <talus/lab/experiment.hpp>

namespace talus::lab {

struct Progress {
  std::string stage;
  std::size_t stage_index = 0, stages = 0;
  double stage_share = 0;  // 0..1
  i64 step = 0;
  Real time = 0, dt = 0;
  std::size_t grains = 0;
  Real stress = 0, target = 0;  // Pa; target 0 when none is held
  struct Shown {
    std::string word, channel;
    Real value;
  };
  std::vector<Shown> shown;
};

template <int D>
Progress progress_of(const Experiment<D>& experiment, const Channels<D>& channels, const Observation<D>& seen);

}  // namespace talus::lab
