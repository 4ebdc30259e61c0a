#pragma once
// How far a point is from a closed surface of triangles, and on which side: the nearest point over a tree of boxes; the sign by pseudo-normals (Baerentzen and
// Aanaes 2005: of a face its normal, of an edge the sum of two, of a corner the sum weighted by angles).
#include <memory>
#include <vector>

#include <talus/geometry/mesh.hpp>
#include <talus/geometry/surface.hpp>

namespace talus {

struct MeshFacet {
  Vec3 corner[3];  // m
  Vec3 normal;     // unit, outwards
  Vec3 at_edge[3], at_corner[3];  // pseudo-normals, of any length; edge k goes from corner k to the next
};

// A box and what it holds: facets, or two boxes, of which the first is the next one.
struct MeshNode {
  Vec3 low, high;  // m
  u32 first = 0, count = 0;  // facets; none: it has boxes
  u32 other = 0;             // the second of these
};

class MeshDistance {
 public:
  MeshDistance(const Mesh& mesh, Real unit);  // unit: m, of the coordinates
  // Positive outside. Of facets that are as near the first counts: the same for all who ask.
  Surface<3> at(const Vec3& x) const;
  bool is_within(const Vec3& x, Real reach) const;  // outside and farther than this: no
  const Vec3& low() const { return nodes_.front().low; }
  const Vec3& high() const { return nodes_.front().high; }
  std::size_t size() const { return facets_.size(); }
  Real volume() const {  // m^3
    Real six = 0;
    for (const MeshFacet& f : facets_) six += dot(f.corner[0], cross(f.corner[1], f.corner[2]));
    return six / 6;
  }

 private:
  void split(u32 first, u32 count);
  std::vector<MeshFacet> facets_;
  std::vector<u32> name_;  // place of each facet in the file
  std::vector<MeshNode> nodes_;
};

}  // namespace talus
