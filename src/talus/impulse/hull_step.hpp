#pragma once
// One step of contact dynamics of hulls in space: Moreau's time stepping, as in the plane (step.hpp). The list of stages is in hull_step.cpp.
#include <talus/geometry/hull_manifold.hpp>
#include <talus/impulse/solver.hpp>
#include <talus/impulse/step.hpp>
#include <talus/state/contact_sample.hpp>
#include <talus/stages/pair_list.hpp>

namespace talus::impulse {

// May be dropped between any two steps.
struct HullScratch {
  BasicPairList<3> pairs;
  std::vector<Vec3> corners, normals;  // of all grains, where they lie at the start of the step
  std::vector<HullView> placed;        // of each grain
  std::vector<Real> reach;             // m, how far a body may come in the step
  std::vector<HullManifold> made;      // of each row of the list
  std::vector<u32> rows;               // that have points
  // Points of the step, in order of keys.
  std::vector<u32> start;           // first point of each of these rows; one more at the end
  std::vector<SpacePatch> patches;  // one for each point
  std::vector<u32> names;
  std::vector<PatchVec> gap;                   // m, at the end of the step as velocities leave it; x counts
  std::vector<SpaceMotion> motion, displaced;  // of the bodies, in their order
  SpaceSolver solver;
};

StepReport step(const Model<3>& model, const StepOptions& options, State<3>& state, HullScratch& scratch, i64 steps = 1);

// The deepest overlap of bodies as they are, and whether the search went well. Moves nothing.
StepReport look(const Model<3>& model, const StepOptions& options, State<3>& state, HullScratch& scratch);

}  // namespace talus::impulse
