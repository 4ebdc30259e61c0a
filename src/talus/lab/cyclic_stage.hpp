#pragma once
// Loading and unloading between two targets, of stress or of strain, for a number of cycles: of a periodic cell or by a platen. A
// cycle goes up to the high target and down to the low one; the first begins where the sample is.
#include <talus/lab/stage.hpp>

namespace talus::lab {

enum class CyclicMode : i64 { triaxial, uniaxial, simple, platen };

struct CyclicMemory {
  Real from = 0;    // m, place of the platen along its normal at the start
  Real height = 0;  // m, from there to the wall that faces it
  i64 halves = 0;   // half cycles that are done
  i64 mode = 0;     // a CyclicMode
  i64 platen = 0;   // wall, in mode platen
  auto words() { return std::tie(from, height, halves, mode, platen); }
};

template <int D>
StageKind<D> cyclic_stage();

// What a loop is drawn from, of a sample in such a stage. Compression is positive; in simple shear both are positive where the next
// axis moves along itself.
template <int D>
Real loop_stress(const Observation<D>& seen);
template <int D>
Real loop_strain(const Observation<D>& seen);

}  // namespace talus::lab
