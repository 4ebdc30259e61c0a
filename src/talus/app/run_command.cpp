// talus run, talus resume: files around a Runner.
#include <csignal>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <talus/app/commands.hpp>
#include <talus/app/commit.hpp>
#include <talus/app/find_scene.hpp>
#include <talus/app/loaded_scene.hpp>
#include <talus/app/sample_picture.hpp>
#include <talus/core/input_error.hpp>
#include <talus/exec/device.hpp>
#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/io/checkpoint.hpp>
#include <talus/io/file_error.hpp>
#include <talus/io/hash_chain.hpp>
#include <talus/io/run_folder.hpp>
#include <talus/io/series.hpp>
#include <talus/io/summary.hpp>
#include <talus/io/text_file.hpp>
#include <talus/io/vtk.hpp>
#include <talus/lab/results.hpp>
#include <talus/lab/runner.hpp>
#include <talus/measure/state_hash.hpp>
#include <talus/report/write_report.hpp>

namespace talus::app {

namespace fs = std::filesystem;

namespace {

volatile std::sig_atomic_t caught = 0;
extern "C" void on_signal(int signal) { caught = signal; }

void listen() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void write_grading(const fs::path& path, const sampling::Grading& g) {
  std::string text = "diameter [m],passing [1]\n";
  const std::size_t stride = std::max<std::size_t>(1, g.diameter.size() / 400);
  for (std::size_t i = 0; i < g.diameter.size(); ++i)
    if (i % stride == 0 || i + 1 == g.diameter.size())
      text += shortest(g.diameter[i]) + "," + shortest(g.passing[i]) + "\n";
  write_text_atomic(path, text);
}

nlohmann::json written(const lab::SinceRow& s) {
  return {{"overlap", s.overlap},        {"residual", s.residual}, {"steps", s.steps},
          {"sweeps", s.sweeps},          {"capped", s.capped},     {"capped_in_all", s.capped_in_all},
          {"contraction", s.contraction}};
}
lab::SinceRow read_since(const nlohmann::json& j) {
  return {j.value("overlap", 0.0),    j.value("residual", 0.0),  j.value("steps", i64{0}),
          j.value("sweeps", i64{0}),  j.value("capped", i64{0}), j.value("capped_in_all", i64{0}),
          j.value("contraction", 0.0)};
}

// Everything one run writes.
template <int D>
class Recorder {
 public:
  Recorder(RunFolder folder, scene::Scene<D>& scene, const LoadedScene& loaded, const RunRequest& request, bool resumed)
      : folder_(std::move(folder)),
        claim_(folder_.claim()),
        scene_(scene),
        loaded_(loaded),
        request_(request),
        progress_(request.voice),
        chain_(folder_.path() / "hash_chain.csv"),
        start_(exec::now()) {
    provenance_.scene_hash = hash_text(read_text(folder_.scene()));
    if (!resumed) started_ = exec::date_text();
  }

