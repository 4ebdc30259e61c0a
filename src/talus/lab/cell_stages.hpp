#pragma once
#include <talus/lab/stage.hpp>

namespace talus::lab {

// Stages that drive the sample as a whole, for the list of all.
template <int D>
std::vector<StageKind<D>> cell_stages();

}  // namespace talus::lab
