#include <talus/app/progress_line.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <talus/app/signals.hpp>
#include <talus/exec/timers.hpp>

namespace talus::app {

std::string duration(double s) {
  if (!(s < 360000)) return "--:--";
  const int t = int(s + 0.5);
  if (t >= 3600) return fmt::format("{}:{:02}:{:02}", t / 3600, t / 60 % 60, t % 60);
  return fmt::format("{}:{:02}", t / 60, t % 60);
}

void print_note(const std::string& note) {
  static std::set<std::string> printed;
  if (printed.insert(note).second) fmt::print(stderr, "{}\n", note);
}

ProgressLine::ProgressLine(Voice voice) : voice_(voice), last_(exec::now()), shown_(last_) {}

void ProgressLine::begins(i64 step) {
  step_ = step;
  shown_ = exec::now();
}

bool ProgressLine::wants_progress() {
  if (voice_ == Voice::quiet) return false;
  const double now = exec::now();
  if (now - last_ < (voice_ == Voice::live ? 0.2 : 5.0)) return false;
  last_ = now;
  return true;
}

void ProgressLine::progress(const lab::Progress& p) {
  const double now = exec::now();
  if (p.stage_index != stage_) {  // it began somewhere after the last line
    finish();
    stage_ = p.stage_index;
    stage_start_ = shown_;
  }
  const double fresh = double(p.step - step_) / (now - shown_);
  const double rate = rate_ > 0 ? 0.7 * rate_ + 0.3 * fresh : fresh;
  rate_ = rate;
  step_ = p.step;
  shown_ = now;
  const double eta = p.stage_share > 0.002 ? (now - stage_start_) * (1 - p.stage_share) / p.stage_share : HUGE_VAL;
  if (voice_ == Voice::json) {
    nlohmann::json j{{"progress",
                      {{"stage", p.stage},
                       {"share", p.stage_share},
                       {"step", p.step},
                       {"time_s", p.time},
                       {"steps_per_s", rate},
                       {"particle_steps_per_s", rate * double(p.grains)},
                       {"eta_s", std::isfinite(eta) ? nlohmann::json(eta) : nlohmann::json()},
                       {"stress_Pa", p.stress},
                       {"target_Pa", p.target},
                       {"energy_residual_rel", 0.0}}}};  // without a ledger
    for (const auto& s : p.shown) j["progress"][s.channel] = s.value;
    fmt::print("{}\n", j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    std::fflush(stdout);
    return;
  }
  const std::string stress = p.target > 0 ? fmt::format("{:.4g}/{:.4g} kPa", p.stress / 1e3, p.target / 1e3)
                                          : fmt::format("{:.4g} kPa", p.stress / 1e3);
  std::string line = fmt::format(
      "[{}/{}] {} {:5.1f} %  t {:.4g} s  {:.0f} steps/s  {:.2f} M grain-steps/s  ETA {}  stress {}", p.stage_index + 1,
      p.stages, p.stage, 100 * p.stage_share, p.time, rate, rate * double(p.grains) / 1e6, duration(eta), stress);
  for (const auto& s : p.shown) line += fmt::format("  {} {:.1e}", s.word, s.value);
  if (voice_ == Voice::live) {
    winsize w{};
    const std::size_t width = ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 20 ? w.ws_col - 1 : 160;
    if (line.size() > width) line.resize(width);
    fmt::print(stderr, "\r\x1b[2K{}", line);
    open_ = true;
  } else {
    fmt::print(stderr, "{}\n", line);
  }
  std::fflush(stderr);
}

void ProgressLine::says(const std::string& line) {
  if (voice_ == Voice::quiet || voice_ == Voice::json) return;
  finish();
  fmt::print(stderr, "talus: {}\n", line);
}

bool ProgressLine::wants_stop() { return caught_signal() != 0; }

void ProgressLine::finish() {
  if (open_) std::fputc('\n', stderr);
  open_ = false;
}

}  // namespace talus::app
