#pragma once
// The core polygon of a convex grain: the polygon that its rounding is laid around. Grains that are sharp, or nearly so, get a
// small rounding for this purpose: their edges stay where they are, their corners become arcs. Distances to a core polygon have
// a gradient that is continuous everywhere outside of it, which is what forces that follow from distances need.
#include <vector>

#include <talus/geometry/polygon.hpp>

namespace talus {

// A corner and the edge from it to the next.
struct CoreEdge {
  Vec2 corner;  // m from the centre of mass
  Vec2 normal;  // unit, outward
  Real offset;  // m, of the edge along its normal
  Real length;  // m
};

struct CorePolygonView {
  Span<const CoreEdge> edges;  // one of a disc: its centre
  Real depth = 0;              // m, from the core polygon to the surface
};

struct CorePolygon {
  std::vector<CoreEdge> edges;
  Real depth = 0;
};

// Least depth over the distance from the centre of mass to the nearest point of the surface.
inline constexpr Real least_core_depth = 0.05;

CorePolygon make_core_polygon(const PolygonView& grain);

struct Nearest {
  Real distance;  // m; negative inside: to the nearest edge
  Vec2 normal;    // unit, from the core polygon to the point
};

// The edge that sees the point farthest away is the nearest one, or has the nearest corner at one of its ends: no edge
// sees more than the distance.
TALUS_HD Nearest nearest(const Span<const CoreEdge>& core, const Vec2& point) {
  const std::size_t n = core.size;
  Vec2 corner = core[0].corner;
  if (n > 1) {
    std::size_t best = 0;
    Real most = -1e300;
    for (std::size_t j = 0; j < n; ++j) {
      const Real seen = dot(core[j].normal, point) - core[j].offset;
      if (seen > most) most = seen, best = j;
    }
    const CoreEdge& e = core[best];
    const Real along = e.normal.x * (point.y - e.corner.y) - e.normal.y * (point.x - e.corner.x);
    if (!(most > 0) || (along >= 0 && along <= e.length)) return {most, e.normal};
    corner = along < 0 ? e.corner : core[best + 1 < n ? best + 1 : 0].corner;
  }
  const Vec2 between = point - corner;
  const Real distance = length(between);
  return {distance,
          distance > 0 ? (1 / distance) * between : Vec2{1, 0}};  // two discs in one place: any way will part them
}

}  // namespace talus
