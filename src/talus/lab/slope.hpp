#pragma once
// Ready-made tests of slopes under gravity: the heap that is left when a wall draws back, and the bed in a drum that turns.
#include <talus/lab/analysis.hpp>

namespace talus::lab {

// The surface of a heap: the highest point of a grain in each strip of two mean diameters along `way`.
struct SurfacePoint {
  Real x, height;  // m, middle of the strip; above the origin
};
template <int D>
std::vector<SurfacePoint> surface_of(const State<D>& state, int way);

// rad: slope of the surface below 85 % and above 15 % of its highest point, by least squares, falling along `way`; nan: it has
// fewer than three points there.
Real slope_of(const std::vector<SurfacePoint>& surface);

// rad: how far the centre of mass of all grains has gone up round the axis of a drum; that of a bed with a flat surface stands
// across the surface, so this is its slope. Positive where it has moved along `right`; the last axis points up.
template <int D>
Real bed_angle(const State<D>& state, const Vec<D>& centre, int right);

template <int D>
std::unique_ptr<Analysis<D>> repose_analysis(int way);

struct DrumSettings {
  std::size_t drum = 0;   // wall
  std::size_t stage = 0;  // the last one
  int right = 0;          // horizontal axis across that of the drum
};
std::unique_ptr<Analysis<3>> drum_analysis(const DrumSettings& settings);

}  // namespace talus::lab
