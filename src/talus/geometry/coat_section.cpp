#include <talus/geometry/coat_section.hpp>

#include <array>
#include <cmath>
#include <vector>

namespace talus {
namespace {

constexpr int around = 16;         // directions in which round parts are cut
constexpr Real edge_on = 1e-9;     // sine: faces that lie in the plane
constexpr Real nearly_flat = 0.3;  // slope of edges that run along the plane: their coats make straight parts

struct Plane {
  Vec3 at, normal, x, y;
  Plane(const Vec3& at_, const Vec3& n) : at(at_), normal(n) {
    const Vec3 size{std::abs(n.x), std::abs(n.y), std::abs(n.z)};
    Vec3 other{};
    other[size.x <= size.y && size.x <= size.z ? 0 : size.y <= size.z ? 1 : 2] = 1;
    const Vec3 across = cross(n, other);
    x = (1 / length(across)) * across;
    y = cross(n, x);
  }
  Vec3 seen(const Vec3& p) const { return {dot(p - at, x), dot(p - at, y), dot(p - at, normal)}; }
};

// A coated hull as seen from the plane: edges that come as near as the coat is thick, and directions in which it ends straight.
class Coated {
 public:
  Coated(const HullView& h, Real coat, const Plane& plane, std::vector<Vec2>& directions) : coat_(coat) {
    std::vector<Vec3> seen(h.corners.size);
    for (u32 k = 0; k < h.corners.size; ++k) seen[k] = plane.seen(h.corners[k]);
    for (std::size_t f = 0; f < h.faces(); ++f) {
      bool met = false;
      for (u32 k = h.face_start[f]; k < h.face_start[f + 1]; ++k) {
        const u32 from = h.face_corner[k], to = h.face_corner[k + 1 < h.face_start[f + 1] ? k + 1 : h.face_start[f]];
        const Vec3 &a = seen[from], &b = seen[to];
        if (min(a.z, b.z) > coat || max(a.z, b.z) < -coat) continue;
        met = true;
        if (from > to) continue;  // each edge belongs to two faces
        edges_.push_back({a, b});
        if (coat > 0) add_across(a, b, plane.seen(h.centre), directions);
      }
      const Vec2 out{dot(h.normals[f], plane.x), dot(h.normals[f], plane.y)};
      if (met && length(out) > edge_on) directions.push_back((1 / length(out)) * out);
    }
  }
  bool meets() const { return !edges_.empty(); }
  // How far the section reaches along a unit vector of the plane.
  Real reach(const Vec2& e) const {
    Real most = -HUGE_VAL;
    for (const auto& [a, b] : edges_) most = max(most, reach_of_edge(a, b, e));
    return most;
  }

 private:
  static void add_across(const Vec3& a, const Vec3& b, const Vec3& centre, std::vector<Vec2>& directions) {
    const Vec2 way{b.x - a.x, b.y - a.y}, out{a.x - centre.x, a.y - centre.y};
    const Real size = length(way);
    if (!(std::abs(b.z - a.z) < nearly_flat * size)) return;
    const Vec2 across{-way.y / size, way.x / size};
    directions.push_back(dot(across, out) < 0 ? Real(-1) * across : across);
  }
  Real reach_of_edge(const Vec3& a, const Vec3& b, const Vec2& e) const {
    const Real from = a.x * e.x + a.y * e.y, to = b.x * e.x + b.y * e.y, rise = b.z - a.z;
    const auto round = [&](Real z) { return std::sqrt(max(coat_ * coat_ - z * z, Real(0))); };
    if (!(std::abs(rise) > 1e-12 * (std::abs(to - from) + std::abs(b.x - a.x) + std::abs(b.y - a.y))))
      return max(from, to) + round(clamp(a.z, -coat_, coat_));
    const Real slope = (to - from) / rise, best = slope * coat_ / std::sqrt(1 + slope * slope);
    const Real z = clamp(best, max(min(a.z, b.z), -coat_), min(max(a.z, b.z), coat_));
    return from + slope * (z - a.z) + round(z);
  }

