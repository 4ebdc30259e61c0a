#include <talus/geometry/hull.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include <libqhull_r/qhull_ra.h>

#include <talus/core/assert.hpp>
#include <talus/geometry/mass_properties.hpp>

namespace talus {
namespace {

using Triangle = std::array<u32, 3>;

// The triangles of a hull as qhull finds them: numbers of points, which alone are used of its answer. Empty when there is no hull.
std::vector<Triangle> triangles_of(const std::vector<Vec3>& points) {
  std::vector<coordT> flat;
  for (const Vec3& p : points) flat.insert(flat.end(), {p.x, p.y, p.z});
  qhT memory;
  qhT* qh = &memory;
  qh_zero(qh, nullptr);
  char said[4096];  // qhull explains itself to somebody
  std::FILE* quiet = fmemopen(said, sizeof said, "w");
  std::vector<Triangle> out;
  if (!quiet) return out;
  char command[] = "qhull Qt Pp";
  if (qh_new_qhull(qh, 3, int(points.size()), flat.data(), False, command, nullptr, quiet) == 0) {
    facetT* facet;
    FORALLfacets {
      Triangle t{};
      std::size_t n = 0;
      vertexT *vertex, **vertexp;
      FOREACHvertex_(facet->vertices) if (n < 3) t[n++] = u32(qh_pointid(qh, vertex->point));
      out.push_back(t);
    }
  }
  qh_freeqhull(qh, !qh_ALL);
  int left, total;
  qh_memfreeshort(qh, &left, &total);
  std::fclose(quiet);
  return out;
}

Vec3 area_of(const std::vector<Vec3>& p, const Triangle& t) {
  return Real(0.5) * cross(p[t[1]] - p[t[0]], p[t[2]] - p[t[0]]);
}

// Counter-clockwise as seen from outside, the smallest number first, in order: the same whatever order they were found in.
void put_in_order(const std::vector<Vec3>& p, const Vec3& inside, std::vector<Triangle>& triangles) {
  for (Triangle& t : triangles) {
    if (dot(area_of(p, t), p[t[0]] - inside) < 0) std::swap(t[1], t[2]);
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  }
  std::sort(triangles.begin(), triangles.end());
}

// Volume, centre and inertia of the tetrahedra that the triangles make with a point inside.
MassProperties whole(const std::vector<Vec3>& p, const Vec3& inside, const std::vector<Triangle>& triangles) {
  Real volume = 0;
  Vec3 first{};
  Mat3 second{};  // of x (x) x
  for (const Triangle& t : triangles) {
    const Vec3 a = p[t[0]] - inside, b = p[t[1]] - inside, c = p[t[2]] - inside, sum = a + b + c;
    const Real v = dot(a, cross(b, c)) / 6;
    volume += v;
    first += (v / 4) * sum;
    second += (v / 20) * (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum));
  }
  const Vec3 centre = (1 / volume) * first;
  const Mat3 about = second - volume * outer(centre, centre);
  return {volume, inside + centre, trace(about) * Mat3::identity() - about};
}

// Which triangles lie in one plane with the first of their face: by number, a face for each group of neighbours.
std::vector<u32> faces_of(const std::vector<Vec3>& p, const std::vector<Triangle>& triangles) {
  std::map<std::pair<u32, u32>, u32> across;  // the triangle on the left of each directed edge
  for (u32 t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) across[{triangles[t][k], triangles[t][(k + 1) % 3]}] = t;
  std::vector<u32> face(triangles.size(), ~0u);
  u32 faces = 0;
  for (u32 start = 0; start < triangles.size(); ++start) {
    if (face[start] != ~0u) continue;
    const Vec3 area = area_of(p, triangles[start]), normal = (1 / length(area)) * area;
    std::vector<u32> open{start};
    face[start] = faces;
    while (!open.empty()) {
      const Triangle t = triangles[open.back()];
      open.pop_back();
      for (std::size_t k = 0; k < 3; ++k) {
        const u32 next = across.at({t[(k + 1) % 3], t[k]});
        const Vec3 other = area_of(p, triangles[next]);
        if (face[next] != ~0u || dot(other, normal) < (1 - 1e-12) * length(other)) continue;
        face[next] = faces;
        open.push_back(next);
      }
    }
    ++faces;
  }
  return face;
}

// The corners around each face: the edges of its triangles that have no triangle of the same face on the other side, one after the other.
void join_faces(const std::vector<Vec3>& p, const std::vector<Triangle>& triangles, Hull& hull) {
  const std::vector<u32> face = faces_of(p, triangles);
  const u32 faces = 1 + *std::max_element(face.begin(), face.end());
  hull.face_start.push_back(0);
  for (u32 f = 0; f < faces; ++f) {
    std::set<std::pair<u32, u32>> edges;
    Vec3 area{};
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      if (face[t] != f) continue;
      area += area_of(p, triangles[t]);
      for (std::size_t k = 0; k < 3; ++k) {
        const u32 from = triangles[t][k], to = triangles[t][(k + 1) % 3];
        if (edges.erase({to, from}) == 0) edges.emplace(from, to);
      }
    }
    const std::map<u32, u32> next(edges.begin(), edges.end());
    hull.normals.push_back((1 / length(area)) * area);
    hull.surface += length(area);
    const u32 first = next.begin()->first;
    u32 corner = first;
    for (std::size_t k = 0; k < next.size(); ++k) {
      hull.face_corner.push_back(corner);
      corner = next.at(corner);
    }
    TALUS_ASSERT(corner == first && "a face has one outline");
    hull.face_start.push_back(u32(hull.face_corner.size()));
  }
}

