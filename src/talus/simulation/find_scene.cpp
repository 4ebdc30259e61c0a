#include <talus/simulation/find_scene.hpp>

#include <algorithm>

#include <talus/core/input_error.hpp>
#include <talus/core/nearest.hpp>

namespace talus::simulation {

namespace fs = std::filesystem;

std::vector<fs::path> scene_folders() {
  std::vector<fs::path> folders{"scenes"};
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  if (!none) folders.push_back(program.parent_path().parent_path().parent_path() / "scenes");
  std::vector<fs::path> there;
  for (const auto& f : folders)
    if (fs::is_directory(f, none) && (there.empty() || !fs::equivalent(there.front(), f, none))) there.push_back(f);
  return there;
}

fs::path find_scene(const std::string& name) {
  std::error_code none;
  if (fs::is_regular_file(name, none)) return name;
  std::vector<std::string> known;
  if (name.find('/') == std::string::npos)
    for (const auto& folder : scene_folders()) {
      const fs::path path = folder / (name.ends_with(".toml") ? name : name + ".toml");
      if (fs::is_regular_file(path, none)) return path;
      for (const auto& entry : fs::directory_iterator(folder, none))
        if (entry.path().extension() == ".toml") known.push_back(entry.path().stem().string());
    }
  std::sort(known.begin(), known.end());
  std::string hint;
  const auto near = nearest(name, known);
  if (near) hint = "did you mean '" + std::string(*near) + "'? ";
  if (!known.empty()) hint += "talus list scenes tells what there is";
  throw InputError(name, 0, "", "there is no such scene file", hint);
}

}  // namespace talus::simulation
