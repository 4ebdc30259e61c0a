#pragma once
// The charts that the series of one or more runs allow. A column that is not there, or never has a value, gives no chart;
// a column that is not known here gets a chart against time, so that no probe goes unseen.
#include <vector>

#include <talus/report/run_data.hpp>

namespace talus::report {

// Several runs lie over each other, one colour per ensemble; replicates add their mean and a band of one standard
// deviation where their abscissae allow it (strain).
std::vector<Chart> charts_of_runs(const std::vector<Ensemble>& ensembles);

}  // namespace talus::report