  Real coat_;
  std::vector<std::array<Vec3, 2>> edges_;
};

void cut(std::vector<Vec2>& polygon, const Vec2& e, Real reach, std::vector<Vec2>& room) {
  room.clear();
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vec2 &from = polygon[k], &to = polygon[k + 1 < polygon.size() ? k + 1 : 0];
    const Real before = dot(from, e) - reach, after = dot(to, e) - reach;
    if (before <= 0) room.push_back(from);
    if ((before <= 0) != (after <= 0)) room.push_back(from + (before / (before - after)) * (to - from));
  }
  std::swap(polygon, room);
}

CommonSection cut_out(const Plane& plane, const std::vector<Vec2>& directions, const std::vector<const Coated*>& bodies, Real large) {
  std::vector<Vec2> polygon{{-large, -large}, {large, -large}, {large, large}, {-large, large}}, room;
  for (const Coated* body : bodies)
    for (const Vec2& e : directions) cut(polygon, e, body->reach(e), room);
  CommonSection out{0, plane.at};
  Vec2 moment{};
  for (std::size_t k = 2; k < polygon.size(); ++k) {
    const Vec2 p = polygon[k - 1] - polygon[0], q = polygon[k] - polygon[0];
    const Real area = Real(0.5) * (p.x * q.y - p.y * q.x);
    out.area += area;
    moment += (area / 3) * (p + q);
  }
  if (!(out.area > 0)) return {0, plane.at};
  const Vec2 centre = polygon[0] + (1 / out.area) * moment;
  out.centre = plane.at + centre.x * plane.x + centre.y * plane.y;
  return out;
}

std::vector<Vec2> all_around(Real coat) {
  std::vector<Vec2> out;
  for (int k = 0; coat > 0 && k < around; ++k) out.push_back({std::cos(2 * pi * k / around), std::sin(2 * pi * k / around)});
  return out;
}

}  // namespace

CommonSection section_of(const HullView& a, Real coat_a, const Vec3& at, const Vec3& normal) {
  const Plane plane(at, normal);
  std::vector<Vec2> directions = all_around(coat_a);
  const Coated coated(a, coat_a, plane, directions);
  if (!coated.meets()) return {0, at};
  return cut_out(plane, directions, {&coated}, 2 * (a.reach + coat_a) + length(a.centre - at));
}

CommonSection common_section(const HullView& a, Real coat_a, const HullView& b, Real coat_b, const Vec3& at, const Vec3& normal) {
  const Plane plane(at, normal);
  std::vector<Vec2> directions = all_around(max(coat_a, coat_b));
  const Coated of_a(a, coat_a, plane, directions), of_b(b, coat_b, plane, directions);
  if (!of_a.meets() || !of_b.meets()) return {0, at};
  return cut_out(plane, directions, {&of_a, &of_b}, 2 * (a.reach + coat_a) + length(a.centre - at));
}

Real common_volume(const HullView& a, Real coat_a, const HullView& b, Real coat_b, const Vec3& normal) {
  const Real low = dot(a.corners[a.farthest(-normal)], normal) - coat_a, high = dot(b.corners[b.farthest(normal)], normal) + coat_b;
  if (!(high > low)) return 0;
  // Gauss's three points in stretches that are short at both ends, where sections grow from nothing.
  constexpr int stretches = 24;
  constexpr Real place[3] = {-0.7745966692414834, 0, 0.7745966692414834}, weight[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  const Vec3 foot = Real(0.5) * (a.centre + b.centre);
  const auto end = [&](int k) { return Real(0.5) * (low + high) - Real(0.5) * (high - low) * std::cos(pi * k / stretches); };
  Real volume = 0;
  for (int k = 0; k < stretches; ++k)
    for (int j = 0; j < 3; ++j) {
      const Real half = Real(0.5) * (end(k + 1) - end(k)), z = Real(0.5) * (end(k) + end(k + 1)) + half * place[j];
      volume += half * weight[j] * common_section(a, coat_a, b, coat_b, foot + (z - dot(foot, normal)) * normal, normal).area;
    }
  return volume;
}

Real coat_volume(const Hull& hull, Real size, Real coat) {
  // Each edge lies in two faces: where it is gone forth in one, it is gone back in the other.
  Real edges = 0;
  const auto next = [&](std::size_t f, u32 k) { return hull.face_corner[k + 1 < hull.face_start[f + 1] ? k + 1 : hull.face_start[f]]; };
  for (std::size_t f = 0; f < hull.faces(); ++f)
    for (u32 k = hull.face_start[f]; k < hull.face_start[f + 1]; ++k)
      for (std::size_t g = f + 1; g < hull.faces(); ++g)
        for (u32 l = hull.face_start[g]; l < hull.face_start[g + 1]; ++l)
          if (hull.face_corner[k] == next(g, l) && hull.face_corner[l] == next(f, k))
            edges += length(hull.corners[hull.face_corner[l]] - hull.corners[hull.face_corner[k]]) *
                     std::acos(clamp(dot(hull.normals[f], hull.normals[g]), Real(-1), Real(1)));
  return size * size * hull.surface * coat + Real(0.5) * size * edges * coat * coat + Real(4) / 3 * pi * coat * coat * coat;
}

}  // namespace talus
