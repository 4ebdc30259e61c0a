#pragma once
// Quat: how a body is turned in space. The unit quaternion w + x i + y j + z k turns by the angle 2 acos(w) about (x, y, z);
// q and -q are one turning. Products, sums and roots only, but for the angle of from_axis: bits never depend on a library.
#include <talus/core/vec.hpp>

namespace talus {

struct Quat {
  Real w = 1, x = 0, y = 0, z = 0;

  // About a unit vector, counter-clockwise as seen from its tip.
  static Quat from_axis(const Vec3& axis, Real angle) {
    const Real s = std::sin(angle / 2);
    return {std::cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
  }
  // The turning that takes the axes to the columns of an orthogonal matrix with determinant 1.
  TALUS_HD static Quat from_matrix(const Mat3& m);

  TALUS_HD Vec3 vector() const { return {x, y, z}; }
  TALUS_HD Quat conjugate() const { return {w, -x, -y, -z}; }  // of a unit quaternion: the turning back
  TALUS_HD Real norm_square() const { return w * w + x * x + y * y + z * z; }
  TALUS_HD Quat normalised() const {
    const Real s = 1 / std::sqrt(norm_square());
    return {s * w, s * x, s * y, s * z};
  }
  // From the body's frame into space.
  TALUS_HD Vec3 turned(const Vec3& v) const {
    const Vec3 u = vector(), t = Real(2) * cross(u, v);
    return v + w * t + cross(u, t);
  }
  TALUS_HD Vec3 turned_back(const Vec3& v) const { return conjugate().turned(v); }
  // Columns: where the axes of the body point to.
  TALUS_HD Mat3 matrix() const {
    return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
  }
};

// First b, then a.
TALUS_HD Quat operator*(const Quat& a, const Quat& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

// The turning by spin x dt. tan(angle/2)/angle in rational form (a Cayley step with the next term of the series): no
// sine, a unit quaternion by construction, and an error of the angle of order angle^5.
TALUS_HD Quat turn_of_step(const Vec3& spin, Real dt) {
  const Vec3 half = (Real(0.5) * dt) * spin;
  const Real square = dot(half, half), s = 1 + square * (Real(1) / 3);  // tan(a) = a (1 + a^2/3 + ...)
  return Quat{1, s * half.x, s * half.y, s * half.z}.normalised();
}

// A body that spins, in space's frame (rad/s), for a time step. Its length stays 1.
TALUS_HD Quat advance(const Quat& q, const Vec3& spin, Real dt) { return (turn_of_step(spin, dt) * q).normalised(); }

TALUS_HD Quat Quat::from_matrix(const Mat3& m) {
  // From the largest of the four, so that nothing is divided by a small number.
  const Real d[4] = {trace(m), m(0, 0), m(1, 1), m(2, 2)};
  int best = 0;
  for (int k = 1; k < 4; ++k)
    if (d[k] > d[best]) best = k;
  Quat q;
  if (best == 0) {
    q = {1 + d[0], m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)};
  } else {
    const int i = best - 1, j = (i + 1) % 3, k = (i + 2) % 3;
    Vec3 v;
    v[i] = 1 + m(i, i) - m(j, j) - m(k, k);
    v[j] = m(i, j) + m(j, i);
    v[k] = m(i, k) + m(k, i);
    q = {m(k, j) - m(j, k), v.x, v.y, v.z};
  }
  return q.normalised();
}

}  // namespace talus
