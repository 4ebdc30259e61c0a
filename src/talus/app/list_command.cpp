// talus list: what can be written into a scene and what is measured, collected from the code that reads and measures it.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <talus/app/commands.hpp>
#include <talus/contact/coat_laws.hpp>
#include <talus/contact/laws.hpp>
#include <talus/core/input_error.hpp>
#include <talus/geometry/wall_shape.hpp>
#include <talus/lab/channels.hpp>
#include <talus/lab/methods.hpp>
#include <talus/lab/stage.hpp>
#include <talus/scene/recording_input.hpp>
#include <talus/simulation/find_scene.hpp>
#include <talus/simulation/loaded_scene.hpp>

namespace talus::app {

using namespace simulation;

namespace {

void print_keys(const RecordingInput& in) {
  for (const auto& r : in.requests()) fmt::print("    {:<18} {:<34} {}\n", r.path, accepted(r), r.about);
}

void list_scenes() {
  if (scene_folders().empty())
    throw InputError("scenes", 0, "", "there is no such folder here or beside the program", "run talus from its own folder, or keep scenes/ beside build/");
  for (const auto& folder : scene_folders()) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files)
      fmt::print("{:<24} {}\n", file.stem().string(), load_scene(file, {}, folder).heading.title);
  }
}

template <class Law>
void list_law() {
  fmt::print("{:<24} {}\n", Law::name, Law::about);
  RecordingInput in;
  Material m;
  m.name = "m";
  m.young = 1;
  (void)Law::mix(in, m, m, {});
  print_keys(in);
}

void list_laws() {
  for_each_law([]<std::size_t L>() { list_law<std::tuple_element_t<L, Laws<3>>>(); });
}

void list_coats() {
  for_each_coat_law([]<std::size_t L>() { list_law<std::tuple_element_t<L, CoatLaws<3>>>(); });
}

void list_methods() {
  for (const auto& kind : lab::method_kinds<2>()) {
    fmt::print("{:<14} {}\n", kind.word, kind.about);
    RecordingInput in;
    kind.make()->read(in, true);
    print_keys(in);
  }
}

void list_stages() {
  for (const auto& kind : lab::stage_kinds<3>()) {
    fmt::print("{:<14} {}\n", kind.word, kind.about);
    RecordingInput in;
    (void)kind.read(in);
    print_keys(in);
  }
  fmt::print("every stage\n");
  const std::map<std::string, std::string> answers{{"kind", "evaluate"}};
  RecordingInput in(answers);
  (void)lab::read_stage<3>(in);
  print_keys(in);
}

// tools/measures_table reads this.
void list_channels() {
  for (const lab::ChannelInfo& c : lab::all_channels()) {
    fmt::print("{:<22}  {:<4}  {}\n", c.name, c.unit, c.meaning);
    if (!c.needs.empty()) fmt::print("    needs   {}\n", c.needs);
    if (!c.figure.empty()) fmt::print("    figure  {}\n", c.figure);
  }
}

}  // namespace

int list_things(const std::string& what) {
  if (what.empty())
    fmt::print(
        "talus list scenes      what can be run by name; talus show SCENE tells its parameters\n"
        "talus list laws        contact laws and their keys\n"
        "talus list coats       laws of coats of mortar and their keys\n"
        "talus list methods     methods and their keys\n"
        "talus list shapes      shapes of grains and walls\n"
        "talus list stages      stages of a protocol and their keys\n"
        "talus list channels    what a run measures: columns of the series and figures\n");
  if (what == "scenes") list_scenes();
  if (what == "laws") list_laws();
  if (what == "coats") list_coats();
  if (what == "methods") list_methods();
  if (what == "stages") list_stages();
  if (what == "channels") list_channels();
  if (what == "shapes") {
    fmt::print(
        "sphere    grains in space (dimension 3)\n"
        "disc      grains in the plane (dimension 2)\n"
        "polygon   random convex grains in the plane\n"
        "hull      convex grains in space\n"
        "corners   one convex polygon for all grains of a group, rounded if stated\n"
        "compound  one grain of several convex parts for all of a group\n"
        "box       walls: a plane on every face of the cell that is not periodic; platen: on one face\n");
    WallShape<3>::for_each_kind([](const auto& kind) { fmt::print("{:<8}  walls: {}\n", kind.name, kind.about); });
  }
  return 0;
}

}  // namespace talus::app
