#pragma once
// What was tested, in a few words under the title: grains, size, law, friction, stress, rotation.
#include <string>
#include <utility>
#include <vector>

#include <talus/report/run_data.hpp>

namespace talus::report {

// Read from the resolved scene and the grading; what a run does not have is left out.
std::vector<std::pair<std::string, std::string>> title_block(const RunData& run);

}  // namespace talus::report
