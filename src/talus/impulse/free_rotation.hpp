#pragma once
// A rigid body that turns without moments: Euler's top. The free rotation is split into turns about the main axes of the body, forth and back
// (Dullweber, Leimkuhler & McLachlan 1997): each turn is exact, so the angular momentum is kept to rounding, and the energy has an error of second
// order in the step that does not grow. No sine is needed: turns are rational (core/quat.hpp).
#include <talus/core/quat.hpp>

namespace talus::impulse {

struct Rotation {
  Quat orientation;  // main axes of the body into space
  Vec3 spin{};       // rad/s, in space
};

// Where it is after a time step. `inverse_moments`: about the main axes; zeros: it does not turn by itself, it keeps its spin.
TALUS_HD Rotation rotate_freely(const Rotation& start, const Vec3& inverse_moments, Real dt) {
  const bool turns = inverse_moments.x > 0 && inverse_moments.y > 0 && inverse_moments.z > 0;
  if (!turns) return {advance(start.orientation, start.spin, dt), start.spin};
  Quat q = start.orientation;
  Vec3 momentum = q.turned_back(start.spin);  // in the body's frame
  for (int k = 0; k < 3; ++k) momentum[k] /= inverse_moments[k];
  constexpr int order[5] = {0, 1, 2, 1, 0};
  for (int n = 0; n < 5; ++n) {
    const int k = order[n];
    Vec3 spin;
    spin[k] = inverse_moments[k] * momentum[k];
    const Quat turn = turn_of_step(spin, n == 2 ? dt : dt / 2);
    q = q * turn;
    momentum = turn.turned_back(momentum);
  }
  q = q.normalised();
  for (int k = 0; k < 3; ++k) momentum[k] *= inverse_moments[k];
  return {q, q.turned(momentum)};
}

// A body that is turned out of an overlap, which is no motion: its angular momentum stays. `turn`: rad, in space.
TALUS_HD Rotation turned_aside(const Rotation& start, const Vec3& inverse_moments, const Vec3& turn) {
  const Quat q = advance(start.orientation, turn, 1);
  if (!(inverse_moments.x > 0 && inverse_moments.y > 0 && inverse_moments.z > 0)) return {q, start.spin};
  Vec3 momentum = start.orientation.turned_back(start.spin);
  for (int k = 0; k < 3; ++k) momentum[k] /= inverse_moments[k];
  Vec3 spin = q.turned_back(start.orientation.turned(momentum));
  for (int k = 0; k < 3; ++k) spin[k] *= inverse_moments[k];
  return {q, q.turned(spin)};
}

// 1/(kg m^2) about the axes of space.
TALUS_HD Mat3 inverse_inertia_in_space(const Quat& orientation, const Vec3& inverse_moments) {
  const Mat3 r = orientation.matrix();
  Mat3 out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      Real sum = 0;
      for (int k = 0; k < 3; ++k) sum += r(i, k) * inverse_moments[k] * r(j, k);
      out(i, j) = sum;
    }
  return out;
}

}  // namespace talus::impulse
