#pragma once
// The volume that stresses and porosity refer to.
#include <cmath>

#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus {

// The periodic cell, or the box its walls span; times the thickness in the plane. m^3
// Along an axis without periodicity the extent is that between the first two facing walls, else the cell's.
template <int D>
Real sample_volume(const Model<D>& model, const State<D>& state) {
  Real v = D == 2 ? model.options.thickness : 1;
  bool periodic = true;
  for (int k = 0; k < D; ++k) periodic = periodic && state.globals.cell.periodic[k];
  if (periodic) return v * state.globals.cell.volume();
  for (int k = 0; k < D; ++k) {
    Real low = NAN, high = NAN;
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
      const std::size_t i = state.grains() + w;
      const Vec<D> n = model.shapes[state.bodies.shape[i]].normal;
      if (n[k] == 1 && std::isnan(low)) low = state.bodies.position[i][k];
      if (n[k] == -1 && std::isnan(high)) high = state.bodies.position[i][k];
    }
    const bool walled = !state.globals.cell.periodic[k] && !std::isnan(low) && !std::isnan(high);
    v *= walled ? high - low : state.globals.cell.h(k, k);
  }
  return v;
}

}  // namespace talus
