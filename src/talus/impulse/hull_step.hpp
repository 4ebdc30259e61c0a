#pragma once
// One step of contact dynamics of hulls in space: Moreau's time stepping, as in the plane (step.hpp). The list of stages is in hull_step.cpp.
#include <talus/geometry/hull_manifold.hpp>
#include <talus/impulse/coat_model.hpp>
#include <talus/impulse/compliant_solver.hpp>
#include <talus/impulse/solver.hpp>
#include <talus/impulse/step.hpp>
#include <talus/state/contact_sample.hpp>
#include <talus/stages/pair_list.hpp>

namespace talus::impulse {

// The coats of a pair, where they meet.
struct CoatContact {
  PatchTouch<3> touch;
  Vec3 at{};                  // m, middle of their common section
  RelaxationMemory memory{};  // at the beginning of the step, then at its end
};

// What the solver says of a step; with coats also the largest h b K.
struct CoatedReport : SolverReport {
  Real stiffest = 0;
};

// May be dropped between any two steps.
struct HullScratch {
  BasicPairList<3> pairs;
  std::vector<Vec3> corners, normals;  // of all grains, where they lie at the start of the step
  std::vector<HullView> placed;        // of each grain
  std::vector<Real> reach;             // m, how far a body may come in the step
  std::vector<HullManifold> made;      // of each row of the list
  std::vector<u32> rows;               // that have points or coats that meet
  // Points of the step, in order of keys.
  std::vector<u32> start;           // first point of each of these rows; one more at the end
  std::vector<SpacePatch> patches;  // one for each point
  std::vector<u32> names;
  std::vector<CoatContact> coat_contacts;  // of each of these rows; an area of zero: their coats do not meet
  std::vector<u32> coat_row;               // which of these rows have coats that meet
  std::vector<SpaceCoat> coats;            // of those
  std::vector<PatchVec> gap;                   // m, at the end of the step as velocities leave it; x counts
  std::vector<SpaceMotion> motion, displaced;  // of the bodies, in their order
  SpaceSolver solver;
  CompliantSolver coat_solver;
  std::vector<Twist> guess;  // of velocities at the end of the step: those at its start, then those of the solution before
};

// How a body moves when the step begins.
inline SpaceMotion at_start(const StepOptions& options, const State<3>& state, std::size_t i) {
  if (options.from_rest && i < state.grains()) return {};
  return {state.bodies.velocity[i], state.bodies.spin[i], 0, {}};
}

StepReport step(const Model<3>& model, const StepOptions& options, State<3>& state, HullScratch& scratch, i64 steps = 1);

// The deepest overlap of bodies as they are, and whether the search went well. Moves nothing.
StepReport look(const Model<3>& model, const StepOptions& options, State<3>& state, HullScratch& scratch);

}  // namespace talus::impulse
