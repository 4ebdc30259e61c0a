#pragma once
// One row of the series, and what the progress line shows.
#include <string>

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
  Real unbalanced = 0, overlap = 0, energy_residual = 0;
};

// What steps have shown since the last row of the series. Kept beside the checkpoint, not in State: rows are not physics.
struct SinceRow {
  Real overlap = 0, residual = 0;
  i64 steps = 0, sweeps = 0, capped = 0;
  i64 capped_in_all = 0;  // since the start of the run
  Real contraction = 0;
};

template <int D>
Row row_of(const Experiment<D>& experiment, const Observation<D>& seen, const SinceRow& since);

template <int D>
Progress progress_of(const Experiment<D>& experiment, const Observation<D>& seen, Real overlap);

// What the ledger misses, over the energy that went through the boundary (or through gravity and growth).
template <int D>
Real energy_residual(const Observation<D>& seen);

}  // namespace talus::lab
