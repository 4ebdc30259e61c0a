#include <talus/simulation/sample_bank.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <talus/core/hash.hpp>
#include <talus/core/input_error.hpp>
#include <talus/core/nearest.hpp>
#include <talus/core/nesting.hpp>
#include <talus/geometry/shape_table.hpp>
#include <talus/io/atomic_file.hpp>
#include <talus/io/checkpoint.hpp>
#include <talus/io/text_file.hpp>
#include <talus/measure/porosity.hpp>
#include <talus/measure/state_hash.hpp>
#include <talus/sampling/assemble.hpp>
#include <talus/sampling/sizes.hpp>
#include <talus/simulation/parents.hpp>
#include <talus/simulation/sample_card.hpp>

namespace talus::simulation {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

const fs::path bank = "samples";
constexpr std::size_t hash_digits = 16;  // of a hash

[[noreturn]] void refuse_sample(const std::string& what, const std::string& why, const std::string& hint) { throw InputError(what, 0, "", why, hint); }

void check_name(const std::string& name) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  if (name.empty() || name.size() > 100 || !std::all_of(name.begin(), name.end(), is_plain))
    refuse_sample(name, "a sample cannot have this name", "use at most 100 letters, digits, '-' and '_'");
}

// m; of a layer of spheres and in space by mass, of discs by area.
template <int D>
ordered_json sizes_of(const State<D>& state, bool of_spheres) {
  const std::vector<Real> d = sampling::diameters_of(state);
  const auto passing = [&](Real share) { return sampling::passing_diameter(d, share, of_spheres ? 3 : 2); };
  return {{"d10", passing(0.1)}, {"d50", passing(0.5)}, {"d60", passing(0.6)}, {"cu", passing(0.6) / passing(0.1)},
          {"smallest", *std::min_element(d.begin(), d.end())}, {"largest", *std::max_element(d.begin(), d.end())}};
}

template <int D>
ordered_json rows_of(const Mat<D>& m) {
  ordered_json rows = ordered_json::array();
  for (int i = 0; i < D; ++i) {
    std::vector<Real> row;
    for (int j = 0; j < D; ++j) row.push_back(m(i, j));
    rows.push_back(row);
  }
  return rows;
}

// What can be told of the state alone.
template <int D>
ordered_json told_by_state(const State<D>& state, bool of_spheres) {
  std::vector<Real> edges;
  for (int k = 0; k < D; ++k) edges.push_back(state.globals.cell.h(k, k));
  return {{"dimension", D}, {"grains", state.grains()}, {"edges", edges}, {"sizes_of_spheres", of_spheres}, {"sizes", sizes_of(state, of_spheres)}, {"state_hash", hex(state_hash(state))}};
}

// With the laws of its scene.
template <int D>
ordered_json measured(const lab::Experiment<D>& x, const State<D>& sample) {
  State<D> state = sample;
  const auto method = x.method->fresh();
  method->prepare(x.model, state);
  const ContactList<D> contacts = method->contacts(x.model, state);
  const measure::Coordination z = measure::coordination(state, contacts);
  const Mat<D> stress = measure::stress(contacts, sample_volume(x.model, state));
  const bool of_spheres = D == 3 || x.model.options.spheres_in_plane;
  ordered_json card = told_by_state(sample, of_spheres);
  card["porosity"] = measure::porosity(x.model, state);
  card["Z"] = z.all;
  card["Z_mechanical"] = z.mechanical;
  card["contacts"] = z.contacts;
  card["pressure"] = trace(stress) / D;
  card["stress"] = rows_of(stress);
  card["fabric"] = rows_of(measure::fabric(state, contacts));
  card["unbalanced"] = measure::unbalanced(state, contacts, weight_per_mass(x.model, state));
  return card;
}

// What it was made from: the cell among the inputs of its run.
std::string parent_of(const LoadedScene& loaded) {
  for (const auto& [name, text] : *loaded.files)
    if (name == made_cell || name.ends_with(".h5") || name.find('.') == std::string::npos) return name + " " + hex(hash_text(text));
  return "";
}

