// Bodies whose strain is measured from where they were laid: docs/design/048-total-lagrangian.md.
#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/exec/host.hpp>
#include <talus/measure/energy.hpp>
#include <talus/measure/state_hash.hpp>

#include "block.hpp"

using namespace talus;
using namespace talus::testing;

namespace {

// An elastic block, G = 0.3 K, whose right half may be a body of its own.
template <int D>
Block<D> laid(int cells, int room, bool walls = false, Real gravity = 0, bool halves = false) {
  Block<D> b(cells, room, walls, gravity);
  b.options.matter[0] = matter::Elastic{{1000, 20, 1, 0}, 1.2e5};
  b.options.artificial = 0;
  b.options.stiffens = 1;
  b.options.bodies.resize(2);
  b.options.bodies[0].total = b.options.bodies[1].total = true;
  auto& p = b.state.particles;
  p.add(kept::ledger | kept::deviators | kept::origins);
  for (std::size_t i = 0; i < p.size(); ++i) {
    p.origin[i] = p.position[i];
    if (halves && p.position[i].x > 0.005 * (cells + (walls ? 0 : room))) p.body[i] = 1;
  }
  b.state.globals.dt = sph::stable_step(b.options, 1, std::max(gravity, 1.0));
  return b;
}
template <int D>
Real held(const Block<D>& b) {
  const measure::Energy e = measure::energy(b.state, ContactList<D>{});
  return e.elastic_normal + e.elastic_shear;
}
template <int D>
void deform(Block<D>& b, const Mat<D>& f) {
  for (Vec<D>& x : b.state.particles.position) x = f * x;
}
template <int D>
Real fastest_change(const Block<D>& b) {
  Real most = 0;
  for (const Vec<D>& a : b.state.particles.acceleration) most = std::max(most, length(a));
  return most;
}

}  // namespace

TEST(SphTotal, UniformStretchIsSeenAsItIsAndNothingOfItIsAnHourglass) {
  Block<3> b = laid<3>(6, 6);
  const Mat3 f{{{1.1, 0.2, 0}, {-0.1, 0.95, 0.05}, {0, 0.1, 1.05}}};
  deform(b, f);
  ASSERT_EQ(sph::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));
  for (const auto& pull : b.scratch.pulls)
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(pull.gradient(r, c), f(r, c), 1e-12);
  const matter::Stretched s = b.options.matter[0].stretched(f);
  EXPECT_NEAR(held(b), 216e-6 * (s.swelled + s.sheared), 1e-12 * held(b) * 216);
}

TEST(SphTotal, ATurnOfAnySizeMakesNoForce) {
  Block<2> b = laid<2>(8, 20);
  deform(b, Mat<2>{{{std::cos(2.0), -std::sin(2.0)}, {std::sin(2.0), std::cos(2.0)}}});
  for (Vec2& x : b.state.particles.position) x += Vec2{0.25, 0.1};
  ASSERT_EQ(sph::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));
  EXPECT_LT(fastest_change(b), 1e-9 * 400 / 0.01);  // of c^2/dx, the acceleration of a strain of 1
}

// All forces are the slope of one energy: of strain, of hourglasses, of touching.
TEST(SphTotal, ForcesAreTheSlopeOfTheEnergy) {
  Block<2> b = laid<2>(8, 8, false, 0, true);
  Rng rng{3, 0, 0};
  for (Vec2& x : b.state.particles.position) x += 0.001 * Vec2{rng.uniform(-1, 1), rng.uniform(-1, 1)};
  auto& p = b.state.particles;
  const auto of_uid = [&](u32 uid) {
    std::size_t i = 0;
    while (p.uid[i] != uid) ++i;
    return i;
  };
  const Real by = 1e-7;
  for (const u32 uid : {0u, 27u, 35u, 36u, 44u}) {  // a corner, the middle, both sides of the joint
    ASSERT_EQ(sph::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));  // after the shifts of the last one
    const Vec2 force = p.mass[of_uid(uid)] * p.acceleration[of_uid(uid)];
    for (int k = 0; k < 2; ++k) {
      Real change = 0;
      for (const int side : {1, -1}) {
        p.position[of_uid(uid)][k] += side * by;
        ASSERT_EQ(sph::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));
        change += side * held(b);
        p.position[of_uid(uid)][k] -= side * by;
      }
      EXPECT_NEAR(-change / (2 * by), force[k], 1e-6 * length(force)) << uid << ' ' << k;
    }
  }
}

