#pragma once
// Who is to blame when a number is not one.
#include <algorithm>
#include <cmath>

#include <talus/state/bodies.hpp>

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

}  // namespace talus::dem
