#pragma once
// Charts of a sample whose stress grows with depth: its last profile against that of its weight.
#include <vector>

#include <talus/report/chart_builder.hpp>

namespace talus::report {

std::vector<Chart> charts_of_profile(const std::vector<Ensemble>& ensembles);

// Columns that they show, for the builder's list of what is left.
std::vector<std::string> columns_of_profile(const std::vector<Ensemble>& ensembles);

}  // namespace talus::report
