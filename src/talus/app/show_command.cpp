// talus show: what a scene is and what --set may change.
#include <talus/app/show_command.hpp>

#include <fmt/format.h>

#include <talus/app/commands.hpp>
#include <talus/simulation/find_scene.hpp>
#include <talus/simulation/loaded_scene.hpp>

namespace talus::app {

std::string told_parameters(const TomlInput& in) {
  std::string out;
  for (const auto& p : in.parameters())
    out += fmt::format("  {:<18} = {:<14} {}{}{}\n", p.name, p.value, p.about, p.allowed.empty() ? "" : "; " + p.allowed, p.is_set ? " (set)" : "");
  return out.empty() ? "  none: any entry may be set by its path, as in --set stage.0.steps=100\n" : out;
}

int show_scene(const std::string& name) {
  const auto path = simulation::find_scene(name);
  const simulation::LoadedScene loaded = simulation::load_scene(path, {}, path.parent_path());
  fmt::print("{}: {}\n{}\n\nparameters (--set name=value)\n{}\n", path.stem().string(), loaded.heading.title, path.string(), told_parameters(*loaded.input));
  fmt::print("talus run {0}     talus check {0}     talus sweep {0} --vary NAME=A,B\n", name);
  return 0;
}

}  // namespace talus::app
