#pragma once
// The stage "collide": impacts of the bodies that arrive at one another in this step, before forces act. Velocities jump by Newton's
// law of restitution, u+ = -e u-, whatever the gap that is left when the step begins; the rest of the step knows no restitution.
#include <talus/impulse/step.hpp>

namespace talus::impulse {

// Round after round, until nobody arrives any more: a row of balls hands an impact on from one to the next. In a round every body has
// its first impact, or several that come at one moment; all of them come together, so no round adds energy. What gravity and other forces from outside do to two bodies in one step
// is no impact: nothing rebounds from its weight. False: the impacts were not all solved; such a step counts as not converged.
bool collide(const Model<2>& model, const StepOptions& options, State<2>& state, Scratch& scratch, StepReport& report);

}  // namespace talus::impulse
