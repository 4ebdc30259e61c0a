#pragma once
// Shapes of bodies and their mass properties. A shape is a kind and its numbers; sizes that differ from body to body
// (the radius) stay in the body's own column so that a thousand sizes do not make a thousand shapes.
#include <string_view>

#include <talus/core/vec.hpp>
#include <talus/geometry/wall_shape.hpp>

namespace talus {

// ball: sphere in space, disc in the plane. wall: one of WallShapes. polygon: a convex grain of the plane, or a compound of such. hull: a
// convex grain of space
enum class ShapeKind : u32 { ball, wall, polygon, hull };

template <int D>
struct Shape {
  ShapeKind kind = ShapeKind::ball;
  WallShape<D> wall{};  // of a wall
  u32 outline = 0;      // polygons, hulls: which of the model's
  u32 parts = 1;        // polygons: of how many convex parts, one after the other
};

// Volume of a ball; area of a disc when D = 2.
template <int D>
TALUS_HD Real ball_volume(Real radius) {
  if constexpr (D == 3) return 4.0 / 3.0 * pi * radius * radius * radius;
  return pi * radius * radius;
}

// How two bodies meet: normal from b to a, and how deep.
template <int D, class T = Real>
struct NormalOverlap {
  Vec<D, T> normal;  // unit, from b towards a
  T overlap;         // m, positive when they touch
  T distance;        // m, between centres
};

// branch = centre of a minus centre of b (image included).
template <int D, class T = Real>
TALUS_HD NormalOverlap<D, T> touch_balls(const Vec<D, T>& branch, const std::type_identity_t<T>& radius_a,
                                         const std::type_identity_t<T>& radius_b) {
  const T distance = length(branch);
  return {(T(1) / distance) * branch, radius_a + radius_b - distance, distance};
}

}  // namespace talus
