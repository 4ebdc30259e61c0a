#pragma once
// Puts bodies into a State: balls first, then walls. Gives uids, masses and inertias.
#include <string>
#include <vector>

#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::sampling {

template <int D>
struct Ball {
  Vec<D> position{};  // m
  Real radius = 0;    // m
  u32 material = 0;
  Vec<D> velocity{};  // m/s
  Spin<D> spin{};     // rad/s
};

// A rigid plane; the normal points into the sample.
template <int D>
struct Plane {
  std::string name;
  Vec<D> point{}, normal{};
  u32 material = 0;
  WallDrive<D> drive{};
};

// Mass of one grain, kg. In the plane a disc counts per metre of thickness, or as a sphere when the sample is a layer of
// spheres (options.spheres_in_plane).
template <int D>
Real grain_mass(const Model<D>& model, Real radius, u32 material);

// Fills model.shapes, model.walls and the bodies of the state. Uids follow the order given.
template <int D>
void assemble(Model<D>& model, State<D>& state, const std::vector<Ball<D>>& balls, const std::vector<Plane<D>>& planes);

}  // namespace talus::sampling
