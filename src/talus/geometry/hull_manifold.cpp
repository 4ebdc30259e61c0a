#include <talus/geometry/hull_manifold.hpp>

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

constexpr Real nearly_parallel = 0.98;  // cosine: a face that looks along the normal to 11 degrees may be touched by more than a point
constexpr Real as_good = 1e-4;          // of the smaller reach: how much less a face may hold them apart than the shortest way

// Names: who holds the face that is met (bit 31), whether the point is one of clipping (30), the feature of the other, the edge of the face.
constexpr u32 nearest_point = 0x7fffffff;
u32 name_of(bool face_of_b, bool clipped, u32 feature, u32 edge) {
  return u32(face_of_b) << 31 | u32(clipped) << 30 | (feature & 0x7fff) << 15 | (edge & 0x7fff);
}

struct Outlined {
  Vec3 at;
  u32 name;  // of the point
  u32 edge;  // that leaves it
};

// Cuts a polygon by the half space n.x <= d. `side`: number of the edge of the face that the half space belongs to.
void cut(std::vector<Outlined>& polygon, const Vec3& n, Real d, bool face_of_b, u32 side, std::vector<Outlined>& out) {
  out.clear();
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Outlined &from = polygon[k], &to = polygon[(k + 1) % polygon.size()];
    const Real before = dot(from.at, n) - d, after = dot(to.at, n) - d;
    if (before <= 0) out.push_back(from);
    if ((before <= 0) == (after <= 0)) continue;
    const Vec3 at = from.at + (before / (before - after)) * (to.at - from.at);
    const u32 name = name_of(face_of_b, true, from.edge, side);
    out.push_back({at, name, before <= 0 ? 0x4000 | side : from.edge});
  }
  std::swap(polygon, out);
}

// The face of one hull, cut to what lies over a face of the other.
std::vector<Outlined> laid_over(const HullView& other, u32 face_of_other, const HullView& holder, u32 face, bool face_of_b) {
  std::vector<Outlined> polygon, room;
  for (u32 k = other.face_start[face_of_other]; k < other.face_start[face_of_other + 1]; ++k) {
    const u32 corner = other.face_corner[k];
    polygon.push_back({other.corners[corner], name_of(face_of_b, false, corner, 0), corner});
  }
  const u32 first = holder.face_start[face], last = holder.face_start[face + 1];
  for (u32 k = first; k < last && !polygon.empty(); ++k) {
    const Vec3 &from = holder.corners[holder.face_corner[k]], &to = holder.corners[holder.face_corner[k + 1 < last ? k + 1 : first]];
    const Vec3 out = cross(to - from, holder.normals[face]);
    cut(polygon, out, dot(out, from), face_of_b, k - first, room);
  }
  return polygon;
}

// All corners of a hull lie at least so far along a normal.
Real least_along(const HullView& h, const Vec3& n) { return dot(h.corners[h.farthest(-n)], n); }

HullManifold in_one_point(const Separation& s) {
  HullManifold m;
  m.count = 1;
  m.point[0] = {Real(0.5) * (s.on_a + s.on_b), s.normal, s.gap, nearest_point};
  return m;
}

HullManifold kept(std::vector<HullContact>& points) {
  keep_four(points);
  HullManifold m;
  m.count = int(points.size());
  std::copy(points.begin(), points.end(), m.point);
  return m;
}

}  // namespace

void keep_four(std::vector<HullContact>& points) {
  if (points.size() <= HullManifold::most) return;
  std::vector<HullContact> out;
  const auto take = [&](auto&& worth) {
    std::size_t best = 0;
    Real most = -HUGE_VAL;
    for (std::size_t k = 0; k < points.size(); ++k)
      if (const Real w = worth(points[k]); w > most) most = w, best = k;
    out.push_back(points[best]);
    points.erase(points.begin() + std::ptrdiff_t(best));
  };
  const auto area = [&](const HullContact& p, std::size_t i, std::size_t j) {
    return dot(cross(out[j].at - out[i].at, p.at - out[i].at), out[0].normal);
  };
  take([](const HullContact& p) { return -p.gap; });
  take([&](const HullContact& p) { return length(p.at - out[0].at); });
  take([&](const HullContact& p) { return std::abs(area(p, 0, 1)); });
  const Real side = area(out[2], 0, 1) < 0 ? -1 : 1;
  // Outside one of the edges of the triangle, whichever way round it goes.
  take([&](const HullContact& p) {
    return max(max(-side * area(p, 0, 1), -side * area(p, 1, 2)), -side * area(p, 2, 0));
  });
  points = std::move(out);
}

HullManifold find_manifold(const HullView& a, const HullView& b, Real reach) {
  const Vec3 apart = a.centre - b.centre;
  const Real far = a.reach + b.reach + reach;
  if (dot(apart, apart) > far * far) return {};
  const Separation s = separation(a, b, reach);
  if (s.gap > reach) return {};
  Real cosine_a, cosine_b;
  const u32 of_a = a.facing(-s.normal, cosine_a), of_b = b.facing(s.normal, cosine_b);
  const bool face_of_b = !(cosine_a > cosine_b + 1e-6);
  if ((face_of_b ? cosine_b : cosine_a) < nearly_parallel) return in_one_point(s);
  const HullView &holder = face_of_b ? b : a, &other = face_of_b ? a : b;
  const u32 face = face_of_b ? of_b : of_a;
  const Vec3 n = holder.normals[face];
  const Real plane = dot(holder.corners[holder.face_corner[holder.face_start[face]]], n);
  if (least_along(other, n) - plane < s.gap - as_good * min(a.reach, b.reach)) return in_one_point(s);
  Real cosine;
  const u32 opposite = other.facing(-n, cosine);
  std::vector<HullContact> points;
  for (const Outlined& p : laid_over(other, opposite, holder, face, face_of_b)) {
    const Real gap = dot(p.at, n) - plane;
    if (gap <= reach) points.push_back({p.at - (gap / 2) * n, face_of_b ? n : -n, gap, p.name});
  }
  return points.empty() ? in_one_point(s) : kept(points);
}

HullManifold wall_manifold(const HullView& hull, const WallShape<3>& wall, const Vec3& at, const Quat& turning, Real reach) {
  const Surface<3> middle = wall.at(turning.turned_back(hull.centre - at));
  if (middle.gap > hull.reach + reach) return {};
  std::vector<HullContact> points;
  for (u32 k = 0; k < hull.corners.size; ++k) {
    const Surface<3> s = wall.at(turning.turned_back(hull.corners[k] - at));
    if (!(s.gap <= reach)) continue;
    const Vec3 normal = turning.turned(s.normal);
    points.push_back({hull.corners[k] - (s.gap / 2) * normal, normal, s.gap, k});
  }
  return kept(points);
}

}  // namespace talus
