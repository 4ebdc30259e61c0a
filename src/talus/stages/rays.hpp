#pragma once
// Rays across a plane sample between two platens: where each enters and leaves it, and the pressure of a membrane that
// they stand for.
#include <utility>
#include <vector>

#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus {

struct Ray {
  Real left = 0, right = 0;  // m, where it meets the sample first from either side; left > right: it meets nothing
  u32 left_body = 0, right_body = 0;  // indices of the grains there
  bool hits() const { return left <= right; }
};

struct Rays {
  Real base = 0, spacing = 0;  // m; ray k runs at base + (k + 1/2) spacing
  std::vector<Ray> ray;
  Real at(std::size_t k) const { return base + (Real(k) + Real(0.5)) * spacing; }
  Real height() const { return spacing * Real(ray.size()); }  // m, from base to cap
  Real area() const;                                          // m^2, between the two sides
  Real width() const { return ray.empty() ? 0 : area() / height(); }
  std::pair<Real, Real> bounds() const;  // m, the least left and the largest right; {0, 0} when no ray meets anything
  Real share_hit() const;                // of the rays
};

// The same for any order of grains: of grains that a ray meets at one place the one with the smaller uid is taken.
Rays cast_rays(const Model<2>& model, const State<2>& state);

// Puts the pressure on the grains that rays meet first, through their centres: stress times spacing for each ray and
// side. Returns the mean width of the sample, 0 where no membrane acts.
Real push_membrane(const Model<2>& model, State<2>& state);

}  // namespace talus
