#pragma once
// Samples laid in layers, one on top of the other: under gravity, or each pressed by a platen to a porosity (multi-layer undercompaction, Jiang,
// Konrad and Leroueil 2003).
#include <talus/lab/stage.hpp>

namespace talus::lab {

template <int D>
std::unique_ptr<Stage<D>> read_layers(Input& in);

}  // namespace talus::lab
