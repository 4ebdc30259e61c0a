#include <talus/geometry/separation.hpp>

#include <cmath>

namespace talus {
namespace {

// Does the foot of the origin on what some points span lie between them? Their shares of it.
bool foot(const Vec3& a, const Vec3& b, Real (&share)[4]) {
  const Vec3 along = b - a;
  const Real square = dot(along, along);
  if (!(square > 0)) return false;
  share[1] = -dot(a, along) / square;
  share[0] = 1 - share[1];
  return share[0] > 0 && share[1] > 0;
}
bool foot(const Vec3& a, const Vec3& b, const Vec3& c, Real (&share)[4]) {
  const Vec3 normal = cross(b - a, c - a);
  const Real square = dot(normal, normal);
  if (!(square > 0)) return false;
  share[0] = dot(cross(b, c), normal) / square;
  share[1] = dot(cross(c, a), normal) / square;
  share[2] = 1 - share[0] - share[1];
  return share[0] > 0 && share[1] > 0 && share[2] > 0;
}
bool holds_origin(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, Real (&share)[4]) {
  const Real whole = dot(b - a, cross(c - a, d - a));
  if (whole == 0) return false;
  share[0] = dot(b, cross(c, d)) / whole;
  share[1] = -dot(a, cross(c, d)) / whole;
  share[2] = dot(a, cross(b, d)) / whole;
  share[3] = 1 - share[0] - share[1] - share[2];
  return share[0] > 0 && share[1] > 0 && share[2] > 0 && share[3] > 0;
}

// Reduces a simplex to the points whose span holds its point nearest to the origin: all subsets are tried, which knows no special cases.
// True when the origin is inside.
bool reduce(Simplex& s) {
  Real best = HUGE_VAL;
  Simplex out;
  const auto offer = [&](const int* which, int count, const Real (&share)[4]) {
    Simplex one;
    one.count = count;
    for (int k = 0; k < count; ++k) one.point[k] = s.point[which[k]], one.share[k] = share[k];
    const Vec3 at = one.nearest();
    const Real square = dot(at, at);
    if (square < best) best = square, out = one;
  };
  Real share[4];
  const auto at = [&](int k) -> const Vec3& { return s.point[k].at; };
  if (s.count == 4 && holds_origin(at(0), at(1), at(2), at(3), share)) {
    for (int k = 0; k < 4; ++k) s.share[k] = share[k];
    return true;
  }
  for (int i = 0; i < s.count; ++i) {
    const Real all[4] = {1, 0, 0, 0};
    offer(&i, 1, all);
    for (int j = i + 1; j < s.count; ++j) {
      const int two[] = {i, j};
      if (foot(at(i), at(j), share)) offer(two, 2, share);
      for (int k = j + 1; k < s.count; ++k) {
        const int three[] = {i, j, k};
        if (foot(at(i), at(j), at(k), share)) offer(three, 3, share);
      }
    }
  }
  s = out;
  return false;
}

bool has(const Simplex& s, const DifferencePoint& p) {
  for (int k = 0; k < s.count; ++k)
    if (s.point[k].a == p.a && s.point[k].b == p.b) return true;
  return false;
}

}  // namespace

bool overlap_gjk(const HullView& a, const HullView& b, Real enough, Simplex& s) {
  constexpr int most = 100;  // steps; a dozen is usual
  Vec3 towards = b.centre - a.centre;
  if (!(dot(towards, towards) > 0)) towards = {1, 0, 0};
  s = {};
  s.point[0] = farthest_of_difference(a, b, towards);
  s.share[0] = 1;
  s.count = 1;
  const Real size = a.reach + b.reach, touching = 1e-15 * size;
  for (int n = 0; n < most; ++n) {
    const Vec3 v = s.nearest();
    const Real square = dot(v, v);
    if (!(square > touching * touching)) return true;
    const DifferencePoint next = farthest_of_difference(a, b, -v);
    const Real reached = dot(next.at, v);  // all of the difference lies at least so far along v
    if (reached > 0 && reached * reached > enough * enough * square) return false;
    if (has(s, next) || !(square - reached > 1e-14 * square)) return false;
    Simplex larger = s;
    larger.point[larger.count++] = next;
    if (reduce(larger)) return s = larger, true;
    const Vec3 nearer = larger.nearest();
    if (!(dot(nearer, nearer) < square)) return false;  // rounding: no way nearer
    s = larger;
  }
  return false;
}

Separation separation(const HullView& a, const HullView& b, Real enough) {
  Simplex s;
  if (overlap_gjk(a, b, enough, s)) return penetration_epa(a, b, s);
  Separation out;
  for (int k = 0; k < s.count; ++k) {
    out.on_a += s.share[k] * a.corners[s.point[k].a];
    out.on_b += s.share[k] * b.corners[s.point[k].b];
  }
  const Vec3 apart = s.nearest();
  out.gap = length(apart);
  out.normal = (1 / out.gap) * apart;
  if (s.count == 3) {  // of the face itself: its direction is not that of a short difference
    const Vec3 n = cross(s.point[1].at - s.point[0].at, s.point[2].at - s.point[0].at);
    out.normal = (std::copysign(1 / length(n), dot(n, apart))) * n;
  }
  return out;
}

}  // namespace talus
