#pragma once
#include <talus/geometry/compound.hpp>

namespace talus {

struct Circle {
  Vec2 centre;
  Real radius;  // m
};

// The area that a grain and a circle have in common, m^2: exact, rounding included.
Real overlap_area(const PolygonView& grain, const Placement& at, const Circle& circle);

// The same of a grain inside an outline that need not be convex; it reaches no farther than `reach` from its centre.
Real overlap_area(const Span<const OutlineSegment>& outline, Real reach, const Placement& at, const Circle& circle);

}  // namespace talus
