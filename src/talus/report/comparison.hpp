#pragma once
// Several ensembles on one page: what they are called, whether they can be compared at all, and by how much two of them differ.
#include <string>
#include <utility>
#include <vector>

#include <talus/report/run_data.hpp>

namespace talus::report {

// Parameters and other entries of the scene of a run, "confining" or "stage[2].strain", as they were read; without what only tells
// replicates apart.
std::vector<std::pair<std::string, std::string>> entries_of(const RunData& run);

// Throws InputError when they do not make the same test: other stages.
void need_same_test(const std::vector<RunData>& runs);

// "friction 0.2" against "friction 0.5": by the parameters that differ, else by other entries, else by their folders.
void name_by_differences(std::vector<Ensemble>& ensembles);

// Of two ensembles: columns with the difference of each figure and whether it is more than chance.
void add_differences(Report& report, const std::vector<Ensemble>& ensembles);

}  // namespace talus::report
