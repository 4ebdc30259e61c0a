#pragma once
// A patch of contact between two bodies in the plane, as the solver sees it: one normal, one or two points that push, and
// one friction impulse for both. Two points of one edge slide with one velocity, so their friction is one unknown; its bound
// is the sum of theirs.
#include <talus/core/vec.hpp>

namespace talus::impulse {

// A body in the solver.
struct Motion {
  Vec2 velocity;
  Real spin = 0;
  Real inverse_mass = 0, inverse_inertia = 0;  // 0 for driven bodies
};

// Impulses of a patch: along the normal at its two points, and along the tangent. N s
struct Impulse {
  Real first = 0, second = 0, along = 0;
  TALUS_HD Real normal() const { return first + second; }
  TALUS_HD friend Impulse operator+(const Impulse& p, const Impulse& q) {
    return {p.first + q.first, p.second + q.second, p.along + q.along};
  }
  TALUS_HD friend Impulse operator*(Real s, const Impulse& p) { return {s * p.first, s * p.second, s * p.along}; }
  TALUS_HD friend Impulse operator-(const Impulse& p, const Impulse& q) {
    return {p.first - q.first, p.second - q.second, p.along - q.along};
  }
};

// What it takes to change the three velocities of a patch: symmetric, 1/kg.
struct Compliance {
  Real w11 = 0, w12 = 0, w22 = 0, w1t = 0, w2t = 0, wtt = 0;
  TALUS_HD Impulse times(const Impulse& p) const {  // gives velocities
    return {w11 * p.first + w12 * p.second + w1t * p.along, w12 * p.first + w22 * p.second + w2t * p.along,
            w1t * p.first + w2t * p.second + wtt * p.along};
  }
};

// What friction does in a case of a patch.
enum class Mode : u32 { open, stick, forward, backward };  // forward: friction along +tangent

struct Patch {
  u32 a = 0, b = 0;   // bodies; the normal points from b to a
  Vec2 normal{};      // unit; the tangent is the normal turned to the left
  Real lever_a[3]{};  // m, moment arms of the two normal impulses and of the friction about a, then b
  Real lever_b[3]{};
  u32 points = 1;  // a patch of one point has no second impulse
  Real gap[2]{};   // m at the points, negative where the bodies overlap
  Real friction = 0;
  Real target[3]{};  // m/s: velocities plus these are what the conditions see (gap over step, restitution, cell)
  Compliance w;
  Impulse impulse;
  u32 hint = 0;  // which case held last

  TALUS_HD Vec2 tangent() const { return {-normal.y, normal.x}; }

  // Of a against b at the points, targets included.
  TALUS_HD Impulse velocities(const Motion& ma, const Motion& mb) const {
    const Vec2 v = ma.velocity - mb.velocity;
    const Real n = dot(normal, v), t = dot(tangent(), v);
    return {n + lever_a[0] * ma.spin - lever_b[0] * mb.spin + target[0],
            n + lever_a[1] * ma.spin - lever_b[1] * mb.spin + target[1],
            t + lever_a[2] * ma.spin - lever_b[2] * mb.spin + target[2]};
  }
  TALUS_HD void apply(const Impulse& p, Motion& ma, Motion& mb) const {
    const Vec2 push = p.normal() * normal + p.along * tangent();
    ma.velocity += ma.inverse_mass * push;
    mb.velocity -= mb.inverse_mass * push;
    ma.spin += ma.inverse_inertia * (lever_a[0] * p.first + lever_a[1] * p.second + lever_a[2] * p.along);
    mb.spin -= mb.inverse_inertia * (lever_b[0] * p.first + lever_b[1] * p.second + lever_b[2] * p.along);
  }
  TALUS_HD Compliance compliance(const Motion& ma, const Motion& mb) const {
    const Real mass = ma.inverse_mass + mb.inverse_mass;
    const auto turn = [&](int i, int j) {
      return ma.inverse_inertia * lever_a[i] * lever_a[j] + mb.inverse_inertia * lever_b[i] * lever_b[j];
    };
    return {mass + turn(0, 0), mass + turn(0, 1), mass + turn(1, 1), turn(0, 2), turn(1, 2), mass + turn(2, 2)};
  }
};

}  // namespace talus::impulse
