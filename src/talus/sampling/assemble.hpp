#pragma once
// Puts bodies into a State: balls first, then walls. Gives uids, masses and inertias.
#include <optional>
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
  std::optional<Real> turn{};  // rad, orientation in the plane; none: nobody has stated one
};

// A grain of the plane, convex or a compound.
struct Block {
  Polygon shape;    // of a compound its area, second moment and reach
  Vec2 position{};  // m, of its centre of mass
  Real angle = 0;   // rad
  u32 material = 0;
  Vec2 velocity{};      // m/s
  Real spin = 0;        // rad/s
  bool turns = true;    // false: rotation is inhibited
  Compound compound{};  // no parts: the shape is all
};

// A convex grain of space.
struct Aggregate {
  u32 hull = 0;     // which of the shapes
  Real size = 0;    // m, over that of the shape
  Vec3 position{};  // m, of its centre of mass
  Quat turning{};
  u32 material = 0;
  Vec3 velocity{}, spin{};  // m/s, rad/s
};

template <int D>
struct PlacedWall {
  std::string name;
  Vec<D> position{};  // m
  WallShape<D> shape{};
  u32 material = 0;
  WallDrive<D> drive{};
  std::string group = "";  // whose walls move together; empty: none
};

// Mass of one grain, kg. In the plane a disc counts per metre of thickness, or as a sphere when the sample is a layer of
// spheres (options.spheres_in_plane).
template <int D>
Real grain_mass(const Model<D>& model, Real radius, u32 material);

// Radius of a ball, with the mass and the inertia that follow.
template <int D>
void set_radius(const Model<D>& model, Bodies<D>& bodies, std::size_t grain, Real radius);

// Of all grains, in order of their uids, m.
template <int D>
std::vector<Real> diameters_of(const State<D>& state);

// Fills model.shapes, model.walls and the bodies of the state. Uids follow the order given.
template <int D>
void assemble(Model<D>& model, State<D>& state, const std::vector<Ball<D>>& balls, const std::vector<PlacedWall<D>>& walls);

// The same with polygons; they count per metre of thickness.
void assemble(Model<2>& model, State<2>& state, const std::vector<Block>& blocks, const std::vector<PlacedWall<2>>& walls);

// The same with hulls.
void assemble(Model<3>& model, State<3>& state, const std::vector<Hull>& hulls, const std::vector<Aggregate>& aggregates,
              const std::vector<PlacedWall<3>>& walls);

// Holds horizontal forces, inward, on the grains whose centres are the outermost of each side: each takes the height from
// half-way to the one below it to half-way to the one above it, the lowest and highest to the ends of the sample. `load`:
// N per metre of height.
void push_sides(State<2>& state, Real load);

}  // namespace talus::sampling
