#pragma once
// Where two hulls meet, or a hull and a wall: at most four points that hold the faces, edges or corners apart. A point has a name
// made of the features that meet there, so that the next step finds it again.
#include <talus/geometry/separation.hpp>
#include <talus/geometry/wall_shape.hpp>

namespace talus {

struct HullContact {
  Vec3 at{};      // m, in the middle of the gap
  Vec3 normal{};  // unit, from b to a, or out of the wall
  Real gap = 0;   // m, negative where they overlap
  u32 name = 0;
};

struct HullManifold {
  static constexpr int most = 4;
  int count = 0;
  HullContact point[most];
  HullContact nearest{{}, {}, HUGE_VAL, 0};  // where they are nearest; a gap of infinity: farther apart than was asked for
};

// Points whose gap is at most `reach`; the nearest one within `far`, if that is more.
HullManifold find_manifold(const HullView& a, const HullView& b, Real reach, Real far = 0);

// The corners of a hull at a wall: exact where all of the wall's surface that can be met is flat or hollow. `at`, `turning`: of the wall.
HullManifold wall_manifold(const HullView& hull, const WallShape<3>& wall, const Vec3& at, const Quat& turning, Real reach, Real far = 0);

// Which points are kept of many: the deepest, then one after the other those that come deepest when the bodies tilt by `tilt` (rad) about the ones
// that are kept. Where gaps are equal these are the farthest, and the two that make the largest area.
void keep_four(std::vector<HullContact>& points, Real tilt);

}  // namespace talus
