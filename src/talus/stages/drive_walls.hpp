#pragma once
// What a step on polygons does first.
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus {

// Walls and cell get the velocities of this step from what was measured at the end of the last. `sleeve`: m, mean width inside a
// membrane; 0: none.
void drive_walls(const Model<2>& model, State<2>& state, Real sleeve);

}  // namespace talus
