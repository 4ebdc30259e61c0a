#pragma once
// Porosity of the whole sample, and inside a ball-shaped region with exact partial volumes.
#include <talus/stages/wall_view.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::measure {

// Volume of the grains at their present radius scale (overlaps counted twice: below 1e-4 of it for stiff grains). m^3
template <int D>
Real solid_volume(const Model<D>& model, const State<D>& state);

// Of one of them, m^3; in the plane its area, m^2.
template <int D>
Real grain_volume(const Model<D>& model, const State<D>& state, std::size_t grain);

template <int D>
Real porosity(const Model<D>& model, const State<D>& state, const WallView<D>& box);
template <int D>
Real porosity(const Model<D>& model, const State<D>& state) {
  return porosity(model, state, wall_view(model, state));
}

// Porosity inside a ball; grains count by the volume of their overlap with it, periodic images included.
template <int D>
Real porosity_in_ball(const Model<D>& model, const State<D>& state, const Vec<D>& centre, Real radius);

// Volume shared by two balls at a distance; area in the plane.
Real shared_volume(Real r, Real big, Real distance);
Real shared_area(Real r, Real big, Real distance);

}  // namespace talus::measure
