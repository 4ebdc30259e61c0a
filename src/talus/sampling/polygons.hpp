#pragma once
// Random convex grains of the plane: corners on a circle at uneven angles.
#include <talus/core/rng.hpp>
#include <talus/geometry/polygon.hpp>

namespace talus::sampling {

struct PolygonRecipe {
  Real diameter = 1;  // m, of the circle that holds the corners
  int corners = 12;
  Real spread = 1;            // 0: regular; 1: each corner anywhere in its share of the circle, and still in order
  Real aspect = 1;            // length over width: stretched along one direction, squeezed along the other, area kept
  Real longest = 1.08;        // largest over smallest width of the unstretched grain; others are drawn again
  Real shortest_edge = 0.05;  // over the diameter; others are drawn again
};

// Largest and smallest width of a convex polygon, m.
struct Widths {
  Real largest, smallest;
};
Widths widths(const Polygon& polygon);

// A grain around its centre of mass, turned at random. Draws until the limits hold. `drawn` counts draws; the run stops with an error when 10,000 in a row fail: the limits
// cannot be met.
Polygon random_polygon(const PolygonRecipe& recipe, Rng& rng, i64& drawn);

}  // namespace talus::sampling
