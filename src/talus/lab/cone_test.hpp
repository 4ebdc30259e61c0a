#pragma once
// A cone that is pushed into a sample: force on its tip and on its sleeve over the depth.
#include <talus/lab/analysis.hpp>

namespace talus::lab {

struct ConeSettings {
  std::size_t cone = 0;   // which wall
  std::size_t stage = 0;  // in which it goes in
  Vec3 axis{};            // unit, from the tip to the sleeve
  Real from = 0;          // m, where it stood along the axis at the start
  Real section = 0;       // m^2, of its widest part
};

std::unique_ptr<Analysis<3>> cone_analysis(const ConeSettings& settings);

}  // namespace talus::lab
