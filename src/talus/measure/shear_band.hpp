#pragma once
// Where a plane sample inside a membrane has sheared: turning of grains, void ratios of the whole and of parts.
#include <talus/geometry/circle_overlap.hpp>
#include <talus/stages/rays.hpp>

namespace talus::measure {

// |turn| of each grain since turn_start, by index; rad. Empty when no stage has asked for it.
std::vector<Real> turned(const State<2>& state);

// Void ratio: area of the sample between its rays over that of its grains, less one.
Real void_ratio(const Model<2>& model, const State<2>& state, const Rays& rays);

// The circle of this area, wholly inside the sample, around the place where grains have turned most: the maximum over a grid
// of half a bandwidth of sum |turn| exp(-distance^2 / (2 bandwidth^2)). Radius 0 when no such circle fits.
Circle most_turned(const State<2>& state, const Rays& rays, Real area, Real bandwidth);

// The one that the biaxial test reports: a tenth of the sample, a bandwidth of three mean diameters.
Circle rve_of(const State<2>& state, const Rays& rays);

// Void ratio inside a circle, with exact areas of the grains that it cuts.
Real void_ratio_in(const Model<2>& model, const State<2>& state, const Circle& circle);

// Void ratios on a square grid of two mean diameters, each of a circle of five around the place, where that lies inside the
// sample.
struct LocalVoids {
  Vec2 at;
  Real spacing, ratio;
};
std::vector<LocalVoids> void_map(const Model<2>& model, const State<2>& state, const Rays& rays);

}  // namespace talus::measure
