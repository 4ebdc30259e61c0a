#pragma once
// A thin sleeve around a plane sample between two platens, as parallel rays see it: docs/design/019-membrane.md.
#include <talus/core/real.hpp>

namespace talus {

struct Membrane {
  Real stress = 0;        // Pa, inward; 0: it is not there in this stage
  Real spacing = 0;       // m, between rays, to be rounded so that they fill the height; 0: the scene has no membrane
  u32 base = 0, cap = 0;  // the walls that it spans between
};

}  // namespace talus
