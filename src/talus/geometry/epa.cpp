#include <talus/geometry/separation.hpp>

#include <cmath>

#include <talus/core/assert.hpp>

namespace talus {
namespace {

// A growing hull of points of the difference, made of triangles. The origin is inside or on it.
class Polytope {
 public:
  Polytope(const HullView& a, const HullView& b) : a_(a), b_(b), rounding_(1e-13 * (a.reach + b.reach)) {}

  Separation shortest_way_out(const Simplex& inside) {
    grow_tetrahedron(inside);
    for (int n = 0; n < 200; ++n) {
      const u32 f = nearest();
      const Triangle near = triangles_[f];
      const DifferencePoint next = farthest_of_difference(a_, b_, near.normal);
      if (!(dot(next.at, near.normal) - near.distance > rounding_) || is_there(next)) return answer(near);
      if (!expand(next)) return answer(near);
    }
    return answer(triangles_[nearest()]);
  }

 private:
  struct Triangle {
    u32 point[3];
    Vec3 normal{};       // unit, outward
    Real distance = 0;   // m, from the origin
    bool is_thin = false;  // no normal: it closes the surface and is never the nearest
  };

  bool is_there(const DifferencePoint& p) const {
    for (const DifferencePoint& q : points_)
      if (q.a == p.a && q.b == p.b) return true;
    return false;
  }

  Triangle triangle(u32 i, u32 j, u32 k) const {
    Triangle t{{i, j, k}};
    const Vec3 n = cross(points_[j].at - points_[i].at, points_[k].at - points_[i].at);
    const Real size = length(n);
    t.is_thin = !(size > rounding_ * rounding_);
    if (t.is_thin) return t;
    t.normal = (1 / size) * n;
    t.distance = (dot(points_[i].at, t.normal) + dot(points_[j].at, t.normal) + dot(points_[k].at, t.normal)) / 3;
    return t;
  }

  // Four points that are not in one plane, from what gjk has left: fewer when the hulls only touch.
  void grow_tetrahedron(const Simplex& s) {
    for (int k = 0; k < s.count; ++k) points_.push_back(s.point[k]);
    const auto at = [&](std::size_t k) -> const Vec3& { return points_[k].at; };
    const auto add_farthest = [&](const Vec3& way, auto&& is_new) {
      for (const Real sign : {Real(1), Real(-1)}) {
        const DifferencePoint p = farthest_of_difference(a_, b_, sign * way);
        if (is_new(p.at)) return points_.push_back(p), true;
      }
      return false;
    };
    for (int k = 0; k < 3 && points_.size() == 1; ++k)
      add_farthest(axis(k), [&](const Vec3& p) { return length(p - at(0)) > rounding_; });
    for (int k = 0; k < 3 && points_.size() == 2; ++k) {
      const Vec3 line = at(1) - at(0);
      add_farthest(cross(line, axis(k)), [&](const Vec3& p) { return length(cross(p - at(0), line)) > rounding_ * length(line); });
    }
    if (points_.size() == 3) {
      const Vec3 n = cross(at(1) - at(0), at(2) - at(0));
      add_farthest(n, [&](const Vec3& p) { return std::abs(dot(p - at(0), n)) > rounding_ * length(n); });
    }
    TALUS_ASSERT(points_.size() == 4 && "the difference of two hulls has a volume");
    if (dot(cross(at(1) - at(0), at(2) - at(0)), at(3) - at(0)) > 0) std::swap(points_[0], points_[1]);
    triangles_ = {triangle(0, 1, 2), triangle(0, 3, 1), triangle(1, 3, 2), triangle(2, 3, 0)};
  }
  static Vec3 axis(int k) {
    Vec3 v;
    v[k] = 1;
    return v;
  }

  u32 nearest() const {
    u32 best = 0;
    Real least = HUGE_VAL;
    for (u32 f = 0; f < triangles_.size(); ++f)
      if (!triangles_[f].is_thin && triangles_[f].distance < least) least = triangles_[f].distance, best = f;
    return best;
  }

  // Takes away all triangles that a new point sees, and closes the hole with triangles to it. False when it sees none.
  bool expand(const DifferencePoint& next) {
    std::vector<std::pair<u32, u32>> rim;  // edges with a triangle on one side only
    std::vector<Triangle> stay;
    for (const Triangle& t : triangles_) {
      if (t.is_thin || !(dot(next.at, t.normal) - t.distance > 0)) {
        stay.push_back(t);
        continue;
      }
      for (int k = 0; k < 3; ++k) {
        const std::pair<u32, u32> edge{t.point[k], t.point[(k + 1) % 3]}, back{edge.second, edge.first};
        std::size_t at = 0;
        while (at < rim.size() && rim[at] != back) ++at;
        if (at < rim.size())
          rim.erase(rim.begin() + std::ptrdiff_t(at));
        else
          rim.push_back(edge);
      }
    }
    if (rim.empty()) return false;
    const auto p = u32(points_.size());
    points_.push_back(next);
    for (const auto& [i, j] : rim) stay.push_back(triangle(i, j, p));
    triangles_ = std::move(stay);
    return true;
  }

  // Where the nearest point of the triangle lies on both hulls.
  Separation answer(const Triangle& t) const {
    const Vec3 foot = t.distance * t.normal;
    const auto at = [&](int k) -> const Vec3& { return points_[t.point[k]].at; };
    const Vec3 n = cross(at(1) - at(0), at(2) - at(0));
    const Real square = dot(n, n);
    Real share[3] = {dot(cross(at(1) - foot, at(2) - foot), n) / square, dot(cross(at(2) - foot, at(0) - foot), n) / square, 0};
    share[2] = 1 - share[0] - share[1];
    Separation out;
    for (int k = 0; k < 3; ++k) {
      out.on_a += share[k] * a_.corners[points_[t.point[k]].a];
      out.on_b += share[k] * b_.corners[points_[t.point[k]].b];
    }
    out.gap = -max(t.distance, Real(0));
    out.normal = -t.normal;
    return out;
  }

  const HullView &a_, &b_;
  Real rounding_;  // m
  std::vector<DifferencePoint> points_;
  std::vector<Triangle> triangles_;
};

}  // namespace

Separation penetration_epa(const HullView& a, const HullView& b, const Simplex& inside) {
  return Polytope(a, b).shortest_way_out(inside);
}

}  // namespace talus