  // Takes the newest checkpoint of the folder. False when there is none: the run starts anew.
  bool load() {
    const auto found = newest_checkpoint(folder_.path());
    if (!found) {
      if (fs::exists(folder_.summary()))
        throw InputError(folder_.path().string(), 0, "", "the checkpoints of this run are gone: it cannot be resumed",
                         "run its scene.toml into another folder");
      series_.emplace(folder_.series());
      vtk_ = scene_.experiment.cadence.vtk ? std::optional<VtkFolder>(VtkFolder(folder_.vtk())) : std::nullopt;
      started_ = exec::date_text();
      return false;
    }
    if (!found->message.empty()) progress_.say("talus: " + found->message);
    Expected expected;
    expected.scene_hash = provenance_.scene_hash;
    expected.version = TALUS_VERSION;
    const Provenance was = read_checkpoint(found->path, scene_.experiment.state, expected);
    const auto extra = nlohmann::json::parse(was.extra, nullptr, false);
    if (extra.is_object()) {
      started_ = extra.value("started", std::string());
      wall_before_ = extra.value("wall_time_s", 0.0);
      protocol_done_ = extra.value("done", false);
      since_row_ = read_since(extra.value("since_row", nlohmann::json::object()));
      for (const auto& f : extra.value("figures", nlohmann::json::array()))
        figures_.push_back(
            {f.value("name", ""),
             f["value"].is_number() ? std::optional<Real>(f["value"].template get<Real>()) : std::nullopt,
             f.value("unit", ""), f.value("definition", ""), f.value("reason", "")});
    }
    const auto& g = scene_.experiment.state.globals;
    chain_ = HashChain::resume(folder_.path() / "hash_chain.csv", g.step);
    if (!fs::exists(folder_.series()))
      progress_.say(fmt::format("talus: {} is gone; it begins anew at step {}", folder_.series().string(), g.step));
    series_.emplace(Series::resume(folder_.series(), g.step));
    if (scene_.experiment.cadence.vtk) vtk_.emplace(VtkFolder::resume(folder_.vtk(), g.time));
    const auto table = report::parse_series(read_text(folder_.series()), folder_.series().string());
    for (const auto& column : table.columns) data_[column.name] = column.values;
    series_from_ = data_["step"].empty() ? Real(g.step) : data_["step"].front();
    progress_.say(fmt::format("talus: going on from step {} in {}", g.step, folder_.path().string()));
    return true;
  }

  void create() {
    series_.emplace(folder_.series());
    if (scene_.experiment.cadence.vtk) vtk_.emplace(VtkFolder(folder_.vtk()));
    write_grading(
        folder_.path() / "sizes.csv",
        sampling::grading_of(scene_.diameters, D == 3 || scene_.experiment.model.options.spheres_in_plane ? 3 : 2));
    if (!scene_.target.diameter.empty()) write_grading(folder_.path() / "sizes_target.csv", scene_.target);
    progress_.say("talus: " + loaded_.heading.title + " -> " + folder_.path().string());
  }

  int run(bool resumed) {
    auto& x = scene_.experiment;
    first_step_ = x.state.globals.step;
    progress_.start(first_step_);
    if (resumed && finished()) {
      if (!fs::exists(folder_.report()))
        report::write_report({folder_.path()}, folder_.report());  // killed while it was written
      progress_.say("talus: this run is complete; nothing to do");
      return 0;
    }
    lab::Hooks<D> hooks;
    hooks.row = [this](const lab::Row& row) { write_row(row); };
    hooks.hash = [this](i64 step, u64 hash) { chain_.add(step, hash); };
    hooks.checkpoint = [this](const State<D>& state) { checkpoint(state); };
    hooks.picture = [this](const lab::Observation<D>& seen) {
      if (vtk_) vtk_->write(seen.state, contact_lines(seen.state, seen.contacts()));
      if constexpr (D == 2)
        if (vtk_ && seen.model.has_polygons()) vtk_->write_outlines(seen.model, seen.state);
    };
    hooks.stage_end = [this](const lab::Observation<D>& seen) { stage_end(seen); };
    hooks.stopped = [this](const lab::Observation<D>& seen) { draw(seen, true); };
    hooks.wants_progress = [this] { return progress_.due(); };
    hooks.progress = [this](const lab::Progress& p) { progress_.show(p); };
    hooks.stop = [] { return caught != 0; };
    lab::Runner<D> runner(x, hooks, on_device(loaded_, request_.device));
    runner.figures = figures_;
    runner.since_row = since_row_;
    runner_ = &runner;
    // Stopped after its last checkpoint and before its summary: only the latter is missing.
    const lab::Result result = protocol_done_ ? runner.verdict() : runner.run(resumed, request_.until.value_or(1e300));
    progress_.finish();
    finish(runner, result);
    if (result.outcome == lab::Outcome::interrupted) {
      fmt::print(stderr, "talus: stopped by a signal; go on with: talus resume {}\n", folder_.path().string());
      return 128 + caught;
    }
    if (result.outcome == lab::Outcome::failed) {
      fmt::print(stderr, "talus: {}\n", result.message);
      return 3;
    }
    return 0;
  }

