#include <talus/geometry/hull_manifold.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace talus {
namespace {

constexpr Real parallel = 1e-9;      // sine: faces that one sees edge on, edges that do not cross
constexpr Real over_an_edge = 1e-9;  // of the smaller reach: a corner so far beside an edge meets it

// Names: what met there (bits 31 and 30), the corner or edge of a, that of b. An edge is a place in the list of corners of faces.
constexpr u32 nearest_point = 0;
enum class Met : u32 { corner_of_a = 1, corner_of_b = 2, edges = 3 };
u32 name_of(Met what, u32 of_a, u32 of_b) { return u32(what) << 30 | (of_a & 0x7fff) << 15 | (of_b & 0x7fff); }

struct Edge {
  u32 from, to;  // corners
  u32 name;
};

// What of a hull can be met along the normal: corners and edges that lie within a slab at its end.
struct Near {
  std::vector<u32> corners;
  std::vector<Edge> edges;

  // `side`: 1, corners that lie at most so far along n; -1, at least so far.
  Near(const HullView& h, const Vec3& n, Real limit, Real side) {
    const auto is_near = [&](u32 corner) { return side * dot(h.corners[corner], n) <= side * limit; };
    for (u32 k = 0; k < h.corners.size; ++k)
      if (is_near(k)) corners.push_back(k);
    for (std::size_t f = 0; f < h.faces(); ++f)
      for (u32 k = h.face_start[f]; k < h.face_start[f + 1]; ++k) {
        const u32 from = h.face_corner[k], to = h.face_corner[k + 1 < h.face_start[f + 1] ? k + 1 : h.face_start[f]];
        if (from < to && (is_near(from) || is_near(to))) edges.push_back({from, to, k});  // each edge belongs to two faces
      }
  }
};

// How far one can go from a point along -n, or back along n, until one enters the hull; nothing if one passes by. `slack`: m, passing so near is
// meeting it: corners that lie over an edge.
std::optional<Real> way_to(const HullView& h, const Vec3& from, const Vec3& n, Real slack) {
  Real enter = -HUGE_VAL, leave = HUGE_VAL;
  for (std::size_t f = 0; f < h.faces(); ++f) {
    const Vec3& normal = h.normals[f];
    const Real away = dot(from - h.corners[h.face_corner[h.face_start[f]]], normal), along = dot(normal, n);
    if (std::abs(along) < parallel) {
      if (away > slack) return std::nullopt;
    } else if (along > 0) {
      enter = max(enter, away / along);
    } else {
      leave = min(leave, (away - slack) / along);
    }
  }
  if (enter > leave) return std::nullopt;
  return enter;
}

// Where two edges cross as seen along n: shares of the way along each.
bool cross_over(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, const Vec3& n, Real& on_a, Real& on_b) {
  const Vec3 a = a1 - a0, b = b1 - b0, apart = b0 - a0, across = cross(a, b);
  const Real area = dot(across, n);
  if (!(area * area > parallel * parallel * dot(a, a) * dot(b, b))) return false;
  on_a = dot(cross(apart, b), n) / area;
  on_b = dot(cross(apart, a), n) / area;
  return on_a >= 0 && on_a <= 1 && on_b >= 0 && on_b <= 1;
}

void keep(std::vector<HullContact>& points, Real tilt, HullManifold& m) {
  keep_four(points, tilt);
  m.count = int(points.size());
  std::copy(points.begin(), points.end(), m.point);
}

// By how much two bodies may tilt against one another while their points come that far, rad.
Real tilt_within(Real reach, Real size) { return reach > 0 ? 2 * reach / size : Real(0); }

}  // namespace

