// Multi-contact models: kernels and lattices in closed form, contacts made by bulging, the fold, work over cycles.
#include <gtest/gtest.h>

#include <talus/sampling/placement.hpp>

#include "../support/sample.hpp"

using namespace talus;
using namespace talus::test;

namespace {

using Hertz = HertzMindlin<3>;

Material gel(Real poisson = 0.5, Real friction = 0) {
  Material m;
  m.name = "gel";
  m.density = 1;
  m.young = 1;
  m.poisson = poisson;
  m.friction = friction;
  return m;
}

void set_model(Sample<3>& s, BulgeKind kind, Real gamma = 1) {
  s.model.bulge.kind = kind;
  s.model.bulge.gamma = gamma;
  s.model.bulge.iterate = true;
  s.model.bulge.tolerance = 1e-13;
  s.model.bulge.prepare(s.model.materials);
}

// Equal spheres of radius 1 and Young's modulus 1, strained along each axis.
Sample<3> lattice(const std::string& kind, Vec3 strain, BulgeKind model, Real gamma = 1, Real poisson = 0.5,
                  int repeats = 2) {
  Sample<3> s({gel(poisson)});
  s.model.options.rotation = false;
  s.model.options.overlap_limit = 2;
  s.set_law<Hertz>();
  set_model(s, model, gamma);
  const auto l = sampling::lattice<3>(kind, 2, {repeats, repeats, repeats});
  Vec3 edges;
  for (int k = 0; k < 3; ++k) edges[k] = l.edges[k] * (1 - strain[k]);
  s.set_box(edges);
  std::vector<Ball<3>> balls;
  for (Vec3 p : l.points) {
    for (int k = 0; k < 3; ++k) p[k] *= 1 - strain[k];
    balls.push_back({p, 1, 0, {}, {}});
  }
  s.assemble(balls);
  return s;
}

struct Forces {
  Real most = 0, least = HUGE_VAL;
};
Forces forces(const Sample<3>& s) {
  Forces f;
  for (const auto& c : s.contacts()) {
    f.most = std::max(f.most, length(c.force));
    f.least = std::min(f.least, length(c.force));
  }
  return f;
}

// g of a kernel: the displacement at angle theta on a sphere is (1 + nu) F / (4 pi E R) g.
Real g_of(BulgeKind kind, Real nu, Real degrees) {
  BulgeModel b;
  b.kind = kind;
  b.prepare({gel(nu)});
  const ContactPair<Real> pair{std::cos(degrees * pi / 180), 1, 1};
  Real out = 0;
  with_kernel(b, [&](const auto& kernel) { out = kernel.couple(b.constants[0], 1, pair); });
  return out * 4 * pi / (1 + nu);
}

}  // namespace

// Values of the Legendre series summed with 40 digits, and of the closed forms.
TEST(BulgeKernel, HasTheValuesOfItsClosedForm) {
  struct Value {
    Real nu, degrees, sphere, point;
  };
  for (const Value& v : {Value{0.5, 60, -0.5, 1.18971695}, {0.5, 90, 0.707106781187, 0.867939904},
                         {0.5, 120, 1.44337567297, -0.143501517}, {0.5, 180, 2, -1.47848779},
                         {0.3, 45, NAN, 0.778567787}, {0.3, 90, NAN, 0.781424743}, {0, 150, NAN, -3.00737045}}) {
    EXPECT_NEAR(g_of(BulgeKind::point_on_sphere, v.nu, v.degrees) / v.point, 1, 5e-9) << v.nu << ' ' << v.degrees;
    if (std::isnan(v.sphere)) continue;
    EXPECT_NEAR(g_of(BulgeKind::sphere_to_sphere, v.nu, v.degrees) / v.sphere, 1, 1e-11);
  }
  EXPECT_NEAR(point_on_sphere_regular(0.5, 0), 2.6555, 1e-4);
}

// On the undeformed sphere the half-space is the sphere-to-sphere solution for every Poisson's ratio, not for 1/2 alone.
TEST(BulgeKernel, OfAHalfSpaceOnASphereIsThatOfSphereToSphereForEveryPoissonsRatio) {
  for (const Real nu : {-0.5, 0.0, 0.3, 0.5})
    for (const Real degrees : {10., 45., 90., 130., 180.})
      EXPECT_NEAR(g_of(BulgeKind::half_space, nu, degrees), g_of(BulgeKind::sphere_to_sphere, nu, degrees), 1e-12);
}

// An incompressible sphere keeps its volume: the mean of g over the sphere is zero. Integrated over s, dA ~ 4 s ds, by Gauss's
// rule of two points on 20,000 intervals.
TEST(BulgeKernel, KeepsTheVolumeOfAnIncompressibleSphere) {
  for (const BulgeKind kind : {BulgeKind::point_on_sphere, BulgeKind::sphere_to_sphere}) {
    BulgeModel b;
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

TEST(MultiContact, LatticesHaveTheForcesOfTheirClosedEquations) {
  struct Case {
    const char* lattice;
    Vec3 strain;
    BulgeKind kind;
    Real gamma, nu, most, least;
  };
  const BulgeKind ind = BulgeKind::independent, sphere = BulgeKind::sphere_to_sphere, half = BulgeKind::half_space,
                  multi = BulgeKind::multi_contact;
  const Vec3 iso{0.02, 0.02, 0.02}, uni{0, 0, 0.05};
  for (const Case& c : {Case{"sc", iso, ind, 1, 0.5, 0.00502831488844, 0.00502831488844},
                        {"sc", iso, sphere, 1, 0.5, 0.00650701491569, 0.00650701491569},
                        {"sc", iso, half, 1, 0.5, 0.00654855232485, 0.00654855232485},
                        {"sc", iso, multi, 1.19, 0.5, 0.00697836399143, 0.00697836399143},
                        {"sc", uni, ind, 1, 0.5, 0.0198761598, 0.0198761598},
                        {"sc", uni, sphere, 1, 0.5, 0.0233991730747, 0.000474115882331},
                        {"sc", uni, half, 1, 0.5, 0.0236288619527, 0.000499139136504},
                        {"sc", uni, multi, 1.19, 0.5, 0.0246075523385, 0.000706274234061},
                        {"fcc", iso, sphere, 1, 0.5, 0.00772450163462, 0.00772450163462},
                        {"fcc", iso, half, 1, 0.5, 0.00781989088798, 0.00781989088798},
                        {"fcc", iso, multi, 1.19, 0.5, 0.00890666941714, 0.00890666941714}}) {
    Sample<3> s = lattice(c.lattice, c.strain, c.kind, c.gamma, c.nu);
    s.prepare();
    EXPECT_EQ(s.status, 0u);
    EXPECT_NEAR(forces(s).most / c.most, 1, 1e-9) << c.lattice << int(c.kind);
    EXPECT_NEAR(forces(s).least / c.least, 1, 1e-9) << c.lattice << int(c.kind);
  }
}
