// Closed forms and conservation for soft polygons.
#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/sampling/polygons.hpp>

#include "../support/sample.hpp"
#include "../support/soft_sample.hpp"

using namespace talus;
using namespace talus::test;

// Tolerances: what thousands of damped steps leave, 1e-9 of a weight and 1e-6 with friction springs, was found and rounded up. Two ways to step the
// same discs differ by the rounding of thousands of steps, 1e-10 of a position, and 1e-8 of what is divided by a radius and a step. A
// contact of 2,000 steps begins and ends within a step: 1e-3 of its duration each, 2e-3. Ledgers close to first order in the step: twice
// as fine, half as much missing; the number is what is found, rounded up.

namespace {

const Polygon box = make_polygon({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
const Polygon rounded = make_polygon({{0, 0}, {0.8, 0}, {0.9, 0.6}, {0.2, 0.7}}, 0.15);
constexpr Real deg = pi / 180;

Polygon regular(int corners, Real radius) {
  std::vector<Vec2> at;
  for (int k = 0; k < corners; ++k)
    at.push_back({radius * std::cos(2 * pi * k / corners), radius * std::sin(2 * pi * k / corners)});
  return make_polygon(at);
}

struct Motion {
  Vec2 momentum;
  Real turning = 0;  // angular momentum about the origin
};
Motion motion(const State<2>& state) {
  Motion m;
  const Bodies<2>& b = state.bodies;
  for (std::size_t i = 0; i < state.grains(); ++i) {
    m.momentum += b.mass[i] * b.velocity[i];
    m.turning += b.mass[i] * moment(b.position[i], b.velocity[i]).x;
    if (b.inverse_inertia[i] > 0) m.turning += b.spin[i].x / b.inverse_inertia[i];
  }
  return m;
}

}  // namespace

TEST(SoftPolygon, ABlockOnAPlaneSinksInByItsWeightOverTheStiffness) {
  const Real k = 1e4, weight = 2 * 3;
  SoftSample s(2, k, 0.5, 0.5, 1);
  s.platen({0, 0}, {0, 1});
  s.grain(box, {0, 0.5});
  s.assemble();
  s.options.local_damping = 0.7;
  s.state.globals.gravity = {0, -3};
  s.prepare(1e-3);
  s.step(4000);
  EXPECT_NEAR(0.5 - s.position(0).y, weight / k, 1e-9 * weight / k);
  EXPECT_NEAR(s.angle(0), 0, 1e-15);
  EXPECT_NEAR(-s.push(0).y, weight, 1e-9 * weight);
}

// The same with a box whose edge is split between platen and grain: both corners that carry it belong to the upper one.
TEST(SoftPolygon, TwoEdgesShareTheStiffnessOfAContact) {
  const Real k = 1e4;
  SoftSample s(2, k, 0.5, 0.5, 1);
  s.grain(box, {0, 0});
  s.grain(box, {0.4, 0.99});
  s.assemble();
  s.prepare(1e-3);
  EXPECT_NEAR(s.force(1).y, k * 0.01, 1e-9);
  EXPECT_NEAR(s.force(1).x, 0, 1e-9);
  EXPECT_EQ(s.contacts().size(), 1u);
}

TEST(SoftPolygon, ABlockOnASlopeSticksBelowTheAngleOfFrictionAndSlidesAboveIt) {
  for (const Real angle : {20 * deg, 22 * deg}) {
    const Real mu = std::tan(21 * deg);
    SoftSample s(2, 1e5, 0.8, mu, 0.2);
    s.platen({0, 0}, {0, 1});
    s.grain(box, {0, 0.5 - 2 * std::cos(angle) / 1e5});
    s.assemble();
    s.state.globals.gravity = {std::sin(angle), -std::cos(angle)};
    const Real dt = 5e-4;
    s.prepare(dt);
    s.step(10000);  // 5 s: shear springs are loaded
    const Real before = s.velocity(0).x;
    s.step(10000);
    if (angle < 21 * deg) {
      EXPECT_NEAR(length(s.velocity(0)), 0, 1e-9);
      EXPECT_NEAR(s.push(0).x, 2 * std::sin(angle), 1e-6);
    } else {
      EXPECT_NEAR(s.velocity(0).x - before, 5 * (std::sin(angle) - mu * std::cos(angle)), 1e-6);
      EXPECT_NEAR(s.spin(0), 0, 1e-6);
    }
  }
}

// Two boxes face to face: one spring of stiffness k between them.
TEST(SoftPolygon, AHeadOnCollisionTakesHalfAPeriodAndHasItsRestitution) {
  for (const Real e : {1.0, 0.5}) {
    const Real k = 1e4, m = 2, z = damping_ratio(e);
    SoftSample s(2, k, 0, 0, e);
    s.grain(box, {0, 0});
    s.grain(make_polygon({{0, 0}, {0.8, 0}, {0.8, 0.75}, {0, 0.75}}), {0, 0.875});
    s.assemble();
    s.velocity(0) = {0, 0.1};
    const Real reduced = m * 1.2 / (m + 1.2), w = std::sqrt(k / reduced * (1 - z * z));
    const Real dt = pi / w / 2000;
    s.prepare(dt);
    int steps = 0;
    do s.step(), ++steps;
    while (s.contacts().size() > 0 && steps < 5000);
    EXPECT_NEAR(steps * dt * w / pi, 1, 2e-3);
    EXPECT_NEAR((s.velocity(1).y - s.velocity(0).y) / 0.1, e, 2e-3);
    EXPECT_NEAR(s.spin(0), 0, 1e-12);
  }
}

// A disc is a polygon of one corner: the same run as by the disc's own law.
TEST(SoftPolygon, DiscsMoveAsByTheLawOfDiscs) {
  const Real k = 1e4, e = 0.7, mu = 0.4;
  const auto start = [&](auto& state) {
    auto& b = state.bodies;
    for (std::size_t i = 0; i < state.grains(); ++i) {
      const Real u = Real(b.uid[i]);
      b.velocity[i] = {std::sin(3 * u), std::cos(5 * u)};
      b.spin[i].x = std::sin(7 * u);
    }
    state.globals.gravity = {0, -1};
    state.globals.dt = 2e-4;
  };
  SoftSample s(1, k, 0.5, mu, e);
  State<2> discs;
  std::vector<sampling::Ball<2>> balls;
  for (int i = 0; i < 12; ++i) {
    const Real r = 0.4 + 0.01 * i;
    const Vec2 at{0.95 * (i % 4), 0.5 + 0.95 * (i / 4)};
    s.grain(make_polygon({{0, 0}}, r), at);
    balls.push_back({at, r, 0, {}, {}});
  }
  s.platen({0, 0}, {0, 1});
  s.assemble();
  start(s.state);
  Model<2> model = s.model;
  discs.globals = s.state.globals;
  sampling::assemble(model, discs, balls, s.platens);
  start(discs);
  dem::Scratch<2> scratch;
  s.prepare(2e-4);
  dem::prepare(model, {}, discs, scratch);
  for (int n = 0; n < 20; ++n) {
    s.step(100);
    dem::step(model, {}, discs, scratch, 100);
    for (std::size_t i = 0; i < discs.grains(); ++i) {
      const std::size_t j = s.index(discs.bodies.uid[i]);
      ASSERT_NEAR(length(discs.bodies.position[i] - s.state.bodies.position[j]), 0, 1e-10) << n;
      ASSERT_NEAR(discs.bodies.spin[i].x, s.state.bodies.spin[j].x, 1e-8) << n;
    }
  }
  const auto by_discs = measure::energy(discs, dem::contacts(model, discs, scratch)), mine = s.energy();
  EXPECT_GT(mine.friction, 0.01);
  EXPECT_NEAR(mine.friction, by_discs.friction, 1e-8);
  EXPECT_NEAR(mine.viscous, by_discs.viscous,
              1e-4 * mine.viscous);  // spin does not work against a force through centres
  EXPECT_NEAR(mine.held(), by_discs.held(), 1e-8);
}

// Without dashpots and friction energy is lost and won in a collision only by the finite step, to second order in it.
TEST(SoftPolygon, AnElasticCollisionKeepsEnergyMomentumAndAngularMomentum) {
  Rng rng{21, 0, 0};
  i64 drawn = 0;
  const Polygon irregular = sampling::random_polygon({1, 7, 1, 1, 10, 0}, rng, drawn);
  int turned = 0;
  for (const auto& [a, b] : {std::pair{box, irregular},
                             {irregular, rounded},
                             {regular(12, 0.5), regular(5, 0.6)},
                             {box, make_polygon({{0, 0}}, 0.5)}})
    for (int way = 0; way < 6; ++way) {
      Real error[2];
      for (int fine = 0; fine < 2; ++fine) {
        SoftSample s(1, 1e4, 0.5, 0, 1);
        s.grain(a, {0, 0}, 0.3 + way);
        s.grain(b, {1.3, 0.2 * way - 0.5}, 1.1 * way);
        s.assemble();
        s.velocity(0) = {1, 0.1};
        s.velocity(1) = {-1, 0};
        s.spin(0) = 0.5;
        const Real dt = fine ? 5e-5 : 1e-4;
        s.prepare(dt);
        const Motion before = motion(s.state);
        const Real energy = s.energy().held(), swirl = s.spin(0);
        s.step(fine ? 16000 : 8000);
        const Motion after = motion(s.state);
        EXPECT_NEAR(length(after.momentum - before.momentum), 0, 1e-12);
        EXPECT_NEAR(after.turning, before.turning, 1e-12);
        EXPECT_TRUE(s.contacts().empty());
        error[fine] = std::abs(s.energy().held() / energy - 1);
        EXPECT_LT(error[fine], fine ? 5e-5 : 2e-4);
        turned += !fine && std::abs(s.spin(0) - swirl) > 0.1;
      }
    }
  EXPECT_GT(turned, 12);  // they did hit, and off their centres
}

TEST(SoftPolygon, RoundedGrainsMeetAcrossAFaceAsInTheMiddleOfTheCell) {
  const auto collide = [](Real first, Real second) {
    SoftSample s(1, 1e4, 0.5, 0.5, 0.5);
    s.grain(rounded, {first, 2}, 0.3);
    s.grain(rounded, {second, 2.2}, 1.1);
    s.assemble();
    Cell<2>& cell = s.state.globals.cell;
    for (int k = 0; k < 2; ++k) {
      cell.h(k, k) = 4;
      cell.periodic[k] = 1;
    }
    cell.h(0, 1) = 0.5;  // sheared
    s.velocity(0) = {1, 0};
    s.prepare(1e-4);
    s.step(6000);
    return s;
  };
  SoftSample middle = collide(1.3, 2.6), across = collide(3.3, 0.6);
  EXPECT_GT(middle.velocity(1).x, 0.1);  // they did meet
  EXPECT_GT(std::abs(middle.spin(1)), 0.01);
  for (const u32 uid : {0u, 1u}) {  // coordinates differ, and round otherwise
    EXPECT_NEAR(length(across.velocity(uid) - middle.velocity(uid)), 0, 1e-9);
    EXPECT_NEAR(across.spin(uid), middle.spin(uid), 1e-9);
  }
}

// Forces have no jumps: however a grain slides, turns or rolls over another, a small way changes the force by no more than a
// few stiffnesses times the way, and the moment by that times a length.
TEST(SoftPolygon, ForcesAreContinuous) {
  const Real k = 1e4, small = 4e-5;
  const auto depth = [](const Polygon& p) { return make_core_polygon(view(p)).depth; };
  for (const auto& [a, b] : {std::pair{box, box},
                             {box, regular(12, 0.5)},
                             {regular(12, 0.5), regular(12, 0.5)},
                             {regular(3, 0.6), rounded},
                             {regular(5, 0.5), make_polygon({{0, 0}}, 0.4)}}) {
    SoftSample s(1, k, 0.5, 0, 1);
    s.grain(a, {0, 0});
    s.grain(b, {0, 1});
    s.assemble();
    const auto put = [&](Real across, Real up, Real turn_a, Real turn_b) {
      s.position(0) = {};
      s.position(1) = {across, up};
      s.angle(0) = turn_a;
      s.angle(1) = turn_b;
      s.prepare(0);
    };
    Real most = 0, largest = 0;
    int compared = 0;
    for (int path = 0; path < 8; ++path) {
      const Real turn_a = 0.4 * path * (path % 2), turn_b = path == 2 ? 15 * deg : 0.3 * path;
      const Real slide = path % 4 == 3 ? 0 : 1, roll_a = path % 4 == 1 ? 0.7 : 0, roll_b = path % 4 == 0 ? 0 : 1;
      Real low = 0, high = 2;  // where they just touch at the start
      while (high - low > 1e-9) {
        put(0, (low + high) / 2, turn_a, turn_b);
        (s.force(1) == Vec2{} ? high : low) = (low + high) / 2;
      }
      Vec2 old{};
      Real old_twist = 0;
      bool had = false;
      for (int n = -5000; n < 5000; ++n) {
        const Real t = n * small;
        put(slide * t, high - 0.012, turn_a - roll_a * t, turn_b + roll_b * t);
        const bool has = s.last.overlap * min(a.reach, b.reach) < depth(a) + depth(b);  // core polygons are apart
        if (has && had) {
          most = max(most, max(length(s.force(1) - old), std::abs(s.torque(1) - old_twist)));
          ++compared;
        }
        largest = max(largest, length(s.force(1)));
        old = s.force(1);
        old_twist = s.torque(1);
        had = has;
      }
    }
    EXPECT_LT(most, 2 * k * small);
    EXPECT_GT(largest, 50);
    EXPECT_GT(compared, 60000);
  }
}

// The ledger of a sample under platens, gravity, forces from outside, friction, dashpots and local damping.
TEST(SoftPolygon, TheLedgerCloses) {
  Real missing[2];
  for (const int fine : {0, 1}) {
    SoftSample s(1, 1e4, 0.6, 0.4, 0.6);
    s.platen({0, 0}, {0, 1});
    s.platen({0, 6.2}, {0, -1});
    for (int i = 0; i < 30; ++i)
      s.grain(i % 3 == 0   ? box
              : i % 3 == 1 ? rounded
                           : regular(12, 0.5),
              {1.35 * (i % 6), 1.2 * (i / 6) + 0.7}, 0.7 * i);
    s.assemble();
    s.options.local_damping = 0.1;
    s.state.globals.gravity = {0.3, -1};
    s.state.bodies.take_forces();
    for (std::size_t i = 0; i < s.state.grains(); ++i) s.state.bodies.applied[i] = {i % 3 == 0 ? -1.0 : 0.2, 0.1};
    s.model.drives[1].control = WallControl::velocity;
    s.model.drives[1].velocity = {0.1, -0.3};
    s.prepare(fine ? 1e-4 : 2e-4);
    const auto start = s.energy();
    s.step(fine ? 30000 : 15000);
    ASSERT_EQ(s.last.status, 0u);
    const auto end = s.energy();
    EXPECT_GT(std::abs(end.boundary), 1);
    EXPECT_GT(end.friction, 1);
    EXPECT_GT(end.viscous, 0.1);
    EXPECT_GT(end.local_damping, 0.1);
    missing[fine] = std::abs(measure::residual(end, start)) / (std::abs(end.boundary) + end.gravity);
  }
  EXPECT_LT(missing[0], 4e-3);
  EXPECT_LT(missing[1], 2e-3);
}

// Radii that grow put their work into the ledger.
TEST(SoftPolygon, GrowthIsEnteredInTheLedger) {
  for (const int fine : {1, 4}) {
    SoftSample s(1, 1e4, 0.5, 0, 1);
    for (int i = 0; i < 9; ++i)
      s.grain(i % 2 == 0 ? regular(6, 0.5) : box, {1.2 * (i % 3) + 0.5, 1.2 * (i / 3) + 0.5}, 0.2 * i);
    s.assemble();
    for (int k = 0; k < 2; ++k) {
      s.state.globals.cell.h(k, k) = 3.6;
      s.state.globals.cell.periodic[k] = 1;
    }
    s.state.globals.radius_scale = 0.9;
    s.state.globals.radius_rate = 0.1;
    s.prepare(1e-4 / fine);
    const auto start = s.energy();
    s.step(10000 * fine);
    const auto end = s.energy();
    ASSERT_EQ(s.last.status, 0u);
    EXPECT_NEAR(s.state.globals.radius_scale, 1, 1e-9);
    EXPECT_GT(end.growth, 0.1);
    EXPECT_NEAR(measure::residual(end, start), 0, 2e-3 / fine * end.growth);
  }
}

// The step that is said to be the longest stable one is: half of it stays quiet, and what dashpots add is needed.
TEST(SoftPolygon, TheCriticalStepIsABound) {
  for (const Real e : {1.0, 0.0}) {
    SoftSample s(1, 1e4, 0.8, 0.5, e);
    s.platen({0, 0}, {0, 1});
    for (int i = 0; i < 16; ++i) s.grain(regular(12, 0.5), {0.96 * (i % 4), 0.47 + 0.96 * (i / 4)});
    s.assemble();
    s.prepare(0);
    const auto limit = dem::polygons::critical_dt(s.model, s.state, s.scratch);
    EXPECT_GT(limit.dt, 0);
    EXPECT_LE(limit.damped, limit.dt);
    const Real share = limit.damped / limit.dt;
    EXPECT_TRUE(e == 0 ? share < 0.5 : std::abs(share - 1) < 1e-12) << share;
    s.prepare(0.9 * limit.damped);
    const Real held = s.energy().held();
    for (int n = 0; n < 200; ++n) {
      s.step();
      ASSERT_EQ(s.last.status, 0u);
      ASSERT_LT(s.energy().held(), 1.6 * held) << n;  // the energy of a coarse leap-frog swings, it does not grow
    }
  }
}

// A chain of discs in a periodic cell whose highest mode is strongly damped: just below the limit it dies out, just above it
// grows. Both paths of the explicit method know the limit.
TEST(Dashpots, CountInTheCriticalStep) {
  const Real k = 1e4, r = 0.5;
  const int n = 32;
  const auto make = [&] {
    SoftSample s(1, k, 0, 0, 0);
    for (int i = 0; i < n; ++i) s.grain(make_polygon({{0, 0}}, r), {0.99 * i, 0.5});
    s.assemble();
    s.state.globals.cell.h(0, 0) = 0.99 * n;
    s.state.globals.cell.periodic[0] = 1;
    s.prepare(0);
    return s;
  };
  SoftSample s = make();
  const Real m = pi * r * r, c = 2 * std::sqrt(k * m / 2);
  const Real K = 4 * k / m, C = 4 * c / m, limit = 4 / (C + std::sqrt(C * C + 4 * K));
  const auto mine = dem::polygons::critical_dt(s.model, s.state, s.scratch);
  EXPECT_NEAR(mine.dt, 2 / std::sqrt(K), 1e-9 * mine.dt);
  EXPECT_NEAR(mine.damped, limit, 1e-9 * limit);
  State<2> discs;
  discs.globals = s.state.globals;
  Model<2> model = s.model;
  std::vector<sampling::Ball<2>> balls;
  for (int i = 0; i < n; ++i) balls.push_back({{0.99 * i, 0.5}, r, 0, {}, {}});
  sampling::assemble(model, discs, balls, {});
  dem::Scratch<2> scratch;
  dem::prepare(model, {}, discs, scratch);
  const auto by_discs = dem::critical_dt(model, discs, scratch);
  EXPECT_NEAR(by_discs.dt, 2 / std::sqrt(K), 1e-6 * mine.dt);  // sums are in units of 2^-24 of the largest
  EXPECT_NEAR(by_discs.damped, limit, 1e-6 * limit);
  for (const Real share : {0.97, 1.03}) {
    SoftSample chain = make();
    chain.state.globals.dt = share * limit;
    for (u32 i = 0; i < u32(n); ++i) chain.velocity(i).x = i % 2 == 0 ? 1e-6 : -1e-6;
    chain.step(100);
    EXPECT_EQ(std::abs(chain.velocity(0).x) > 1e-6, share > 1) << chain.velocity(0).x;
  }
}
