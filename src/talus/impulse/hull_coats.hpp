#pragma once
// The coats of a step: rows for the solver, and what they remember after it.
#include <talus/impulse/hull_step.hpp>

namespace talus::impulse {

// Coats and points solved together; `law` is that of the step.
CoatedReport solve_with_coats(const CoatStep& law, const StepOptions& options, const State<3>& state, HullScratch& s);

// The memory of all coats after the step, with the velocities that were found. Returns the largest difference of an impulse from the law at these
// velocities, over the mean impulse.
Real advance_coats(const CoatStep& law, const StepOptions& options, const State<3>& state, HullScratch& s);

}  // namespace talus::impulse
