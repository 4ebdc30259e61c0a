#pragma once
// The four constants of Burgers' model from a creep test: overlap over time under a constant force.
#include <vector>

#include <talus/contact/mortar.hpp>

namespace talus::lab {

struct CreepFit {
  MortarConstants constants{};  // Pa, Pa s
  MortarConstants error{};      // standard errors, from the scatter of the test about the curve
  Real scatter = 0;             // m, root mean square of what is left
};

// `scale`: area over thickness, m. Empty message: found. Else why the test does not tell the constants.
struct CreepResult {
  CreepFit fit;
  std::string flaw;
};
CreepResult fit_creep(const std::vector<Real>& time, const std::vector<Real>& overlap, Real force, Real scale);

}  // namespace talus::lab
