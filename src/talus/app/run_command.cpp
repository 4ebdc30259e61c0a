// talus run, talus resume, talus report.
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
#include <talus/report/write_report.hpp>
#include <talus/simulation/find_scene.hpp>
#include <talus/simulation/loaded_scene.hpp>
#include <talus/simulation/recorder.hpp>
#include <talus/simulation/replicates.hpp>

namespace talus::app {

namespace fs = std::filesystem;
using namespace simulation;

namespace {

void prepare_process(const RunRequest& request) {
  catch_signals();
  if (request.threads > 0) exec::set_threads(request.threads);
  exec::timers().enabled = request.profile;
}

RunOptions options_of(const RunRequest& request) { return {request.device, request.until, request.command, commit}; }

void print_profile() {
  double total = 0;
  for (const auto& stage : exec::timers().stages()) total += stage.seconds;
  fmt::print(stderr, "{:<14} {:>10} {:>8} {:>12}\n", "stage", "seconds", "share", "us per call");
  for (const auto& stage : exec::timers().stages())
    fmt::print(stderr, "{:<14} {:>10.3f} {:>7.1f}% {:>12.2f}\n", stage.label, stage.seconds,
               100 * stage.seconds / total, 1e6 * stage.seconds / double(stage.calls));
}

void print_summary(const Summary& s, const RunFolder& folder, const RunRequest& request) {
  if (request.voice == Voice::json) {
    nlohmann::ordered_json j;
    j["folder"] = folder.path().string();
    j["status"] = s.status;
    j["state_hash"] = s.state_hash;
    for (const auto& f : s.figures)
      j["figures"][f.name] = f.value ? nlohmann::ordered_json(*f.value) : nlohmann::ordered_json();
    fmt::print("{}\n", j.dump());
  } else if (request.voice != Voice::quiet) {
    for (const auto& f : s.figures)
      if (f.value)
        fmt::print("{:<24} {:>14.6g} {}\n", f.name, *f.value, f.unit == "1" ? "" : f.unit);
      else
        fmt::print("{:<24} {:>14} ({})\n", f.name, "-", f.reason);
    fmt::print("{:<24} {:>14} steps in {}, state hash {}\n", "run", s.steps, duration(s.wall_time_s), s.state_hash);
    if (fs::exists(folder.report())) fmt::print("report: {}\n", folder.report().string());  // none when interrupted
  }
  if (request.profile) print_profile();
}

int exit_code(const lab::Result& result, const fs::path& folder) {
  if (result.outcome == lab::Outcome::interrupted) {
    fmt::print(stderr, "talus: stopped by a signal; go on with: talus resume {}\n", folder.string());
    return 128 + caught_signal();
  }
  if (result.outcome == lab::Outcome::failed) {
    fmt::print(stderr, "talus: {}\n", result.message);
    return 3;
  }
  return 0;
}

template <int D>
int run_recorded(Recorder<D>& recorder, ProgressLine& line, bool resumed, const RunRequest& request) {
  if (resumed && recorder.was_complete()) {
    line.says("this run is complete; nothing to do");
    return 0;
  }
  const lab::Result result = recorder.run(resumed);
  line.finish();
  print_summary(recorder.summary(), recorder.folder(), request);
  return exit_code(result, recorder.folder().path());
}

template <int D>
int run_one(LoadedScene& loaded, const RunRequest& request, const std::optional<fs::path>& out) {
  auto scene = build_scene<D>(loaded, request.device);
  RunFolder folder = RunFolder::create(out, loaded.path.stem().string());
  keep_scene(loaded, folder);
  ProgressLine line(request.voice);
  Recorder<D> recorder(folder, scene, loaded, options_of(request), line, false);
  recorder.create();
  return run_recorded(recorder, line, false, request);
}

int run_any(LoadedScene& loaded, const RunRequest& request, const std::optional<fs::path>& out) {
  return loaded.heading.dimension == 2 ? run_one<2>(loaded, request, out) : run_one<3>(loaded, request, out);
}

// Goes on with one run folder.
int resume_one(LoadedScene& loaded, const RunFolder& folder, const RunRequest& request) {
  const auto go_on = [&]<int D>() {
    auto scene = build_scene<D>(loaded, request.device);
    ProgressLine line(request.voice);
    Recorder<D> recorder(folder, scene, loaded, options_of(request), line, true);
    return run_recorded(recorder, line, recorder.load(), request);
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
  write_ensemble(folder.path(), runs, request.command);
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
