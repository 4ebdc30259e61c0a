#pragma once
// The exact solution of one point of contact in space: Signorini's condition along the normal and Coulomb's across it.
//
//   0 <= n  and  0 <= u_n  and  n u_n = 0;   |t| <= mu n;   u_t = 0 unless |t| is at its bound, then u_t opposes t
//
// with u = b + W (n, t), b the velocities without the point's own impulses, t and u_t in the plane across the normal.
//
// A point that pushes has u_n = 0; with n eliminated, u_t = c + S t. One that slides has u_t = -a t with a number a > 0, so
// (S + a) t = -c: t is known for each a, and the a that puts t on its bound is a root of one function of one unknown.
// At a = 0 (sticking) t is beyond its bound, for large a it is inside: there is such a root.
#include <cmath>

#include <talus/impulse/space_patch.hpp>

namespace talus::impulse {

class SpaceSolve {
 public:
  TALUS_HD SpaceSolve(const Mat<3>& w, Real mu, const PatchVec& b) : mu_(mu), free_(-b.x / w(0, 0)) {
    if (!(b.x < 0)) return;
    impulse_ = {free_, 0, 0};
    if (!(mu > 0)) return;
    reduce(w, b);
    for (int k = 0; k < 2; ++k) lean_[k] /= w(0, 0);
    put(0);
    if (beyond(0) > 0) put(root());
  }
  TALUS_HD const PatchVec& impulse() const { return impulse_; }

 private:
  // S in its main axes, c and how t leans on n seen from there.
  TALUS_HD void reduce(const Mat<3>& w, const PatchVec& b) {
    const Real sx = w(1, 1) - w(0, 1) * w(0, 1) / w(0, 0), sy = w(2, 2) - w(0, 2) * w(0, 2) / w(0, 0),
               sxy = w(1, 2) - w(0, 1) * w(0, 2) / w(0, 0);
    const Vec2 c{b.y + w(0, 1) * free_, b.z + w(0, 2) * free_};
    const Real half = Real(0.5) * (sx - sy), root = std::sqrt(half * half + sxy * sxy), mean = Real(0.5) * (sx + sy);
    main_[0] = mean + root;
    main_[1] = mean - root;
    // The main axis of the larger: twice its angle is that of (half, sxy).
    const Real lean = root > 0 ? half / root : 1;
    cos_ = std::sqrt(max(Real(0), Real(0.5) * (1 + lean)));
    sin_ = std::copysign(std::sqrt(max(Real(0), Real(0.5) * (1 - lean))), sxy);
    c_[0] = cos_ * c.x + sin_ * c.y;
    c_[1] = cos_ * c.y - sin_ * c.x;
    lean_[0] = cos_ * w(0, 1) + sin_ * w(0, 2);
    lean_[1] = cos_ * w(0, 2) - sin_ * w(0, 1);
  }
  TALUS_HD Vec2 across(Real a) const { return {-c_[0] / (main_[0] + a), -c_[1] / (main_[1] + a)}; }
  TALUS_HD Real along(const Vec2& t) const { return free_ - lean_[0] * t.x - lean_[1] * t.y; }
  // |t| over its bound, N s.
  TALUS_HD Real beyond(Real a) const {
    const Vec2 t = across(a);
    return std::sqrt(dot(t, t)) - mu_ * along(t);
  }
  TALUS_HD void put(Real a) {
    const Vec2 t = across(a);
    impulse_ = {along(t), cos_ * t.x - sin_ * t.y, sin_ * t.x + cos_ * t.y};
  }
  // Newton's steps where they stay between the ends known, halves where they do not.
  TALUS_HD Real root() const {
    Real low = 0, high = main_[0];
    for (int n = 0; n < 500 && beyond(high) > 0; ++n) low = high, high *= 4;
    Real a = low;
    for (int n = 0; n < 200; ++n) {
      const Vec2 t = across(a), slope{-t.x / (main_[0] + a), -t.y / (main_[1] + a)};
      const Real size = std::sqrt(dot(t, t)), f = size - mu_ * along(t);
      (f > 0 ? low : high) = a;
      const Real df = (t.x * slope.x + t.y * slope.y) / size + mu_ * (lean_[0] * slope.x + lean_[1] * slope.y);
      Real next = a - f / df;
      if (!(next > low && next < high)) next = Real(0.5) * (low + high);
      if (next == a || !(std::abs(next - a) > Real(1e-16) * next)) return next;
      a = next;
    }
    return a;
  }

  Real mu_, free_;  // `free_`: normal impulse without friction
  Real cos_ = 1, sin_ = 0;
  Real main_[2]{}, c_[2]{}, lean_[2]{};
  PatchVec impulse_;
};

// |p - projection(p - u / w)| of a point, N s.
TALUS_HD Real natural_map(const SpacePatch& patch, const PatchVec& u) {
  const PatchVec& p = patch.impulse;
  const bool elastic = patch.softness.x > 0;  // then it is by how much p is off its law
  const Real wn = elastic ? patch.softness.x : patch.w(0, 0);
  const Real wt = patch.softness.y > 0 ? patch.softness.y : max(patch.w(1, 1), patch.w(2, 2));
  const Vec2 t{p.y, p.z}, aim{p.y - u.y / wt, p.z - u.z / wt};
  const Real size = length(aim), bound = patch.friction * max(p.x, Real(0));
  const Vec2 off = t - (size > bound ? bound / size : Real(1)) * aim;
  const Real worst = max(std::abs(p.x - max(Real(0), p.x - u.x / wn)), length(off));
  return std::isfinite(u.x + u.y + u.z + p.x + p.y + p.z) ? worst : HUGE_VAL;
}

}  // namespace talus::impulse
