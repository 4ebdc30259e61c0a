// Soils as particles: docs/design/049-soils-change-volume-as-liquids.md.
#include <gtest/gtest.h>

#include <talus/measure/energy.hpp>

#include "block.hpp"

using namespace talus;
using namespace talus::testing;

namespace {

// A block of soil in the open, G = 0.3 K, which cohesion holds together.
Block<2> soil(Real jitter, Real damps) {
  Block<2> b(12, 12, false, 0, jitter);
  matter::DruckerPrager d;
  d.volume = {1000, 20, 1, 0};
  d.shear = 1.2e5;
  d.friction = matter::cone_of("plane-strain").slope(0.5);
  d.cohesion.height[0] = 2000;
  b.options.matter[0] = d;
  b.options.artificial = 0;
  b.options.damps = damps;
  b.state.particles.add(kept::ledger | kept::deviators);
  b.state.globals.dt = sph::stable_step(b.options, 1, 1);
  return b;
}
void move(Block<2>& b, const Mat<2>& rate) {
  for (std::size_t i = 0; i < b.state.particles.size(); ++i) b.state.particles.velocity[i] = rate * (b.state.particles.position[i] - Vec2{0.12, 0.12});
}

}  // namespace

TEST(SphSoils, KeepMomentumOfADisorderedBlock) {
  Block<2> b = soil(0.3, 0.2);
  const Vec2 before = b.momentum();
  ASSERT_EQ(sph::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));
  ASSERT_EQ(sph::advance(b.options, b.model, b.state, b.scratch, 200).status, u32(fine));
  EXPECT_LT(length(b.momentum() - before), 1e-12 * 144 * 0.1 * 0.3);
}

// What a step holds, and what viscosity, plastic flow and diffusion take of it, is what was there: to a part of Ma, as in elastic solids.
TEST(SphSoils, HeldAndTakenEnergyAddUp) {
  for (const Real damps : {0.0, 0.5}) {
    Block<2> b = soil(0, damps);
    move(b, Mat<2>{{{-8, 3}, {3, 8}}});
    ASSERT_EQ(sph::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));
    const Real start = measure::energy(b.state, ContactList<2>{}).held();
    ASSERT_EQ(sph::advance(b.options, b.model, b.state, b.scratch, 400).status, u32(fine));
    const measure::Energy end = measure::energy(b.state, ContactList<2>{});
    EXPECT_GT(end.friction, 0.1 * start);
    EXPECT_GE(end.viscous, damps > 0 ? 1e-4 * start : 0);
    EXPECT_NEAR((end.held() + end.viscous + end.friction - end.model) / start, 1, 0.03) << damps;
  }
}

// (14): a pressure against changes of volume alone. After one step from rest stresses are still nothing beside it.
TEST(SphSoils, BulkViscosityActsOnChangesOfVolumeAlone) {
  for (const bool swells : {true, false}) {
    Block<2> b = soil(0, 0.2);
    move(b, swells ? Mat<2>{{{1, 0}, {0, 1}}} : Mat<2>{{{0, -1}, {1, 0}}});
    ASSERT_EQ(sph::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));
    Real most = 0;
    for (const auto& traction : b.scratch.tractions) most = std::max(most, std::abs(traction.damping));
    const Real full = 0.2 * 20 * 1000 * b.options.kernel().h() * 2;  // zeta c rho h tr L; 2 % from the lattice
    EXPECT_NEAR(most, swells ? full : 0, swells ? 0.05 * full : 1e-9 * full);
  }
}
