#include <gtest/gtest.h>

#include <talus/exec/host.hpp>
#include <talus/measure/energy.hpp>
#include <talus/measure/state_hash.hpp>

#include "block.hpp"

using namespace talus;
using namespace talus::testing;

namespace {

// An elastic block, G = 0.3 K.
template <int D>
Block<D> elastic(int cells, int room, bool walls, Real gravity, Real jitter = 0) {
  Block<D> b(cells, room, walls, gravity, jitter);
  b.options.matter[0] = matter::Elastic{{1000, 20, 1, 0}, 1.2e5};
  b.options.artificial = 0;
  b.state.particles.add(kept::ledger | kept::deviators);
  b.state.globals.dt = sph::stable_step(b.options, 1, std::max(gravity, 1.0));
  return b;
}

template <int D>
sph::StepReport run(Block<D>& b, i64 steps) {
  const sph::StepReport ready = sph::prepare(b.options, b.model, b.state, b.scratch);
  return ready.status == fine ? sph::advance(b.options, b.model, b.state, b.scratch, steps) : ready;
}

template <int D>
Real spin(const Block<D>& b) {  // angular momentum about the origin, along z
  Real sum = 0;
  const auto& p = b.state.particles;
  for (std::size_t i = 0; i < p.size(); ++i)
    sum += p.mass[i] * (p.position[i].x * p.velocity[i].y - p.position[i].y * p.velocity[i].x);
  return sum;
}

}  // namespace

// Corrected gradients are exact for linear fields, at faces and in corners too.
TEST(SphSolids, LinearVelocityHasItsOwnGradientEverywhere) {
  Block<3> b = elastic<3>(6, 6, false, 0, 0.2);
  Mat3 l{{{0.1, -0.4, 0.2}, {0.3, 0.5, -0.1}, {-0.2, 0.1, 0.3}}};
  auto& p = b.state.particles;
  for (std::size_t i = 0; i < p.size(); ++i) p.velocity[i] = l * p.position[i];
  ASSERT_EQ(sph::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));
  for (std::size_t i = 0; i < p.size(); ++i)
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(b.scratch.strains[i].gradient(r, c), l(r, c), 1e-12);
}

TEST(SphSolids, KeepMomentumAndSpinOfADisorderedBlock) {
  Block<2> b = elastic<2>(12, 12, false, 0, 0.2);
  const Vec2 before = b.momentum();
  const Real turns = spin(b);
  ASSERT_EQ(run(b, 300).status, u32(fine));
  EXPECT_LT(length(b.momentum() - before), 1e-12 * 144 * 0.1 * 0.2);
  EXPECT_NEAR(spin(b), turns, 2e-3 * 144 * 0.1 * 0.2 * 0.06);  // the stress is made in the middle of a step, the force at its end
}

// The energy of shear is per volume at rest, its power per volume now: what is missing is a part of the volume strain.
TEST(SphSolids, HeldAndElasticEnergyAddUp) {
  for (const Real fastest : {0.5, 0.05}) {
    Block<2> b = elastic<2>(12, 12, false, 0, 0);
    auto& p = b.state.particles;
    for (std::size_t i = 0; i < p.size(); ++i)  // a stretch that swings
      p.velocity[i] = fastest * Vec2{(p.position[i].x - 0.12) / 0.06, -0.4 * (p.position[i].y - 0.12) / 0.06};
    ASSERT_EQ(sph::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));
    const measure::Energy start = measure::energy(b.state, ContactList<2>{});
    ASSERT_EQ(sph::advance(b.options, b.model, b.state, b.scratch, 400).status, u32(fine));
    const measure::Energy end = measure::energy(b.state, ContactList<2>{});
    EXPECT_GT(end.elastic_shear + end.elastic_normal, 0.01 * start.kinetic);
    EXPECT_NEAR((end.held() + end.viscous) / start.held(), 1, fastest / 20);  // 20 m/s: the speed of sound
  }
}

TEST(SphSolids, GiveTheSameBitsOnAnyNumberOfThreadsAndInPieces) {
  u64 first = 0;
  for (const int threads : {1, 3}) {
    exec::set_threads(threads);
    Block<2> b = elastic<2>(12, 0, true, 9.81, 0.1);
    b.model.options.random_rebuilds = threads == 1 ? 0 : 0.3;
    sph::prepare(b.options, b.model, b.state, b.scratch);
    for (int k = 0; k < 4; ++k) {
      sph::advance(b.options, b.model, b.state, b.scratch, 10);
      if (threads == 1) continue;
      b.scratch = {};
      sph::rebuild(b.options, b.model, b.state, b.scratch);
    }
    if (threads == 1) first = state_hash(b.state);
    EXPECT_EQ(state_hash(b.state), first);
  }
  exec::set_threads(2);
}

// In a box without friction a block under its weight is under the pressure and the side stress of one-dimensional compression:
// s_xx = K0 s_yy with K0 = nu/(1 - nu).
TEST(SphSolids, BlockInABoxHasTheSideStressOfUniaxialCompression) {
  Block<2> b = elastic<2>(12, 0, true, 10);
  b.options.artificial = 1;
  b.state.globals.cell.h(1, 1) = 0.2;
  b.state.bodies.position[3].y = 0.2;
  ASSERT_EQ(run(b, 3000).status, u32(fine));
  const Real k = 4e5, g = 1.2e5, nu = (3 * k - 2 * g) / (2 * (3 * k + g));
  Real along = 0, across = 0;
  const auto& p = b.state.particles;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p.position[i].y > 0.03 && p.position[i].y < 0.08) {
      along += p.deviator[i].yy - p.pressure[i];
      across += p.deviator[i].xx - p.pressure[i];
      EXPECT_NEAR(p.deviator[i].xx + p.deviator[i].yy + p.deviator[i].zz, 0, 1e-9);
    }
  EXPECT_NEAR(across / along, nu / (1 - nu), 0.05);  // sound that is left
}
