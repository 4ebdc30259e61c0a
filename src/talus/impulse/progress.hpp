#pragma once
// What a sweep did, the residual it saw, and how far the next one extrapolates: the same in the plane and in space.
#include <cmath>

#include <talus/core/real.hpp>

namespace talus::impulse {

// A natural map over the mean normal impulse. Zero of nothing is zero; what is not finite is infinite.
inline Real relative_residual(Real worst, Real normal, i64 pushing) {
  if (worst == 0) return 0;
  return pushing == 0 || !(normal > 0) || !std::isfinite(worst) ? HUGE_VAL : worst / (normal / Real(pushing));
}

// What the residual is made of: the largest natural map, and the normal impulses that it is compared with.
struct Residual {
  Real worst = 0, normal = 0;  // N s
  u32 pushing = 0;
  void join(const Residual& other) {
    worst = max(worst, other.worst);
    normal += other.normal;
    pushing += other.pushing;
  }
  Real relative() const { return relative_residual(worst, normal, pushing); }
};

// How a sweep extrapolates.
struct Extrapolation {
  Real share = 0;  // of what the last sweep changed, that impulses go on by before
  Real part = 1;   // of the way from there to the exact solution of each patch
};

// What a sweep did.
struct Progress {
  Real change = 0;  // (N s)^2, square of what it changed
  Real along = 0;   // (N s)^2, product with the way that impulses have gone: negative when it turned back
  Residual seen;    // with what it changed for the natural map: nearly that, and known without another look
  void join(const Progress& other) {
    change += other.change;
    along += other.along;
    seen.join(other.seen);
  }
};

}  // namespace talus::impulse
