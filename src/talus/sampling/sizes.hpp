#pragma once
// Grain sizes: distributions and the diameters drawn from them.
#include <string>
#include <vector>

#include <talus/core/input.hpp>
#include <talus/core/rng.hpp>

namespace talus::sampling {

// A grading curve: share of the mass below a diameter.
struct Grading {
  std::vector<Real> diameter;  // m, rising
  std::vector<Real> passing;   // 0..1
};

// Diameters of `count` grains. Drawn as stratified quantiles, so a few thousand grains already follow the curve, then
// shuffled with the seed. `power` is 3 for spheres and 2 for discs: mass goes with that power of the diameter.
struct Sizes {
  std::vector<Real> diameters;  // m
  Grading target;               // empty for sizes given one by one
};
Sizes read_sizes(Input& in, std::size_t count, int power, u64 seed);

// Closed form: lognormal by mass. sigma = ln(Cu) / (z60 - z10).
Real lognormal_sigma(Real cu);
std::vector<Real> lognormal_by_mass(Real d50, Real cu, Real low, Real high, std::size_t count, int power);

// Diameter at which a share of the mass of these grains passes.
Real passing_diameter(std::vector<Real> diameters, Real share, int power);
Grading grading_of(std::vector<Real> diameters, int power);

Real normal_cdf(Real z);
Real normal_quantile(Real p);

}  // namespace talus::sampling
