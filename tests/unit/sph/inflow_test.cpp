// Matter that is poured in: docs/design/049-soils-change-volume-as-liquids.md (15).
#include <gtest/gtest.h>

#include <set>

#include <talus/measure/energy.hpp>
#include <talus/measure/state_hash.hpp>

#include "block.hpp"

using namespace talus;
using namespace talus::testing;

namespace {

// A mouth of ten particles above a block in an open cell.
Block<2> fountain(Real start = 0) {
  Block<2> b(4, 40, false, 9.81);
  sph::Inflow<2> f;
  f.low = {0.1, 0.4};
  f.size = {0.1, 0};
  f.axis = 1;
  f.velocity = -2;
  f.start = start;
  f.end = 10;
  b.options.bodies.resize(1);
  b.options.inflows.push_back(f);
  return b;
}

}  // namespace

TEST(SphInflow, PoursRateTimesTime) {
  Block<2> b = fountain(0.003);
  const std::size_t laid = b.state.particles.size();
  ASSERT_EQ(sph::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));
  ASSERT_EQ(sph::advance(b.options, b.model, b.state, b.scratch, 300).status, u32(fine));
  const Real time = b.state.globals.time - 0.003;
  const auto sheets = std::size_t(std::floor(time * 2 / 0.01));
  EXPECT_GT(sheets, 5u);
  EXPECT_EQ(b.state.particles.size(), laid + 10 * sheets);
  Real mass = 0;
  for (std::size_t i = 0; i < b.state.particles.size(); ++i) mass += b.state.particles.mass[i];
  EXPECT_NEAR(mass, 1000 * (16e-4 + Real(sheets) * 0.01 * 0.1), 1e-12);
  EXPECT_NEAR(mass - sph::poured(b.options, b.state.globals.time), 1.6, 1e-12);
}

TEST(SphInflow, SheetsFallFreelyOneSpacingApartWithTheirMomentumAndEnergyAccountedFor) {
  Block<2> b = fountain();
  b.options.artificial = 0;
  b.options.matter[0].viscosity = 0;
  ASSERT_EQ(sph::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));
  const Real start = measure::energy(b.state, ContactList<2>{}).held();
  ASSERT_EQ(sph::advance(b.options, b.model, b.state, b.scratch, 100).status, u32(fine));
  const auto& p = b.state.particles;
  Vec2 missing{};
  for (std::size_t i = 0; i < p.size(); ++i) missing += p.mass[i] * p.velocity[i] - p.given[i];
  EXPECT_LT(length(missing), 1e-12 * 2 * 1000 * 1e-4 * Real(p.size()));
  const measure::Energy end = measure::energy(b.state, ContactList<2>{});
  EXPECT_GT(end.boundary, 0);
  EXPECT_NEAR(end.held() - start - end.boundary - end.gravity - end.model, 0, 2e-3 * (end.boundary + end.gravity));
}

TEST(SphInflow, AMouthIsKeptAboveWhatLiesBeforeItAndNotAboveWhatFalls) {
  Block<2> b = fountain();
  b.options.inflows[0].low = {0.1, 0.05};
  b.options.inflows[0].above = 0.03;
  b.state.globals.gravity = {};
  b.options.bodies[0].held = true;
  b.state.particles.position[5] = {0.15, 0.31};  // lies above the mouth; no sheet has come down to it yet
  ASSERT_EQ(sph::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));
  const std::size_t laid = b.state.particles.size();
  while (b.state.particles.size() < laid + 10) ASSERT_EQ(sph::advance(b.options, b.model, b.state, b.scratch, 1).status, u32(fine));
  Real lowest = 1;
  for (const Vec2& x : b.state.particles.position)
    if (x.y > 0.32) lowest = std::min(lowest, x.y);
  EXPECT_NEAR(lowest, 0.34 - 0.005, 0.006);  // one spacing out of it, and what the step is late by
  while (b.state.particles.size() < laid + 20) ASSERT_EQ(sph::advance(b.options, b.model, b.state, b.scratch, 1).status, u32(fine));
  Real highest = 0;
  for (const Vec2& x : b.state.particles.position) highest = std::max(highest, x.y);
  EXPECT_NEAR(highest, 0.34 - 0.005, 0.006);  // not 3 cm above the first sheet
}

TEST(SphInflow, GivesTheSameBitsInPieces) {
  u64 first = 0;
  for (const bool pieces : {false, true}) {
    Block<2> b = fountain();
    b.options.inflows[0].above = 0.02;
    sph::prepare(b.options, b.model, b.state, b.scratch);
    if (!pieces) sph::advance(b.options, b.model, b.state, b.scratch, 120);
    for (int k = 0; pieces && k < 120; ++k) {
      sph::advance(b.options, b.model, b.state, b.scratch, 1);
      if (k % 7) continue;
      b.scratch = {};
      sph::rebuild(b.options, b.model, b.state, b.scratch);
    }
    if (!pieces) first = state_hash(b.state);
    EXPECT_EQ(state_hash(b.state), first);
  }
}

// What falls into an outflow is gone, with its mass, momentum and energy accounted for, and its numbers are not given again.
TEST(SphOutflow, TakesOutWhatComesIntoItAndAccountsForIt) {
  Block<2> b = fountain();
  sph::Outflow<2> f;
  f.low = {0, 0.25};
  f.size = {0.44, 0.05};  // between the mouth and the block
  b.options.outflows.push_back(f);
  b.options.laid = b.state.particles.size();
  b.state.particles.add(kept::outflows);
  ASSERT_EQ(sph::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));
  b.state.globals.initial_energy = measure::energy(b.state, ContactList<2>{}).held();
  Real mass_before = 0;
  for (const Real m : b.state.particles.mass) mass_before += m;
  ASSERT_EQ(sph::advance(b.options, b.model, b.state, b.scratch, 600).status, u32(fine));
  const auto& p = b.state.particles;
  Real mass = 0;
  Vec2 missing = b.momentum();
  std::set<u32> names;
  for (std::size_t i = 0; i < p.size(); ++i) {
    mass += p.mass[i];
    missing -= p.given[i];
    names.insert(p.uid[i]);
    EXPECT_FALSE(p.uid[i] >= 16 && f.holds(p.position[i]));
  }
  EXPECT_EQ(names.size(), p.size());
  EXPECT_GT(sph::drained(b.state), 0.1);
  EXPECT_NEAR(mass + sph::drained(b.state), mass_before + sph::poured(b.options, b.state.globals.time), 1e-9);
  EXPECT_LT(length(missing), 1e-9);
  const measure::Energy e = measure::energy(b.state, ContactList<2>{});
  EXPECT_GT(e.removed_kinetic, 0.1);
  EXPECT_NEAR(e.initial + e.gravity + e.boundary + e.model - e.viscous - e.friction - e.removed_kinetic, e.held(), 0.02 * e.removed_kinetic);
}
