#pragma once
// A convex grain in space: the hull of some points (qhull), with exact volume, surface and inertia. It lies as it spins: its centre of mass at
// the origin, its main axes along x, y, z. Shapes are kept at unit size; a body has a size of its own.
#include <string>
#include <vector>

#include <talus/core/quat.hpp>
#include <talus/core/vec.hpp>
#include <talus/exec/column.hpp>

namespace talus {

struct Hull {
  std::vector<Vec3> corners;     // m
  std::vector<u32> face_start;   // first corner of each face in `face_corner`; one more at the end
  std::vector<u32> face_corner;  // corners of the faces, counter-clockwise as seen from outside
  std::vector<Vec3> normals;     // of the faces, unit, outward
  Real volume = 0;               // m^3
  Real surface = 0;              // m^2
  Vec3 moments{};                // m^2, main moments of inertia over the mass, the smallest first
  Real reach = 0;                // m, of the farthest corner

  std::size_t faces() const { return normals.size(); }
};

// Why these points have no hull that can be a grain; empty when they have.
std::string flaw_of_points(const std::vector<Vec3>& points);

// The hull of points that have no flaw. Faces that lie in one plane are one.
Hull make_hull(const std::vector<Vec3>& points);

// The same shape, so much larger.
Hull scaled(Hull hull, Real factor);

// A hull somewhere in space, as kernels read it. Normals are unit vectors and point outward.
struct HullView {
  Span<const Vec3> corners, normals;
  Span<const u32> face_start, face_corner;
  Vec3 centre{};
  Real reach = 0;  // m, from the centre

  TALUS_HD std::size_t faces() const { return normals.size; }
  // The corner that lies farthest along a direction, the first of equals.
  TALUS_HD u32 farthest(const Vec3& direction) const {
    u32 best = 0;
    Real most = dot(corners[0], direction);
    for (u32 k = 1; k < corners.size; ++k) {
      const Real along = dot(corners[k], direction);
      if (along > most) most = along, best = k;
    }
    return best;
  }
  // The face that looks most along a direction, and the cosine of the angle between them.
  TALUS_HD u32 facing(const Vec3& direction, Real& cosine) const {
    u32 best = 0;
    cosine = dot(normals[0], direction);
    for (u32 f = 1; f < normals.size; ++f) {
      const Real along = dot(normals[f], direction);
      if (along > cosine) cosine = along, best = f;
    }
    return best;
  }
};

// Corners and normals of a hull that is turned, scaled and moved, written to the two places.
HullView place(const Hull& hull, Real size, const Quat& turning, const Vec3& position, Vec3* corners, Vec3* normals);

// The same with memory of its own.
class PlacedHull {
 public:
  PlacedHull(const Hull& hull, Real size, const Quat& turning, const Vec3& position)
      : corners_(hull.corners.size()), normals_(hull.normals.size()),
        view_(place(hull, size, turning, position, corners_.data(), normals_.data())) {}
  PlacedHull(const PlacedHull&) = delete;
  PlacedHull& operator=(const PlacedHull&) = delete;
  const HullView& view() const { return view_; }

 private:
  std::vector<Vec3> corners_, normals_;
  HullView view_;
};

}  // namespace talus
