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
