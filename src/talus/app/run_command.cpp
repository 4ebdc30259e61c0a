// talus run, talus resume.
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <talus/app/commands.hpp>
#include <talus/app/commit.hpp>
#include <talus/app/signals.hpp>
#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/io/file_error.hpp>
#include <talus/io/run_folder.hpp>
#include <talus/io/summary.hpp>
#include <talus/io/text_file.hpp>
#include <talus/report/told_verdict.hpp>
#include <talus/report/write_report.hpp>
#include <talus/simulation/find_scene.hpp>
#include <talus/simulation/replicates.hpp>
#include <talus/simulation/sweep.hpp>

namespace talus::app {

namespace fs = std::filesystem;
using namespace simulation;

namespace {

void prepare_process(const RunRequest& request) {
  catch_signals();
  if (request.threads > 0) exec::set_threads(request.threads);
  exec::timers().enabled = request.profile;
}

RunOptions options_of(const RunRequest& request) { return {request.device, request.command, commit}; }

void print_profile() {
  double total = 0;
  for (const auto& stage : exec::timers().stages()) total += stage.seconds;
  fmt::print(stderr, "{:<14} {:>10} {:>8} {:>12}\n", "stage", "seconds", "share", "us per call");
  for (const auto& stage : exec::timers().stages())
    fmt::print(stderr, "{:<14} {:>10.3f} {:>7.1f}% {:>12.2f}\n", stage.label, stage.seconds,
               100 * stage.seconds / total, 1e6 * stage.seconds / double(stage.calls));
}

// Figures, then names of those that have no value, by reason.
void print_figures(const Summary& s) {
  std::map<std::string, std::vector<std::string>> missing;
  for (const auto& f : s.figures)
    if (f.value)
      fmt::print("{:<24} {:>14.6g} {}\n", f.name, *f.value, f.unit == "1" ? "" : f.unit);
    else
      missing[f.reason].push_back(f.name);
  for (const auto& [reason, names] : missing) fmt::print("no value for {}: {}\n", fmt::join(names, ", "), reason);
}

void print_summary(const Summary& s, const RunFolder& folder, const RunRequest& request) {
  const bool has_report = fs::exists(folder.report());  // none when interrupted
  const auto lights = has_report && request.voice != Voice::quiet ? report::lights_of_folders({folder.path()}) : std::vector<report::Light>{};
  if (request.voice == Voice::json) {
    nlohmann::ordered_json j;
    j["folder"] = folder.path().string();
    j["status"] = s.status;
    j["state_hash"] = s.state_hash;
    for (const auto& f : s.figures)
      j["figures"][f.name] = f.value ? nlohmann::ordered_json(*f.value) : nlohmann::ordered_json();
    j["lights"] = nlohmann::ordered_json::array();
    for (const auto& l : lights)
      j["lights"].push_back({{"name", l.name}, {"light", report::word_of(l.level)}, {"value", l.value}, {"remedy", l.remedy}});
    fmt::print("{}\n", j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  } else if (request.voice != Voice::quiet) {
    print_figures(s);
    fmt::print("{:<24} {:>14} steps in {}, state hash {}\n", "run", s.steps, duration(s.wall_time_s), s.state_hash);
  }
  if (request.profile) print_profile();
  if (has_report && request.voice != Voice::json && request.voice != Voice::quiet)
    fmt::print("report: {}\n{}", folder.report().string(), report::told(lights));
}

int exit_code(const lab::Result& result, const fs::path& folder) {
  if (result.outcome == lab::Outcome::interrupted) {
    fmt::print(stderr, "talus: stopped by a signal; continue with: talus resume {}\n", folder.string());
    return 128 + caught_signal();
  }
  if (result.outcome == lab::Outcome::failed) {
    fmt::print(stderr, "talus: {}\n", result.message);
    return 3;
  }
  return 0;
}

int drive(Simulation& simulation, ProgressLine& line, const RunRequest& request) {
  if (simulation.was_complete()) {
    line.says("this run is complete; nothing to do");
    return 0;
  }
  const lab::Result result = simulation.run(request.until.value_or(1e300));
  line.finish();
  print_summary(simulation.finish(), simulation.folder(), request);
  return exit_code(result, simulation.folder().path());
}

// One folder per seed; those that are there are gone on with, the others are run. Then mean and spread.
int run_seeds(const LoadedScene& all, const std::vector<std::string>& settings, const fs::path& files,
              const RunFolder& folder, const RunRequest& request) {
  const auto runs = replicates_of(all, folder);
  for (const auto& one : runs) {
    ProgressLine line(request.voice);
    Simulation simulation = open_replicate(one, all, settings, files, options_of(request), line);
    if (const int code = drive(simulation, line, request); code != 0) return code;
  }
  write_ensemble(folder.path(), runs, request.command);
  std::vector<fs::path> folders;
  for (const auto& one : runs) folders.push_back(one.folder);
  if (request.voice != Voice::quiet && request.voice != Voice::json)
    fmt::print("mean and spread of {} seeds: {}\n{}", runs.size(), (folder.path() / "report.html").string(),
               report::told(report::lights_of_folders(folders)));
  return 0;
}

}  // namespace

int run_scene(const RunRequest& request) {
  prepare_process(request);
  const fs::path path = find_scene(request.scene);
  const auto load = [&] { return load_scene(path, request.settings, path.parent_path()); };
  const LoadedScene loaded = load();
  if (loaded.heading.replicates == 1) {
    ProgressLine line(request.voice);
    Simulation simulation(load(), options_of(request), line);
    simulation.record(request.out);
    return drive(simulation, line, request);
  }
  const RunFolder folder = [&] {  // made when the scene has been built: what is wrong with it is wrong with every seed
    ProgressLine line(request.voice);
    const Simulation trial(load(), options_of(request), line);
    RunFolder made = RunFolder::create(request.out, path.stem().string());
    keep_scene(trial.scene(), made);
    return made;
  }();
  return run_seeds(loaded, request.settings, path.parent_path(), folder, request);
}

int resume_run(const fs::path& path, const RunRequest& request) {
  if (is_sweep(path)) return resume_sweep(path, request, 1);
  prepare_process(request);
  RunFolder folder = RunFolder::open(path);
  folder.claim();
  const LoadedScene loaded = load_scene(folder.scene(), {}, folder.path() / "inputs");
  if (loaded.heading.replicates > 1) return run_seeds(loaded, {}, folder.path() / "inputs", folder, request);
  ProgressLine line(request.voice);
  Simulation simulation = Simulation::resume(std::move(folder), options_of(request), line);
  return drive(simulation, line, request);
}

}  // namespace talus::app
