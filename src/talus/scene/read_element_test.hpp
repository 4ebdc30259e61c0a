#pragma once
// Ready-made tests of a constitutive model on one piece of matter: [analysis] kind = "triaxial-element" or "shear-element".
#include <string>

#include <talus/core/input.hpp>
#include <talus/lab/experiment.hpp>

namespace talus::scene {

template <int D>
void read_element_test(Input& scene, Input& in, const std::string& kind, lab::Experiment<D>& x);

// A layer of one soil on a floor that gravity pulls along.
template <int D>
void read_slope_test(Input& scene, Input& in, lab::Experiment<D>& x);

}  // namespace talus::scene
