#pragma once
#include <talus/lab/stage.hpp>

namespace talus::lab {

// A platen that goes through levels of compression and back, again and again, and waits for rest at each of them.
template <int D>
StageKind<D> cycle_stage();

struct CycleMemory {
  Real start = 0;   // m, place of the platen at the start, along its normal
  Real stands = 0;  // s, when it stands still
  i64 done = 0;     // levels
  i64 unused[2]{};  // keep the places of published hash chains
  i64 length = 0;   // levels of a cycle, down and up
  auto words() { return std::tie(start, stands, done, unused[0], unused[1], length); }
};

}  // namespace talus::lab
