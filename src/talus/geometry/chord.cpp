#include <talus/geometry/chord.hpp>

#include <cmath>

namespace talus {

// The outline is made of edges, moved out by the rounding, and of arcs around the corners; edges and full circles around
// corners lie inside the grain and cover its outline, so the least and the largest x over all of them are exact.
Chord chord_at(const PolygonView& grain, const Placement& at, Real y) {
  Chord s{HUGE_VAL, -HUGE_VAL};
  const auto take = [&](Real x) {
    s.low = min(s.low, x);
    s.high = max(s.high, x);
  };
  const std::size_t n = grain.corners.size, edges = grain.normals.size;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 p = at.position + at.turned(grain.corners[i]);
    const Real above = y - p.y, square = grain.rounding * grain.rounding - above * above;
    if (grain.rounding > 0 && square >= 0) {
      take(p.x - std::sqrt(square));
      take(p.x + std::sqrt(square));
    }
    if (i >= edges) continue;
    const Vec2 out = grain.rounding * at.turned(grain.normals[i]);
    const Vec2 from = p + out, to = at.position + at.turned(grain.corners[(i + 1) % n]) + out;
    if (y < min(from.y, to.y) || y > max(from.y, to.y)) continue;
    if (from.y == to.y) {
      take(from.x);
      take(to.x);
    } else {
      take(from.x + (y - from.y) / (to.y - from.y) * (to.x - from.x));
    }
  }
  return s;
}

Real reach_along(const PolygonView& grain, const Placement& at, const Vec2& direction) {
  Real most = -HUGE_VAL;
  for (const Vec2& corner : grain.corners) most = max(most, dot(at.position + at.turned(corner), direction));
  return most + grain.rounding;
}

}  // namespace talus
