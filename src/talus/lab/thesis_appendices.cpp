#include <talus/lab/thesis_appendices.hpp>

#include <algorithm>
#include <cmath>

namespace talus::lab {

Real SlidingBlock::cut(Real v, Real dt, Real size) const {
  const Real sign = v > 0 ? 1 : v < 0 ? -1 : 0;
  return v + dt / mass * (pull - sign * size);
}
Real SlidingBlock::plain(Real v, Real dt) const { return cut(v, dt, friction * normal); }
Real SlidingBlock::stopped(Real v, Real dt) const { return cut(v, dt, std::min(friction * normal, mass * std::abs(v) / dt)); }
Real SlidingBlock::faded(Real v, Real dt) const {
  const Real critical = dt / mass * friction * normal;
  return cut(v, dt, friction * normal * std::min(Real(1), std::abs(v) / (3 * critical)));
}
Real SlidingBlock::solved(Real v, Real dt) const {
  const Real free = v + dt / mass * pull, most = dt / mass * friction * normal;
  return free > most ? free - most : free < -most ? free + most : 0;
}

// Units in which mass, step and speed of impact are 1.
Real StiffStop::run(bool dashpot, Real& depth) const {
  const Real c = dashpot ? 2 * std::sqrt(ratio) : 0;
  Real u = 1 - place, v = 1;  // overlap at the end of the step in which the stop is met
  depth = u;
  for (int n = 0; n < 100000 && u > 0; ++n) {
    const Real force = v < 0 ? std::max(ratio * u + c * v, Real(0)) : ratio * u;
    v -= force;
    u += v;
    depth = std::max(depth, u);
  }
  return -v;
}
Real StiffStop::spring() const {
  Real depth;
  return run(false, depth);
}
Real StiffStop::damped() const {
  Real depth;
  return run(true, depth);
}
Real StiffStop::deepest() const {
  Real depth;
  return run(true, depth), depth;
}
Real StiffStop::solved() const {
  const Real b = ratio + 2 * std::sqrt(ratio);
  Real u = -place, v = 1;  // the step begins before the stop
  for (int n = 0; n < 100000; ++n) {
    const Real force = std::max((ratio * u + b * v) / (1 + b), Real(0));  // at the end: k (u + v') + c v', v' = v - force
    v -= force;
    u += v;
    if (!(u > 0) || (v <= 0 && v > -1e-12)) break;
  }
  return std::max(-v, Real(0));
}

}  // namespace talus::lab
