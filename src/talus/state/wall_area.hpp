#pragma once
// The area that a wall's stress acts on.
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus {

// Stated for the wall, or spanned by the other walls of its box and, where there are none, by the cell's edges.
// m^2; in the plane length times thickness.
template <int D>
Real wall_area(const Model<D>& model, const State<D>& state, std::size_t wall) {
  const WallDrive<D>& drive = model.walls[wall].drive;
  if (drive.area > 0) return drive.area;
  Real area = D == 2 ? model.options.thickness : 1;
  const std::size_t base = state.grains();
  for (int k = 0; k < D; ++k) {
    if (k == drive.axis) continue;
    area *= drive.low[k] < 0 ? state.globals.cell.h(k, k)
                             : state.bodies.position[base + std::size_t(drive.high[k])][k] -
                                   state.bodies.position[base + std::size_t(drive.low[k])][k];
  }
  return area;
}

}  // namespace talus
