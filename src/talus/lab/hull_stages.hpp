#pragma once
// Stages that look at hulls and make no steps: `sieve`, what size, volume and surface a form has; `coat-pair`, where the coats of two cubes meet.
#include <talus/lab/stage.hpp>

namespace talus::lab {

template <int D>
std::vector<StageKind<D>> hull_stages();

}  // namespace talus::lab