void keep_four(std::vector<HullContact>& points, Real tilt) {
  if (points.size() <= HullManifold::most) return;
  std::vector<HullContact> out;
  const auto take = [&](auto&& aside) {
    std::size_t best = 0;
    Real most = -HUGE_VAL;
    for (std::size_t k = 0; k < points.size(); ++k)
      if (const Real w = tilt * aside(points[k]) - points[k].gap; w > most) most = w, best = k;
    out.push_back(points[best]);
    points.erase(points.begin() + std::ptrdiff_t(best));
  };
  // m, how far a point lies to the left of the way between two others.
  const auto beside = [&](const HullContact& p, std::size_t i, std::size_t j) {
    const Vec3 way = out[j].at - out[i].at;
    return dot(cross(way, p.at - out[i].at), out[0].normal) / max(length(way), Real(1e-300));
  };
  take([](const HullContact&) { return Real(0); });
  take([&](const HullContact& p) { return length(p.at - out[0].at); });
  take([&](const HullContact& p) { return std::abs(beside(p, 0, 1)); });
  const Real side = beside(out[2], 0, 1) < 0 ? -1 : 1;
  // Outside one of the edges of the triangle, whichever way round it goes.
  take([&](const HullContact& p) {
    return max(max(-side * beside(p, 0, 1), -side * beside(p, 1, 2)), -side * beside(p, 2, 0));
  });
  points = std::move(out);
}

HullManifold find_manifold(const HullView& a, const HullView& b, Real reach, Real far) {
  const Vec3 apart = a.centre - b.centre;
  const Real seen = max(reach, far), most = a.reach + b.reach + seen;
  if (dot(apart, apart) > most * most) return {};
  const Separation s = separation(a, b, seen);
  HullManifold out;
  if (s.gap > seen) return out;
  const Vec3& n = s.normal;
  out.nearest = {Real(0.5) * (s.on_a + s.on_b), n, s.gap, nearest_point};
  if (s.gap > reach) return out;
  const Near of_a(a, n, dot(b.corners[b.farthest(n)], n) + reach, 1), of_b(b, n, dot(a.corners[a.farthest(-n)], n) - reach, -1);
  const Real least = min(a.reach, b.reach), slack = over_an_edge * least;
  std::vector<HullContact> points;
  const auto add = [&](const Vec3& middle, Real gap, u32 name) {
    if (gap <= reach) points.push_back({middle, n, gap, name});
  };
  for (const u32 k : of_a.corners)
    if (const auto gap = way_to(b, a.corners[k], n, slack)) add(a.corners[k] - (*gap / 2) * n, *gap, name_of(Met::corner_of_a, k, 0));
  for (const u32 k : of_b.corners)
    if (const auto gap = way_to(a, b.corners[k], -n, slack)) add(b.corners[k] + (*gap / 2) * n, *gap, name_of(Met::corner_of_b, 0, k));
  for (const Edge& i : of_a.edges)
    for (const Edge& j : of_b.edges) {
      const Vec3 &a0 = a.corners[i.from], &a1 = a.corners[i.to], &b0 = b.corners[j.from], &b1 = b.corners[j.to];
      Real on_a, on_b;
      if (!cross_over(a0, a1, b0, b1, n, on_a, on_b)) continue;
      const Vec3 at_a = a0 + on_a * (a1 - a0), at_b = b0 + on_b * (b1 - b0);
      add(Real(0.5) * (at_a + at_b), dot(at_a - at_b, n), name_of(Met::edges, i.name, j.name));
    }
  Real deepest = HUGE_VAL;
  for (const HullContact& p : points) deepest = min(deepest, p.gap);
  if (!(deepest <= s.gap + slack)) points.push_back(out.nearest);
  keep(points, tilt_within(reach, least), out);
  return out;
}

HullManifold wall_manifold(const HullView& hull, const WallShape<3>& wall, const Vec3& at, const Quat& turning, Real reach, Real far) {
  const Surface<3> middle = wall.at(turning.turned_back(hull.centre - at));
  const Real seen = max(reach, far);
  HullManifold out;
  if (middle.gap > hull.reach + seen) return out;
  std::vector<HullContact> points;
  for (u32 k = 0; k < hull.corners.size; ++k) {
    const Surface<3> s = wall.at(turning.turned_back(hull.corners[k] - at));
    if (!(s.gap <= seen)) continue;
    const Vec3 normal = turning.turned(s.normal);
    const HullContact point{hull.corners[k] - (s.gap / 2) * normal, normal, s.gap, k};
    if (point.gap < out.nearest.gap) out.nearest = point;
    if (s.gap <= reach) points.push_back(point);
  }
  keep(points, tilt_within(reach, hull.reach), out);
  return out;
}

}  // namespace talus
