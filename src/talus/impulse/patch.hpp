#pragma once
// A patch of contact between two bodies in the plane, as the solver sees it: one normal, one or two points that push, and
// one friction impulse for both. Two points of one edge slide with one velocity, so their friction is one unknown; its bound
// is the sum of theirs. It acts at the point that carries.
#include <talus/core/vec.hpp>

namespace talus::impulse {

// A body in the solver.
struct Motion {
  Vec2 velocity;
  Real spin = 0;
  Real inverse_mass = 0, inverse_inertia = 0;  // 0 for driven bodies
};

// What a patch has three of, impulses or velocities: along the normal at its two points, and along the tangent.
using PatchVec = Vec3;
TALUS_HD Real normal_of(const PatchVec& p) { return p.x + p.y; }

// Component by component.
TALUS_HD PatchVec each(const PatchVec& x, const PatchVec& y) { return {x.x * y.x, x.y * y.y, x.z * y.z}; }

// What friction does in a case of a patch.
enum class Mode : u32 { open, stick, forward, backward };  // forward: friction along +tangent

struct Patch {
  u32 a = 0, b = 0;           // bodies; the normal points from b to a
  Vec2 normal{};              // unit; the tangent is the normal turned to the left
  PatchVec lever_a, lever_b;  // m, moment arms of its three impulses about each body
  Real alone_a[2]{}, alone_b[2]{};  // m, arms of friction if a point alone carries
  u32 points = 1;             // a patch of one point has no second impulse
  Real gap[2]{};              // m at the points, negative where the bodies overlap
  Real ahead[2]{};            // m, what they would be if only the share of the old velocity in the step acted
  Real friction = 0;
  PatchVec bias;  // m/s, bias velocity: the conditions hold for velocity plus bias (gap over step, restitution, cell)
  Mat<3> w;       // velocities that a unit of each impulse makes: symmetric, 1/kg
  PatchVec softness{};  // 1/kg, by which the contact itself gives way: 0 where it is rigid; the conditions hold for velocity plus bias plus that times impulse
  PatchVec impulse;  // N s
  Vec2 place{};      // m, where it lies: neighbours are solved near one another

  TALUS_HD Vec2 tangent() const { return {-normal.y, normal.x}; }
  TALUS_HD Real normal_impulse() const { return normal_of(impulse); }

  // Of a against b at the points, bias included.
  TALUS_HD PatchVec velocities(const Motion& ma, const Motion& mb) const {
    const Vec2 v = ma.velocity - mb.velocity;
    const Real n = dot(normal, v), t = dot(tangent(), v);
    return PatchVec{n, n, t} + ma.spin * lever_a - mb.spin * lever_b + bias;
  }
  // What the conditions look at.
  TALUS_HD PatchVec yielding(const Motion& ma, const Motion& mb) const { return velocities(ma, mb) + each(softness, impulse); }
  TALUS_HD Vec2 push(const PatchVec& p) const { return normal_of(p) * normal + p.z * tangent(); }
  TALUS_HD void apply_to_a(const PatchVec& p, Motion& ma) const {
    ma.velocity += ma.inverse_mass * push(p);
    ma.spin += ma.inverse_inertia * dot(lever_a, p);
  }
  TALUS_HD void apply_to_b(const PatchVec& p, Motion& mb) const {
    mb.velocity -= mb.inverse_mass * push(p);
    mb.spin -= mb.inverse_inertia * dot(lever_b, p);
  }
  TALUS_HD Mat<3> compliance(const Motion& ma, const Motion& mb) const {
    Mat<3> out;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const bool same = (i == 2) == (j == 2);  // a push along the normal moves nobody along the tangent
        out(i, j) = (same ? ma.inverse_mass + mb.inverse_mass : 0) + ma.inverse_inertia * lever_a[i] * lever_a[j] +
                    mb.inverse_inertia * lever_b[i] * lever_b[j] + (i == j ? softness[i] : 0);
      }
    return out;
  }
};

TALUS_HD bool moves(const Motion& m) { return m.inverse_mass > 0 || m.inverse_inertia > 0; }

// Impulses of a patch of the plane or of space to its bodies. Driven bodies, which patches of several threads may share, are not
// written.
template <class AnyPatch, class AnyMotion>
TALUS_HD void push_bodies(const AnyPatch& patch, const PatchVec& p, AnyMotion* bodies) {
  if (moves(bodies[patch.a])) patch.apply_to_a(p, bodies[patch.a]);
  if (moves(bodies[patch.b])) patch.apply_to_b(p, bodies[patch.b]);
}

}  // namespace talus::impulse
