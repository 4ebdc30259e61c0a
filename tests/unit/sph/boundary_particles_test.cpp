#include <gtest/gtest.h>

#include <talus/sph/boundary.hpp>

#include "block.hpp"

using namespace talus;
using namespace talus::testing;

TEST(BoundaryParticles, SurroundABoxOnceAsDeepAsTheKernelReaches) {
  Block<2> block(10, 0, true, 0);
  auto& b = block.scratch.boundary;
  sph::make_boundary(block.options, block.model, block.state, b);
  EXPECT_EQ(b.size(), 16u * 16u - 10u * 10u);  // three layers around ten by ten
  for (std::size_t i = 0; i < b.size(); ++i) {
    const Vec2 x = b.position[i];
    EXPECT_TRUE(x.x < 0 || x.x > 0.1 || x.y < 0 || x.y > 0.1);
    EXPECT_NEAR(b.volume[i], 1e-4, 1e-16);
    for (std::size_t j = 0; j < i; ++j) EXPECT_GT(length(x - b.position[j]), 0.0099) << i << ' ' << j;
  }
}

TEST(BoundaryParticles, CarryThePressureOfALiquidAtRestOnInAStraightLine) {
  Block<2> block(20, 0, true, 10);
  auto& p = block.state.particles;
  for (std::size_t i = 0; i < p.size(); ++i) {  // rho c^2 = 4e5 Pa: p = rho g depth is a density of 1 + p/(rho c^2)
    const Real ratio = 1 + 1000 * 10 * (0.2 - p.position[i].y) / 4e5;
    p.density[i] = 1000 * ratio;
  }
  ASSERT_EQ(sph::prepare(block.options, block.model, block.state, block.scratch).status, u32(fine));
  const auto& b = block.scratch.boundary;
  int seen = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (b.position[i].x < 0.05 || b.position[i].x > 0.15 || b.position[i].y > 0 || b.position[i].y < -0.015) continue;
    ++seen;  // 2,050 and 2,150 Pa; the law is not quite linear (6 % of 0.5 %), the weight is that of the densities before it
    EXPECT_NEAR(b.pressure[i], 1000 * 10 * (0.2 - b.position[i].y), 0.02 * 2100);
  }
  EXPECT_EQ(seen, 20);
}

// Behind a plane that is tilted, and around a cylinder: as much matter as there is room, a spacing apart.
TEST(BoundaryParticles, FillTheSpaceBehindATiltedPlaneAndAroundACylinder) {
  Block<3> b(4, 16, false, 0);
  const auto wall = [](const WallShape<3>& shape) {
    sampling::PlacedWall<3> w;
    w.name = "wall";
    w.shape = shape;
    w.position = {0.1, 0.1, 0.1};
    return w;
  };
  const auto laid = [&](const WallShape<3>& shape) {
    b.model = {};
    b.state.bodies = {};
    sampling::assemble(b.model, b.state, std::vector<sampling::Ball<3>>{}, {wall(shape)});
    sph::make_boundary(b.options, b.model, b.state, b.scratch.boundary);
  };
  const auto& out = b.scratch.boundary;
  laid(WallPlane<3>::facing({1, 0, 2}));
  Real density = 0;  // of boundary particles around one deep behind the plane, which cells of its lattice fill
  int seen = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Vec3 x = out.position[i] - Vec3{0.1, 0.1, 0.1};
    EXPECT_LT(x.x + 2 * x.z, 0);
    const Mat3 held = full(out.holds[i]);
    EXPECT_NEAR(length(held * Vec3{2, 7, -1}), 0, 1e-12);  // along the plane
    EXPECT_NEAR(length(held * Vec3{1, 0, 2} - Vec3{1, 0, 2}), 0, 1e-12);
    const Real depth = -(x.x + 2 * x.z) / std::sqrt(5.0);
    if (depth > 0.02 || length(x) > 0.05) continue;
    ++seen;
    density = 0;
    for (std::size_t j = 0; j < out.size(); ++j)
      if (length(out.position[j] - out.position[i]) < 0.0101) density += 1;
    EXPECT_GE(density, 6);  // itself and five neighbours at least
  }
  EXPECT_GT(seen, 20);
  laid(WallCylinder<3>::around({0, 0, 1}, 0.08));
  Real volume = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Real r = std::hypot(out.position[i].x - 0.1, out.position[i].y - 0.1);
    EXPECT_GT(r, 0.08);
    EXPECT_LT(r, 0.11);
    if (out.position[i].z > 0 && out.position[i].z < 0.2) volume += out.volume[i];
  }
  EXPECT_NEAR(volume, pi * (0.11 * 0.11 - 0.08 * 0.08) * 0.2, 1e-3 * volume);
}
