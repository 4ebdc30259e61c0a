// talus sweep: every combination of some values, each with several seeds; and talus resume of its folder.
#include <algorithm>
#include <memory>

#include <unistd.h>

#include <fmt/format.h>

#include <talus/app/commands.hpp>
#include <talus/app/signals.hpp>
#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/report/told_verdict.hpp>
#include <talus/simulation/child_run.hpp>
#include <talus/simulation/sweep.hpp>

namespace talus::app {

namespace fs = std::filesystem;
using namespace simulation;

namespace {

struct Job {
  const SweepRun* run;
  std::unique_ptr<ChildRun> process;
};

// Runs of a sweep, a few at a time. A run that ends badly is named; the others go on.
class Driver {
 public:
  Driver(const Sweep& sweep, std::vector<SweepRun> runs, const RunRequest& request, int jobs)
      : sweep_(sweep), runs_(std::move(runs)), request_(request), jobs_(jobs), start_(exec::now()) {}

  int run() {
    for (;;) {
      while (caught_signal() == 0 && int(active_.size()) < jobs_ && next_ < runs_.size()) begin(runs_[next_++]);
      if (active_.empty()) break;
      if (caught_signal() != 0)
        for (Job& job : active_) job.process->stop();
      ::usleep(50000);  // a signal cuts it short
      for (std::size_t k = active_.size(); k-- > 0;)
        if (const auto code = active_[k].process->ended()) end(k, *code);
      show();
    }
    if (live_) fmt::print(stderr, "\r\x1b[2K");
    return caught_signal() != 0 ? 128 + caught_signal() : failed_ > 0 ? 3 : 0;
  }
  std::size_t done() const { return done_; }

 private:
  void begin(const SweepRun& run) {
    const std::string status = run.status();
    if (status == "done") {
      ++done_, ++found_;
      return;
    }
    if (status.starts_with("failed")) return named(run, status);
    fs::create_directories(run.folder.parent_path());
    std::vector<std::string> words = run.arguments(sweep_);
    words.insert(words.end(), {"--quiet", "--threads", std::to_string(request_.threads)});
    if (!request_.device.empty()) words.insert(words.end(), {"--device", request_.device});
    active_.push_back({&run, std::make_unique<ChildRun>(words, fs::path(run.folder.string() + ".log"))});
  }

  void end(std::size_t k, int code) {
    const SweepRun& run = *active_[k].run;
    const std::string words = active_[k].process->last_words();
    active_.erase(active_.begin() + std::ptrdiff_t(k));
    if (code == 0) {
      ++done_;
      fs::remove(run.folder.string() + ".log");
      if (request_.voice == Voice::plain) fmt::print(stderr, "[{}/{}] {} done, {} left\n", done_ + failed_, runs_.size(), run.label(), left());
    } else if (caught_signal() == 0) {
      named(run, fmt::format("exit {}: {}", code, words));
    }
  }

  void named(const SweepRun& run, const std::string& why) {
    ++failed_;
    fmt::print(stderr, "{}talus: {} failed: {}\n", live_ ? "\r\x1b[2K" : "", run.label(), why);
  }

  std::string left() const {
    const std::size_t made = done_ - found_;
    const double each = made > 0 ? (exec::now() - start_) / double(made) : 0;
    return made > 0 ? "about " + duration(each * double(runs_.size() - done_ - failed_)) : "time not known";
  }

  void show() {
    if (request_.voice != Voice::live || exec::now() - shown_ < 0.5) return;
    shown_ = exec::now();
    fmt::print(stderr, "\r\x1b[2K[{}/{}] {} running, {} left", done_ + failed_, runs_.size(), active_.size(), left());
    std::fflush(stderr);
    live_ = true;
  }

  const Sweep& sweep_;
  std::vector<SweepRun> runs_;
  const RunRequest& request_;
  int jobs_;
  double start_, shown_ = 0;
  std::vector<Job> active_;
  std::size_t next_ = 0, done_ = 0, found_ = 0, failed_ = 0;  // found: done before
  bool live_ = false;
};

int drive(const Sweep& sweep, const fs::path& folder, RunRequest request, int jobs) {
  catch_signals();
  if (request.threads == 0) request.threads = std::max(1, exec::threads() / jobs);
  const auto runs = runs_of(sweep, folder);
  if (request.voice != Voice::quiet) fmt::print(stderr, "talus: {} runs, {} at a time -> {}\n", runs.size(), jobs, folder.string());
  Driver driver(sweep, runs, request, jobs);
  const int code = driver.run();
  if (driver.done() > 0 || caught_signal() == 0) write_sweep(sweep, folder);
  if (caught_signal() != 0) fmt::print(stderr, "talus: stopped by a signal; continue with: talus resume {}\n", folder.string());
  if (request.voice == Voice::quiet || driver.done() == 0) return code;
  fmt::print("{} of {} runs done\ntable: {}\nreport: {}\n", driver.done(), runs.size(), (folder / "sweep.csv").string(), (folder / "report.html").string());
  std::vector<fs::path> folders;
  for (const SweepRun& run : runs)
    if (run.status() == "done") folders.push_back(run.folder);
  fmt::print("{}", report::told(report::lights_of_folders(folders)));
  return code;
}

}  // namespace

int sweep_scene(const SweepRequest& request) {
  const Sweep sweep = make_sweep(request.run.scene, request.run.settings, request.vary, request.seeds);
  return drive(sweep, sweep_folder(sweep, request.run.out), request.run, request.jobs);
}

int resume_sweep(const fs::path& folder, const RunRequest& request, int jobs) { return drive(read_sweep(folder), folder, request, jobs); }

}  // namespace talus::app
