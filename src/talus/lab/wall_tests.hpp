#pragma once
// Ready-made tests in a box of walls: oedometer and direct shear.
#include <talus/lab/analysis.hpp>

namespace talus::lab {

// One-dimensional compression under a lid that holds one stress after the other. Each stage with a load on the lid is a step of
// loading, and its last row the equilibrium.
struct OedometerSettings {
  std::size_t lid = 0;  // wall
  int axis = 0;         // that it faces along
};
template <int D>
std::unique_ptr<Analysis<D>> oedometer_analysis(const OedometerSettings& settings);

// Direct shear: half of a box slides over the other under a held normal load.
template <int D>
struct DirectShearSettings {
  std::size_t stage = 0;            // of kind slide
  std::size_t lid = 0;              // wall that holds the normal load
  std::vector<std::size_t> moved;   // walls of the half that moves; their force is the shear force
  Vec<D> way{};                     // unit, that it moves in
  Real from = 0;                    // m, place of the first of them along it when the scene begins
};
template <int D>
std::unique_ptr<Analysis<D>> direct_shear_analysis(const DirectShearSettings<D>& settings);

}  // namespace talus::lab
