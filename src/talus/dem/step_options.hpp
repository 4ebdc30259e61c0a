#pragma once
// What the explicit step asks of a scene beside the length of a step.
#include <talus/core/real.hpp>

namespace talus::dem {

struct StepOptions {
  Real local_damping = 0;  // share of the unbalanced force that opposes the motion, 0..1
};

}  // namespace talus::dem
