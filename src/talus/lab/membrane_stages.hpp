#pragma once
#include <talus/lab/stage.hpp>

namespace talus::lab {

// What a press stage starts from.
struct PressMemory {
  Real from = 0;    // m, place of the platen along its normal
  Real height = 0;  // m, to the wall that faces it
  Real area = 0;    // m^2, inside the membrane
  auto words() { return std::tie(from, height, area); }
};

// Stages of samples inside a membrane, for the list of all.
template <int D>
std::unique_ptr<Stage<D>> read_trim(Input& in);
template <int D>
std::unique_ptr<Stage<D>> read_confine(Input& in);

}  // namespace talus::lab
