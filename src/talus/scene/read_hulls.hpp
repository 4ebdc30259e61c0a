#pragma once
// Grains that are hulls: their shapes, and how they are laid into a mould.
#include <talus/scene/read_grains.hpp>

namespace talus::scene {

// Shapes of a group, one of them at random for each grain.
void read_hulls(Input& in, Group& g, u64 seed);

// Rows are of the plane, rings of space.
template <int D>
void check_placement(const Input& place, std::string_view kind) {
  if (D == 3 && kind == "rows") place.fail("kind", "rows are of the plane", "set dimension = 2, or place the grains on a lattice");
  if (D == 2 && kind == "rings") place.fail("kind", "rings lie in a mould, in space", "set dimension = 3, or place the grains in rows");
}

// In rings, layer upon layer.
std::vector<Vec3> place_in_rings(Input& place, const Group& g, const Cell<3>& cell);

// The grains of all groups as hulls, turned at random; shapes of one group after those of another.
struct Aggregates {
  std::vector<Hull> hulls;
  std::vector<sampling::Aggregate> grains;
};
Aggregates aggregates_of(const std::vector<Group>& groups, const std::vector<sampling::Ball<3>>& balls, u64 seed);

}  // namespace talus::scene