struct Triangulated {
  std::vector<Vec3> corners;
  std::vector<Triangle> triangles;
  Vec3 inside{};
};

// Only points that are corners, in the order given.
Triangulated triangulated(const std::vector<Vec3>& points) {
  Triangulated out;
  std::vector<Triangle> found = triangles_of(points);
  std::map<u32, u32> number;
  for (const Triangle& t : found)
    for (const u32 k : t) number[k] = 0;
  for (auto& [point, corner] : number) {
    corner = u32(out.corners.size());
    out.corners.push_back(points[point]);
  }
  for (Triangle& t : found)
    for (u32& k : t) k = number[k];
  for (const Vec3& c : out.corners) out.inside += (1 / Real(out.corners.size())) * c;
  put_in_order(out.corners, out.inside, found);
  out.triangles = std::move(found);
  return out;
}

}  // namespace

std::string flaw_of_points(const std::vector<Vec3>& points) {
  if (points.size() < 4) return "a hull has four points or more";
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points)
    for (int k = 0; k < 3; ++k) {
      if (!std::isfinite(p[k])) return "a point is not a number";
      low[k] = min(low[k], p[k]);
      high[k] = max(high[k], p[k]);
    }
  const Triangulated t = triangulated(points);
  const Real size = length(high - low);
  if (t.triangles.size() < 4 || !(whole(t.corners, t.inside, t.triangles).mass > 1e-9 * size * size * size))
    return "the points lie in one plane: the hull is flat";
  return "";
}

Hull make_hull(const std::vector<Vec3>& points) {
  Triangulated t = triangulated(points);
  TALUS_ASSERT(t.triangles.size() >= 4 && "points without a flaw have a hull");
  const MassProperties m = whole(t.corners, t.inside, t.triangles);
  const PrincipalInertia main = principal_inertia(m.inertia);
  Hull hull;
  hull.volume = m.mass;
  hull.moments = (1 / m.mass) * main.moments;
  for (Vec3& c : t.corners) {
    c = main.axes.turned_back(c - m.centre);
    hull.reach = max(hull.reach, length(c));
  }
  join_faces(t.corners, t.triangles, hull);
  hull.corners = std::move(t.corners);
  return hull;
}

Hull scaled(Hull hull, Real factor) {
  for (Vec3& c : hull.corners) c = factor * c;
  hull.volume *= factor * factor * factor;
  hull.surface *= factor * factor;
  hull.moments = (factor * factor) * hull.moments;
  hull.reach *= factor;
  return hull;
}

HullView place(const Hull& hull, Real size, const Quat& turning, const Vec3& position, Vec3* corners, Vec3* normals) {
  const Mat3 turn = turning.matrix();
  for (std::size_t k = 0; k < hull.corners.size(); ++k) corners[k] = position + size * (turn * hull.corners[k]);
  for (std::size_t f = 0; f < hull.normals.size(); ++f) normals[f] = turn * hull.normals[f];
  return {{corners, hull.corners.size()},
          {normals, hull.normals.size()},
          {hull.face_start.data(), hull.face_start.size()},
          {hull.face_corner.data(), hull.face_corner.size()},
          position,
          size * hull.reach};
}

}  // namespace talus
