#include <talus/simulation/recorder.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <talus/core/input_error.hpp>
#include <talus/core/nesting.hpp>
#include <talus/exec/device.hpp>
#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/io/checked_files.hpp>
#include <talus/io/text_file.hpp>
#include <talus/lab/pictures.hpp>
#include <talus/measure/state_hash.hpp>
#include <talus/report/run_data.hpp>
#include <talus/report/write_report.hpp>
#include <talus/simulation/beside_state.hpp>
#include <talus/simulation/run_figures.hpp>
#include <talus/simulation/sample_card.hpp>

namespace talus::simulation {

namespace fs = std::filesystem;

namespace {

void write_grading(const fs::path& path, const sampling::Grading& g) {
  std::string text = "diameter [m],passing [1]\n";
  const std::size_t stride = std::max<std::size_t>(1, g.diameter.size() / 400);
  for (std::size_t i = 0; i < g.diameter.size(); ++i)
    if (i % stride == 0 || i + 1 == g.diameter.size())
      text += shortest(g.diameter[i]) + "," + shortest(g.passing[i]) + "\n";
  if (!fs::exists(path) || read_text(path) != text) write_text_atomic(path, text);  // a resume finds it there
}

std::string status_of(const lab::Result& result) {
  switch (result.outcome) {
    case lab::Outcome::done:
      return "done";
    case lab::Outcome::until:
      return "stopped at --until";
    case lab::Outcome::interrupted:
      return "interrupted";
    case lab::Outcome::failed:
      return "failed: " + result.message;
  }
  return "";
}

}  // namespace

template <int D>
Recorder<D>::Recorder(RunFolder folder, scene::Scene<D>& scene, const LoadedScene& loaded,
                      std::string_view text, RunOptions options, Listener& listener)
    : folder_(std::move(folder)),
      scene_(scene),
      loaded_(loaded),
      options_(std::move(options)),
      listener_(listener),
      chain_(folder_.path() / "hash_chain.csv"),
      start_(exec::now()),
      scene_text_(FileRecord::of(text)),
      album_(folder_.path(), scene.experiment) {
  provenance_.scene_hash = scene_hash(loaded, text);
  started_ = exec::date_text();
}

template <int D>
void Recorder<D>::create() {
  begin_files();
  write_gradings();
  listener_.says(loaded_.heading.title + " -> " + folder_.path().string());
}

template <int D>
void Recorder<D>::begin_files() {
  series_.emplace(folder_.series());
  if (scene_.experiment.cadence.vtk) vtk_.emplace(VtkFolder(folder_.vtk()));
}

template <int D>
void Recorder<D>::write_gradings() const {
  if (scene_.diameters.empty()) return;
  write_grading(
      folder_.path() / "sizes.csv",
      sampling::grading_of(scene_.diameters, D == 3 || scene_.experiment.model.options.spheres_in_plane ? 3 : 2));
  if (!scene_.target.diameter.empty()) write_grading(folder_.path() / "sizes_target.csv", scene_.target);
}

template <int D>
bool Recorder<D>::load() {
  for (const fs::path& folder : {folder_.path(), folder_.vtk()}) remove_unfinished(folder);
  const auto found = newest_checkpoint(folder_.path());
  if (!found) {
    if (fs::exists(folder_.summary()))
      throw InputError(folder_.path().string(), 0, "", "the checkpoints of this run are gone: it cannot be resumed",
                       "run its scene.toml into another folder");
    begin_files();
    write_gradings();  // it may have been stopped before it had them
    return false;
  }
  if (!found->message.empty()) listener_.says(found->message);
  Expected expected;
  expected.scene_hash = provenance_.scene_hash;
  expected.version = TALUS_VERSION;
  const std::string beside = read_checkpoint(found->path, scene_.experiment.state, expected).extra;
  keep_one_checkpoint_before(folder_.path(), scene_.experiment.state.globals.step);
  try {
    recall(beside);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(found->path.string(), 0, "", std::string("the checkpoint is not one of this program: ") + error.what());
  }
  if (!test_start_.is_whole())
    throw InputError(found->path.string(), 0, "", "the checkpoint is not one of this program: positions at the start of the test do not fit together");
  const auto& g = scene_.experiment.state.globals;
  const fs::path series = folder_.series(), chain = folder_.path() / "hash_chain.csv";
  chain_ = HashChain::resume(chain, g.step, held(chain));
  series_.emplace(Series::resume(series, g.step, held(series)));
  write_gradings();
  if (scene_.experiment.cadence.vtk) vtk_.emplace(VtkFolder::resume(folder_.vtk(), g.time));
  const auto table = report::parse_series(read_text(folder_.series()), folder_.series().string());
  for (const auto& column : table.columns) data_[column.name] = column.values;
  series_from_ = data_["step"].empty() ? Real(g.step) : data_["step"].front();
  if (!was_complete()) listener_.says(fmt::format("continuing from step {} in {}", g.step, folder_.path().string()));
  return true;
}

// What lies beside the state in a checkpoint.
template <int D>
void Recorder<D>::recall(const std::string& text) {
  const auto extra = too_deep_json(text) ? nlohmann::json() : nlohmann::json::parse(text, nullptr, false);
  if (!extra.is_object()) return;
  started_ = extra.value("started", std::string());
  wall_before_ = extra.value("wall_time_s", 0.0);
  protocol_done_ = extra.value("done", false);
  since_row_ = read_since_row(extra.value("since_row", nlohmann::json::object()));
  pictures_ = extra.value("pictures", i64{0});
  frames_ = extra.value("frames", i64{0});
  album_.recall(extra.value("album", nlohmann::json::object()), scene_.experiment.state.globals.step);
  test_start_ = read_test_start<D>(extra.value("test_start", nlohmann::json::object()));
  figures_ = read_figures(extra.value("figures", nlohmann::json::array()));
  held_ = read_records(extra.value("files", ""));
}

// What the checkpoint says that a file held. One that is gone begins anew.
template <int D>
std::optional<FileRecord> Recorder<D>::held(const fs::path& file) const {
  if (!fs::exists(file))
    listener_.notes(fmt::format("talus: {} is gone; a new one begins at step {}", file.string(),
                                scene_.experiment.state.globals.step));
  const auto record = held_.find(file.filename().string());
  return record == held_.end() ? std::nullopt : std::optional(record->second);
}

template <int D>
bool Recorder<D>::was_complete() const {
  if (!fs::exists(folder_.summary())) return false;
  const Summary s = read_summary(folder_.summary());
  if (s.status != "done" || s.steps != scene_.experiment.state.globals.step) return false;
  for (const auto& [name, record] : s.files)  // a picture may be taken out of the folder, not changed
    if (!name.ends_with(".png") || fs::exists(folder_.path() / name)) read_whole(folder_, name, &s);
  if (!fs::exists(folder_.report()))
    report::write_report({folder_.path()}, folder_.report());  // killed while it was written
  return true;
}

template <int D>
lab::Hooks<D> Recorder<D>::hooks() {
  lab::Hooks<D> hooks;
  hooks.row = [this](const lab::Row& row) { write_row(row); };
  hooks.hash = [this](i64 step, u64 hash) { chain_.add(step, hash); };
  hooks.checkpoint = [this](const State<D>& state) { checkpoint(state); };
  hooks.stage_begin = [this](const lab::Observation<D>& seen) { stage_begin(seen); };
  hooks.picture = [this](const lab::Observation<D>& seen) {
    if (vtk_) vtk_->write(moment(seen));
  };
  hooks.frame = [this](const lab::Observation<D>& seen) { album_.add_frame(seen); };
  hooks.stage_end = [this](const lab::Observation<D>& seen) { stage_end(seen); };
  hooks.stopped = [this](const lab::Observation<D>& seen) { album_.draw_end(seen, true); };
  hooks.halted = [this](const lab::Observation<D>& seen) {
    if (vtk_) vtk_->write_stop(moment(seen));
  };
  return hooks;
}

template <int D>
void Recorder<D>::attach(lab::Runner<D>& runner) {
  runner.figures = figures_;
  runner.since_row = since_row_;
  runner.pictures = pictures_;
  runner.frames = frames_;
  runner_ = &runner;
  first_step_ = scene_.experiment.state.globals.step;
}

template <int D>
void Recorder<D>::write_row(const lab::Row& row) {
  std::vector<SeriesValue> values;
  for (std::size_t k = 1; k < row.size(); ++k) values.push_back({row[k].name, row[k].unit, row[k].value});
  series_->write(i64(row[0].value), values);
  for (const auto& c : row) data_[c.name].push_back(c.value);
}

template <int D>
double Recorder<D>::wall() const {
  return wall_before_ + exec::now() - start_;
}

template <int D>
void Recorder<D>::checkpoint(const State<D>& state) {
  series_->sync();
  chain_.write();
  provenance_.extra =
      nlohmann::json{
          {"started", started_},
          {"wall_time_s", wall()},
          {"command", options_.command},
          {"figures",
           written(runner_->figures)},  // of stages that are done: their observations are gone after a resume
          {"done", protocol_done_},
          {"files", written_records({{"series.csv", series_->record()}, {"hash_chain.csv", chain_.record()}})},
          {"made_of", simulation::written(scene::card_of(scene_.experiment.model))},
          {"since_row", written(runner_->since_row)},
          {"pictures", runner_->pictures},
          {"frames", runner_->frames},
          {"album", album_.keep()},
          {"test_start", written(test_start_)}}
          .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);  // names need not be UTF-8
  save_checkpoint(folder_.path(), state, provenance_);
}

