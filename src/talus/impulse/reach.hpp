#pragma once
// How far bodies may come in a step. Patches are made for gaps that the step may close, so the reach is guessed before contacts are
// solved and looked at afterwards: contacts can make bodies faster than they would be without.
#include <talus/impulse/step.hpp>

namespace talus::impulse {

// Velocities that bodies would have without contacts.
void kick(const Model<2>& model, const State<2>& state, Scratch& scratch);

// Each body reaches as far as it would come without contacts, and a quarter more.
void foresee(const StepOptions& options, const State<2>& state, Scratch& scratch);

// The largest gap that two bodies may close, m; `farther`: one of them may come so far.
Real widest_gap(const Scratch& scratch, Real farther);

// The farthest that a body came that came farther than foreseen, m.
Real farther_than_foreseen(const StepOptions& options, const State<2>& state, Scratch& scratch);

// Does one of them meet another that it has no patch with? Then they all reach twice as far from now on.
bool reach_farther(const Model<2>& model, const StepOptions& options, const State<2>& state,
                   Scratch& scratch);

// New lists. The first forgets what was known of the rows of the old ones; the second keeps the reach of each body. A status.
u32 search_anew(const Model<2>& model, State<2>& state, Scratch& scratch, Real reach);
u32 search_and_keep_reach(const Model<2>& model, State<2>& state, Scratch& scratch, Real widest);

// Lists that hold all pairs that may come within reach in this step. A status.
u32 widen_lists(const Model<2>& model, State<2>& state, Scratch& scratch, Real widest);

}  // namespace talus::impulse
