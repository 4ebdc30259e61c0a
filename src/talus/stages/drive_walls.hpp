#pragma once
// What a step on polygons or hulls does first.
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus {

// Walls and cell get the velocities of this step from what was measured at the end of the last. `sleeve`: m, mean width inside a
// membrane; 0: none.
void drive_walls(const Model<2>& model, State<2>& state, Real sleeve);

// The same where hulls are: walls may gyrate, and a free wall moves along its direction alone.
void drive_walls(const Model<3>& model, State<3>& state);

}  // namespace talus
