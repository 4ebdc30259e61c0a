#pragma once
// [sample]: grains and walls where another run left them.
#include <talus/core/input.hpp>
#include <talus/lab/experiment.hpp>

namespace talus::scene {

// Moves the bodies of a sample that was just assembled to the places in a file that `talus sample` wrote, at rest unless it states how they move; grains
// that are not in it are taken away. Throws InputError.
template <int D>
void read_sample(Input& scene, lab::Experiment<D>& x);

}  // namespace talus::scene
