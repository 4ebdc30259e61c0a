#pragma once
// [analysis] of tests that walls make: oedometer, direct shear, heap, drum; and of cyclic loading.
#include <string>

#include <talus/core/input.hpp>
#include <talus/lab/experiment.hpp>

namespace talus::scene {

// The place of a wall that a key names.
template <int D>
std::size_t read_wall_name(Input& in, const char* key, const Model<D>& model, const char* about);

// Is it one of these tests? Then its analysis is in the experiment.
template <int D>
bool read_wall_test(Input& scene, Input& in, const std::string& kind, lab::Experiment<D>& x);

}  // namespace talus::scene
