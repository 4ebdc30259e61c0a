#pragma once
#include <talus/lab/stage.hpp>

namespace talus::lab {

// A platen that goes through levels of compression and back, again and again, and waits for rest at each of them.
template <int D>
StageKind<D> cycle_stage();

// Memory of such a stage: what the rows of its levels say about themselves.
// real[0] place of the platen at the start along its normal, [1] time at which it stands still; count[0] levels done,
// [1] steps of the stage when the platen set out, [2] 1 while the row of a level is written, [3] levels of a cycle, down and up.
enum CycleMemory { cycle_start = 0, cycle_stands = 1 };
enum CycleCount { cycle_done = 0, cycle_marked = 2, cycle_length = 3 };

}  // namespace talus::lab
