#pragma once
// [analysis]: what a ready-made test reads off its run.
#include <vector>

#include <talus/lab/experiment.hpp>
#include <talus/scene/read_grains.hpp>
#include <talus/scene/read_replicas.hpp>

namespace talus::scene {

// Side stress: Pa, of side forces; origin: what the sample was made of.
template <int D>
void read_analysis(Input& scene, lab::Experiment<D>& x, const std::vector<Group>& groups, Real side_stress,
                   const lab::Origin& origin);

}  // namespace talus::scene
