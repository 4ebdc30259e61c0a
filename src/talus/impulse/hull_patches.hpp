#pragma once
// Where hulls and walls may meet in a step, as the solver wants it: the stage "touch".
#include <talus/impulse/hull_step.hpp>

namespace talus::impulse {

// `skin`: m, of each grain, as hard as the grain itself.
void make_patches(const Model<3>& model, const StepOptions& options, const State<3>& state, HullScratch& s, const CoatSize& coat, Real skin);

}  // namespace talus::impulse
