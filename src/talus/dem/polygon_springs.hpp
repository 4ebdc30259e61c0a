#pragma once
// The springs of two bodies: one between each corner of a core polygon and the core polygon of the other, one between each corner and a
// wall. Their energy has a continuous gradient, whatever slides or rolls over what (docs/design/017).
#include <talus/dem/polygons.hpp>

namespace talus::dem::polygons {

struct Spring {
  Vec2 normal;   // unit, from b to a
  Vec2 at;       // m from the centre of a, in the middle of the overlap; on the surface of a wall
  Real overlap;  // m, negative when apart
  Real weight;   // of the stiffness
};

// The two corners of an edge share the stiffness of a contact. A disc has both in one place.
inline Real corner_weight(const Outlined& body) { return body.is_disc() ? 1 : 0.5; }

// Calls f for all springs whose overlap may be more than -slack. `between`: from b's image to a. Corners are looked for
// along `axis`, any unit vector: one that parts the core polygons finds few. Scale: of radii. Never inlined, with f
// inside: left to GCC, the choice follows what else is in a file and costs up to 9 % of a step.
template <class F>
[[gnu::noinline]] void for_each_spring(const Outlined& a, const Outlined& b, const Vec2& between, const Vec2& axis, Real scale,
                     Real slack, F&& f) {
  const Vec2 in_a = scale * a.turned_back(axis), in_b = scale * b.turned_back(axis);
  const auto &of_a = a.core.edges, &of_b = b.core.edges;
  Real along_a[max_corners], along_b[max_corners], low = HUGE_VAL, high = -HUGE_VAL;
  for (std::size_t j = 0; j < of_a.size; ++j) low = min(low, along_a[j] = dot(in_a, of_a[j].corner));
  for (std::size_t j = 0; j < of_b.size; ++j) high = max(high, along_b[j] = dot(in_b, of_b[j].corner));
  // No corner is nearer to a core polygon than the axis tells. The last bits of that sum must not hide one that touches.
  const Real depth = a.depth + b.depth;
  const Real reach = depth + slack + Real(1e-9) * (a.radius + b.radius) - dot(axis, between);
  if (low - high > reach) return;
  const Real shrink = 1 / scale;
  const bool discs = a.is_disc() && b.is_disc();
  for (std::size_t j = 0; j < of_b.size; ++j) {
    if (low - along_b[j] > reach) continue;
    const Vec2 corner = scale * b.turned(of_b[j].corner) - between;  // from the centre of a
    const Nearest near = nearest(of_a, shrink * a.turned_back(corner));
    const Vec2 normal = -a.turned(near.normal);
    const Real overlap = depth - scale * near.distance;
    f(Spring{normal, corner + (b.depth - overlap / 2) * normal, overlap, corner_weight(b)});
  }
  if (discs) return;  // that was all
  for (std::size_t j = 0; j < of_a.size; ++j) {
    if (along_a[j] - high > reach) continue;
    const Vec2 corner = scale * a.turned(of_a[j].corner);
    const Nearest near = nearest(of_b, shrink * b.turned_back(corner + between));
    const Vec2 normal = b.turned(near.normal);
    const Real overlap = depth - scale * near.distance;
    f(Spring{normal, corner - (a.depth - overlap / 2) * normal, overlap, corner_weight(a)});
  }
}

// Between a and a wall. `between`: from a point of the wall to a; normal out of the wall.
template <class F>
void for_each_wall_spring(const Outlined& a, const Vec2& between, const Vec2& normal, Real scale, Real slack, F&& f) {
  const Vec2 in_a = scale * a.turned_back(normal);
  const Real height = dot(normal, between);
  for (const CoreEdge& e : a.core.edges) {
    const Real above = height + dot(in_a, e.corner), overlap = a.depth - above;
    if (overlap > -slack) f(Spring{normal, scale * a.turned(e.corner) - above * normal, overlap, corner_weight(a)});
  }
}

}  // namespace talus::dem::polygons
