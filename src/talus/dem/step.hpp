#pragma once
// One step of the explicit method (soft contacts, velocity Verlet): the list of stages in advance.ipp.
#include <talus/dem/scratch.hpp>
#include <talus/dem/step_options.hpp>
#include <talus/state/contact_sample.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>
#include <talus/state/status.hpp>

namespace talus::dem {

struct StepReport {
  u32 status = fine;
  bool rebuilt = false;
  Real overlap = 0;      // largest overlap over the smaller radius
  Real contraction = 0;  // of a multi-contact model: largest factor by which errors of forces change from pass to pass
};

// Moves the state on by steps of state.globals.dt; stops early when something is wrong. Many at a time cost less: between
// them bodies need not be put back into the columns of the state, and forces are kept in the last one only. After a step that
// failed velocities may be half a kick ahead and forces old: only `culprit` may look.
template <int D>
StepReport step(const Model<D>& model, const StepOptions& options, State<D>& state, Scratch<D>& scratch, i64 steps = 1);

// Makes Scratch valid and the forces consistent with the positions without moving anything: before the first step, and
// after a stage changed bodies.
template <int D>
StepReport prepare(const Model<D>& model, const StepOptions& options, State<D>& state, Scratch<D>& scratch);

// Finds pairs anew and carries the history of contacts over. Called by step when bodies have moved too far.
template <int D>
u32 rebuild(const Model<D>& model, State<D>& state, Scratch<D>& scratch);

// Largest stable step, s, from the contacts of this moment, and the row that limits it (uids); infinity without contacts.
struct TimeStepLimit {
  Real dt;  // by the springs
  u32 uid_a, uid_b;
  Real damped = dt;  // by springs and dashpots
};
template <int D>
TimeStepLimit critical_dt(const Model<D>& model, const State<D>& state, const Scratch<D>& scratch);

// The touching contacts with the forces of the last step, in key order: what the measures read.
template <int D>
std::vector<ContactSample<D>> contacts(const Model<D>& model, const State<D>& state, const Scratch<D>& scratch);

// The body that a status bit complains about, for the message.
template <int D>
u32 culprit(const Model<D>& model, const State<D>& state, const Scratch<D>& scratch, u32 status);

}  // namespace talus::dem
