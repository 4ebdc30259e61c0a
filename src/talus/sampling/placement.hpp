#pragma once
// Where grains start: at random, at random without overlap, or on a lattice. Positions only; nothing is simulated.
#include <string>
#include <utility>
#include <vector>

#include <talus/core/rng.hpp>
#include <talus/geometry/cell.hpp>
#include <talus/geometry/wall_shape.hpp>

namespace talus::sampling {

// Uniform in the cell.
template <int D>
std::vector<Vec<D>> random_points(const Cell<D>& cell, std::size_t count, u64 seed);

// A wall that goes all around the sample across its last axis. Nothing is asked where there is none.
template <int D>
struct Within {
  WallShape<D> shape;
  Vec<D> position{};  // m
  Real section = 0;   // m^2, inside it; 0: there is none

  bool holds(const Vec<D>& x, Real radius) const { return !(section > 0) || shape.at(x - position).gap >= radius; }
};

// Random sequential placement without overlap, largest first; walls are kept clear by a radius along edges that are not
// periodic, balls that are there already (`taken`: centre and radius) and the wall around them are respected. Returns an empty list for no
// balls; when the room runs out, as many points as found room, in no useful order: only their number means something.
template <int D>
std::vector<Vec<D>> points_without_overlap(const Cell<D>& cell, const std::vector<Real>& radii, u64 seed,
                                           const std::vector<std::pair<Vec<D>, Real>>& taken = {}, const Within<D>& within = {});

// So many points of a grid that fills the cell, as nearly equal along all edges as the count allows; which of them, and in which order, is drawn. `apart`:
// m, the least distance of two points.
template <int D>
struct FixedPoints {
  std::vector<Vec<D>> points;
  Real apart = 0;
};
template <int D>
FixedPoints<D> fixed_points(const Cell<D>& cell, std::size_t count, u64 seed);

// Lattice points of nx x ny x nz unit cells and the edges of the cell that repeats them. `spacing` is the distance of
// nearest neighbours. Space: sc, bcc, fcc. Plane: square, hexagonal.
template <int D>
struct Lattice {
  std::vector<Vec<D>> points;
  Vec<D> edges;
  int nearest = 0;  // nearest neighbours of a point
};
template <int D>
Lattice<D> lattice(const std::string& kind, Real spacing, const Vec<D, i32>& repeats);

// Rows of discs of diameter 1 of the plane, each resting in the hollows of the one below: their numbers, from the bottom.
// Neighbouring rows differ by one disc, or by none and are shifted alternately. Starts at the corner of a box that it fills.
struct DiscRows {
  std::vector<Vec2> points;
  Vec2 size;                 // of the box
  int inclined = 0;          // contacts in a gap between two rows; 0 when gaps differ
  bool has_corners = false;  // a disc of the first or last row leans on one inclined contact only
};
DiscRows disc_rows(const std::vector<int>& counts);

}  // namespace talus::sampling
