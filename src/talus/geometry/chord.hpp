#pragma once
#include <talus/geometry/polygon.hpp>

namespace talus {

// What a line along x has in common with a grain. m
struct Chord {
  Real low, high;  // low > high: nothing
  bool is_empty() const { return low > high; }
};

// Of the line at height y: exact, rounding included.
Chord chord_at(const PolygonView& grain, const Placement& at, Real y);

// How far a grain reaches along a direction of length one, from the origin. m
Real reach_along(const PolygonView& grain, const Placement& at, const Vec2& direction);

}  // namespace talus
