#pragma once
// How far a run is: one live line on a terminal, plain lines elsewhere, JSON objects on request.
#include <string>

#include <talus/lab/runner.hpp>

namespace talus::app {

enum class Voice { live, plain, json, quiet };

class ProgressLine {
 public:
  explicit ProgressLine(Voice voice, double expected_steps);
  bool due();  // asked often; true a few times a second on a terminal, every few seconds otherwise
  void show(const lab::Progress& p);
  void say(const std::string& line);  // a line that stays
  void finish();

 private:
  Voice voice_;
  double start_, last_, stage_start_ = 0;
  double expected_steps_;
  i64 first_step_ = -1;
  std::size_t stage_ = ~std::size_t(0);
  bool open_ = false;  // a live line stands
};

std::string duration(double seconds);

}  // namespace talus::app
