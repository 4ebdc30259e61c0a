#pragma once
// Non-linear Gauss-Seidel over the patches of a step: each patch in turn is solved exactly with all others as they are, and
// sweeps are given momentum, until a residual is small enough. In the plane and in space.
#include <vector>

#include <talus/impulse/options.hpp>
#include <talus/impulse/packed_sweeps.hpp>
#include <talus/impulse/space_sweeps.hpp>
#include <talus/state/model.hpp>

namespace talus::impulse {

struct SolverOptions {
  Real tolerance = 1e-8;  // largest natural-map residual over the mean normal impulse
  i64 max_sweeps = 20000;
  Acceleration acceleration = Acceleration::momentum;
  bool damps = false;  // sweeps that run in circles go a smaller and smaller part of their way: for elastic contacts
};

struct SolverReport {
  i64 sweeps = 0;
  Real residual = 0;
  bool not_converged = false;  // the tolerance was not reached within max_sweeps
};

// How far impulses and velocities are from Signorini's and Coulomb's conditions: the natural map of each patch, the largest of
// all, over the mean normal impulse of those that push. It looks at velocities and impulses only and may be applied to
// the answers of any solver.
template <class Patch, class Motion>
Real residual(const std::vector<Patch>& patches, const std::vector<Motion>& bodies);

// Solves the patches of a step, then takes their overlaps out. Keeps its memory from step to step; nothing else of one step
// reaches the next. `Work`: how patches lie, and what a sweep does to them.
template <class Patch, class Motion, class Work>
class BasicSolver {
 public:
  // Adds the impulses that patches start with to the bodies, then improves both. Compliances are made here. One body of each
  // patch at least must be movable.
  SolverReport solve(std::vector<Patch>& patches, std::vector<Motion>& bodies, const SolverOptions& options);

  // Displacements and turns of the bodies that take overlaps out and open no others: the gaps of all patches, which are those
  // of the last `solve`, become zero or more, to first order, with the least motion of masses. Velocities are not
  // touched, so no momentum comes of it. Returned in the places of velocity and spin: m, rad.
  void separate(const std::vector<Patch>& patches, const std::vector<Motion>& bodies, const std::vector<PatchVec>& gaps,
                const SolverOptions& options, std::vector<Motion>& displaced);
  // The patches of this step were solved by other means: `separate` lays them out anew.
  void forget() { arranged_ = false; }

 private:
  void prepare(std::vector<Patch>& patches, std::vector<Motion>& bodies);

  Work work_;
  bool arranged_ = false;  // `work_` holds the patches of the last `solve`
  std::vector<Motion> free_;
};

using Solver = BasicSolver<Patch, Motion, PackedSweeps>;
using SpaceSolver = BasicSolver<SpacePatch, SpaceMotion, SpaceSweeps>;

// The same once, with memory of its own.
SolverReport solve(std::vector<Patch>& patches, std::vector<Motion>& bodies, const SolverOptions& options);

}  // namespace talus::impulse
