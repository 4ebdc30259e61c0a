#pragma once
// [analysis] of liquids: dam-break and hydrostatic.
#include <memory>
#include <string>

#include <talus/core/input.hpp>
#include <talus/lab/experiment.hpp>

namespace talus::scene {

// How large the liquid is, is stated; what it is, is known.
std::unique_ptr<lab::Analysis<2>> read_liquid_test(Input& in, const std::string& kind, const lab::Experiment<2>& experiment);

}  // namespace talus::scene
