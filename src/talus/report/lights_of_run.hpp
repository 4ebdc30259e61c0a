#pragma once
// The validity lights: may one believe this run? Each condition, its bounds and the rows it looks at are one entry of a
// table.
#include <vector>

#include <talus/report/run_data.hpp>

namespace talus::report {

std::vector<Light> lights_of_runs(const std::vector<Ensemble>& ensembles);  // of several runs the worst

}  // namespace talus::report
