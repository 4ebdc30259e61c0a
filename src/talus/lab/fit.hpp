#pragma once
// Finds parameters within bounds so that a run matches what was measured. A run is costly and not smooth to the last digit:
// Gauss-Newton steps with differences over a fair share of the bounds, updated from trial to trial (Broyden), few runs.
#include <functional>
#include <string>
#include <vector>

#include <talus/core/real.hpp>

namespace talus::lab {

struct FitParameter {
  std::string name;
  Real low = 0, high = 1;
};

// Differences between run and measurement, each over its scale; as many at every call.
using Mismatch = std::function<std::vector<Real>(const std::vector<Real>& at)>;

struct FitTrial {
  std::vector<Real> at;
  Real mismatch = 0;  // root mean square
};
struct FitResult {
  std::vector<Real> best;
  Real mismatch = 0;
  std::vector<Real>
      sensitivity;  // change of the mismatches (root mean square) per unit of the parameter, at the best point
  std::vector<Real>
      uncertainty;  // change of the parameter that doubles the mismatch squared; infinite when nothing depends on it
  std::vector<bool> at_bound;
  bool settled = false;  // the last step was below the tolerance
  std::vector<FitTrial> trials;
};

// `tolerance`: of a step, as a share of the bounds.
FitResult fit(const std::vector<FitParameter>& parameters, const Mismatch& mismatch, int max_runs,
              Real tolerance = 2e-3);

// y at x on the straight pieces between points with rising x; the ends are kept beyond.
Real interpolate(const std::vector<Real>& x, const std::vector<Real>& y, Real at);

}  // namespace talus::lab
