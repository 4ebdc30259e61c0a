#include <talus/app/progress_line.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
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

namespace {

// Columns on a terminal: bytes that go on with a character take none.
std::size_t columns_of(const std::string& text) {
  return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

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
  const double now = exec::now(), fresh = double(p.step - step_) / std::max(now - shown_, 1e-9);
  rate_ = rate_ > 0 ? 0.7 * rate_ + 0.3 * fresh : fresh;
  step_ = p.step;
  shown_ = now;
  share_ = std::max(share_, p.run_share());  // steps grow shorter and longer: what is left is an estimate, the bar does not go back
  const double left = p.steps_left > 0 && rate_ > 0 ? p.steps_left / rate_ : HUGE_VAL;
  if (voice_ == Voice::json) return tell_json(p, left);
  const std::vector<std::string> words = words_of(p, left);
  if (voice_ != Voice::live) {
    fmt::print(stderr, "{}\n", fmt::join(words, "  "));
    return;
  }
  winsize w{};
  const std::size_t width = ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 20 ? w.ws_col - 1u : 79u;
  std::string line = words[0];
  if (width >= 70) line += fmt::format(" [{:.<20}]", std::string(std::size_t(20 * share_), '#'));
  for (std::size_t k = 1; k < words.size() && columns_of(line + words[k]) + 2 <= width; ++k) line += "  " + words[k];
  fmt::print(stderr, "\r\x1b[2K{}", line);
  std::fflush(stderr);
  open_ = true;
}

// From what matters most: what does not fit into the line is left out as a whole.
std::vector<std::string> ProgressLine::words_of(const lab::Progress& p, double left) const {
  std::vector<std::string> out{fmt::format("{:3.0f} %", std::floor(100 * share_)), fmt::format("{} ({}/{})", p.stage, p.stage_index + 1, p.stages)};
  const std::string time = std::isfinite(left) ? duration(left) : "";
  const std::string more = p.open_ahead > 0 ? "+" : "";  // stages ahead whose end nobody knows
  if (p.goal)
    out.push_back(fmt::format("{} {:.2g} → {:.2g}{}", p.goal->word, p.goal->now, p.goal->target, time.empty() ? "" : ", then " + time + more));
  else
    out.push_back((time.empty() ? "time not known" : time + more + " left"));
  out.push_back(fmt::format("{:.0f} steps/s", rate_));
  out.push_back(p.target > 0 ? fmt::format("stress {:.4g}/{:.4g} kPa", p.stress / 1e3, p.target / 1e3) : fmt::format("stress {:.4g} kPa", p.stress / 1e3));
  for (const auto& s : p.shown) out.push_back(fmt::format("{} {:.1e}", s.word, s.value));
  return out;
}

void ProgressLine::tell_json(const lab::Progress& p, double left) const {
  nlohmann::json j{{"progress",
                    {{"stage", p.stage},
                     {"share", p.stage_share},
                     {"run_share", share_},
                     {"step", p.step},
                     {"time_s", p.time},
                     {"steps_per_s", rate_},
                     {"particle_steps_per_s", rate_ * double(p.grains)},
                     {"eta_s", std::isfinite(left) && !p.goal && p.open_ahead == 0 ? nlohmann::json(left) : nlohmann::json()},
                     {"stress_Pa", p.stress},
                     {"target_Pa", p.target}}}};
  if (p.goal) j["progress"]["goal"] = {{"word", p.goal->word}, {"now", p.goal->now}, {"target", p.goal->target}};
  for (const auto& s : p.shown) j["progress"][s.channel] = s.value;
  fmt::print("{}\n", j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  std::fflush(stdout);
}

void ProgressLine::says(const std::string& line) {
  if (voice_ == Voice::quiet || voice_ == Voice::json) return;
  finish();
  fmt::print(stderr, "talus: {}\n", line);
}

bool ProgressLine::wants_stop() { return caught_signal() != 0; }

void ProgressLine::finish() {
  if (open_) std::fputs("\r\x1b[2K", stderr);
  open_ = false;
}

}  // namespace talus::app
