#pragma once
// Ready-made tests of a constitutive model on one piece of matter: [analysis] kind = "triaxial-element" or "shear-element".
#include <string>

#include <talus/core/input.hpp>
#include <talus/lab/experiment.hpp>

namespace talus::scene {

template <int D>
void read_element_test(Input& scene, Input& in, const std::string& kind, lab::Experiment<D>& x);

// One soil: a layer on a floor that gravity pulls along, or a heap that is poured.
template <int D>
void read_soil_test(Input& scene, Input& in, const std::string& kind, lab::Experiment<D>& x);

}  // namespace talus::scene
