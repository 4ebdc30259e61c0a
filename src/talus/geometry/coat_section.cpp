#include <talus/geometry/coat_section.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include <talus/core/lanes.hpp>

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

// Edges of a coated hull as seen from the plane, as far as they come near it. The section reaches along a unit vector e of the plane by the most of
//   p.e + sqrt(coat^2 - z^2)   at the two ends of each edge, and
//   p_0.e + coat sqrt(1 + s^2), s = slope.e   where the edge comes nearest to that direction between its ends; p_0: where it goes through the plane.
struct EdgeList {
  static constexpr int N = native_lanes;
  using Real_s = Lanes<N>;
  // Columns of `edges` numbers, or twice as many, then some that reach nowhere.
  std::vector<Real> end_x, end_y, end_round;                          // m, two for each edge
  std::vector<Real> foot_x, foot_y, slope_x, slope_y, low_z, high_z;  // m; slope: way along the plane over rise

  void clear() {
    for (auto* v : {&end_x, &end_y, &end_round, &foot_x, &foot_y, &slope_x, &slope_y, &low_z, &high_z}) v->clear();
  }
  void add(const Vec3& a, const Vec3& b, Real coat) {
    const Real rise = b.z - a.z, flat = std::abs(b.x - a.x) + std::abs(b.y - a.y);
    const bool level = !(std::abs(rise) > 1e-12 * flat);
    const Real low = max(min(a.z, b.z), -coat), high = min(max(a.z, b.z), coat);
    const Vec2 slope = level ? Vec2{} : (1 / rise) * Vec2{b.x - a.x, b.y - a.y};
    const auto add_end = [&](const Vec2& p, Real z) {
      const Real inside = clamp(z, -coat, coat);
      end_x.push_back(p.x), end_y.push_back(p.y), end_round.push_back(std::sqrt(max(coat * coat - inside * inside, Real(0))));
    };
    add_end(level ? Vec2{a.x, a.y} : Vec2{a.x, a.y} + (low - a.z) * slope, level ? a.z : low);
    add_end(level ? Vec2{b.x, b.y} : Vec2{a.x, a.y} + (high - a.z) * slope, level ? b.z : high);
    foot_x.push_back(a.x - a.z * slope.x), foot_y.push_back(a.y - a.z * slope.y);
    slope_x.push_back(slope.x), slope_y.push_back(slope.y);
    low_z.push_back(level ? 0 : low), high_z.push_back(level ? 0 : high);
  }
  void fill_up() {
    const auto up_to = [](std::size_t n) { return (n + N - 1) / N * N; };
    const std::size_t ends = up_to(end_x.size()), edges = up_to(foot_x.size());
    end_x.resize(ends, 0), end_y.resize(ends, 0), end_round.resize(ends, -HUGE_VAL);
    for (auto* v : {&foot_x, &foot_y, &slope_x, &slope_y, &low_z, &high_z}) v->resize(edges, 0);
  }
  static Real_s at(const std::vector<Real>& v, std::size_t k) {
    Real_s x;
    std::memcpy(&x.v, v.data() + k, sizeof x.v);
    return x;
  }
  // How far it reaches, at most `enough`.
  Real reach(const Vec2& e, Real coat, Real enough) const {
    const Real_s x(e.x), y(e.y), one(1), thick(coat), limit(enough);
    Real_s most(-HUGE_VAL);
    for (std::size_t k = 0; k < end_x.size(); k += N) most = max(most, at(end_x, k) * x + at(end_y, k) * y + at(end_round, k));
    if (any(limit <= most)) return enough;
    for (std::size_t k = 0; k < foot_x.size(); k += N) {
      const Real_s s = at(slope_x, k) * x + at(slope_y, k) * y, root = sqrt(one + s * s), best = s * thick;
      const Real_s between = at(foot_x, k) * x + at(foot_y, k) * y + thick * root;
      most = max(most, select((best > at(low_z, k) * root) & (best < at(high_z, k) * root), between, most));
    }
    return min(enough, largest(most));
  }
};

// A coated hull as seen from the plane: edges that come as near as the coat is thick, and directions in which it ends straight.
class Coated {
 public:
  Coated(const HullView& h, Real coat, const Plane& plane, EdgeList& edges, std::vector<Vec3>& seen, std::vector<Vec2>& directions)
      : coat_(coat), edges_(edges) {
    edges_.clear();
    seen.resize(h.corners.size);
    for (u32 k = 0; k < h.corners.size; ++k) seen[k] = plane.seen(h.corners[k]);
    const Vec3 centre = plane.seen(h.centre);
    for (std::size_t f = 0; f < h.faces(); ++f) {
      bool met = false;
      for (u32 k = h.face_start[f]; k < h.face_start[f + 1]; ++k) {
        const u32 from = h.face_corner[k], to = h.face_corner[k + 1 < h.face_start[f + 1] ? k + 1 : h.face_start[f]];
        const Vec3 &a = seen[from], &b = seen[to];
        if (min(a.z, b.z) > coat || max(a.z, b.z) < -coat) continue;
        met = true;
        if (from > to) continue;  // each edge belongs to two faces
        edges_.add(a, b, coat);
        if (coat > 0) add_across(a, b, centre, directions);
      }
      const Vec2 out{dot(h.normals[f], plane.x), dot(h.normals[f], plane.y)};
      if (met && length(out) > edge_on) directions.push_back((1 / length(out)) * out);
    }
    edges_.fill_up();
  }
  bool meets() const { return !edges_.end_x.empty(); }
  // How far the section reaches along a unit vector of the plane; where that is at least `enough`, so much.
  Real reach(const Vec2& e, Real enough) const { return edges_.reach(e, coat_, enough); }

