#pragma once
// Where hulls and walls may meet in a step, as the solver wants it: the stage "touch".
#include <talus/impulse/hull_step.hpp>

namespace talus::impulse {

// `coat`: m, thickness of the mortar on each grain.
void make_patches(const Model<3>& model, const State<3>& state, HullScratch& s, Real coat);

}  // namespace talus::impulse
