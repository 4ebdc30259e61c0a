#pragma once
// [cell]: the domain.
#include <talus/scene/read_grains.hpp>

namespace talus::scene {

// Volume of the grains that a cell of stated size and porosity asks for; 0: it states not both. m^3, in the plane m^2
template <int D>
Real stated_solid(Input& scene);

// The cell, sized by itself or by the grains.
template <int D>
void read_cell(Input& scene, State<D>& state, const std::vector<Group>& groups);

}  // namespace talus::scene
