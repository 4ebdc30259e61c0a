#pragma once
// How well the last step of contact dynamics met Signorini's and Coulomb's conditions, from the State alone: velocities and
// masses of the bodies, and the patches. The solver has a residual of its own and is not asked.
#include <talus/state/state.hpp>

namespace talus::impulse {

// The largest distance of an impulse from what the conditions allow at the velocity it leads to, over the mean normal
// impulse of the patches that push (natural map). 0 when nothing touches, infinite when only velocities are wrong.
Real contact_residual(const State<2>& state);

}  // namespace talus::impulse
