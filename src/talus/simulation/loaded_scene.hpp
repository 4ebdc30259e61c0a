#pragma once
// A scene file, read and checked, before its dimension is known.
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <talus/io/run_folder.hpp>
#include <talus/scene/build.hpp>
#include <talus/scene/toml_input.hpp>

namespace talus::simulation {

struct LoadedScene {
  std::filesystem::path path;
  std::string text;  // of the file, as it was read
  std::filesystem::path folder;  // where other files are looked for first
  std::unique_ptr<TomlInput> input;
  scene::Heading heading;
  std::shared_ptr<std::map<std::string, std::string>> files;  // other files it named, by the path written there
};

// Name under inputs/ of a run folder of the copy of a file that the scene refers to: its path with '+' for '/'. Two paths never
// have one name: a '+' of the path itself is written otherwise, and a long path ends in its hash.
std::string kept_name(const std::string& path);

// Reads text and heading; other files are looked for in `folder`, then where the program was started; for the scene.toml of a
// run folder first among the copies beside it. Throws InputError.
LoadedScene load_scene(const std::filesystem::path& path, const std::vector<std::string>& settings,
                       const std::filesystem::path& folder);

// Fingerprint of the scene of a run folder, whose text this is, and of the other files it has read. Of what is in memory: a
// file may change after it was read.
u64 scene_hash(const LoadedScene& loaded, std::string_view text);

// Writes the resolved scene into a run folder, and before it what it refers to: a folder with a scene can be resumed alone.
void keep_scene(const LoadedScene& loaded, const RunFolder& folder);

// The settings with another seed and a single replicate.
std::vector<std::string> with_seed(std::vector<std::string> settings, u64 seed);

// The SI unit that a number for this parameter is meant in, " Pa", where its default has a unit; else empty.
std::string unit_of(const LoadedScene& loaded, const std::string& parameter);

// Does this run ask for a CUDA device? The command line has the last word.
bool on_device(const LoadedScene& loaded, const std::string& device);

// Builds, insists that every entry was understood, and that the device can run it. Throws InputError. `find`: see parents.hpp.
template <int D>
scene::Scene<D> build_scene(LoadedScene& loaded, const std::string& device, const scene::FindParent<D>& find);

}  // namespace talus::simulation
