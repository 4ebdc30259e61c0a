#pragma once
// How far a run is: one live line on a terminal, plain lines elsewhere, JSON objects on request.
#include <string>

#include <talus/simulation/listener.hpp>

namespace talus::app {

enum class Voice { live, plain, json, quiet };

// On standard error, each once, however many samples are made of a scene.
void print_note(const std::string& note);

class ProgressLine final : public simulation::Listener {
 public:
  explicit ProgressLine(Voice voice);
  void begins(i64 step) override;
  bool wants_progress() override;  // a few times a second on a terminal, every few seconds otherwise
  void progress(const lab::Progress& p) override;
  void says(const std::string& line) override;  // a line that stays
  void notes(const std::string& line) override { print_note(line); }
  bool wants_stop() override;  // a signal came
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
