#pragma once
// What a step of hulls leaves in the state: impulses, forces and moments of bodies, stress, energy; and what others ask of it.
#include <talus/impulse/hull_step.hpp>

namespace talus::impulse {

void store_results(const Model<3>& model, const StepOptions& options, State<3>& state, const HullScratch& s);

// Pairs that pushed in the last step, in order of keys: what the measures read.
ContactList<3> contacts(const State<3>& state);

// The body that a status bit complains about, for the message.
u32 culprit(const State<3>& state, u32 status);

}  // namespace talus::impulse