 private:
  static void add_across(const Vec3& a, const Vec3& b, const Vec3& centre, std::vector<Vec2>& directions) {
    const Vec2 way{b.x - a.x, b.y - a.y}, out{a.x - centre.x, a.y - centre.y};
    const Real size = length(way);
    if (!(std::abs(b.z - a.z) < nearly_flat * size)) return;
    const Vec2 across{-way.y / size, way.x / size};
    directions.push_back(dot(across, out) < 0 ? Real(-1) * across : across);
  }

  Real coat_;
  EdgeList& edges_;
};

// Room that one thread uses again and again.
struct Room {
  EdgeList edges[2];
  std::vector<Vec3> seen;
  std::vector<Vec2> directions, polygon, other;
};
Room& room() {
  thread_local Room mine;
  return mine;
}

Real reach_of(const std::vector<Vec2>& polygon, const Vec2& e) {
  Real most = -HUGE_VAL;
  for (const Vec2& p : polygon) most = max(most, dot(p, e));
  return most;
}

void cut(std::vector<Vec2>& polygon, const Vec2& e, Real reach, std::vector<Vec2>& other) {
  other.clear();
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vec2 &from = polygon[k], &to = polygon[k + 1 < polygon.size() ? k + 1 : 0];
    const Real before = dot(from, e) - reach, after = dot(to, e) - reach;
    if (before <= 0) other.push_back(from);
    if ((before <= 0) != (after <= 0)) other.push_back(from + (before / (before - after)) * (to - from));
  }
  std::swap(polygon, other);
}

CommonSection cut_out(const Plane& plane, const Coated* body, const Coated* other, Real large) {
  std::vector<Vec2>& polygon = room().polygon;
  polygon.assign({{-large, -large}, {large, -large}, {large, large}, {-large, large}});
  // What the nearer of the two leaves is all that is common. Most tangents cut nothing any more: it is enough to know that the section reaches as far.
  for (const Vec2& e : room().directions) {
    const Real most = reach_of(polygon, e);
    Real reach = body->reach(e, most);
    if (other) reach = other->reach(e, reach);
    if (most > reach) cut(polygon, e, reach, room().other);
  }
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

// Directions in which round parts are cut, to begin with.
std::vector<Vec2>& all_around(Real coat) {
  static const std::vector<Vec2> circle = [] {
    std::vector<Vec2> out;
    for (int k = 0; k < around; ++k) out.push_back({std::cos(2 * pi * k / around), std::sin(2 * pi * k / around)});
    return out;
  }();
  std::vector<Vec2>& out = room().directions;
  out.clear();
  if (coat > 0) out = circle;
  return out;
}

}  // namespace

CommonSection section_of(const HullView& a, Real coat_a, const Vec3& at, const Vec3& normal) {
  const Plane plane(at, normal);
  std::vector<Vec2>& directions = all_around(coat_a);
  const Coated coated(a, coat_a, plane, room().edges[0], room().seen, directions);
  if (!coated.meets()) return {0, at};
  return cut_out(plane, &coated, nullptr, 2 * (a.reach + coat_a) + length(a.centre - at));
}

CommonSection common_section(const HullView& a, Real coat_a, const HullView& b, Real coat_b, const Vec3& at, const Vec3& normal) {
  const Plane plane(at, normal);
  std::vector<Vec2>& directions = all_around(max(coat_a, coat_b));
  const Coated of_a(a, coat_a, plane, room().edges[0], room().seen, directions);
  const Coated of_b(b, coat_b, plane, room().edges[1], room().seen, directions);
  if (!of_a.meets() || !of_b.meets()) return {0, at};
  return cut_out(plane, &of_a, &of_b, 2 * (a.reach + coat_a) + length(a.centre - at));
}

Real common_volume(const HullView& a, Real coat_a, const HullView& b, Real coat_b, const Vec3& normal, int stretches) {
  const Real low = dot(a.corners[a.farthest(-normal)], normal) - coat_a, high = dot(b.corners[b.farthest(normal)], normal) + coat_b;
  if (!(high > low)) return 0;
  // Gauss's three points in stretches that are short at both ends, where sections grow from nothing.
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
