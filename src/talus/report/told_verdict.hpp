#pragma once
// What a terminal says of the lights of runs: the verdict, and below it each yellow and red light with its remedy.
#include <filesystem>
#include <string>
#include <vector>

#include <talus/report/report.hpp>

namespace talus::report {

// Of the runs in these folders; pictures are not read.
std::vector<Light> lights_of_folders(const std::vector<std::filesystem::path>& folders);

std::string_view word_of(Light::Level level);  // green, yellow, red, not judged

// A line for the verdict and one or two for each light that is not green.
std::string told(const std::vector<Light>& lights);

}  // namespace talus::report
