#pragma once
// [cell]: the domain.
#include <talus/scene/read_grains.hpp>
#include <talus/scene/read_walls.hpp>

namespace talus::scene {

// The wall that goes all around the sample, of which [cell] within states the name; what is asked when there is none: nothing.
template <int D>
sampling::Within<D> read_within(Input& scene, const Model<D>& model, const Cell<D>& cell);

// Volume of the grains that a cell of stated size and porosity asks for; 0: it states not both. m^3, in the plane m^2
template <int D>
Real stated_solid(Input& scene, const Model<D>& model);

// The cell, sized by itself or by the grains.
template <int D>
void read_cell(Input& scene, State<D>& state, const std::vector<Group>& groups);

}  // namespace talus::scene
