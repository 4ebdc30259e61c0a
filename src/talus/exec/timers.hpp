#pragma once
// Stage timers. The labels are the words of the step's stage list; `--profile` prints them. Time is read here only and
// decides nothing.
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <talus/core/real.hpp>

namespace talus::exec {

struct StageTime {
  std::string_view label;
  double seconds = 0;
  u64 calls = 0;
};

class Timers {
 public:
  bool enabled = false;
  void add(std::string_view label, double seconds) {
    for (auto& s : stages_)
      if (s.label == label) {
        s.seconds += seconds;
        ++s.calls;
        return;
      }
    stages_.push_back({label, seconds, 1});
  }
  const std::vector<StageTime>& stages() const { return stages_; }
  void clear() { stages_.clear(); }

 private:
  std::vector<StageTime> stages_;  // in order of first use
};

Timers& timers();

double peak_memory_mb();  // MB, that this process has held at most

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Date and time of day, ISO 8601, UTC: for the record of a run.
std::string date_text();
// Processor time of all threads of this process, s: for benchmarks on shared machines.
double cpu_time();

// Times from here to the end of the block under a label.
class Stage {
 public:
  explicit Stage(std::string_view label) : label_(label), start_(timers().enabled ? now() : 0) {}
  ~Stage() {
    if (timers().enabled) timers().add(label_, now() - start_);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

 private:
  std::string_view label_;
  double start_;
};

}  // namespace talus::exec
