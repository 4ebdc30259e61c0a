#pragma once
// Two coated grains in one dimension, solved as an implicit solver solves a patch: pressed by a constant force from rest, stopped by
// one another when the overlap of their coats is all of the mortar, drawn apart at a constant speed. docs/laws/burgers.md
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include <talus/contact/three_phase.hpp>

namespace talus::lab {

struct CoatTest {
  std::string variant;      // original, expanded, reduced, damper, spring-damper
  MortarConstants constants{};
  Real tension_limit = std::numeric_limits<Real>::infinity();  // Pa
  Real mass = 0;            // kg, reduced
  Real area = 0;            // m^2
  Real thickness = 0;       // m, of both coats
  Real force = 0;           // N
  Real speed = 0;           // m/s, of closing when drawn apart; negative
  Real t2 = 0, t3 = 0;      // s, drawn apart from, until
  Real dt = 0;              // s
  Real errors_from = 0;     // s

  // Burgers' model without inertia.
  ThreePhase closed_form() const { return ThreePhase({constants, area / thickness, force, thickness, speed, t2, t3}); }
  i64 steps() const { return i64(std::floor(t3 / dt + 1e-6)); }
};

struct CoatState {
  Real overlap = 0, closing = 0;       // m, m/s
  Real element[2] = {};                // N, memory of the law
  Real force = 0;                      // N, of the coats at the end of the last step
  Real touched = -1;                   // s, when the overlap first was all of the mortar; negative: not yet
  Real overlap_error = 0, force_error = 0;  // m, N, largest difference from the closed form after `errors_from`
  i64 steps = 0;
  auto words() { return std::tie(overlap, closing, element[0], element[1], force, touched, overlap_error, force_error, steps); }
};

// The models of coats that a test can be made with.
std::vector<std::string> coat_variants();

// Makes steps until so many are made. Coefficients are made once.
std::function<void(CoatState&, i64 steps)> coat_driver(const CoatTest& test);

}  // namespace talus::lab
