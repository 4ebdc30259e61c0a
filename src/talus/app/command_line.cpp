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
  add_sweep();
  add_compare();
  add_verify();
  add_contact();
  add_sample();
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
  auto* resume = app_.add_subcommand("resume", "continue a run or a sweep that was stopped");
  resume->add_option("folder", folder_, "folder of the run")->required();
  add_run_options(*resume);
  auto* check = app_.add_subcommand("check", "check a scene without running it: time step, stages, memory, disk, estimated time");
  check->add_option("scene", request_.scene, "scene file or name")->required();
  check->add_option("--set", request_.settings, "name=value")->allow_extra_args(false);
  check->add_option("--threads", request_.threads, "threads to plan with")->check(CLI::Range(1, 1024));
  check->add_flag("--full", request_.full, "below the audit the scene with every default spelled out: itself a scene");
  check->add_flag("--keys", request_.keys, "every key that the scene may state, with what it accepts, its default and its meaning");
  actions_ = {{run, [this] { return run_scene(request_); }},
              {resume, [this] { return resume_run(folder_, request_); }},
              {check, [this] { return check_scene(request_); }}};
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
