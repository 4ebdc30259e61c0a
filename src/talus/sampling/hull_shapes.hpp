#pragma once
// Shapes of crushed grains: hulls of random points of a rounded box, at unit sieve size. Among many the few are taken whose mean volume and
// surface come nearest to what is asked for.
#include <vector>

#include <talus/core/rng.hpp>
#include <talus/geometry/hull.hpp>

namespace talus::sampling {

// At unit sieve size; the defaults are those of the aggregates of gyratory tests (means that Table 4.1 of a thesis on hot asphalt implies, docs/design/030-bodies-in-space.md).
struct HullRecipe {
  int count = 10;    // shapes
  int corners = 16;  // points of each
  Real volume_low = 0.6, volume_high = 1.0, volume_mean = 0.794;     // m^3 of a grain of 1 m
  Real surface_low = 3.8, surface_high = 5.8, surface_mean = 4.914;  // m^2
};

std::vector<Hull> draw_hulls(const HullRecipe& recipe, u64 seed);

// A turning, all equally likely.
Quat any_turning(Rng& rng);

}  // namespace talus::sampling
