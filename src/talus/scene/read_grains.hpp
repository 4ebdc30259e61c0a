#pragma once
// [grains.NAME]: sizes, and where grains start.
#include <memory>
#include <string>
#include <vector>

#include <talus/core/input.hpp>
#include <talus/method/method.hpp>
#include <talus/sampling/assemble.hpp>
#include <talus/sampling/placement.hpp>
#include <talus/sampling/sizes.hpp>
#include <talus/state/state.hpp>

namespace talus::scene {

// How positions are made.
inline const std::vector<std::string> placements{
    "random-without-overlap", "random", "fixed-points", "lattice", "rows", "rings", "file", "list", "collision"};
std::string placement_of(Input& group);  // the kind that a [grains.NAME] states

// The numbers of discs in the rows of a placement of kind "rows", from the bottom.
std::vector<int> read_layout(Input& place);

struct Group {  // one [grains.NAME]
  std::string name;
  std::string shape;  // sphere, disc, polygon, corners, compound
  u32 material = 0;
  std::vector<Real> diameters;
  std::vector<Polygon> polygons;    // empty: balls
  std::vector<Compound> compounds;  // then the polygons hold their areas and reaches
  bool fills_cell = false;          // as many as the stated porosity of the cell asks for
  std::vector<Hull> hulls;          // shapes of grains in space, at unit size; empty: balls
  std::vector<u32> hull;            // which of them each grain has
  bool turned = true;               // at random, when they are placed
  bool from_file = false;           // sizes and places come from a CSV although another placement is stated
  std::unique_ptr<Input> table;

  // How far grain i reaches from its centre, m.
  Real reach(std::size_t i) const {
    if (!hull.empty()) return diameters[i] * hulls[hull[i]].reach;
    return polygons.empty() ? diameters[i] / 2 : polygons[i].reach;
  }
  Real volume(std::size_t i, int dimension) const;  // m^3, or m^2 in the plane
};

// Sizes of one group, unless they come with its positions. `power` of the diameter that mass goes with; the grading curve
// is left in `target` when that is still empty. `solid`: how much a group without a number of grains has, or 0.
template <int D>
Group read_group(Input& all, const std::string& name, const Model<D>& model, const Method<D>& method, u64 seed,
                 int power, sampling::Grading& target, Real solid = 0);

// The grains of one group at their places, clear of those placed `before` (centre and reach) where the placement asks for
// it, inside the wall around the sample.
template <int D>
std::vector<sampling::Ball<D>> place_group(Group& g, State<D>& state, u64 seed,
                                           const std::vector<std::pair<Vec<D>, Real>>& before, const sampling::Within<D>& within);

}  // namespace talus::scene
