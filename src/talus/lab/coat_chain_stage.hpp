#pragma once
// Stage `coat-chain`: coated cubes in a row along x, the first held, the last pushed towards it.
#include <talus/lab/stage.hpp>

namespace talus::lab {

template <int D>
StageKind<D> coat_chain_stage();

}  // namespace talus::lab
