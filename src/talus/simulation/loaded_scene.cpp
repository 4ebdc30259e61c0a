#include <talus/simulation/loaded_scene.hpp>

#include <algorithm>
#include <stdexcept>

#include <talus/core/hash.hpp>
#include <talus/core/input_error.hpp>
#include <talus/core/quantity.hpp>
#include <talus/exec/device.hpp>
#include <talus/io/text_file.hpp>

namespace talus::simulation {

std::string kept_name(const std::string& path) {
  constexpr std::size_t longest = 150;  // file systems end at 255 bytes
  std::string name;
  for (const char c : path) {
    if (c == '/')
      name += '+';
    else if (c == '+')
      name += "%2B";
    else if (c == '%')
      name += "%25";
    else
      name += c;
  }
  return name.size() > longest ? "%" + hex(hash_text(path)) + name.substr(name.size() - longest) : name;
}

LoadedScene load_scene(const std::filesystem::path& path, const std::vector<std::string>& settings,
                       const std::filesystem::path& folder) {
  LoadedScene s;
  s.path = path;
  s.folder = folder;
  s.files = std::make_shared<std::map<std::string, std::string>>();
  const std::filesystem::path copies =
      path.filename() == "scene.toml" ? path.parent_path() / "inputs" : std::filesystem::path();
  const auto read = [files = s.files, folder, copies](const std::string& name) {
    const std::filesystem::path given = name, copy = copies / kept_name(name);
    std::error_code none;
    const bool is_kept = !copies.empty() && std::filesystem::is_regular_file(copy, none);
    const bool is_beside = given.is_absolute() || std::filesystem::exists(folder / given, none);
    std::string text = read_text(is_kept ? copy : is_beside ? folder / given : given);
    (*files)[name] = text;
    return text;
  };
  s.text = read_text(path);
  s.input = std::make_unique<TomlInput>(s.text, path.string(), settings, read);
  s.heading = scene::read_heading(*s.input);
  return s;
}

u64 scene_hash(const LoadedScene& loaded, std::string_view text) {
  u64 hash = hash_text(text);
  for (const auto& [name, other] : *loaded.files) hash = hash_join(hash, hash_text(other));
  return hash;
}

void keep_scene(const LoadedScene& loaded, const RunFolder& folder) {
  if (!loaded.files->empty()) std::filesystem::create_directories(folder.path() / "inputs");
  for (const auto& [name, text] : *loaded.files) write_text_atomic(folder.path() / "inputs" / kept_name(name), text);
  write_text_atomic(folder.scene(), loaded.input->resolved());
}

std::vector<std::string> with_seed(std::vector<std::string> settings, u64 seed) {
  std::erase_if(settings, [](const std::string& s) {
    const std::string name = s.substr(0, s.find('='));
    const std::size_t first = name.find_first_not_of(' '), last = name.find_last_not_of(' ');
    const std::string word = first == std::string::npos ? "" : name.substr(first, last - first + 1);
    return word == "seed" || word == "replicates";
  });
  settings.push_back("seed=" + std::to_string(seed));
  settings.push_back("replicates=1");
  return settings;
}

std::string unit_of(const LoadedScene& loaded, const std::string& parameter) {
  for (const Parameter& p : loaded.input->parameters())
    if (p.name == parameter && p.fallback.size() > 1 && p.fallback.front() == '"') try {
        const Quantity q = parse_quantity(p.fallback.substr(1, p.fallback.size() - 2));
        return q.has_unit ? " " + si_name(q.dimension) : "";
      } catch (const std::invalid_argument&) { return ""; }  // a word
  return "";
}

bool on_device(const LoadedScene& loaded, const std::string& device) {
  return (device.empty() ? loaded.heading.device : device) == "cuda";
}

template <int D>
scene::Scene<D> build_scene(LoadedScene& loaded, const std::string& device, const scene::FindParent<D>& find) {
  auto scene = scene::build<D>(*loaded.input, loaded.heading.seed, find);
  loaded.input->finish();
  if (on_device(loaded, device))
    for (const std::string& why : {scene.experiment.method->no_device(scene.experiment.model), exec::no_device()})
      if (!why.empty()) throw InputError(loaded.path.string(), 0, "device", why, "run it with --device cpu");
  return scene;
}

template scene::Scene<2> build_scene(LoadedScene&, const std::string&, const scene::FindParent<2>&);
template scene::Scene<3> build_scene(LoadedScene&, const std::string&, const scene::FindParent<3>&);

}  // namespace talus::simulation
