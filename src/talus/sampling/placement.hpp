#pragma once
// Where grains start: at random, at random without overlap, or on a lattice. Positions only; nothing is simulated.
#include <string>
#include <utility>
#include <vector>

#include <talus/core/rng.hpp>
#include <talus/geometry/cell.hpp>

namespace talus::sampling {

// Uniform in the cell.
template <int D>
std::vector<Vec<D>> random_points(const Cell<D>& cell, std::size_t count, u64 seed);

// Random sequential placement without overlap, largest first; walls are kept clear by a radius along edges that are not
// periodic, and balls that are there already (`taken`: centre and radius) are respected. Returns an empty list for no
// balls; when the room runs out, as many points as found room, in no useful order: only their number means something.
template <int D>
std::vector<Vec<D>> apart_points(const Cell<D>& cell, const std::vector<Real>& radii, u64 seed,
                                 const std::vector<std::pair<Vec<D>, Real>>& taken = {});

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

}  // namespace talus::sampling
