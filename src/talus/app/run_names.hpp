#pragma once
// Which checkpoint a person means by the name of a run.
#include <filesystem>

namespace talus::app {

// The newest of a run's folder, or the checkpoint that is named. Throws InputError, with the run that was probably meant.
std::filesystem::path checkpoint_of(const std::filesystem::path& run);

}  // namespace talus::app
