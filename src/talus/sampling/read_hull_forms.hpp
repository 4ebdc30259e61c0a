#pragma once
// Which hulls a table of a scene asks for: random ones, a box, a sphere, or that of a file.
#include <vector>

#include <talus/core/input.hpp>
#include <talus/geometry/hull.hpp>

namespace talus::sampling {

struct HullForms {
  std::vector<Hull> hulls;  // at a sieve size of 1
  Real size = 1;            // sieve size of what was stated: of edges, of the file in its own unit, of random ones the first edge
};

// `of_edges`: lengths, or none where edges are over one another. Throws InputError for what is no grain.
HullForms read_hull_forms(Input& in, Dimension of_edges, u64 seed);

}  // namespace talus::sampling
