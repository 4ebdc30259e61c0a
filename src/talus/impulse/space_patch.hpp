#pragma once
// A point of contact between two bodies in space, as the solver sees it: one impulse along the normal and two across, which are
// bounded together by friction. Bodies that touch along a line or a face have several.
#include <cmath>

#include <talus/impulse/patch.hpp>

namespace talus::impulse {

// A body in the solver. Its inertia is that about the axes of space at the beginning of the step.
struct SpaceMotion {
  Vec3 velocity, spin;
  Real inverse_mass = 0;
  Mat<3> inverse_inertia;  // zeros for bodies that cannot turn
  // A body that impulses move along one direction alone, a platen whose height is free: it has a share of 0 and that direction. Unit.
  Real share = 1;
  Vec3 only{};

  TALUS_HD Vec3 allowed(const Vec3& way) const { return share * way + dot(only, way) * only; }
  // The velocity that an impulse gives.
  TALUS_HD Vec3 response(const Vec3& push) const { return inverse_mass * allowed(push); }
};

TALUS_HD bool moves(const SpaceMotion& m) {
  return m.inverse_mass > 0 || m.inverse_inertia(0, 0) + m.inverse_inertia(1, 1) + m.inverse_inertia(2, 2) > 0;
}

struct SpacePatch {
  u32 a = 0, b = 0;             // bodies; the normal points from b to a
  Vec3 axis[3];                 // unit: the normal, and two across it and one another
  Vec3 lever_a[3], lever_b[3];  // m, moment arms of impulses along the axes about each body
  Real gap = 0;                 // m, negative where the bodies overlap
  Real friction = 0;
  PatchVec bias;     // m/s, bias velocity: the conditions hold for velocity plus bias
  Mat<3> w;          // velocities that a unit of each impulse makes: symmetric, 1/kg
  PatchVec softness{};  // 1/kg, as of a Patch of the plane; both across the normal are one
  PatchVec impulse;  // N s, along the axes
  Vec3 place;        // m, where it lies

  // Its axes and moment arms. `to_a`, `to_b`: from the centres of the bodies to the point.
  TALUS_HD void set_frame(const Vec3& normal, const Vec3& to_a, const Vec3& to_b) {
    // Across the normal and the axis of space that lies farthest from it.
    const Vec3 size{std::abs(normal.x), std::abs(normal.y), std::abs(normal.z)};
    const int least = size.x <= size.y && size.x <= size.z ? 0 : size.y <= size.z ? 1 : 2;
    Vec3 other;
    other[least] = 1;
    const Vec3 across = cross(normal, other);
    axis[0] = normal;
    axis[1] = (1 / length(across)) * across;
    axis[2] = cross(normal, axis[1]);
    for (int j = 0; j < 3; ++j) {
      lever_a[j] = moment(to_a, axis[j]);
      lever_b[j] = moment(to_b, axis[j]);
    }
  }

  TALUS_HD Real normal_impulse() const { return impulse.x; }
  // Of a against b along the axes, bias included.
  TALUS_HD PatchVec velocities(const SpaceMotion& ma, const SpaceMotion& mb) const {
    PatchVec u = bias;
    for (int j = 0; j < 3; ++j)
      u[j] += dot(axis[j], ma.velocity - mb.velocity) + dot(lever_a[j], ma.spin) - dot(lever_b[j], mb.spin);
    return u;
  }
  TALUS_HD PatchVec yielding(const SpaceMotion& ma, const SpaceMotion& mb) const { return velocities(ma, mb) + each(softness, impulse); }
  TALUS_HD void apply_to_a(const PatchVec& p, SpaceMotion& ma) const {
    ma.velocity += ma.response(along(p, axis));
    ma.spin += ma.inverse_inertia * along(p, lever_a);
  }
  TALUS_HD void apply_to_b(const PatchVec& p, SpaceMotion& mb) const {
    mb.velocity -= mb.response(along(p, axis));
    mb.spin -= mb.inverse_inertia * along(p, lever_b);
  }
  TALUS_HD Mat<3> compliance(const SpaceMotion& ma, const SpaceMotion& mb) const {
    Mat<3> out;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        out(i, j) = dot(axis[i], ma.response(axis[j]) + mb.response(axis[j])) +
                    dot(lever_a[i], ma.inverse_inertia * lever_a[j]) + dot(lever_b[i], mb.inverse_inertia * lever_b[j]) + (i == j ? softness[i] : 0);
    return out;
  }

 private:
  TALUS_HD static Vec3 along(const PatchVec& p, const Vec3 (&of)[3]) { return p.x * of[0] + p.y * of[1] + p.z * of[2]; }
};

}  // namespace talus::impulse
