#include <talus/geometry/mesh_distance.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace talus {
namespace {

// The nearest point of a triangle, and the pseudo-normal there.
struct Foot {
  Vec3 place, normal;
};

Foot on_edge(const MeshFacet& f, int k, Real share) {
  const Vec3 a = f.corner[k], b = f.corner[(k + 1) % 3];
  if (!(share > 0)) return {a, f.at_corner[k]};
  if (!(share < 1)) return {b, f.at_corner[(k + 1) % 3]};
  return {a + share * (b - a), f.at_edge[k]};
}

Foot foot_on(const MeshFacet& f, const Vec3& x) {
  bool is_over = dot(f.normal, f.normal) > 0;  // has it an area, and do all three edges see the point on the side of the triangle?
  for (int k = 0; k < 3; ++k) is_over = is_over && dot(cross(f.corner[(k + 1) % 3] - f.corner[k], x - f.corner[k]), f.normal) >= 0;
  if (is_over) return {x - dot(x - f.corner[0], f.normal) * f.normal, f.normal};
  Foot best{};
  Real least = HUGE_VAL;
  for (int k = 0; k < 3; ++k) {
    const Vec3 a = f.corner[k], way = f.corner[(k + 1) % 3] - a;
    const Foot foot = on_edge(f, k, dot(x - a, way) / dot(way, way));
    const Real away = dot(x - foot.place, x - foot.place);
    if (away < least) least = away, best = foot;
  }
  return best;
}

Real square_to_box(const MeshNode& n, const Vec3& x) {
  Real sum = 0;
  for (int k = 0; k < 3; ++k) {
    const Real away = std::max({n.low[k] - x[k], x[k] - n.high[k], Real(0)});
    sum += away * away;
  }
  return sum;
}

Real angle_between(const Vec3& a, const Vec3& b) { return std::atan2(length(cross(a, b)), dot(a, b)); }

constexpr u32 leaf = 4;  // facets in a box that is not divided

}  // namespace

MeshDistance::MeshDistance(const Mesh& mesh, Real unit) {
  std::vector<Vec3> at_point(mesh.points.size());
  std::map<std::pair<u32, u32>, Vec3> at_edge;  // by the smaller of its two points
  std::vector<Vec3> normals;
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.points[t[0]], b = mesh.points[t[1]], c = mesh.points[t[2]];
    const Vec3 across = cross(b - a, c - a);
    normals.push_back(length(across) > 0 ? (1 / length(across)) * across : Vec3{});
    for (std::size_t k = 0; k < 3; ++k) {
      const u32 i = t[k], j = t[(k + 1) % 3], before = t[(k + 2) % 3];
      at_edge[std::minmax(i, j)] += normals.back();
      at_point[i] += angle_between(mesh.points[j] - mesh.points[i], mesh.points[before] - mesh.points[i]) * normals.back();
    }
  }
  for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
    const auto& t = mesh.triangles[n];
    MeshFacet f;
    f.normal = normals[n];
    for (std::size_t k = 0; k < 3; ++k) {
      f.corner[k] = unit * mesh.points[t[k]];
      f.at_edge[k] = at_edge[std::minmax(t[k], t[(k + 1) % 3])];
      f.at_corner[k] = at_point[t[k]];
    }
    facets_.push_back(f);
  }
  name_.resize(facets_.size());
  std::iota(name_.begin(), name_.end(), 0u);
  split(0, u32(facets_.size()));
}

// Halves along the longest side of the box of the middles. Facets are moved with their names.
void MeshDistance::split(u32 first, u32 count) {
  const auto middle = [&](u32 n) { return Real(1) / 3 * (facets_[n].corner[0] + facets_[n].corner[1] + facets_[n].corner[2]); };
  MeshNode node{facets_[first].corner[0], facets_[first].corner[0], first, count, 0};
  Vec3 low = middle(first), high = low;
  for (u32 n = first; n < first + count; ++n)
    for (int k = 0; k < 3; ++k) {
      for (const Vec3& c : facets_[n].corner) node.low[k] = std::min(node.low[k], c[k]), node.high[k] = std::max(node.high[k], c[k]);
      low[k] = std::min(low[k], middle(n)[k]), high[k] = std::max(high[k], middle(n)[k]);
    }
  const std::size_t mine = nodes_.size();
  nodes_.push_back(node);
  if (count <= leaf) return;
  int longest = 0;
  for (int k = 1; k < 3; ++k)
    if (high[k] - low[k] > high[longest] - low[longest]) longest = k;
  std::vector<u32> order(count);
  std::iota(order.begin(), order.end(), first);
  std::sort(order.begin(), order.end(), [&](u32 a, u32 b) { return std::pair(middle(a)[longest], name_[a]) < std::pair(middle(b)[longest], name_[b]); });
  std::vector<MeshFacet> facets;
  std::vector<u32> names;
  for (const u32 n : order) facets.push_back(facets_[n]), names.push_back(name_[n]);
  std::copy(facets.begin(), facets.end(), facets_.begin() + first);
  std::copy(names.begin(), names.end(), name_.begin() + first);
  nodes_[mine].count = 0;
  split(first, count / 2);
  nodes_[mine].other = u32(nodes_.size());
  split(first + count / 2, count - count / 2);
}

Surface<3> MeshDistance::at(const Vec3& x) const {
  Real least = HUGE_VAL;
  u32 nearest = ~0u, which = 0;  // its name and place
  Foot foot{};
  u32 waiting[64], left = 0;
  for (waiting[left++] = 0; left > 0;) {
    const u32 n = waiting[--left];
    const MeshNode& node = nodes_[n];
    if (square_to_box(node, x) > least) continue;
    if (node.count == 0) {
      const bool first_is_nearer = square_to_box(nodes_[n + 1], x) <= square_to_box(nodes_[node.other], x);
      waiting[left++] = first_is_nearer ? node.other : n + 1;
      waiting[left++] = first_is_nearer ? n + 1 : node.other;
      continue;
    }
    for (u32 k = node.first; k < node.first + node.count; ++k) {
      const Foot f = foot_on(facets_[k], x);
      const Real away = dot(x - f.place, x - f.place);
      if (away < least || (away == least && name_[k] < nearest)) least = away, nearest = name_[k], which = k, foot = f;
    }
  }
  const Vec3 out = x - foot.place;
  const Real away = std::sqrt(least), side = dot(out, foot.normal) < 0 ? -1 : 1;
  if (!(away > 0)) return {0, facets_[which].normal, nearest};
  return {side * away, (side / away) * out, nearest};
}

bool MeshDistance::is_within(const Vec3& x, Real reach) const {
  return square_to_box(nodes_.front(), x) < reach * reach && at(x).gap < reach;
}

}  // namespace talus
