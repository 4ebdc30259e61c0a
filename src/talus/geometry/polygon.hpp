#pragma once
// Convex grains of the plane: a polygon and all points within `rounding` of it. One corner makes a disc, so discs, polygons
// and rounded polygons are one kind of shape.
#include <string>
#include <vector>

#include <talus/core/vec.hpp>
#include <talus/exec/column.hpp>

namespace talus {

inline constexpr std::size_t max_corners = 256;

struct Polygon {
  std::vector<Vec2> corners;  // m from the centre of mass, counter-clockwise
  std::vector<Vec2> normals;  // unit, outward; normals[i] belongs to the edge from corner i to the next. None of a disc
  Real rounding = 0;          // m
  Real area = 0;              // m^2
  Real second_moment = 0;     // m^4, of the area about the centre of mass
  Real reach = 0;             // m, from the centre of mass to the farthest point
};

// What is wrong with these corners, in words; empty when they make a grain. `rounding` may be zero but for a single corner.
std::string flaw_of(const std::vector<Vec2>& corners, Real rounding);

// The grain around its centre of mass. The corners must have no flaw.
Polygon make_polygon(const std::vector<Vec2>& corners, Real rounding = 0);

// Where a body is and how it is turned.
struct Placement {
  Vec2 position;
  Real cosine = 1, sine = 0;
  TALUS_HD static Placement at(const Vec2& position, Real angle) {
    return {position, std::cos(angle), std::sin(angle)};
  }
  TALUS_HD Vec2 turned(const Vec2& v) const { return {cosine * v.x - sine * v.y, sine * v.x + cosine * v.y}; }
  TALUS_HD Vec2 turned_back(const Vec2& v) const { return {cosine * v.x + sine * v.y, cosine * v.y - sine * v.x}; }
};

// What kernels take.
struct PolygonView {
  Span<const Vec2> corners, normals;
  Real rounding = 0;
};
inline PolygonView view(const Polygon& p) {
  return {{p.corners.data(), p.corners.size()}, {p.normals.data(), p.normals.size()}, p.rounding};
}

// The grain turned by an angle, as a line goes round it: corners, and short edges for arcs.
std::vector<Vec2> drawn_outline(const PolygonView& grain, Real angle);

}  // namespace talus
