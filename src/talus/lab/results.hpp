#pragma once
// Figures of ready-made tests, from the series of a run: what stands in summary.json and in the report.
#include <map>
#include <string>
#include <vector>

#include <talus/core/figure.hpp>
#include <talus/core/real.hpp>

namespace talus::lab {

using SeriesData = std::map<std::string, std::vector<Real>>;  // column by name, in order of steps

// Figures of one shear stage: peak, plateau, angles, porosity and coordination before shear, energy.
Figures shear_figures(const SeriesData& series, int stage);

}  // namespace talus::lab