  const fs::path& path() const { return folder_.path(); }

 private:
  bool finished() const {
    if (!fs::exists(folder_.summary())) return false;
    const Summary s = read_summary(folder_.summary());
    return s.status == "done" && s.steps == scene_.experiment.state.globals.step;
  }

  void write_row(const lab::Row& row) {
    std::vector<SeriesValue> values;
    for (std::size_t k = 1; k < row.size(); ++k) values.push_back({row[k].name, row[k].unit, row[k].value});
    series_->write(i64(row[0].value), values);
    for (const auto& c : row) data_[c.name].push_back(c.value);
  }

  double wall() const { return wall_before_ + exec::now() - start_; }

  void checkpoint(const State<D>& state) {
    series_->sync();
    chain_.write();
    nlohmann::json figures =
        nlohmann::json::array();  // of the stages that are done: their observations are gone after a resume
    for (const auto& f : runner_->figures)
      figures.push_back({{"name", f.name},
                         {"value", f.value ? nlohmann::json(*f.value) : nlohmann::json()},
                         {"unit", f.unit},
                         {"definition", f.definition},
                         {"reason", f.reason}});
    provenance_.extra =
        nlohmann::json{{"started", started_}, {"wall_time_s", wall()},  {"command", request_.command},
                       {"figures", figures},  {"done", protocol_done_}, {"since_row", written(runner_->since_row)}}
            .dump();
    save_checkpoint(folder_.path(), state, provenance_);
  }

  void stage_end(const lab::Observation<D>& seen) {
    const auto& g = seen.state.globals;
    const auto& stage = *scene_.experiment.stages[std::size_t(g.stage.index)];
    if (!stage.is_static())
      progress_.say(fmt::format("talus: {} done at step {}: porosity {:.4f}, Z {:.2f}, p {:.4g} kPa, unbalanced {:.1e}",
                                stage.name, g.step, measure::porosity(seen.model, seen.state),
                                measure::coordination(seen.state, seen.contacts()).all, trace(seen.stress()) / D / 1e3,
                                seen.unbalanced()));
    protocol_done_ = std::size_t(g.stage.index) + 1 == scene_.experiment.stages.size();
    draw(seen, protocol_done_);
  }

  void draw(const lab::Observation<D>& seen, bool last) {
    if (last) report::write_picture(sample_picture(seen), folder_.path() / "sample.png");
    if constexpr (D == 2)
      if (last && scene_.experiment.cadence.chains)
        report::write_picture(chains_picture(seen), folder_.path() / "chains.png");
    if (scene_.experiment.stages[std::size_t(seen.state.globals.stage.index)]->is_shear())
      for (const auto& [name, picture] : shear_pictures(seen)) report::write_picture(picture, folder_.path() / name);
  }

