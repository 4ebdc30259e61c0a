#pragma once
// Non-linear Gauss-Seidel over the patches of a step: each patch in turn is solved exactly with all others as they are, and
// sweeps are joined by conjugate directions, until a residual is small enough. Patches are coloured so that those of one colour share no body that they could move: a colour
// may be done by any number of threads in any order and gives the same bits.
#include <vector>

#include <talus/impulse/patch.hpp>

namespace talus::impulse {

struct SolverOptions {
  Real tolerance = 1e-8;  // largest natural-map residual over the mean normal impulse
  i64 max_sweeps = 20000;
  bool conjugate = true;  // go on in the direction of earlier sweeps; false: plain Gauss-Seidel
};

struct SolverReport {
  i64 sweeps = 0;
  Real residual = 0;
  bool capped = false;  // the tolerance was not reached
};

// The patches of a step, colour by colour, each colour in the order in which the patches were given.
struct Colours {
  std::vector<u32> order;  // patch numbers
  std::vector<u32> start;  // first place in `order` of each colour, one more at the end
  std::size_t count() const { return start.empty() ? 0 : start.size() - 1; }
};

// Greedy, in the order given: keys in, the same colours out, whatever made the list. Bodies that cannot be moved bind nobody.
Colours colour(const std::vector<Patch>& patches, const std::vector<Motion>& bodies);

// How far impulses and velocities are from Signorini's and Coulomb's conditions: the natural map of each patch, the largest of
// all, over the mean normal impulse of those that push. It looks at velocities and impulses only and may be applied to
// the answers of any solver.
Real residual(const std::vector<Patch>& patches, const std::vector<Motion>& bodies);

// Adds the impulses that patches start with to the bodies, then improves both. Compliances are made here. One body of each
// patch at least must be movable.
SolverReport solve(std::vector<Patch>& patches, std::vector<Motion>& bodies, const SolverOptions& options);

// Displacements and turns of the bodies that take overlaps out and open no others: the gaps of all patches become zero or
// more, to first order, with the least motion of masses. Gaps are those at the end of the step, as velocities leave them. Velocities are not touched, so no momentum comes of it. Returned in
// the places of velocity and spin: m, rad.
SolverReport separate(const std::vector<Patch>& patches, const std::vector<Motion>& bodies,
                      const SolverOptions& options, std::vector<Motion>& displaced);

}  // namespace talus::impulse