// The sample as it was placed; and where the test begins, from where displacements count.
template <int D>
void Recorder<D>::stage_begin(const lab::Observation<D>& seen) {
  album_.stage_begins(seen);
  if (!vtk_) return;
  const auto& g = seen.state.globals;
  if (std::size_t(g.stage.index) == lab::first_of_test(scene_.experiment)) test_start_ = TestStart<D>::of(seen.state);
  if (g.step == 0 && g.stage.index == 0) vtk_->write(moment(seen));
}

template <int D>
void Recorder<D>::stage_end(const lab::Observation<D>& seen) {
  const auto& g = seen.state.globals;
  const auto& stage = *scene_.experiment.stages[std::size_t(g.stage.index)];
  if (stage.traits.has_steps && seen.state.particles.size() > 0)
    listener_.says(fmt::format("{} done at step {}: {:.4g} s, kinetic energy {:.4g} J", stage.name, g.step, g.time, seen.energy().kinetic));
  else if (stage.traits.has_steps)
    listener_.says(fmt::format("{} done at step {}: porosity {:.4f}, Z {:.2f}, p {:.4g} kPa, unbalanced {:.1e}",
                               stage.name, g.step, seen.porosity(), seen.coordination().all, seen.pressure() / 1e3, seen.unbalanced()));
  protocol_done_ = std::size_t(g.stage.index) + 1 == scene_.experiment.stages.size();
  album_.stage_ends(seen, protocol_done_);
}

