#pragma once
#include <talus/geometry/polygon.hpp>

namespace talus {

struct Circle {
  Vec2 centre;
  Real radius;  // m
};

// The area that a grain and a circle have in common, m^2: exact, rounding included.
Real overlap_area(const PolygonView& grain, const Placement& at, const Circle& circle);

}  // namespace talus
