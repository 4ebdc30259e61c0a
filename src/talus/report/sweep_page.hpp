#pragma once
// The report of a sweep: curves by parameter, each figure against each parameter, a table of all combinations.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <talus/report/run_data.hpp>

namespace talus::report {

struct SweepAxis {
  std::string name, unit;           // SI
  std::vector<std::string> values;  // as they were asked for
  std::vector<double> numbers;      // SI; empty: the values are words
};

struct SweepPoint {  // one combination
  std::vector<std::string> values;             // one for each axis
  std::vector<std::filesystem::path> folders;  // of its runs that are done
};

struct SweepPage {
  std::vector<SweepAxis> axes;
  std::vector<SweepPoint> points;
  std::vector<std::pair<std::string, std::string>> missing;  // runs that are not done, and why
};

// Throws InputError when no run is done.
void write_sweep_page(const SweepPage& page, const std::filesystem::path& out);

}  // namespace talus::report