template <int D>
Summary Recorder<D>::provenance(const lab::Result& result) const {
  const auto& x = scene_.experiment;
  const auto& g = x.state.globals;
  Summary s;
  s.scene = loaded_.path.filename().string();
  s.title = loaded_.heading.title;
  s.version = TALUS_VERSION;
  s.commit = options_.commit;
  s.seed = loaded_.heading.seed;
  s.threads = exec::threads();
  s.device = on_device(loaded_, options_.device) ? exec::device_name() : "cpu";
  s.command = options_.command;
  s.started = started_;
  s.wall_time_s = wall();
  s.steps = g.step;
  s.time_s = g.time;
  s.state_hash = hex(g.hash);
  s.status = status_of(result);
  nlohmann::json names = nlohmann::json::array(), shears = nlohmann::json::array();
  for (std::size_t k = 0; k < x.stages.size(); ++k) {
    names.push_back(x.stages[k]->name);
    if (x.stages[k]->traits.shears) shears.push_back(k);
  }
  s.extra["stages"] = names.dump();
  s.extra["shear_stages"] = shears.dump();
  if (x.state.particles.size() > 0)
    s.extra["particles"] = std::to_string(x.state.particles.size());
  else
    s.extra["grains"] = std::to_string(x.state.grains());
  return s;
}

template <int D>
Summary Recorder<D>::finish(const lab::Result& result, const Figures& figures) {
  const auto& x = scene_.experiment;
  Summary s = provenance(result);
  s.figures = run_figures(x, runner_->channels, {data_, series_from_, figures, runner_->since_row});
  const double mine = exec::now() - start_;
  const Real made = Real(x.state.globals.step - first_step_), rate = mine > 0 ? made * Real(x.state.units()) / mine : 0;
  s.figures.push_back({"particle_steps_per_s", rate > 0 ? std::optional<Real>(rate) : std::nullopt, "1/s",
                       {"grains or particles × steps over the wall time of this process, output included", "particle steps per second", "", FigureGroup::run},
                       rate > 0 ? "" : "no steps were made"});
  if (x.state.particles.size() > 0)
    s.figures.push_back({"ms_per_step", made > 0 ? std::optional<Real>(1000 * mine / made) : std::nullopt, "ms",
                         {"wall time of this process over its steps, output included", "time per step", "", FigureGroup::run}, made > 0 ? "" : "no steps were made"});
  if (x.model.has_hulls()) {
    s.figures.push_back({"wall_s", wall(), "s", {"wall time of the run, resumed parts included", "wall time", "", FigureGroup::run}, ""});
    s.figures.push_back({"peak_rss_mb", exec::peak_memory_mb(), "MB", {"largest memory of the process", "largest memory", "", FigureGroup::run}, ""});
  }
  chain_.write();
  album_.finish(result.outcome == lab::Outcome::done);
  s.files["scene.toml"] = scene_text_;
  s.files["series.csv"] = series_->record();
  s.files["hash_chain.csv"] = chain_.record();
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    const fs::path name = entry.path().filename();
    const bool is_last_picture = name.extension() == ".png" && result.outcome == lab::Outcome::done;
    if (name == "sizes.csv" || name == "sizes_target.csv" || is_last_picture)
      s.files[name.string()] = FileRecord::of(read_text(entry.path()));
  }
  write_summary(folder_.summary(), s);
  if (result.outcome != lab::Outcome::interrupted) report::write_report({folder_.path()}, folder_.report());
  return s;
}

template class Recorder<2>;
template class Recorder<3>;

}  // namespace talus::simulation
