#include <talus/geometry/core_polygon.hpp>

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

// What lies on the inner side of an edge.
std::vector<Vec2> cut(const std::vector<Vec2>& corners, const Vec2& normal, Real offset) {
  std::vector<Vec2> out;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2 &a = corners[i], &b = corners[(i + 1) % corners.size()];
    const Real da = dot(normal, a) - offset, db = dot(normal, b) - offset;
    if (da <= 0) out.push_back(a);
    if ((da < 0 && db > 0) || (da > 0 && db < 0)) out.push_back(a + (da / (da - db)) * (b - a));
  }
  return out;
}

}  // namespace

CorePolygon make_core_polygon(const PolygonView& grain) {
  CorePolygon core{{}, grain.rounding};
  std::vector<Vec2> corners(grain.corners.begin(), grain.corners.end());
  if (corners.size() > 1) {
    Real inner = HUGE_VAL;
    for (std::size_t i = 0; i < grain.normals.size; ++i)
      inner = std::min(inner, dot(grain.normals[i], grain.corners[i]) + grain.rounding);
    core.depth = std::max(grain.rounding, least_core_depth * inner);
    const Real shrink = core.depth - grain.rounding;
    for (std::size_t i = 0; i < grain.normals.size && shrink > 0; ++i)
      corners = cut(corners, grain.normals[i], dot(grain.normals[i], grain.corners[i]) - shrink);
    // Edges that shrank to nothing leave corners in one place.
    const Real least = 1e-9 * inner;
    std::vector<Vec2> apart;
    for (const Vec2& c : corners)
      if (apart.empty() || length(c - apart.back()) > least) apart.push_back(c);
    if (apart.size() > 1 && !(length(apart.front() - apart.back()) > least)) apart.pop_back();
    corners = std::move(apart);
  }
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2 edge = corners[(i + 1) % corners.size()] - corners[i];
    const Real long_ = length(edge);
    const Vec2 normal = long_ > 0 ? (1 / long_) * Vec2{edge.y, -edge.x} : Vec2{};
    core.edges.push_back({corners[i], normal, dot(normal, corners[i]), long_});
  }
  return core;
}

}  // namespace talus
