#include <talus/simulation/parents.hpp>

#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <talus/core/hash.hpp>
#include <talus/core/input_error.hpp>
#include <talus/io/atomic_file.hpp>
#include <talus/io/checkpoint.hpp>
#include <talus/io/run_folder.hpp>
#include <talus/io/text_file.hpp>
#include <talus/simulation/find_scene.hpp>
#include <talus/simulation/sample_bank.hpp>
#include <talus/simulation/sample_card.hpp>
#include <talus/simulation/search_cells.hpp>
#include <talus/simulation/simulation.hpp>

namespace talus::simulation {

namespace fs = std::filesystem;

namespace {

template <int D>
scene::Parent<D> read_parent(const fs::path& path) {
  scene::Parent<D> parent;
  const auto extra = nlohmann::json::parse(read_checkpoint(path, parent.state).extra, nullptr, false);
  if (!extra.is_object() || !extra.contains("made_of"))
    throw InputError(path.string(), 0, "", "the checkpoint does not say what its grains are made of",
                     "prepare the cell with this version of the program");
  parent.card = read_card(extra["made_of"]);
  parent.made_in = extra.value("wall_time_s", 0.0);
  return parent;
}

// A scene that makes a cell, built once to know its resolved text.
template <int D>
struct Recipe {
  LoadedScene loaded;
  scene::Scene<D> scene;
  fs::path folder;
  u64 hash = 0;
};

fs::path scene_file(const LoadedScene& from, const std::string& name) {
  const fs::path beside = from.folder / (name.ends_with(".toml") ? name : name + ".toml");
  std::error_code none;
  return fs::is_regular_file(beside, none) ? beside : find_scene(name);
}

template <int D>
Recipe<D> recipe_of(const LoadedScene& from, const scene::ParentRequest& request, const RunOptions& options) {
  const fs::path path = scene_file(from, request.scene);
  std::error_code none;
  if (fs::equivalent(path, from.path, none))
    throw InputError(from.path.string(), 0, "sample.scene", "the scene takes its sample from itself", "name the scene that makes it");
  Recipe<D> r{load_scene(path, request.settings, path.parent_path()), {}, {}, 0};
  if (r.loaded.heading.dimension != D || r.loaded.heading.replicates != 1)
    throw InputError(path.string(), 0, "dimension",
                     fmt::format("the scene of the cell has {} dimensions and {} replicates, the sample {} and 1",
                                 r.loaded.heading.dimension, r.loaded.heading.replicates, D));
  r.scene = build_scene<D>(r.loaded, options.device, parents_as_placed<D>(r.loaded, options));
  r.hash = recipe_hash(r.loaded, r.loaded.input->resolved());
  r.folder = fs::path("runs") / "cells" / (path.stem().string() + "-" + hex(r.hash));
  return r;
}

bool is_begun(const fs::path& folder) { return fs::exists(folder / "scene.toml"); }

// Runs the scene, goes on with it, or finds that it is complete.
template <int D>
fs::path make(const Recipe<D>& recipe, const scene::ParentRequest& request, const RunOptions& options, Listener& listener) {
  Simulation simulation = [&] {
    if (is_begun(recipe.folder)) return Simulation::resume(recipe.folder, options, listener);
    const fs::path& path = recipe.loaded.path;
    Simulation fresh(load_scene(path, request.settings, path.parent_path()), options, listener);
    fresh.record(recipe.folder);
    return fresh;
  }();
  if (!simulation.was_complete()) {
    const lab::Result result = simulation.run();
    simulation.finish();
    if (result.outcome == lab::Outcome::interrupted)
      throw NotMade("stopped by a signal while the cell was made in " + recipe.folder.string() + "; the same command resumes it");
    if (result.outcome != lab::Outcome::done) throw NotMade("the cell could not be made: " + result.message);
  }
  return newest_checkpoint(recipe.folder)->path;
}

// The same; while another process makes this cell it is waited for, so that runs side by side make it once.
template <int D>
fs::path make_once(const Recipe<D>& recipe, const scene::ParentRequest& request, const RunOptions& options, Listener& listener) {
  for (bool is_told = false;; is_told = true) {
    try {
      return make(recipe, request, options, listener);
    } catch (const FolderTaken&) {
      if (!is_told) listener.says("another process is making the cell in " + recipe.folder.string() + ": waiting for it");
    }
    if (listener.wants_stop()) throw NotMade("stopped by a signal while another process made the cell in " + recipe.folder.string());
    ::usleep(100'000);  // a signal cuts it short
  }
}

// What a trial of a search gives.
template <int D>
TrialCell try_cell(const LoadedScene& loaded, const scene::ParentRequest& request, const RunOptions& options, Listener& listener) {
  const Recipe<D> recipe = recipe_of<D>(loaded, request, options);
  TrialCell trial;
  trial.checkpoint = make_once(recipe, request, options, listener);
  const auto summary = nlohmann::json::parse(read_text(recipe.folder / "summary.json"), nullptr, false);
  const auto figure = [&](const char* name) {
    const auto& value = summary.is_object() && summary.contains("figures") && summary["figures"].contains(name) ? summary["figures"][name]["value"] : nlohmann::json();
    if (!value.is_number()) throw NotMade(fmt::format("the cell in {} has no figure {}: its scene needs [analysis] kind = \"replicas\"", recipe.folder.string(), name));
    return value.template get<Real>();
  };
  trial.porosity = figure("n0");
  trial.contacts = figure("Z0");
  return trial;
}

// A file as the scene names it: among the copies of a run folder, beside the scene, where the program was started; a name without ending and folder also in the
// bank. Nothing for a cell that a scene makes and that is not among those copies.
fs::path find_file(const LoadedScene& loaded, const std::string& name, bool is_made) {
  const fs::path copies = loaded.path.filename() == "scene.toml" ? loaded.path.parent_path() / "inputs" : fs::path();
  std::error_code none;
  if (!copies.empty() && fs::is_regular_file(copies / kept_name(name), none)) return copies / kept_name(name);
  if (is_made) return {};
  if (fs::is_regular_file(loaded.folder / name, none)) return loaded.folder / name;
  if (name.find_first_of("./") == std::string::npos && !fs::is_regular_file(name, none)) return saved_sample(name).path;
  return name;
}

// The trials of a search that found nothing, or was stopped.
fs::path keep_trials(const scene::ParentRequest& request, const std::string& trials) {
  const scene::CellWish& wish = *request.wish;
  std::string asked = fmt::format("{} {} {} {} {} {} {} {} {}", request.scene, wish.porosity, wish.contacts, wish.friction, wish.porosity_within,
                                  wish.contacts_within, wish.trials, wish.mixed, wish.small);
  for (const std::string& setting : request.settings) asked += " " + setting;
  const fs::path path = fs::path("runs") / "cells" / ("search-" + hex(hash_text(asked)) + ".csv");
  fs::create_directories(path.parent_path());
  write_text_atomic(path, trials);
  return path;
}

template <int D, class Make>
scene::FindParent<D> finder(LoadedScene& loaded, Make make_it) {
  return [&loaded, make_it](const scene::ParentRequest& request) -> scene::Parent<D> {
    const std::string name = request.file.empty() ? made_cell : request.file;
    fs::path path = find_file(loaded, name, request.file.empty());
    if (path.empty()) {
      scene::Parent<D> placed;
      path = make_it(request, placed);
      if (path.empty()) return placed;
    }
    scene::Parent<D> parent = read_parent<D>(path);
    (*loaded.files)[name] = read_text(path);
    return parent;
  };
}

}  // namespace

template <int D>
scene::FindParent<D> parents_of(LoadedScene& loaded, const RunOptions& options, Listener& listener) {
  return finder<D>(loaded, [&loaded, options, &listener](const scene::ParentRequest& request, scene::Parent<D>&) {
    if (request.wish) {
      std::string trials;
      try {
        const auto path = search_cells(request, [&](const scene::ParentRequest& one) { return try_cell<D>(loaded, one, options, listener); }, trials);
        (*loaded.files)["search.csv"] = trials;
        return path;
      } catch (const NotMade& failure) {
        throw NotMade(fmt::format("{}; trials: {}", failure.what(), keep_trials(request, trials).string()));
      }
    }
    const Recipe<D> recipe = recipe_of<D>(loaded, request, options);
    if (const auto saved = saved_by_recipe(recipe.hash); saved && !is_begun(recipe.folder)) return saved->path;
    return make_once(recipe, request, options, listener);
  });
}

template <int D>
scene::FindParent<D> parents_as_placed(LoadedScene& loaded, const RunOptions& options) {
  return finder<D>(loaded, [&loaded, options](const scene::ParentRequest& request, scene::Parent<D>& placed) -> fs::path {
    Recipe<D> recipe = recipe_of<D>(loaded, request, options);
    if (is_begun(recipe.folder) && fs::exists(recipe.folder / "summary.json"))
      if (const auto found = newest_checkpoint(recipe.folder)) return found->path;
    if (const auto saved = saved_by_recipe(recipe.hash)) return saved->path;
    placed.card = scene::card_of(recipe.scene.experiment.model);
    placed.state = std::move(recipe.scene.experiment.state);
    placed.is_ready = false;
    return {};
  });
}

#define TALUS_INSTANTIATE(D)                                                                          \
  template scene::FindParent<D> parents_of(LoadedScene&, const RunOptions&, Listener&);              \
  template scene::FindParent<D> parents_as_placed(LoadedScene&, const RunOptions&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::simulation
