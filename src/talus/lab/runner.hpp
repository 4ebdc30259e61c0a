#pragma once
// Runs a protocol: steps, ramps, stop rules, probes, hash chain. Opens no files and prints nothing: hooks do.
#include <functional>
#include <string>
#include <vector>

#include <talus/lab/channels.hpp>
#include <talus/lab/progress.hpp>

namespace talus::lab {

inline constexpr i64 control_every = 100;  // steps between looks at time step, ramps and stop rules

template <int D>
struct Hooks {
  std::function<void(const Row&)> row;
  std::function<void(i64 step, u64 hash)> hash;
  std::function<void(const State<D>&)> checkpoint;
  std::function<void(const Observation<D>&)> picture;
  std::function<void(const Observation<D>&)> stage_end;
  std::function<void(const Observation<D>&)> stopped;  // at `until`, in the middle of a stage
  std::function<bool()> wants_progress;  // asked every control_every steps; the clock lives there
  std::function<void(const Progress&)> progress;
  std::function<bool()> stop;  // a signal came
};

enum class Outcome { done, until, interrupted, failed };
struct Result {
  Outcome outcome = Outcome::done;
  std::string message;  // for failures: which check, which particle
};

template <int D>
class Runner {
 public:
  Runner(Experiment<D>& experiment, Hooks<D> hooks, bool on_device = false)
      : channels(channels_of(experiment)), x_(experiment), hooks_(std::move(hooks)), method_(*x_.method) {
    if (on_device) method_.use_device();
  }

  // From the present state to the end of the protocol, or to a simulated time. `resumed`: the state comes from a
  // checkpoint, stages are planned but not begun.
  Result run(bool resumed, Real until = 1e300);

  // Of a run whose last stage is done: has the method failed all the same?
  Result verdict() const;

  const Channels<D> channels;  // what it measures
  Figures figures;       // of the stages that are done, and of the one in which the run was stopped at `until`
  SinceRow since_row;

 private:
  void begin(std::size_t index);
  void book_lost(const ContactList<D>& before, const std::vector<u32>& gone);
  void plan(std::size_t index);
  void ramp(std::size_t index);
  Result choose_dt();
  i64 steps_to_next_look(const Stage<D>& stage, i64 probe, Real until) const;
  void write_row(const Observation<D>& seen);
  Result fail(u32 status);

  Experiment<D>& x_;
  Hooks<D> hooks_;
  Model<D> model_;  // with the plan of the running stage
  Method<D>& method_;
  Real overlap_ = 0;  // largest since the last look
};

// Takes all velocities away and books their energy.
template <int D>
void stop_motion(State<D>& state);

}  // namespace talus::lab
