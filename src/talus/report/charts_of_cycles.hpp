#pragma once
// A packing that a platen presses in level by level, again and again: the figures 3 to 6 of Brodu et al. 2015 as charts of
// averages over the cycles that count, and their Table I of several runs against one of them.
#include <vector>

#include <talus/report/run_data.hpp>

namespace talus::report {

// Empty when no run has completed a cycle that counts.
std::vector<Chart> charts_of_cycles(const std::vector<Ensemble>& ensembles);

// Rtop, errf, errZ, bhat and tau of each ensemble's first run. Their reference is the run with model "multi-contact", in the place
// of an experiment, and rows say so. Empty unless there are several ensembles and one of them is such a reference.
std::vector<FigureRow> table_of_cycles(const std::vector<Ensemble>& ensembles);

}  // namespace talus::report
