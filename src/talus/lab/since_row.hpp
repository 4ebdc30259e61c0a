#pragma once
#include <talus/core/real.hpp>

namespace talus::lab {

// What steps have shown since the last row of the series. Kept beside the checkpoint, not in State: rows are not physics.
struct SinceRow {
  Real overlap = 0, residual = 0;
  i64 steps = 0, sweeps = 0, capped = 0;
  i64 capped_in_all = 0;  // since the start of the run
  Real contraction = 0;
};

}  // namespace talus::lab