TEST(SphTotal, KeepsMomentumSpinAndEnergyOfABlockThatSwingsAndTurns) {
  Block<2> b = laid<2>(10, 20);
  auto& p = b.state.particles;
  const auto spin = [&] {
    Real sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) sum += p.mass[i] * (p.position[i].x * p.velocity[i].y - p.position[i].y * p.velocity[i].x);
    return sum;
  };
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec2 r = p.position[i] - Vec2{0.15, 0.15};
    p.velocity[i] = Vec2{0.3, 0} + 5 * Vec2{r.x - r.y, r.x - r.y};
  }
  const Vec2 before = b.momentum();
  const Real turns = spin();
  ASSERT_EQ(sph::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));
  const Real start = measure::energy(b.state, ContactList<2>{}).held();
  ASSERT_EQ(sph::advance(b.options, b.model, b.state, b.scratch, 500).status, u32(fine));
  EXPECT_LT(length(b.momentum() - before), 1e-12 * length(before));
  EXPECT_NEAR(spin(), turns, 1e-10 * std::abs(turns));
  EXPECT_NEAR(measure::energy(b.state, ContactList<2>{}).held(), start, 2e-3 * start);  // of the square of the step
}

TEST(SphTotal, BodiesThatMeetPartAgainAndKeepTheirMomentum) {
  for (const bool total : {true, false}) {
    Block<2> b = laid<2>(10, 20, false, 0, true);
    b.options.bodies[0].total = b.options.bodies[1].total = total;
    b.options.blind = total ? 0 : 0.1;
    auto& p = b.state.particles;
    for (std::size_t i = 0; i < p.size(); ++i) {
      p.velocity[i].x = p.body[i] == 0 ? 0.2 : -0.2;
      p.given[i] = p.mass[i] * p.velocity[i];
      p.position[i].x += p.body[i] == 0 ? -0.005 : 0.005;
      p.origin[i] = p.position[i];
    }
    ASSERT_EQ(sph::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));
    const Real start = measure::energy(b.state, ContactList<2>{}).held();
    ASSERT_EQ(sph::advance(b.options, b.model, b.state, b.scratch, 500).status, u32(fine));
    Real left = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
      if (p.body[i] == 0) left += p.mass[i] * p.velocity[i].x;
    EXPECT_LT(left / 5, -0.1) << total;  // 5 kg on each side: two bodies that meet at 0.2 m/s part at most of it
    EXPECT_LT(length(b.momentum()), 1e-12 * 2);
    const measure::Energy end = measure::energy(b.state, ContactList<2>{});
    EXPECT_NEAR(end.held() + end.viscous, start, 0.01 * start) << total;
  }
}

TEST(SphTotal, OneContinuumOfTwoBodiesIsAsOneBody) {
  std::vector<Vec2> first;
  for (const bool halves : {false, true}) {
    Block<2> b = laid<2>(8, 8, false, 0, halves);
    if (halves) b.options.bodies[1].continues = 0;
    for (std::size_t i = 0; i < b.state.particles.size(); ++i) b.state.particles.velocity[i].x = 0.1 * std::sin(80 * b.state.particles.position[i].x);
    ASSERT_EQ(sph::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));
    ASSERT_EQ(sph::advance(b.options, b.model, b.state, b.scratch, 50).status, u32(fine));
    std::vector<Vec2> now(64);
    for (std::size_t i = 0; i < 64; ++i) now[b.state.particles.uid[i]] = b.state.particles.position[i];
    if (!halves) first = now;
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(length(now[i] - first[i]), 0);
  }
}

TEST(SphTotal, GivesTheSameBitsOnAnyNumberOfThreadsAndInPieces) {
  u64 first = 0;
  for (const int threads : {1, 3}) {
    exec::set_threads(threads);
    Block<2> b = laid<2>(12, 4, true, 9.81, true);
    for (std::size_t i = 0; i < b.state.particles.size(); ++i) b.state.particles.velocity[i].x = 2 * std::sin(60 * b.state.particles.position[i].y);
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
