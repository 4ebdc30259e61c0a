#pragma once
// A stage of a protocol: what drives the sample, until when. Stages are the words of the virtual laboratory; scenes are
// lists of them. A stage puts its plan into the Model (again after a resume) and its memory into State.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <talus/core/figure.hpp>
#include <talus/core/input.hpp>
#include <talus/lab/observation.hpp>

namespace talus::lab {

// Friction of one material against itself during a stage.
struct FrictionChange {
  u32 material = 0;
  Real from = 0, to = 0;
};

template <int D>
class Stage {
 public:
  virtual ~Stage() = default;
  virtual std::string_view kind() const = 0;

  // Once, when the stage starts: ramps and memory in State.
  virtual void begin(const Model<D>&, State<D>&) {}
  // When the stage starts and after a resume: drives in the Model. Must depend on State's stage memory only.
  virtual void plan(Model<D>& model, const State<D>& state) const = 0;
  // Every `control_every` steps: ramps that depend on the time step.
  virtual void tend(const Model<D>&, State<D>&) const {}
  // Does that touch bodies too, not the globals alone?
  virtual bool tends_bodies(const State<D>&) const { return false; }
  // Stages of several parts, one after the other: is this part over? Asked every `control_every` steps. Then a row is written
  // with `mark` set in the stage's memory, `next_part` moves on, and the plan is put in again.
  virtual bool part_done(const Observation<D>&) const { return false; }
  virtual void mark(State<D>&) const {}
  virtual void next_part(State<D>&) const {}
  // Every `control_every` steps: may go on to its next part. True when it did, and the plan is to be made again.
  virtual bool go_on(const Observation<D>&, State<D>&) const { return false; }
  // Is it finished? Asked every `control_every` steps.
  virtual bool done(const Observation<D>& seen) const = 0;
  // Once, when it is done: leave State as the next stage expects it.
  virtual void end(State<D>&) const {}
  // 0..1, for the progress line only.
  virtual double progress(const Observation<D>& seen) const = 0;
  // For stages that follow single events: called after each step when asked for.
  virtual bool watches_each_step() const { return false; }
  virtual void watch(const Observation<D>&, State<D>&) const {}
  // Figures that only this stage can tell.
  virtual void figures(const Observation<D>&, Figures&) const {}
  // Share of the total work, in expected steps at this time step; 0 when unknown.
  virtual double expected_steps(const Model<D>&, const State<D>&) const { return 0; }
  // A step at which it must be looked at although it is no multiple of `control_every`; 0: none.
  virtual i64 exact_steps() const { return 0; }
  virtual bool is_shear() const { return false; }
  virtual std::string_view platen() const { return ""; }  // a wall that the stage itself drives
  virtual bool is_static() const { return false; }
  virtual bool changes_bodies() const { return false; }  // does `begin` move bodies or take some away?

  std::string name;
  int axis = D - 1;                                         // direction that q and the axial strain refer to
  Real friction_scale = 1;                                  // multiplies friction while the stage runs
  StageSettings settings;                                   // what it asks of the method
  i64 max_steps = 0;                                        // 0: no limit
  i64 probe_every = 0;                                      // steps between rows of the series; 0: the scene's
  std::vector<std::pair<std::size_t, WallDrive<D>>> walls;  // drives that differ from the scene's while it runs
  bool membrane = false;                                    // does the scene's membrane act?
  // What changes linearly over `ramp_time` from the start of the stage, in steps of `control_every`; at once when that is
  // zero. The runner keeps in the stage's memory: real[4..6] gravity at the start, real[7] the share done.
  Real ramp_time = 0;
  std::optional<Vec<D>> gravity;  // m/s^2, at the end; holds for later stages too
  std::optional<FrictionChange> friction;
  bool is_ramped() const { return gravity || friction; }
};

// One kind of stage: its word, its meaning, and how it is read.
template <int D>
struct StageKind {
  std::string_view word, about;
  std::unique_ptr<Stage<D>> (*read)(Input& in);
};
template <int D>
const std::vector<StageKind<D>>& stage_kinds();

// Reads `kind` and what every stage has, then the stage's own keys.
template <int D>
std::unique_ptr<Stage<D>> read_stage(Input& in);

}  // namespace talus::lab
