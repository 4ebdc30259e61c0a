#pragma once
// Mass, centre and inertia of a body, and the axes about which it spins without wobbling.
#include <talus/core/quat.hpp>
#include <talus/core/vec.hpp>

namespace talus {

struct MassProperties {
  Real mass = 0;   // kg; of a shape without a density its volume, m^3
  Vec3 centre{};   // m
  Mat3 inertia{};  // kg m^2, about the centre: its diagonal holds the moments, the rest minus the products
};

MassProperties box(const Vec3& edges, Real density);
// Of two bodies that are one from now on.
MassProperties together(const MassProperties& a, const MassProperties& b);
// The same body, turned about the origin and then moved.
MassProperties placed(const MassProperties& body, const Quat& turning, const Vec3& way);

struct PrincipalInertia {
  Vec3 moments;  // kg m^2, the smallest first
  Quat axes;     // turns x, y, z onto the axes of these moments
};

// Of a symmetric matrix. Jacobi's rotations in one fixed order: the same bits everywhere.
PrincipalInertia principal_inertia(const Mat3& inertia);

}  // namespace talus
