#pragma once
// Gyratory compaction: height, voids, and who carries the load. Voids are v = 1 - h_min/h with h_min the volume of the grains and of their coats over the mould's area.
#include <memory>

#include <talus/lab/analysis.hpp>

namespace talus::lab {

struct GyratorySettings {
  std::size_t top = 0, base = 0, mould = 0;  // walls
  Real area = 0;                             // m^2, of the mould's section
};
std::unique_ptr<Analysis<3>> gyratory_analysis(const GyratorySettings& settings);

}  // namespace talus::lab
