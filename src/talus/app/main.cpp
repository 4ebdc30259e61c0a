// The command line: talus run | resume | check | fit | compare | sample | list | report.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <talus/app/commands.hpp>
#include <talus/core/input_error.hpp>
#include <talus/core/nearest.hpp>
#include <talus/exec/device.hpp>
#include <talus/io/file_error.hpp>

using namespace talus;

namespace {

// CLI11's own check of positive numbers lists the range of a double in its message.
std::string positive_time(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && value > 0 ? "" : "'" + text + "' is not a time in seconds above 0";
}

void add_run_options(CLI::App& command, app::RunRequest& request, bool& quiet, bool& json) {
  command.add_option("--threads", request.threads, "threads to use; all cores when left out. Changes no result")
      ->check(CLI::Range(1, 1024));
  command.add_option("--device", request.device, "where to run")->check(CLI::IsMember({"cpu", "cuda"}));
  command.add_option("--until", request.until, "stop at this simulated time, s")->check(positive_time);
  auto* q = command.add_flag("--quiet", quiet, "no progress");
  command.add_flag("--json", json, "progress and result as JSON lines on standard output")->excludes(q);
  command.add_flag("--profile", request.profile, "time of each stage of the step at the end");
}

int run(int argc, char** argv) {
  CLI::App app{"Talus: a virtual laboratory for granular materials", "talus"};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("talus " TALUS_VERSION));
  app::RunRequest request;
  for (int i = 0; i < argc; ++i) request.command += (i ? " " : "") + std::string(i ? argv[i] : "talus");
  bool quiet = false, json = false;
  std::string folder, what;
  std::vector<std::filesystem::path> folders;
  std::optional<std::filesystem::path> out;

  auto* run = app.add_subcommand("run", "run a scene: a file, or the name of one that came with the program");
  run->add_option("scene", request.scene, "scene file or name (talus list scenes)")->required();
  run->add_option("--out", request.out, "folder for the results; new or empty. Left out: runs/NAME-0001 and so on");
  run->add_option("--set", request.settings, "name=value: a parameter of the scene, or any entry by its dotted path")
      ->allow_extra_args(false);
  add_run_options(*run, request, quiet, json);
  auto* resume = app.add_subcommand("resume", "go on with a run that was stopped");
  resume->add_option("folder", folder, "folder of the run")->required();
  add_run_options(*resume, request, quiet, json);
  auto* check = app.add_subcommand("check", "validate a scene and say what running it means, without running it");
  check->add_option("scene", request.scene, "scene file or name")->required();
  check->add_option("--set", request.settings, "name=value")->allow_extra_args(false);
  check->add_option("--threads", request.threads, "threads to plan with")->check(CLI::Range(1, 1024));
  app::FitRequest fitting;
  auto* fit = app.add_subcommand("fit", "find parameters so that a run matches a measured curve or figures");
  fit->add_option("scene", request.scene, "scene file or name")->required();
  fit->add_option("--vary", fitting.vary, "NAME=LOW:HIGH: a parameter and its bounds")
      ->required()
      ->allow_extra_args(false);
  fit->add_option("--curve", fitting.curve, "CSV of what was measured");
  fit->add_option("--x", fitting.x, "its column along the axis, and that of the series");
  fit->add_option("--y", fitting.y, "its measured column, and that of the series");
  fit->add_option("--figure", fitting.figures, "NAME=VALUE: a figure of summary.json to match instead of a curve")
      ->allow_extra_args(false);
  fit->add_option("--runs", fitting.max_runs, "most runs")->check(CLI::Range(2, 1000));
  fit->add_option("--tolerance", fitting.tolerance, "step at which the search ends, as a share of the bounds")
      ->check(CLI::Range(1e-6, 0.5));
  fit->add_option("--set", request.settings, "name=value, the same for all runs")->allow_extra_args(false);
  fit->add_option("--out", request.out, "folder for the runs; new or empty");
  add_run_options(*fit, request, quiet, json);
  app::CompareRequest comparing;
  auto* compare =
      app.add_subcommand("compare", "metrics of runs of cycles against a reference: Rtop, errf, errZ, bhat, tau");
  compare->add_option("runs", comparing.runs, "folders of runs")->required();
  compare->add_option("--reference", comparing.reference, "folder of a run, or a CSV with the columns of its series")
      ->required();
  compare->add_option("--dropped", comparing.dropped, "first cycles that do not count")->check(CLI::Range(0, 1000000));
  compare->add_option("--threshold", comparing.threshold, "weaker contacts of the reference do not count, N")
      ->check(CLI::Range(0.0, 1e6));
  compare->add_flag("--json", comparing.json, "as JSON");
  std::filesystem::path places;
  auto* sample =
      app.add_subcommand("sample", "write where the grains and walls of a run are, for [sample] of another scene");
  sample->add_option("run", folder, "folder of the run, or a checkpoint")->required();
  sample->add_option("--out", places, "CSV to write")->required();
  auto* list = app.add_subcommand("list", "what there is: scenes, laws, methods, shapes, stages, channels");
  list->add_option("what", what, "scenes, laws, methods, shapes, stages or channels")
      ->required()
      ->check(CLI::IsMember({"scenes", "laws", "methods", "shapes", "stages", "channels"}));
  auto* report = app.add_subcommand("report", "write the report of one run anew, or compare several");
  report->add_option("folders", folders, "folders of runs")->required();
  report->add_option("--out", out, "file to write; left out: report.html in the folder (one run) or here (several)");

  std::vector<std::string> known;
  for (const auto* command : {run, resume, check, fit, compare, sample, list, report})
    known.push_back(command->get_name());
  // CLI11 would only say that a command is missing.
  if (argc > 1 && argv[1][0] != '-' && std::find(known.begin(), known.end(), argv[1]) == known.end()) {
    const auto meant = nearest(argv[1], known);
    throw InputError("", 0, "", fmt::format("there is no command '{}'", argv[1]),
                     (meant ? "did you mean '" + *meant + "'? " : std::string()) + "talus --help lists the commands");
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int code = app.exit(e);
    return code == 0 ? 0 : 2;
  }
  request.voice = quiet                   ? app::Voice::quiet
                  : json                  ? app::Voice::json
                  : isatty(STDERR_FILENO) ? app::Voice::live
                                          : app::Voice::plain;
  if (*run) return app::run_scene(request);
  if (*resume) return app::resume_run(folder, request);
  if (*check) return app::check_scene(request);
  if (*compare) return app::compare_runs(comparing);
  if (*fit) {
    fitting.run = request;
    return app::fit_scene(fitting);
  }
  if (*sample) return app::write_sample(folder, places);
  if (*list) return app::list_things(what);
  return app::report_runs(folders, out);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const InputError& e) {
    fmt::print(stderr, "talus: {}\n", e.what());
    return 2;
  } catch (const FileError& e) {
    fmt::print(stderr, "talus: {}\n", e.what());
    return 3;
  } catch (const exec::DeviceError& e) {
    fmt::print(stderr, "talus: {}\n", e.what());
    return 3;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "talus: not enough memory; talus check SCENE says how much the scene needs\n");
    return 3;
  } catch (const std::exception& e) {
    fmt::print(stderr, "talus: internal error: {}\n", e.what());
    return 4;
  }
}
