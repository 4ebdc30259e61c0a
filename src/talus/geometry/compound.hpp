#pragma once
// A grain of several convex parts that are joined for good. Parts may touch or overlap: area and moments are those of their
// union, by integrals along its outline. What lies on that outline also decides which edges and corners of a part can be
// touched (docs/design/020-compounds.md).
#include <string>
#include <vector>

#include <talus/geometry/polygon.hpp>

namespace talus {

inline constexpr std::size_t max_parts = 64;

// A straight or round segment of the outline, run through with the grain to its left. m from the centre of mass.
struct OutlineSegment {
  Vec2 from;         // where a straight segment begins; centre of an arc
  Vec2 along;        // to its end
  Real radius;       // of an arc; 0: straight
  Real start, turn;  // rad, of an arc: direction at its beginning, and how far it goes round; turn > 0
};

// A stretch of an edge of a part, or a range of directions of a corner, that lies on the outline of the whole grain.
struct Shown {
  u32 is_corner, feature;
  Real from, to;  // m along the edge; rad, of the directions out of a corner
};

struct Compound {
  std::vector<Polygon> parts;             // corners from the centre of mass of the whole
  std::vector<std::vector<Shown>> shown;  // of each part
  std::vector<OutlineSegment> outline;
  Polygon whole;  // area, second moment and reach alone
};

struct PartSketch {
  std::vector<Vec2> corners;
  Real rounding = 0;
};

// What is wrong with these parts, in words; empty when they make a grain.
std::string flaw_of(const std::vector<PartSketch>& parts);

// The grain around its centre of mass. The parts must have no flaw.
Compound make_compound(const std::vector<PartSketch>& parts);

// What kernels take of a grain: all of it, or one part.
struct PartView {
  PolygonView outline;
  Span<const Shown> shown;
  bool is_whole = true;  // then all of it is shown
  Vec2 centre{};         // of a circle around it, m
  Real reach = 0;        // m, its radius
  Real slack = 0;        // m along an edge within which it counts as shown
};

// Is an edge of a part on the outline at a place, m from its beginning?
TALUS_HD bool shows_edge(const PartView& part, std::size_t edge, Real at) {
  if (part.is_whole) return true;
  for (const Shown& s : part.shown)
    if (!s.is_corner && s.feature == edge && at >= s.from - part.slack && at <= s.to + part.slack) return true;
  return false;
}

// Directions of a corner within which it belongs to an edge that ends there, rad: both ends of an edge that lies on another
// carry. For two corners it is no more than what rounding of numbers asks for: otherwise a disc that rolls over a flat seam
// would feel a corner there.
inline constexpr Real near_edge = 0.05, near_edge_of_corners = 1e-5;

// May something touch this corner from a direction, a unit vector in the frame of the grain?
TALUS_HD bool shows_corner(const PartView& part, std::size_t corner, const Vec2& direction, Real near_by = near_edge) {
  if (part.is_whole) return true;
  const Real angle = std::atan2(direction.y, direction.x), slack = min(near_by, Real(0.01));
  for (const Shown& s : part.shown) {
    if (!s.is_corner || s.feature != corner) continue;
    Real past = std::fmod(angle - s.from, 2 * pi);
    if (past < 0) past += 2 * pi;
    if (past <= s.to - s.from + slack || past >= 2 * pi - slack) return true;
  }
  const PolygonView& p = part.outline;
  if (p.normals.size == 0) return false;
  const auto near_normal = [&](const Vec2& n) {
    return dot(direction, n) > 0 && std::abs(direction.x * n.y - direction.y * n.x) < near_by;
  };
  const std::size_t before = corner > 0 ? corner - 1 : p.corners.size - 1;
  if (near_normal(p.normals[corner]) && shows_edge(part, corner, 0)) return true;
  return near_normal(p.normals[before]) && shows_edge(part, before, length(p.corners[corner] - p.corners[before]));
}

}  // namespace talus
