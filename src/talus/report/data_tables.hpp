#pragma once
// The series of runs as tables that a reader may plot, column against column.
#include <talus/report/run_data.hpp>

namespace talus::report {

// One per run. Rows are left out evenly where all would make the page too large; columns that never change are left out.
std::vector<DataTable> tables_of_runs(const std::vector<RunData>& runs);

}  // namespace talus::report
