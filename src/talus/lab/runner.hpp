#pragma once
// Runs a protocol: steps, ramps, stop rules, probes, hash chain. Opens no files and prints nothing: hooks do.
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <talus/lab/channels.hpp>
#include <talus/lab/progress.hpp>

namespace talus::lab {

inline constexpr i64 control_every = 100;  // steps between looks at time step, ramps and stop rules

template <int D>
struct Hooks {
  using Look = std::function<void(const Observation<D>&)>;
  std::function<void(const Row&)> row;
  std::function<void(i64 step, u64 hash)> hash;
  std::function<void(const State<D>&)> checkpoint;
  Look stage_begin;  // before its first step, and before the checkpoint that is written there
  Look picture;
  Look frame;  // of the film
  Look stage_end;
  Look stopped;  // at `until`, in the middle of a stage
  Look halted;   // there, or by a signal, after the checkpoint
  std::function<bool()> wants_progress;                // asked every control_every steps; the clock lives there
  std::function<void(const Progress&)> progress;
  std::function<bool()> stop;     // a signal came; asked after steps
  std::function<double()> clock;  // s; steps that last long are made in shorter turns between two questions
};

enum class Outcome { done, until, interrupted, failed };
struct Result {
  Outcome outcome = Outcome::done;
  std::string message;  // for failures: which check, which particle
};

// Where to pause: whichever comes first. Time is looked at after steps: at least one is made.
struct Limit {
  i64 step = std::numeric_limits<i64>::max();
  Real time = 1e300;  // s, simulated
};

template <int D>
class Runner {
 public:
  Runner(Experiment<D>& experiment, Hooks<D> hooks, bool on_device = false);

  // Before the first step. `resumed`: the state comes from a checkpoint, stages are planned but not begun.
  Result start(bool resumed);
  // On to the end of the protocol or to a limit; `until` then, and it may be called again.
  Result advance(const Limit& limit);
  // A run is left at a limit: writes a checkpoint. The figures, with those of the stage that is not done.
  Figures leave();
  // All of these.
  Result run(bool resumed, Real until = 1e300);

  // Of a run whose last stage is done: has the method failed all the same?
  Result verdict() const;
  Observation<D> look();

  const Channels<D> channels;  // what it measures
  Figures figures;             // of the stages that are done
  SinceRow since_row;
  i64 pictures = 0, frames = 0;  // of the running stage, those that its progress has asked for

 private:
  Stage<D>& stage() const;  // the one that runs
  Result start_anew();
  Result run_stage(const Limit& limit);
  u32 make_steps(const Limit& limit);
  i64 steps_to_next_look(const Limit& limit) const;
  i64 steps_in_one_turn(i64 steps) const;
  i64 probe_every() const;
  Result control(const Observation<D>& seen, bool part_ends);
  bool is_finished(const Observation<D>& seen, bool already) const;
  void next_part(Observation<D> seen);
  bool change_part(const Observation<D>& seen);
  void end_stage();
  Result next_stage();
  void begin_stage(std::size_t index);
  bool change_bodies();
  void enter_lost(const ContactList<D>& before, const std::vector<u32>& gone);
  void plan();
  void ramp();
  void rest();
  Result choose_dt();
  void write_row(const Observation<D>& seen);
  void extend_hash_chain();
  void show(const typename Hooks<D>::Look& hook, const Observation<D>& seen);
  void checkpoint();
  Result fail(u32 status);
  Result too_long();
  Result none_left() const;

  Experiment<D>& x_;
  Hooks<D> hooks_;
  Model<D> model_;  // with the plan of the running stage
  Method<D>& method_;
  Diagnostics diagnostics_;
  Real overlap_ = 0;      // largest since the last look
  double step_time_ = 0;  // s of wall time, of the last steps; 0: not known yet
};

// Takes all velocities away and enters their energy in the ledger.
template <int D>
void stop_motion(State<D>& state);

}  // namespace talus::lab
