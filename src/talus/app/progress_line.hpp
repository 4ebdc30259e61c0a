#pragma once
// How far the whole run is, by the stages that know their steps: one live line on a terminal, plain lines elsewhere, JSON objects on request.
#include <string>
#include <vector>

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
  std::vector<std::string> words_of(const lab::Progress& p, double left) const;
  void tell_json(const lab::Progress& p, double left) const;

  Voice voice_;
  double last_, shown_;     // s, when asked and when shown last
  double rate_ = 0;         // steps/s, a running mean
  double share_ = 0;        // of the run; never falls
  i64 step_ = 0;
  bool open_ = false;  // a live line stands
};

std::string duration(double seconds);

}  // namespace talus::app
