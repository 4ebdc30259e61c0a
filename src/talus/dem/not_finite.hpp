#pragma once
// Who is to blame when a number is not one, or a step too long.
#include <algorithm>
#include <cmath>

#include <talus/state/state.hpp>

namespace talus::dem {

// The smallest uid of the bodies with a position, velocity, force, spin or torque that is not finite; ~0: none.
template <int D>
u32 first_not_finite(const Bodies<D>& b) {
  u32 uid = ~0u;
  for (std::size_t i = 0; i < b.size(); ++i)
    if (!std::isfinite(dot(b.position[i], b.position[i]) + dot(b.velocity[i], b.velocity[i]) +
                       dot(b.force[i], b.force[i]) + dot(b.spin[i], b.spin[i]) + dot(b.torque[i], b.torque[i])))
      uid = std::min(uid, b.uid[i]);
  return uid;
}

// The body that moves farthest in a step, over its radius; the smallest uid of equals. A wall by the smallest of all radii.
template <int D>
u32 farthest_mover(const State<D>& state) {
  const Bodies<D>& b = state.bodies;
  Real smallest = HUGE_VAL, most = -1;
  for (std::size_t i = 0; i < state.grains(); ++i) smallest = std::min(smallest, b.radius[i]);
  u32 uid = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const Real radius = i < state.grains() ? b.radius[i] : smallest;
    const Real share = dot(b.velocity[i], b.velocity[i]) / (radius * radius);
    if (share > most || (share == most && b.uid[i] < uid)) most = share, uid = b.uid[i];
  }
  return uid;
}

}  // namespace talus::dem
