#include <talus/measure/partial_volume.hpp>

#include <algorithm>
#include <cmath>

#include <talus/geometry/shape.hpp>

namespace talus::measure {
namespace {

// Area of a disc of radius r about the origin where X < x.
Real left_of(Real x, Real r) {
  if (x <= -r) return 0;
  if (x >= r) return pi * r * r;
  return r * r * (pi / 2 + std::asin(x / r)) + x * std::sqrt(r * r - x * x);
}

// And where also Y < y.
Real corner_area(Real x, Real y, Real r) {
  if (x <= -r || y <= -r) return 0;
  if (x >= r) return left_of(y, r);
  if (y >= r) return left_of(x, r);
  const Real quarter = pi * r * r / 4;
  if (x * x + y * y >= r * r) {  // the corner lies outside the disc: its two lines do not meet in it
    if (x <= 0 && y <= 0) return 0;
    if (x <= 0) return left_of(x, r);
    if (y <= 0) return left_of(y, r);
    return left_of(x, r) + left_of(y, r) - 4 * quarter;
  }
  // Halves of the strips beyond the axes, a quarter of the disc, the rectangle between.
  return quarter + (left_of(x, r) - 2 * quarter) / 2 + (left_of(y, r) - 2 * quarter) / 2 + x * y;
}

Real area_inside(Real left, Real right, Real low, Real high, Real r) {
  return corner_area(right, high, r) - corner_area(left, high, r) - corner_area(right, low, r) + corner_area(left, low, r);
}

// Volume of a ball about the origin where Z < z.
Real below(Real z, Real r) {
  const Real h = std::clamp(z + r, Real(0), 2 * r);
  return pi * h * h * (3 * r - h) / 3;
}

}  // namespace

Real volume_inside(const Box<2>& box, const Vec2& c, Real r) {
  return area_inside(box.low.x - c.x, box.high.x - c.x, box.low.y - c.y, box.high.y - c.y, r);
}

Real volume_inside(const Box<3>& box, const Vec3& c, Real r) {
  int cut = -1, faces = 0;
  for (int k = 0; k < 3; ++k) {
    if (box.low[k] >= c[k] + r || box.high[k] <= c[k] - r) return 0;
    for (const Real face : {box.low[k], box.high[k]})
      if (std::abs(face - c[k]) < r) cut = k, ++faces;
  }
  if (faces == 0) return ball_volume<3>(r);
  if (faces == 1) return below(box.high[cut] - c[cut], r) - below(box.low[cut] - c[cut], r);
  // Slices along z by Gauss's rule in the angle: z = r sin t, where their areas are smooth at the poles.
  const Real from = std::asin(std::clamp((box.low.z - c.z) / r, Real(-1), Real(1)));
  const Real to = std::asin(std::clamp((box.high.z - c.z) / r, Real(-1), Real(1)));
  constexpr Real node[] = {0.0950125098376374, 0.2816035507792589, 0.4580167776572274, 0.6178762444026438,
                           0.7554044083550030, 0.8656312023878318, 0.9445750230732326, 0.9894009349916499};
  constexpr Real weight[] = {0.1894506104550685, 0.1826034150449236, 0.1691565193950025, 0.1495959888165767,
                             0.1246289712555339, 0.0951585116824928, 0.0622535239386479, 0.0271524594117541};
  Real sum = 0;
  for (int n = 0; n < 8; ++n)
    for (const Real side : {-1.0, 1.0}) {
      const Real t = (from + to) / 2 + side * node[n] * (to - from) / 2, slice = r * std::cos(t);
      sum += weight[n] * slice * area_inside(box.low.x - c.x, box.high.x - c.x, box.low.y - c.y, box.high.y - c.y, slice);
    }
  return sum * (to - from) / 2;
}

}  // namespace talus::measure
