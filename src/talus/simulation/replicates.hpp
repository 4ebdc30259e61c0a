#pragma once
// The same scene with several seeds.
#include <filesystem>
#include <string>
#include <vector>

namespace talus::simulation {

// Summary and report of the runs: mean and spread of each figure.
void write_ensemble(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& runs,
                    const std::string& command);

}  // namespace talus::simulation
