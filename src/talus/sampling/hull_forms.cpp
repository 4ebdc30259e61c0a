#include <talus/sampling/hull_forms.hpp>

#include <array>
#include <cmath>
#include <map>

#include <talus/geometry/sieve_size.hpp>

namespace talus::sampling {
namespace {

using Triangle = std::array<u32, 3>;

// Each triangle into four; new points are put out to the unit sphere.
std::vector<Triangle> refined(const std::vector<Triangle>& all, std::vector<Vec3>& points) {
  std::map<std::pair<u32, u32>, u32> middles;
  const auto middle = [&](u32 a, u32 b) {
    const auto [it, fresh] = middles.try_emplace({std::min(a, b), std::max(a, b)}, u32(points.size()));
    if (fresh) {
      const Vec3 m = points[a] + points[b];
      points.push_back((1 / length(m)) * m);
    }
    return it->second;
  };
  std::vector<Triangle> out;
  for (const auto& [a, b, c] : all) {
    const u32 ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    out.insert(out.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
  }
  return out;
}

}  // namespace

std::vector<Vec3> box_points(const Vec3& e) {
  std::vector<Vec3> p;
  for (int k = 0; k < 8; ++k) p.push_back({(k & 1 ? 0.5 : -0.5) * e.x, (k & 2 ? 0.5 : -0.5) * e.y, (k & 4 ? 0.5 : -0.5) * e.z});
  return p;
}

std::vector<Vec3> sphere_points(const Vec3& d) {
  const Real g = (1 + std::sqrt(Real(5))) / 2, size = 1 / std::sqrt(1 + g * g);
  std::vector<Vec3> points;
  for (int axis = 0; axis < 3; ++axis)
    for (int k = 0; k < 4; ++k) {
      Vec3 p;
      p[axis] = (k & 1 ? size : -size);
      p[(axis + 1) % 3] = (k & 2 ? g * size : -g * size);
      points.push_back(p);
    }
  // Faces: any three points that are one edge apart.
  const Real edge = 2 * size;
  std::vector<Triangle> triangles;
  const auto near = [&](u32 a, u32 b) { return length(points[a] - points[b]) < 1.1 * edge; };
  for (u32 a = 0; a < 12; ++a)
    for (u32 b = a + 1; b < 12; ++b)
      for (u32 c = b + 1; c < 12; ++c)
        if (near(a, b) && near(b, c) && near(c, a)) triangles.push_back({a, b, c});
  for (int n = 0; n < 3; ++n) triangles = refined(triangles, points);
  for (Vec3& p : points) p = {d.x / 2 * p.x, d.y / 2 * p.y, d.z / 2 * p.z};
  return points;
}

Hull at_unit_size(const Hull& hull) { return scaled(hull, 1 / sieve_size(hull.corners)); }

}  // namespace talus::sampling