template <int D>
SavedSample save(const fs::path& checkpoint, const std::string& name, const RunOptions& options) {
  const fs::path run = checkpoint.parent_path();
  LoadedScene loaded = load_scene(run / "scene.toml", {}, run / "inputs");
  scene::Scene<D> scene = build_scene<D>(loaded, "cpu", parents_as_placed<D>(loaded, options));
  lab::Experiment<D>& x = scene.experiment;
  const Provenance found = read_checkpoint(checkpoint, x.state, {scene_hash(loaded, loaded.text), TALUS_VERSION});
  for (std::size_t i = 0; i < x.state.grains(); ++i)
    if (!is_ball(x.model.shapes[x.state.bodies.shape[i]])) refuse_sample(run.string(), "its grains are not spheres or discs", "the bank keeps samples of these");
  if (x.state.grains() == 0) refuse_sample(run.string(), "it has no grains", "the bank keeps samples of spheres or discs");
  auto extra = nlohmann::json::parse(found.extra, nullptr, false);
  if (!extra.is_object()) extra = nlohmann::json::object();
  const bool is_end = extra.value("done", false);
  const u64 recipe = recipe_hash(loaded, loaded.text);
  const std::string hash = hex(is_end ? recipe : hash_join(recipe, u64(x.state.globals.step)));
  const SavedSample saved{name, hash, bank / (name + "-" + hash + ".h5")};
  ordered_json card = measured(x, x.state);
  card["name"] = name;
  card["hash"] = saved.hash;
  card["scene"] = loaded.heading.title;
  card["recipe"] = hex(recipe);
  card["seed"] = loaded.heading.seed;
  card["parent"] = parent_of(loaded);
  card["step"] = x.state.globals.step;
  card["after_stage"] = x.stages[std::size_t(x.state.globals.stage.index)]->name;
  card["is_end_of_run"] = is_end;
  card["version"] = found.version;
  card["made_of"] = extra.value("made_of", nlohmann::json::object());
  std::error_code error;
  fs::create_directories(bank, error);
  if (error) refuse_sample(bank.string(), "the folder of the bank cannot be made: " + error.message(), "");
  const ordered_json beside{{"made_of", extra.value("made_of", nlohmann::json::object())}, {"wall_time_s", extra.value("wall_time_s", 0.0)}, {"saved", card}};
  write_checkpoint(saved.path, x.state, {found.scene_hash, found.version, beside.dump()});
  return saved;
}

template <int D>
std::string differs(const SavedSample& sample, const nlohmann::json& card) {
  State<D> state;
  read_checkpoint(sample.path, state);
  const auto now = nlohmann::json::parse(told_by_state(state, card.value("sizes_of_spheres", true)).dump());
  for (const auto& [key, value] : now.items())
    if (!card.contains(key) || card[key] != value) return fmt::format("{} is {}, its card says {}", key, value.dump(), card.contains(key) ? card[key].dump() : "nothing");
  return "";
}

}  // namespace

u64 recipe_hash(const LoadedScene& loaded, std::string_view resolved) {
  u64 hash = hash_text(resolved);
  for (const auto& [name, text] : *loaded.files)
    if (name != made_cell) hash = hash_join(hash, hash_text(text));
  return hash;
}

std::vector<SavedSample> saved_samples() {
  std::vector<SavedSample> all;
  std::error_code error;
  for (auto entry = fs::directory_iterator(bank, error); !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string stem = entry->path().stem().string();
    if (entry->path().extension() != ".h5" || stem.size() < hash_digits + 2 || stem[stem.size() - hash_digits - 1] != '-') continue;
    all.push_back({stem.substr(0, stem.size() - hash_digits - 1), stem.substr(stem.size() - hash_digits), entry->path()});
  }
  std::sort(all.begin(), all.end(), [](const SavedSample& a, const SavedSample& b) { return std::tie(a.name, a.hash) < std::tie(b.name, b.hash); });
  return all;
}

SavedSample saved_sample(const std::string& name) {
  std::vector<std::string> names;
  for (const SavedSample& s : saved_samples()) {
    if (s.name == name) return s;
    names.push_back(s.name);
  }
  const auto meant = nearest(name, names);
  refuse_sample(name, "the bank has no sample of this name",
         meant           ? "did you mean '" + *meant + "'?"
         : names.empty() ? "the folder samples has none: talus sample save RUN NAME"
                         : "talus sample list tells which there are");
}

std::optional<SavedSample> saved_by_recipe(u64 hash) {
  for (const SavedSample& s : saved_samples())
    if (s.hash == hex(hash)) {
      if (card_of(s)["hash"] != s.hash) refuse_sample(s.path.string(), "its card is of another sample than its name says", "give the file the name that talus sample save gave it");
      return s;
    }
  return std::nullopt;
}

SavedSample save_sample(const fs::path& checkpoint, const std::string& name, const RunOptions& options) {
  check_name(name);
  for (const SavedSample& s : saved_samples())
    if (s.name == name) refuse_sample(name, "the bank has a sample of this name already: " + s.path.string(), "take another name; nothing in the bank is written over");
  return checkpoint_dimension(checkpoint) == 2 ? save<2>(checkpoint, name, options) : save<3>(checkpoint, name, options);
}

ordered_json card_of(const SavedSample& sample) {
  const std::string text = checkpoint_extra(sample.path);
  const auto extra = too_deep_json(text) ? ordered_json() : ordered_json::parse(text, nullptr, false);
  if (!extra.is_object() || !extra.contains("saved") || !extra["saved"].is_object())
    refuse_sample(sample.path.string(), "the file has no card", "save the sample anew: talus sample save RUN NAME");
  return extra["saved"];
}

std::string difference_from_card(const SavedSample& sample) {
  const auto card = nlohmann::json::parse(card_of(sample).dump());  // whatever the order of its entries
  return checkpoint_dimension(sample.path) == 2 ? differs<2>(sample, card) : differs<3>(sample, card);
}

}  // namespace talus::simulation
