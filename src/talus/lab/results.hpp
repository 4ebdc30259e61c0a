#pragma once
// Figures of ready-made tests, from the series of a run: what stands in summary.json and in the report.
#include <talus/core/figure.hpp>

namespace talus::lab {

// Figures of one shear stage: peak, plateau, angles, porosity and coordination before shear, energy.
Figures shear_figures(const SeriesData& series, int stage);

}  // namespace talus::lab