  void finish(const lab::Runner<D>& runner, const lab::Result& result) {
    const auto& x = scene_.experiment;
    const auto& g = x.state.globals;
    Summary s;
    s.scene = loaded_.path.filename().string();
    s.title = loaded_.heading.title;
    s.version = TALUS_VERSION;
    s.commit = commit;
    s.seed = loaded_.heading.seed;
    s.threads = exec::threads();
    s.device = on_device(loaded_, request_.device) ? exec::device_name() : "cpu";
    s.command = request_.command;
    s.started = started_;
    s.wall_time_s = wall();
    s.steps = g.step;
    s.time_s = g.time;
    s.state_hash = hex(g.hash);
    s.status = result.outcome == lab::Outcome::done          ? "done"
               : result.outcome == lab::Outcome::until       ? "stopped at --until"
               : result.outcome == lab::Outcome::interrupted ? "interrupted"
                                                             : "failed: " + result.message;
    nlohmann::json names = nlohmann::json::array(), shears = nlohmann::json::array();
    for (std::size_t k = 0; k < x.stages.size(); ++k) {
      names.push_back(x.stages[k]->name);
      if (x.stages[k]->is_shear()) shears.push_back(k);
    }
    s.extra["stages"] = names.dump();
    s.extra["shear_stages"] = shears.dump();
    s.extra["grains"] = std::to_string(x.state.grains());
    const auto add_all = [&](Figures read_off) {
      for (auto& f : read_off) {
        if (series_from_ > 0) {
          f.value.reset();
          f.reason = fmt::format("series.csv has lost its rows before step {:.0f}", series_from_);
        }
        add(s, f);
      }
    };
    if (x.analysis)
      for (auto& f : x.analysis->figures(data_)) {  // what stages have measured stands where the test lists it
        const auto measured = std::find_if(runner.figures.begin(), runner.figures.end(),
                                           [&](const Figure& other) { return other.name == f.name; });
        if (measured != runner.figures.end())
          add(s, *measured);
        else
          add_all({std::move(f)});
      }
    else
      for (std::size_t k = 0; k < x.stages.size(); ++k)
        if (x.stages[k]->is_shear()) add_all(lab::shear_figures(data_, int(k)));
    if (x.model.method == Method::impulse) add_all(lab::solver_figures(data_));
    for (const auto& f : runner.figures) add(s, f);
    const auto last = [&](const char* column) -> std::optional<Real> {
      const auto it = data_.find(column);
      return it == data_.end() || it->second.empty() ? std::nullopt : std::optional<Real>(it->second.back());
    };
    add(s, {"porosity_final", last("porosity"), "1", "porosity of the whole sample at the end", "no row was written"});
    add(s, {"Z_final", last("Z"), "1", "2 contacts / grains at the end", "no row was written"});
    add(s, {"pressure_final", last("p"), "Pa", "mean normal stress of the contacts at the end", "no row was written"});
    if (x.cadence.chains) {
      const std::string none = "no row was written";
      add(s, {"chains_final", last("chains"), "1", "force chains of three grains and more at the end", none});
      add(s, {"chain_length_final", last("chain_length"), "1", "their mean length in grains", none});
      add(s, {"chain_share_final", last("chain_share"), "1", "share of all grains that are in them", none});
    }
    add(s, {"unbalanced_final", last("unbalanced"), "1", "unbalanced force ratio at the end", "no row was written"});
    Real overlap = runner.overlap_max;
    for (const Real o : data_["max_overlap"]) overlap = std::max(overlap, o);
    add_all({{"max_overlap", overlap, "1", "largest overlap over the smaller radius, all stages", ""}});
    const double mine = exec::now() - start_;
    const Real rate = mine > 0 ? Real(g.step - first_step_) * Real(x.state.grains()) / mine : 0;
    add(s, {"particle_steps_per_s", rate > 0 ? std::optional<Real>(rate) : std::nullopt, "1/s",
            "grains x steps over the wall time of this process, output included", "no steps were made"});
    chain_.write();
    write_summary(folder_.summary(), s);
    if (result.outcome != lab::Outcome::interrupted) report::write_report({folder_.path()}, folder_.report());
    tell(s);
  }

  static void add(Summary& s, Figure f) {
    if (s.figure(f.name)) return;
    if (f.value && std::isfinite(*f.value)) f.reason.clear();
    s.figures.push_back(std::move(f));
  }

  void tell(const Summary& s) {
    if (request_.voice == Voice::json) {
      nlohmann::ordered_json j;
      j["folder"] = folder_.path().string();
      j["status"] = s.status;
      j["state_hash"] = s.state_hash;
      for (const auto& f : s.figures)
        j["figures"][f.name] = f.value ? nlohmann::ordered_json(*f.value) : nlohmann::ordered_json();
      fmt::print("{}\n", j.dump());
    } else if (request_.voice != Voice::quiet) {
      for (const auto& f : s.figures)
        if (f.value)
          fmt::print("{:<24} {:>14.6g} {}\n", f.name, *f.value, f.unit == "1" ? "" : f.unit);
        else
          fmt::print("{:<24} {:>14} ({})\n", f.name, "-", f.reason);
      fmt::print("{:<24} {:>14} steps in {}, state hash {}\n", "run", s.steps, duration(s.wall_time_s), s.state_hash);
      if (fs::exists(folder_.report())) fmt::print("report: {}\n", folder_.report().string());  // none when interrupted
    }
    if (request_.profile) profile();
  }

