#pragma once
// The solver of a game engine, for comparison: sequential impulses, a fixed number of times, and a share of each overlap taken
// out afterwards. Equations (5) to (13) of Pytlos, Gilbert & Smith 2015; what they leave open is as in Box2D 2.4: impulses
// add up over the sweeps, friction is bounded by the normal impulse of the sweep before, overlaps below a slop stay.
#include <talus/impulse/solver.hpp>

namespace talus::impulse {

struct FixedCount {
  i64 sweeps = 100;         // over velocities
  i64 position_sweeps = 3;  // over positions
  Real share = 0.2;         // of an overlap that a position sweep takes out (Baumgarte)
  Real slop = 0;            // m, overlap that stays
};

// Points that are apart take no part. The residual is that of the accurate solver.
SolverReport solve_fixed_count(std::vector<Patch>& patches, std::vector<Motion>& bodies, const FixedCount& options);

// Displacements and turns, as `separate` returns them.
std::vector<Motion> push_out(const std::vector<Patch>& patches, const std::vector<Motion>& bodies,
                             const std::vector<PatchVec>& gaps, const FixedCount& options);

}  // namespace talus::impulse
