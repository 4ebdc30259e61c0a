#pragma once
// Tests of continua whose figures come from the state of matter within them: a clamped plate under water, a slope that slides.
#include <talus/lab/analysis.hpp>

namespace talus::lab {

// A plate in plane strain, clamped at both ends, under a liquid and its own weight.
struct ClampedPlate {
  u32 body = 0;                    // number of the [body.NAME] between the clamps
  Real span = 0, thickness = 0;    // m
  Real young = 0, poisson = 0;     // Pa, 1
  Real load = 0;                   // Pa, downward
  Real deflection() const;         // m, of its middle, after Timoshenko: bending and shear
};
std::unique_ptr<Analysis<2>> plate_analysis(const ClampedPlate& plate);

// A bench of soil with an upright face that may slide along x.
struct Bench {
  Real length = 0, height = 0;        // m
  Real spacing = 0;                   // m
  Real cohesion = 0, friction = 0;    // Pa, rad
  Real weight = 0;                    // N/m^3
  Real critical_height() const;       // m, at which an upright face fails: 3.83 c/gamma tan(45 + phi/2), Chen 1975
};
template <int D>
std::unique_ptr<Analysis<D>> bench_analysis(const Bench& bench);

}  // namespace talus::lab
