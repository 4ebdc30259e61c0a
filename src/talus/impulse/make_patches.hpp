#pragma once
// The stage "touch": patches of contact from the list of pairs, with the impulses of the step before to start from.
#include <talus/impulse/step.hpp>

namespace talus::impulse {

inline constexpr u32 no_patch = ~0u;

inline const PairCoefficients& pair_of(const Model<2>& model, const State<2>& state, std::size_t a, std::size_t b) {
  return model.pairs.coefficients[state.bodies.material[a] * model.pairs.materials + state.bodies.material[b]];
}

// A status. No impulse can part a grain and its own image.
u32 make_patches(const Model<2>& model, const StepOptions& options, const State<2>& state, Scratch& scratch);

// Elastic contacts near the velocities that were found. Returns the largest impulse by which they are off their law, over the mean impulse.
Real renew_elastic(const Model<2>& model, const State<2>& state, Scratch& scratch);

}  // namespace talus::impulse
