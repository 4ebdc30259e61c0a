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
  Real rebound_error = 0;  // of a rebound from dashpots, share of the restitution; 0: there are none
  bool changes_elastic = false;  // the step will change although nothing damps the sample
};

// What a stage of the protocol asks of the method; 0: as the scene says.
// A path along which a piece of matter is deformed on its own, without neighbours.
enum class Path : u32 { none, triaxial, shear };
struct MaterialPath {
  Path kind = Path::none;
  Real confining = 0;  // Pa, pressure at the start; triaxial: of the sides throughout
  Real strain = 0;     // at the end: axial shortening, or engineering shear
  i64 steps = 0;
};

struct StageSettings {
  Real time_step = 0;  // s
  Real tolerance = 0;  // of the contact solver
  bool from_rest = false;  // grains of contact dynamics start each step from rest
  bool solid_coats = false;  // their coats are as hard as they are
  MaterialPath path;
};

}  // namespace talus
