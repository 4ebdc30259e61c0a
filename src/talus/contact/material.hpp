#pragma once
// What a body is made of, and how two materials make one pair.
#include <string>

#include <talus/core/input.hpp>
#include <talus/core/real.hpp>

namespace talus {

struct Material {
  std::string name;
  Real density = 0;           // kg/m^3
  Real young = 0;             // Pa
  Real poisson = 0;           // 1
  Real friction = 0;          // 1, against itself
  Real restitution = 1;       // 1, against itself
  Real rolling_friction = 0;  // 1, against itself
  bool rigid = false;         // true: adds no compliance to a contact (a rigid wall)

  Real shear_modulus() const { return young / (2 * (1 + poisson)); }
  // Compliances that add up over the two sides of a contact, 1/Pa.
  Real plane_compliance() const { return rigid ? 0 : (1 - poisson * poisson) / young; }
  Real shear_compliance() const { return rigid ? 0 : 2 * (2 - poisson) * (1 + poisson) / young; }

  // `elastic`: its moduli are needed; else they may be left out.
  static Material read(Input& in, std::string name, bool elastic);
};

// Coefficients of a pair, stated for it or made by the mixing rule.
struct PairCoefficients {
  Real friction = 0, restitution = 1, rolling_friction = 0;
};

// The rule fills what [pair.A.B] does not state: "geometric" sqrt(a b), "mean" (a + b)/2, "least" min(a, b).
PairCoefficients mix_coefficients(const Material& a, const Material& b, const std::string& rule);

}  // namespace talus
