#pragma once
// What a fit compares runs with: a measured curve, or figures.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <talus/core/real.hpp>

namespace talus::simulation {

struct Curve {
  std::vector<Real> x, y;
};

// From two columns of a CSV file. Throws InputError.
Curve read_curve(const std::string& file, const std::string& x, const std::string& y);
// Of a run: means over all rows with the same x, for rows that are at rest where the run marks them. Throws InputError.
Curve curve_of_run(const std::filesystem::path& run, const std::string& x, const std::string& y);

// By how much a run misses, point by point over the largest y measured, figure by figure over its value.
std::vector<Real> mismatch(const Curve& run, const Curve& measured);
std::vector<Real> mismatch(const std::filesystem::path& run, const std::vector<std::pair<std::string, Real>>& figures);

}  // namespace talus::simulation
