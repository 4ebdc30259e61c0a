#pragma once
// The step that a fresh sample starts with, and what limits it.
#include <string>

#include <talus/core/real.hpp>

namespace talus {

struct FirstStep {
  Real dt = 0;             // s
  bool automatic = false;  // it will follow the contacts
  Real share = 0;          // of the stable limit; 0: stable at any step
  std::string reason;      // what sets the limit, or why there is none
};

// What a stage of the protocol asks of the method; 0: as the scene says.
struct StageSettings {
  Real time_step = 0;  // s
  Real tolerance = 0;  // of the contact solver
};

}  // namespace talus
