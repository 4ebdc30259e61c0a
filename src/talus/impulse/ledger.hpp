#pragma once
// The stage "ledger": what a step leaves behind before bodies move: impulses to start from, forces on bodies, the stress,
// entries of the energy ledger.
#include <talus/impulse/step.hpp>

namespace talus::impulse {

// Impacts of a round: forces on bodies, stress and ledger; impulses of impacts are nothing to start from.
void store_impacts(State<2>& state, Scratch& scratch);

void store_results(const Model<2>& model, State<2>& state, const Scratch& scratch);

// From the centre of a to where the force of a patch acts: the moment arms tell.
Vec2 arm_of(const Vec2& normal, const PatchVec& lever, const PatchVec& impulse);

// The deepest overlap of a patch, m.
Real deepest(const Patch& patch);

}  // namespace talus::impulse