  void profile() const {
    double total = 0;
    for (const auto& stage : exec::timers().stages()) total += stage.seconds;
    fmt::print(stderr, "{:<14} {:>10} {:>8} {:>12}\n", "stage", "seconds", "share", "us per call");
    for (const auto& stage : exec::timers().stages())
      fmt::print(stderr, "{:<14} {:>10.3f} {:>7.1f}% {:>12.2f}\n", stage.label, stage.seconds,
                 100 * stage.seconds / total, 1e6 * stage.seconds / double(stage.calls));
  }

  RunFolder folder_;
  Descriptor claim_;
  scene::Scene<D>& scene_;
  const LoadedScene& loaded_;
  const RunRequest& request_;
  ProgressLine progress_;
  HashChain chain_;
  double start_, wall_before_ = 0;
  i64 first_step_ = 0;
  std::string started_;
  Provenance provenance_;
  std::optional<Series> series_;
  std::optional<VtkFolder> vtk_;
  lab::SeriesData data_;
  Real series_from_ = 0;                    // step of its first row; above 0 when the file was lost before a resume
  const lab::Runner<D>* runner_ = nullptr;  // while it runs
  lab::SinceRow since_row_;                 // between the last row and the checkpoint
  Figures figures_;                         // of stages that were done before a resume
  bool protocol_done_ = false;              // the last stage has ended
};

void prepare_process(const RunRequest& request) {
  listen();
  if (request.threads > 0) exec::set_threads(request.threads);
  exec::timers().enabled = request.profile;
}

// The resolved scene, and what it refers to: the folder can be resumed alone.
void keep_scene(const LoadedScene& loaded, const RunFolder& folder) {
  write_text_atomic(folder.scene(), loaded.input->resolved());
  if (loaded.files->empty()) return;
  fs::create_directories(folder.path() / "inputs");
  for (const auto& [name, text] : *loaded.files) write_text_atomic(folder.path() / "inputs" / kept_name(name), text);
}

template <int D>
int run_one(LoadedScene& loaded, const RunRequest& request, const std::optional<fs::path>& out) {
  auto scene = build_scene<D>(loaded, request.device);
  RunFolder folder = RunFolder::create(out, loaded.path.stem().string());
  keep_scene(loaded, folder);
  Recorder<D> recorder(folder, scene, loaded, request, false);
  recorder.create();
  return recorder.run(false);
}

int run_any(LoadedScene& loaded, const RunRequest& request, const std::optional<fs::path>& out) {
  return loaded.heading.dimension == 2 ? run_one<2>(loaded, request, out) : run_one<3>(loaded, request, out);
}

// Mean and spread of each figure over the replicates.
void write_ensemble(const fs::path& folder, const std::vector<fs::path>& runs, const RunRequest& request) {
  std::vector<Summary> all;
  for (const auto& r : runs) all.push_back(read_summary(r / "summary.json"));
  Summary s = all.front();
  s.command = request.command;
  s.state_hash.clear();
  s.figures.clear();
  s.extra["replicates"] = std::to_string(runs.size());
  s.wall_time_s = 0;
  for (const auto& one : all) {
    s.wall_time_s += one.wall_time_s;
    s.state_hash += (s.state_hash.empty() ? "" : " ") + one.state_hash;
  }
  for (const auto& f : all.front().figures) {
    std::vector<Real> v;
    for (const auto& one : all)
      if (const Figure* g = one.figure(f.name); g && g->value) v.push_back(*g->value);
    Figure mean = f, spread = f;
    spread.name = f.name + "_spread";
    mean.definition = "mean over " + std::to_string(v.size()) + " seeds of: " + f.definition;
    spread.definition = "standard deviation over " + std::to_string(v.size()) + " seeds of: " + f.definition;
    mean.value = spread.value = std::nullopt;
    if (!v.empty()) {
      Real sum = 0, square = 0;
      for (const Real x : v) sum += x;
      mean.value = sum / Real(v.size());
      for (const Real x : v) square += (x - *mean.value) * (x - *mean.value);
      if (v.size() > 1) spread.value = std::sqrt(square / Real(v.size() - 1));
    }
    if (!mean.value) mean.reason = f.reason.empty() ? "no seed reached it" : f.reason;
    if (!spread.value) spread.reason = "fewer than two seeds reached it";
    s.figures.push_back(mean);
    s.figures.push_back(spread);
  }
  write_summary(folder / "summary.json", s);
  report::write_report(runs, folder / "report.html");
}

// Goes on with one run folder.
int resume_one(LoadedScene& loaded, const RunFolder& folder, const RunRequest& request) {
  const auto go_on = [&]<int D>() {
    auto scene = build_scene<D>(loaded, request.device);
    Recorder<D> recorder(folder, scene, loaded, request, true);
    return recorder.run(recorder.load());
  };
  return loaded.heading.dimension == 2 ? go_on.template operator()<2>() : go_on.template operator()<3>();
}

// One folder per seed; those that are there are gone on with, the others are run. Then mean and spread.
int run_replicates(const LoadedScene& all, const std::vector<std::string>& settings, const fs::path& files,
                   const RunFolder& folder, const RunRequest& request) {
  std::vector<fs::path> runs;
  for (i64 k = 0; k < all.heading.replicates; ++k) {
    const u64 seed = all.heading.seed + u64(k);
    runs.push_back(folder.path() / ("seed-" + std::to_string(seed)));
    int code = 0;
    if (fs::exists(runs.back() / "scene.toml")) {
      LoadedScene one = load_scene(runs.back() / "scene.toml", {}, files);
      code = resume_one(one, RunFolder::open(runs.back()), request);
    } else {
      LoadedScene one = load_scene(all.path, with_seed(settings, seed), files);
      code = run_any(one, request, runs.back());
    }
    if (code != 0) return code;
  }
  write_ensemble(folder.path(), runs, request);
  if (request.voice != Voice::quiet && request.voice != Voice::json)
    fmt::print("mean and spread of {} seeds: {}\n", runs.size(), (folder.path() / "report.html").string());
  return 0;
}

}  // namespace

int run_scene(const RunRequest& request) {
  prepare_process(request);
  const fs::path path = find_scene(request.scene);
  LoadedScene loaded = load_scene(path, request.settings, path.parent_path());
  if (loaded.heading.replicates == 1) return run_any(loaded, request, request.out);
  // Built once before any folder is made: what is wrong with the scene is wrong with every seed.
  if (loaded.heading.dimension == 2)
    (void)build_scene<2>(loaded, request.device);
  else
    (void)build_scene<3>(loaded, request.device);
  const RunFolder folder = RunFolder::create(request.out, path.stem().string());
  keep_scene(loaded, folder);
  return run_replicates(loaded, request.settings, path.parent_path(), folder, request);
}

int resume_run(const fs::path& path, const RunRequest& request) {
  prepare_process(request);
  const RunFolder folder = RunFolder::open(path);
  LoadedScene loaded = load_scene(folder.scene(), {}, folder.path() / "inputs");
  if (loaded.heading.replicates > 1) return run_replicates(loaded, {}, folder.path() / "inputs", folder, request);
  return resume_one(loaded, folder, request);
}

int report_runs(const std::vector<fs::path>& folders, const std::optional<fs::path>& out) {
  const fs::path to = out ? *out : folders.size() == 1 ? folders.front() / "report.html" : fs::path("report.html");
  if (out) need_folder_of(*out);
  report::write_report(folders, to);
  fmt::print("report: {}\n", to.string());
  return 0;
}

}  // namespace talus::app
