#include <talus/geometry/mass_properties.hpp>

#include <cmath>
#include <utility>

namespace talus {

namespace {

// Inertia of a unit mass in one point, about the origin.
Mat3 of_point(const Vec3& x) { return dot(x, x) * Mat3::identity() - outer(x, x); }

Mat3 transposed(const Mat3& m) {
  Mat3 t;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) t(i, j) = m(j, i);
  return t;
}

// Turns in the plane of axes p and q until a(p, q) is zero. v collects the turnings.
void rotate_away(Mat3& a, Mat3& v, int p, int q) {
  if (a(p, q) == 0) return;
  const Real theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
  const Real t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const Real c = 1 / std::sqrt(t * t + 1), s = t * c;
  Mat3 turn = Mat3::identity();
  turn(p, p) = turn(q, q) = c;
  turn(p, q) = s;
  turn(q, p) = -s;
  a = transposed(turn) * a * turn;
  a(p, q) = a(q, p) = 0;
  v = v * turn;
}

}  // namespace

MassProperties box(const Vec3& edges, Real density) {
  const Real mass = density * edges.x * edges.y * edges.z;
  MassProperties p{mass, {}, {}};
  for (int i = 0; i < 3; ++i) {
    const Real b = edges[(i + 1) % 3], c = edges[(i + 2) % 3];
    p.inertia(i, i) = mass * (b * b + c * c) / 12;
  }
  return p;
}

MassProperties together(const MassProperties& a, const MassProperties& b) {
  const Real mass = a.mass + b.mass;
  const Vec3 centre = (1 / mass) * (a.mass * a.centre + b.mass * b.centre);
  return {mass, centre,
          a.inertia + b.inertia + a.mass * of_point(a.centre - centre) + b.mass * of_point(b.centre - centre)};
}

MassProperties placed(const MassProperties& body, const Quat& turning, const Vec3& way) {
  const Mat3 m = turning.matrix();
  return {body.mass, turning.turned(body.centre) + way, m * body.inertia * transposed(m)};
}

PrincipalInertia principal_inertia(const Mat3& inertia) {
  Mat3 a = Real(0.5) * (inertia + transposed(inertia)), v = Mat3::identity();
  const Real size = std::sqrt(contract(a, a));
  const auto rest = [&] { return std::abs(a(0, 1)) + std::abs(a(0, 2)) + std::abs(a(1, 2)); };
  for (int sweep = 0; sweep < 30 && rest() > 1e-300 + 1e-17 * size; ++sweep) {  // quadratic: five or six are enough
    rotate_away(a, v, 0, 1);
    rotate_away(a, v, 0, 2);
    rotate_away(a, v, 1, 2);
  }
  int order[3] = {0, 1, 2};
  for (const auto& [i, j] : {std::pair{0, 1}, std::pair{1, 2}, std::pair{0, 1}})
    if (a(order[j], order[j]) < a(order[i], order[i])) std::swap(order[i], order[j]);
  PrincipalInertia out;
  Mat3 axes;
  for (int k = 0; k < 3; ++k) {
    out.moments[k] = a(order[k], order[k]);
    for (int i = 0; i < 3; ++i) axes(i, k) = v(i, order[k]);
  }
  if (determinant(axes) < 0)
    for (int i = 0; i < 3; ++i)
      axes(i, 2) = -axes(i, 2);  // an axis and its opposite are one; a turning is right-handed
  out.axes = Quat::from_matrix(axes);
  return out;
}

}  // namespace talus
