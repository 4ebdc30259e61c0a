#pragma once
// One step of contact dynamics in the plane: Moreau's time stepping. Velocities jump, positions follow them; the list of
// stages is in step.cpp.
#include <talus/geometry/manifold.hpp>
#include <talus/impulse/solver.hpp>
#include <talus/state/contact_sample.hpp>
#include <talus/stages/pair_list.hpp>

namespace talus::impulse {

// May be dropped between any two steps.
struct Scratch {
  PairList pairs;
  // Of each row of that list.
  std::vector<Witnesses> witness;
  std::vector<Patch> made;  // of no points where the bodies are apart
  std::vector<Vec<2, u32>> made_feature;
  std::vector<u32> patch_of;         // its number among the patches of the last step, if it had one
  std::vector<Placement> placement;  // of the bodies
  // Of the last step, in order of keys.
  std::vector<Patch> patches;
  std::vector<RowKey> patch_key;
  std::vector<Vec<2, u32>> patch_feature;
  std::vector<PatchVec> gap;                 // m, at the end of the step as velocities leave it
  std::vector<Motion> motion, displaced;  // of the bodies, in their order
  std::vector<Real> reach;                // m, how far a body may come
  std::vector<u8> is_faster;              // than that
  // Impacts of the last round.
  std::vector<Patch> hits;
  std::vector<RowKey> hit_key;
  std::vector<Real> earliest;  // s, the first impact of each body
  bool had_impacts = false;  // this step: forces on bodies hold them already
  Solver solver;
};

struct StepReport {
  u32 status = fine;
  i64 sweeps = 0;     // of all steps
  i64 not_converged = 0;     // steps that did not converge
  i64 impacts = 0;    // patches that collided with restitution, in all rounds
  Real residual = 0;  // the largest
  Real overlap = 0;   // the largest over the radius of the smaller body
  Real law_residual = 0;  // of coats, and of contacts beside them: the largest difference from their laws over the mean impulse
  Real stiffest = 0;      // the largest h b K of a coat
};

StepReport step(const Model<2>& model, const StepOptions& options, State<2>& state, Scratch& scratch, i64 steps = 1);

// The deepest overlap over the smaller radius of bodies as they are, and whether the search went well. Moves nothing.
StepReport look(const Model<2>& model, const StepOptions& options, State<2>& state, Scratch& scratch);

// The deepest overlap of a patch over the radius of its smaller body.
Real relative_overlap(const State<2>& state, const Patch& patch);

// The body that a status bit complains about, for the message.
u32 culprit(const State<2>& state, u32 status);

// Patches that pushed in the last step, in order of keys: what the measures read.
ContactList<2> contacts(const State<2>& state);

}  // namespace talus::impulse
