#pragma once
// Where scenes are: a path, or the name of one that came with the program.
#include <filesystem>
#include <string>
#include <vector>

namespace talus::simulation {

// Folders that hold scenes by name: ./scenes, and the one beside the program.
std::vector<std::filesystem::path> scene_folders();
// Throws InputError that names the nearest scene.
std::filesystem::path find_scene(const std::string& name_or_path);

}  // namespace talus::simulation
