#pragma once
#include <talus/lab/stage.hpp>

namespace talus::lab {

// A stage that lets a sample move for a time, whatever it is made of.
template <int D>
StageKind<D> run_stage();

}  // namespace talus::lab
