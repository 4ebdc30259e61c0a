// How far a force at one contact pushes the surface of a sphere out at another: kernels against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include <talus/contact/multi_contact.hpp>

#include "../support/gel.hpp"

using namespace talus;
using namespace talus::test;

// Tolerances: the table of the first test is printed to nine digits (5e-9) and twelve (1e-11), and to five (1e-4); 1e-12 and less is the rounding
// of some ten operations; Gauss's rule on 20,000 intervals misses the root-like ends of the kernels by less than 1e-8.

namespace {

// g of a kernel: the displacement at angle theta on a sphere is (1 + nu) F / (4 pi E R) g.
Real g_of(MultiContactKind kind, Real nu, Real degrees) {
  MultiContactModel b;
  b.kind = kind;
  b.prepare({gel(nu)});
  const ContactPair<Real> pair{std::cos(degrees * pi / 180), 1, 1};
  Real out = 0;
  with_kernel(b, [&](const auto& kernel) { out = kernel.couple(b.constants[0], 1, pair); });
  return out * 4 * pi / (1 + nu);
}

}  // namespace

// Values of the Legendre series summed with 40 digits, and of the closed forms.
TEST(MultiContactKernel, HasTheValuesOfItsClosedForm) {
  struct Value {
    Real nu, degrees, sphere, point;
  };
  for (const Value& v : {Value{0.5, 60, -0.5, 1.18971695},
                         {0.5, 90, 0.707106781187, 0.867939904},
                         {0.5, 120, 1.44337567297, -0.143501517},
                         {0.5, 180, 2, -1.47848779},
                         {0.3, 45, NAN, 0.778567787},
                         {0.3, 90, NAN, 0.781424743},
                         {0, 150, NAN, -3.00737045}}) {
    EXPECT_NEAR(g_of(MultiContactKind::point_on_sphere, v.nu, v.degrees) / v.point, 1, 5e-9)
        << v.nu << ' ' << v.degrees;
    if (std::isnan(v.sphere)) continue;
    EXPECT_NEAR(g_of(MultiContactKind::sphere_to_sphere, v.nu, v.degrees) / v.sphere, 1, 1e-11);
  }
  EXPECT_NEAR(point_on_sphere_regular(0.5, 0), 2.6555, 1e-4);
}

// On the undeformed sphere the half-space is the sphere-to-sphere solution for every Poisson's ratio, not for 1/2 alone.
TEST(MultiContactKernel, OfAHalfSpaceOnASphereIsThatOfSphereToSphereForEveryPoissonsRatio) {
  for (const Real nu : {-0.5, 0.0, 0.3, 0.5})
    for (const Real degrees : {10., 45., 90., 130., 180.})
      EXPECT_NEAR(g_of(MultiContactKind::half_space, nu, degrees),
                  g_of(MultiContactKind::sphere_to_sphere, nu, degrees), 1e-12);
}

// An incompressible sphere keeps its volume: the mean of g over the sphere is zero. Integrated over s, dA ~ 4 s ds, by Gauss's
// rule of two points on 20,000 intervals.
TEST(MultiContactKernel, KeepsTheVolumeOfAnIncompressibleSphere) {
  for (const MultiContactKind kind : {MultiContactKind::point_on_sphere, MultiContactKind::sphere_to_sphere}) {
    MultiContactModel b;
    b.kind = kind;
    b.prepare({gel(0.5)});
    Real sum = 0, size = 0;
    const int n = 20000;
    with_kernel(b, [&](const auto& kernel) {
      for (int k = 0; k < n; ++k)
        for (const Real x : {0.5 - 0.5 / std::sqrt(3.0), 0.5 + 0.5 / std::sqrt(3.0)}) {
          const Real s = (k + x) / n;
          const Real g = kernel.couple(b.constants[0], 1, ContactPair<Real>{1 - 2 * s * s, 1, 1});
          sum += g * s / n;
          size += std::abs(g) * s / n;
        }
    });
    EXPECT_LT(std::abs(sum / size), 1e-8);
  }
}

// Cerruti's displacements of a half-space z > 0 by a force along x at the origin, component by component, against the kernel.
TEST(MultiContactKernel, OfAForceAcrossTheNormalIsCerrutis) {
  for (const Real nu : {0.0, 0.3, 0.5})
    for (const Real arm_k : {1.0, 0.93})
      for (const Real degrees : {40.0, 60.0, 90.0, 135.0, 180.0})
        for (const Real turn : {0.0, 35.0, 120.0}) {
          MultiContactModel b;
          b.kind = MultiContactKind::half_space;
          b.prepare({gel(nu)});
          const Real theta = degrees * pi / 180, phi = turn * pi / 180, arm_c = 0.97, shear_modulus = 0.5 / (1 + nu);
          const Vec3 n_k{0, 0, 1},
              n_c{std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
          const Vec3 d = arm_k * n_k - arm_c * n_c;
          const Real x = d.x, y = d.y, z = d.z, rho = length(d), c = 1 / (4 * pi * shear_modulus);
          const Real side = (1 - 2 * nu) / (rho * (rho + z) * (rho + z));
          const Vec3 moved{c * (1 / rho + x * x / (rho * rho * rho) + (1 - 2 * nu) / (rho + z) - side * x * x),
                           c * (x * y / (rho * rho * rho) - side * x * y),
                           c * (x * z / (rho * rho * rho) + (1 - 2 * nu) * x / (rho * (rho + z)))};
          const Real shear = HalfSpace{}.shear(b.constants[0], 1, ContactPair<Real>{dot(n_k, n_c), arm_k, arm_c});
          EXPECT_NEAR(shear * n_c.x, -dot(moved, n_c), 1e-13) << nu << ", " << degrees << ", " << turn;
          const ContactPair<Real> on_sphere{dot(n_k, n_c), 1, 1};
          EXPECT_NEAR(HalfSpace{}.shear(b.constants[0], 1, on_sphere),
                      SphereToSphere{}.shear(b.constants[0], 1, on_sphere), 1e-13);
        }
}
