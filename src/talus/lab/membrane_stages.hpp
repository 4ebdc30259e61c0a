#pragma once
#include <talus/lab/stage.hpp>

namespace talus::lab {

// Where a press stage keeps what it starts from, in the stage's memory.
enum : int { press_from, press_height, press_area };  // m along the normal; m; m^2 inside the membrane

// Stages of samples inside a membrane, for the list of all.
template <int D>
std::unique_ptr<Stage<D>> read_trim(Input& in);
template <int D>
std::unique_ptr<Stage<D>> read_confine(Input& in);

}  // namespace talus::lab
