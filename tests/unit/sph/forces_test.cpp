#include <gtest/gtest.h>

#include <algorithm>

#include "block.hpp"

using namespace talus;
using namespace talus::testing;

namespace {

// Sum of m a, and of m |a|.
template <int D>
std::pair<Vec<D>, Real> net_force(const Block<D>& b) {
  Vec<D> sum{};
  Real size = 0;
  for (std::size_t i = 0; i < b.state.particles.size(); ++i) {
    const Vec<D> f = b.state.particles.mass[i] * b.state.particles.acceleration[i];
    sum += f;
    size += length(f);
  }
  return {sum, size};
}

}  // namespace

TEST(SphForces, OfADisorderedBlockAddUpToNothing) {
  const auto check = [](auto block) {
    ASSERT_EQ(sph::prepare(block.options, block.model, block.state, block.scratch).status, u32(fine));
    const auto [sum, size] = net_force(block);
    EXPECT_GT(size, 0);
    EXPECT_LT(length(sum), 1e-14 * size * std::sqrt(Real(block.state.particles.size())));  // rounding of as many sums
  };
  check(Block<2>(14, 10, false, 0, 0.3));
  check(Block<3>(7, 10, false, 0, 0.3));
}

TEST(SphForces, OfADisorderedBlockHaveNoMomentWhenTheyAreCentral) {
  Block<2> block(14, 10, false, 0, 0.3);
  block.options.matter[0].viscosity = 0;  // drag acts across the branch
  ASSERT_EQ(sph::prepare(block.options, block.model, block.state, block.scratch).status, u32(fine));
  Real sum = 0, size = 0;
  for (std::size_t i = 0; i < block.state.particles.size(); ++i) {
    const Vec2 f = block.state.particles.mass[i] * block.state.particles.acceleration[i];
    const Real m = moment(block.state.particles.position[i], f).x;
    sum += m;
    size += std::abs(m);
  }
  EXPECT_GT(size, 0);
  EXPECT_LT(std::abs(sum), 1e-13 * size);
}

TEST(SphForces, OnWallsAreThoseOnParticlesTurnedRound) {
  Block<2> block(12, 0, true, 9.81, 0.2);
  ASSERT_EQ(sph::prepare(block.options, block.model, block.state, block.scratch).status, u32(fine));
  Vec2 on_walls{}, on_particles{};
  for (std::size_t w = 0; w < 4; ++w) on_walls += block.state.bodies.force[w];
  for (const Vec2& f : block.state.particles.wall_force) on_particles += f;
  EXPECT_GT(length(on_particles), 0);
  EXPECT_LT(length(on_walls + on_particles), 1e-12 * length(on_particles) * 12);
}

// Two streams of water in periodic shear: the drag between two layers is mu du/dy.
TEST(SphForces, DragOfAShearedLayerIsViscosityTimesRate) {
  Block<2> block(20, 0, false, 0);
  block.state.globals.cell.periodic = {1, 1};
  block.options.artificial = 0;
  block.options.matter[0].viscosity = 2;
  const Real rate = 3;
  auto& p = block.state.particles;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Real y = p.position[i].y, width = 0.2;  // a curve whose second derivative is constant in the lower half
    p.velocity[i] = {y < width / 2 ? 0.5 * rate * y * y / 0.01 : 0, 0};
  }
  ASSERT_EQ(sph::prepare(block.options, block.model, block.state, block.scratch).status, u32(fine));
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p.position[i].y > 0.04 && p.position[i].y < 0.06) {  // a = mu u''/rho; the pair form is 5 % low at this support
      EXPECT_NEAR(p.acceleration[i].x, 2 * (rate / 0.01) / 1000, 0.08 * 2 * (rate / 0.01) / 1000);
    }
}
