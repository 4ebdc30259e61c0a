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
#include <talus/lab/stage_memory.hpp>

namespace talus::lab {

// Friction of one material against itself during a stage.
struct FrictionChange {
  u32 material = 0;
  Real from = 0, to = 0;
};

// What a stage waits for whose end nobody knows: "unbalanced", 0.03 now, 0.01 at the end.
struct Goal {
  std::string word;
  Real now = 0, target = 0;
};

// Why a stage cannot run; no reason: it can.
struct StageFlaw {
  std::string reason, hint;
  std::string key = "kind";  // of the stage
};

// What is known of a stage when it has been read.
struct StageTraits {
  bool has_steps = true;        // false: it is begun, looked at and ended
  bool needs_contacts = true;   // it looks at contacts of grains
  bool needs_matter = false;    // it deforms a continuum
  bool shears = false;          // peak and plateau are read off it
  bool changes_bodies = false;  // `begin`, or the next part, moves bodies or takes some away
  bool tends_each_step = false;
  bool row_per_part = false;  // a row is written at the end of each part, instead of the one that is due
  bool may_ramp = true;       // may gravity and friction be on their way?
  i64 exact_steps = 0;        // it is also looked at after so many steps; 0: at multiples of `control_every` only
  i64 rest_every = 0;         // steps between stops of all motion; 0: never
  bool frees_walls = false;   // its plan has a wall that is a body with a mass
  std::string platen;         // the wall that it drives; empty: none
  std::size_t velocities = 0;  // it starts so many grains with a velocity of their own; 0: as many as there are
};

template <int D>
class Stage {
 public:
  virtual ~Stage() = default;

  // Once, when the stage starts: what it changes in State, and its memory.
  virtual void begin(const Model<D>&, State<D>&) {}
  // When it starts, after a resume, and for each part: drives in the Model. Depends on the stage's memory only.
  virtual void plan(Model<D>& model, const State<D>&) const { model.cell = {}; }
  // Why it cannot run with these walls and grains, or with all of its own keys together. Asked when the scene is read.
  virtual StageFlaw flaw(const Model<D>&, const State<D>&) const { return {}; }
  // When it starts and every `control_every` steps, or after each step: what it changes in globals, and its memory.
  virtual void tend(const Observation<D>&, State<D>&) const {}
  // Stages of several parts, one after the other: is this one over? Asked every `control_every` steps.
  virtual bool part_done(const Observation<D>&) const { return false; }
  virtual bool next_part(const Model<D>&, State<D>&) const { return false; }  // were bodies moved?
  // Is it finished? Asked every `control_every` steps, or after each.
  virtual bool done(const Observation<D>& seen) const = 0;
  // Once, when it is done: leave State as the next stage expects it.
  virtual void end(State<D>&) const {}
  // Figures that only this stage can tell.
  virtual void figures(const Observation<D>&, Figures&) const {}
  // 0..1, for the progress line only.
  virtual double progress(const Observation<D>& seen) const = 0;
  // Of a stage whose end is not known beforehand; its progress is no share of its time then.
  virtual std::optional<Goal> goal(const Observation<D>&) const { return std::nullopt; }
  // Steps at this time step; 0 when unknown.
  virtual double expected_steps(const Model<D>&, const State<D>&) const { return 0; }

  StageTraits traits;
  std::string kind;  // its word
  std::string name;
  int axis = D - 1;                                         // direction that q and the axial strain refer to
  Real friction_scale = 1;                                  // multiplies friction while the stage runs
  StageSettings settings;                                   // what it asks of the method
  i64 max_steps = 0;                                        // 0: no limit
  i64 probe_every = 0;                                      // steps between rows of the series; 0: the scene's
  std::vector<std::pair<std::size_t, WallDrive<D>>> walls;  // drives that differ from the scene's while it runs
  bool membrane = false;                                    // does the scene's membrane act?
  // What changes linearly over `ramp_time` from the start of the stage, in steps of `control_every`; at once when that is
  // zero.
  Real ramp_time = 0;
  std::optional<Vec<D>> gravity;  // m/s^2, at the end; holds for later stages too
  std::optional<FrictionChange> friction;
  bool is_ramped() const { return gravity || friction; }
  // Uids of the walls that it takes away when it begins.
  std::vector<u32> walls_gone(const Model<D>& model) const {
    std::vector<u32> gone;
    for (const auto& [wall, drive] : walls)
      if (drive.control == WallControl::away) gone.push_back(model.walls[wall].uid);
    return gone;
  }
};

// A stage that remembers: `Memory` as in stage_memory.hpp.
template <int D, class Memory>
class RememberingStage : public Stage<D> {
 public:
  RememberingStage() { this->traits.may_ramp = leaves_room_for_ramp<Memory>; }

 protected:
  static Memory memory(const State<D>& state) { return recall<Memory>(state); }
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
