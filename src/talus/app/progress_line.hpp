#pragma once
// How far a run is: one live line on a terminal, plain lines elsewhere, JSON objects on request.
#include <string>

#include <talus/lab/runner.hpp>

namespace talus::app {

enum class Voice { live, plain, json, quiet };

class ProgressLine {
 public:
  explicit ProgressLine(Voice voice);
  void start(i64 step);  // the run begins, or goes on, here
  bool due();            // asked often; true a few times a second on a terminal, every few seconds otherwise
  void show(const lab::Progress& p);
  void say(const std::string& line);  // a line that stays
  void finish();

 private:
  Voice voice_;
  double last_, shown_;     // s, when asked and when shown last
  double stage_start_ = 0;  // s
  double rate_ = 0;         // steps/s, a running mean
  i64 step_ = 0;
  std::size_t stage_ = ~std::size_t(0);
  bool open_ = false;  // a live line stands
};

std::string duration(double seconds);

}  // namespace talus::app
