#pragma once
// How far two convex hulls are apart, or how deep one lies in the other. The difference of two hulls, all a - b, is a hull; the origin lies outside
// it when they are apart, and its nearest point is their distance (Gilbert, Johnson & Keerthi 1988). When they overlap, the nearest face of
// the difference is the shortest way out (expanding polytope, van den Bergen 2001).
#include <talus/geometry/hull.hpp>

namespace talus {

struct Separation {
  Real gap = 0;         // m, negative: how deep
  Vec3 normal{};        // unit, from b to a
  Vec3 on_a{}, on_b{};  // the nearest points, gap times the normal apart
};

// A point of the difference.
struct DifferencePoint {
  Vec3 at;
  u32 a = 0, b = 0;  // the corners it comes from
};
struct Simplex {
  DifferencePoint point[4];
  Real share[4]{};  // of each in the point nearest to the origin
  int count = 0;

  Vec3 nearest() const {
    Vec3 sum{};
    for (int k = 0; k < count; ++k) sum += share[k] * point[k].at;
    return sum;
  }
};

// The simplex of the difference that is nearest to the origin, and whether the hulls overlap or touch. Stops early when they are known to be
// farther apart than `enough`: then they are, and the answer is not the nearest.
bool overlap_gjk(const HullView& a, const HullView& b, Real enough, Simplex& nearest);

// The shortest way out of an overlap, from the simplex that gjk has left.
Separation penetration_epa(const HullView& a, const HullView& b, const Simplex& inside);

// Both. Hulls that are farther apart than `enough` have a gap that is more than that and no more is said.
Separation separation(const HullView& a, const HullView& b, Real enough = HUGE_VAL);

TALUS_HD DifferencePoint farthest_of_difference(const HullView& a, const HullView& b, const Vec3& direction) {
  const u32 i = a.farthest(direction), j = b.farthest(-direction);
  return {a.corners[i] - b.corners[j], i, j};
}

}  // namespace talus
