#include <talus/verify/drive.hpp>

#include <stdexcept>

#include <talus/core/input_error.hpp>
#include <talus/simulation/find_scene.hpp>

namespace talus::verify {

namespace fs = std::filesystem;

Settings& Settings::numbers(const std::string& name, const std::vector<Real>& values) {
  std::string text;
  for (const Real v : values) text += fmt::format("{}{:.17g}", text.empty() ? "[" : ", ", v);
  return put(name, text + "]");
}

simulation::Simulation open(const std::string& name, const Settings& settings) {
  for (const fs::path& folder : simulation::scene_folders()) {
    const fs::path path = folder / "verify" / (name + ".toml");
    std::error_code none;
    if (fs::is_regular_file(path, none)) return simulation::Simulation::open(path.string(), settings.all());
  }
  throw InputError("scenes/verify/" + name + ".toml", 0, "", "there is no such scene file",
                   "it comes with the program: run talus from its own folder, or keep scenes/ beside build/");
}

void step(simulation::Simulation& simulation, i64 steps) {
  const lab::Result result = simulation.step(steps);
  if (result.outcome == lab::Outcome::failed) throw std::runtime_error("a case stopped: " + result.message);
}

}  // namespace talus::verify
