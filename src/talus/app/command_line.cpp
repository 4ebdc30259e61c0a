#include <talus/app/command_line.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include <talus/core/input_error.hpp>
#include <talus/core/nearest.hpp>
#include <talus/core/utf8.hpp>

namespace talus::app {

namespace {

// CLI11's own check of positive numbers lists the range of a double in its message.
std::string positive_time(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && value > 0 ? "" : "'" + text + "' is not a time in seconds above 0";
}

}  // namespace

CommandLine::CommandLine(int argc, char** argv) : argc_(argc), argv_(argv) {
  app_.require_subcommand(1);
  app_.set_version_flag("--version", std::string("talus " TALUS_VERSION));
  for (int i = 0; i < argc; ++i) request_.command += (i ? " " : "") + (i ? to_utf8(argv[i]) : "talus");
  add_run();
  add_fit();
  add_compare();
  add_verify();
  add_others();
}

void CommandLine::add_run_options(CLI::App& command) {
  command.add_option("--threads", request_.threads, "threads to use; all cores when left out. Changes no result")
      ->check(CLI::Range(1, 1024));
  command.add_option("--device", request_.device, "where to run")->check(CLI::IsMember({"cpu", "cuda"}));
  command.add_option("--until", request_.until, "stop at this simulated time, s")->check(positive_time);
  auto* q = command.add_flag("--quiet", quiet_, "no progress");
  command.add_flag("--json", json_, "progress and result as JSON lines on standard output")->excludes(q);
  command.add_flag("--profile", request_.profile, "time of each stage of the step at the end");
}

void CommandLine::add_run() {
  auto* run = app_.add_subcommand("run", "run a scene: a file, or the name of one that came with the program");
  run->add_option("scene", request_.scene, "scene file or name (talus list scenes)")->required();
  run->add_option("--out", request_.out, "folder for the results; new or empty. Left out: runs/NAME-0001 and so on");
  run->add_option("--set", request_.settings, "name=value: a parameter of the scene, or any entry by its dotted path")
      ->allow_extra_args(false);
  add_run_options(*run);
  auto* resume = app_.add_subcommand("resume", "go on with a run that was stopped");
  resume->add_option("folder", folder_, "folder of the run")->required();
  add_run_options(*resume);
  auto* check = app_.add_subcommand("check", "validate a scene and say what running it means, without running it");
  check->add_option("scene", request_.scene, "scene file or name")->required();
  check->add_option("--set", request_.settings, "name=value")->allow_extra_args(false);
  check->add_option("--threads", request_.threads, "threads to plan with")->check(CLI::Range(1, 1024));
  check->add_flag("--full", request_.full, "below the audit the scene with every default spelled out: itself a scene");
  check->add_flag("--keys", request_.keys, "every key that the scene may state, with what it accepts, its default and its meaning");
  actions_ = {{run, [this] { return run_scene(request_); }},
              {resume, [this] { return resume_run(folder_, request_); }},
              {check, [this] { return check_scene(request_); }}};
}

void CommandLine::add_fit() {
  auto* fit = app_.add_subcommand("fit", "find parameters so that a run matches a measured curve or figures");
  fit->add_option("scene", request_.scene, "scene file or name")->required();
  fit->add_option("--vary", fitting_.vary, "NAME=LOW:HIGH: a parameter and its bounds")
      ->required()
      ->allow_extra_args(false);
  fit->add_option("--curve", fitting_.curve, "CSV of what was measured");
  fit->add_option("--x", fitting_.x, "its column along the axis, and that of the series");
  fit->add_option("--y", fitting_.y, "its measured column, and that of the series");
  fit->add_option("--figure", fitting_.figures, "NAME=VALUE: a figure of summary.json to match instead of a curve")
      ->allow_extra_args(false);
  fit->add_option("--runs", fitting_.max_runs, "most runs")->check(CLI::Range(2, 1000));
  fit->add_option("--tolerance", fitting_.tolerance, "step at which the search ends, as a share of the bounds")
      ->check(CLI::Range(1e-6, 0.5));
  fit->add_option("--set", request_.settings, "name=value, the same for all runs")->allow_extra_args(false);
  fit->add_option("--out", request_.out, "folder for the runs; new or empty");
  add_run_options(*fit);
  actions_.emplace_back(fit, [this] {
    fitting_.run = request_;
    return fit_scene(fitting_);
  });
}

void CommandLine::add_compare() {
  auto* compare =
      app_.add_subcommand("compare", "metrics of runs of cycles against a reference: Rtop, errf, errZ, bhat, tau");
  compare->add_option("runs", comparing_.runs, "folders of runs")->required();
  compare->add_option("--reference", comparing_.reference, "folder of a run, or a CSV with the columns of its series")
      ->required();
  compare->add_option("--dropped", comparing_.dropped, "first cycles that do not count; left out: analysis.dropped of each run")
      ->check(CLI::Range(0, 1000000));
  compare->add_option("--threshold", comparing_.threshold, "weaker contacts of the reference do not count, N")
      ->check(CLI::Range(0.0, 1e6));
  compare->add_flag("--json", comparing_.json, "as JSON");
  actions_.emplace_back(compare, [this] { return compare_runs(comparing_); });
}

void CommandLine::add_verify() {
  auto* verify = app_.add_subcommand("verify", "run published and closed-form cases here, and compare");
  auto* quick = verify->add_flag("--quick", quick_, "three minutes on two cores (default)");
  verify->add_flag("--full", verifying_.full, "more points, larger samples")->excludes(quick);
  verify->add_option("--case", verifying_.only, "only this case; may be given several times")->allow_extra_args(false);
  verify->add_option("--out", verifying_.out, "Markdown to write; a page that has the table gets the new one");
  verify->add_option("--threads", verifying_.threads, "threads to use")->check(CLI::Range(1, 1024));
  actions_.emplace_back(verify, [this] { return verify_program(verifying_); });
}

void CommandLine::add_others() {
  auto* sample =
      app_.add_subcommand("sample", "write where the grains of a run are, for [sample] of another scene, for LAMMPS or for Yade");
  sample->add_option("run", sampling_.run, "folder of the run, or a checkpoint")->required();
  sample->add_option("--out", sampling_.out, "file to write; its ending tells the format: .csv, .data (LAMMPS), .txt (Yade)")->required();
  sample->add_option("--format", sampling_.format, "of the file, whatever its ending")->check(CLI::IsMember({"csv", "lammps", "yade"}));
  sample->add_flag("--motion", sampling_.motion, "with velocities and spins; left out: the other scene starts at rest");
  auto* list = app_.add_subcommand("list", "what there is: scenes, laws, methods, shapes, stages, channels");
  list->add_option("what", what_, "scenes, laws, methods, shapes, stages or channels")
      ->check(CLI::IsMember({"scenes", "laws", "methods", "shapes", "stages", "channels"}));
  auto* show = app_.add_subcommand("show", "a scene in a few lines: title, file, parameters");
  show->add_option("scene", request_.scene, "scene file or name")->required();
  auto* report = app_.add_subcommand("report", "write the report of one run anew, or compare several");
  report->add_option("folders", folders_, "folders of runs")->required();
  report->add_option("--out", out_, "file to write; left out: report.html in the folder (one run) or here (several)");
  actions_.emplace_back(sample, [this] { return write_sample(sampling_); });
  actions_.emplace_back(list, [this] { return list_things(what_); });
  actions_.emplace_back(show, [this] { return show_scene(request_.scene); });
  actions_.emplace_back(report, [this] { return report_runs(folders_, out_); });
}

// CLI11 would only say that a command is missing.
void CommandLine::refuse_unknown() const {
  std::vector<std::string> known;
  for (const auto& [command, action] : actions_) known.push_back(command->get_name());
  if (argc_ < 2 || argv_[1][0] == '-' || std::find(known.begin(), known.end(), argv_[1]) != known.end()) return;
  const auto meant = nearest(argv_[1], known);
  throw InputError("", 0, "", fmt::format("there is no command '{}'", shortened(argv_[1], 200)),
                   (meant ? "did you mean '" + *meant + "'? " : std::string()) + "talus --help lists the commands");
}

int CommandLine::run() {
  if (argc_ < 2) {
    std::fputs(app_.help().c_str(), stdout);
    return 0;
  }
  refuse_unknown();
  try {
    app_.parse(argc_, argv_);
  } catch (const CLI::ParseError& e) { return app_.exit(e) == 0 ? 0 : 2; }
  request_.voice = quiet_                  ? Voice::quiet
                   : json_                 ? Voice::json
                   : isatty(STDERR_FILENO) ? Voice::live
                                           : Voice::plain;
  for (const auto& [command, action] : actions_)
    if (*command) return action();
  return 0;
}

}  // namespace talus::app
