#pragma once
// The same scene with several seeds.
#include <filesystem>
#include <string>
#include <vector>

#include <talus/simulation/simulation.hpp>

namespace talus::simulation {

struct Replicate {
  u64 seed;
  std::filesystem::path folder;
};
std::vector<Replicate> replicates_of(const LoadedScene& all, const RunFolder& folder);

// Goes on with its folder if that is there, else begins it. `settings` and `files` as for load_scene.
Simulation open_replicate(const Replicate& one, const LoadedScene& all, const std::vector<std::string>& settings,
                          const std::filesystem::path& files, const RunOptions& options, Listener& listener);

// Summary and report of the runs: mean and spread of each figure.
void write_ensemble(const std::filesystem::path& folder, const std::vector<Replicate>& runs,
                    const std::string& command);

}  // namespace talus::simulation
