#pragma once
// The part of a ball inside a box with edges along the axes.
#include <talus/core/vec.hpp>

namespace talus::measure {

template <int D>
struct Box {
  Vec<D> low{}, high{};  // m
};

// m^2: in the plane exact.
Real volume_inside(const Box<2>& box, const Vec2& centre, Real radius);
// m^3: exact where at most one face cuts the ball; at its edges and corners within 2e-4 of the ball.
Real volume_inside(const Box<3>& box, const Vec3& centre, Real radius);

}  // namespace talus::measure
