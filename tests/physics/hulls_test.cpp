// Convex grains in space under contact dynamics: free rotation, rest, slopes, stacks, collisions, a platen on a mould that gyrates.
#include <gtest/gtest.h>

#include <cmath>

#include <talus/core/rng.hpp>
#include <talus/impulse/free_rotation.hpp>
#include <talus/impulse/coat_model.hpp>
#include <talus/impulse/hull_ledger.hpp>
#include <talus/measure/energy.hpp>
#include <talus/measure/state_hash.hpp>
#include <talus/sampling/assemble.hpp>
#include <talus/sampling/hull_shapes.hpp>

#include "../support/with_threads.hpp"

using namespace talus;
using namespace talus::test;

namespace {

Hull box_hull(const Vec3& e) {
  std::vector<Vec3> p;
  for (int k = 0; k < 8; ++k)
    p.push_back({(k & 1 ? 0.5 : -0.5) * e.x, (k & 2 ? 0.5 : -0.5) * e.y, (k & 4 ? 0.5 : -0.5) * e.z});
  return make_hull(p);
}

// Materials: 0 the grains, 1 the walls.
struct HullSample {
  Model<3> model;
  State<3> state;
  std::vector<Hull> hulls;
  std::vector<sampling::Aggregate> grains;
  std::vector<sampling::PlacedWall<3>> walls;
  impulse::StepOptions options;
  impulse::HullScratch scratch;
  impulse::StepReport last;

  explicit HullSample(Real friction = 0, Real restitution = 0) {
    for (const char* name : {"grain", "wall"}) {
      Material m;
      m.name = name;
      m.density = 1000;
      model.materials.push_back(m);
    }
    model.pairs.resize(2);
    for (u32 a = 0; a < 2; ++a)
      for (u32 b = 0; b < 2; ++b) model.pairs.set(a, b, {friction, restitution, 0});
    for (int k = 0; k < 3; ++k) state.globals.cell.h(k, k) = 100, state.globals.cell.periodic[k] = 0;
    options.tolerance = 1e-8;
    options.max_sweeps = 20000;
  }
  void grain(u32 hull, Real size, const Vec3& at, const Quat& turning = {}) {
    sampling::Aggregate a;
    a.hull = hull;
    a.size = size;
    a.position = at;
    a.turning = turning;
    grains.push_back(a);
  }
  void floor() { walls.push_back({"floor", {}, WallPlane<3>::facing({0, 0, 1}), 1, {}}); }
  void assemble(Real dt) {
    sampling::assemble(model, state, hulls, grains, walls);
    state.globals.dt = dt;
  }
  void step(i64 n = 1) {
    last = impulse::step(model, options, state, scratch, n);
    ASSERT_EQ(last.status, u32(fine));
  }
  std::size_t index(u32 uid) const {
    std::size_t i = 0;
    while (state.bodies.uid[i] != uid) ++i;
    return i;
  }
  Vec3 angular_momentum(u32 uid) const {
    const std::size_t i = index(uid);
    Vec3 w = state.bodies.orientation[i].turned_back(state.bodies.spin[i]);
    for (int k = 0; k < 3; ++k) w[k] /= state.bodies.inverse_moments[i][k];
    return state.bodies.orientation[i].turned(w);
  }
};

}  // namespace

TEST(FreeRotation, KeepsAngularMomentumAndHoldsEnergyNearWhatItWas) {
  HullSample s;
  s.hulls = {box_hull({1, 2, 3})};
  s.grain(0, 1, {50, 50, 50});
  s.assemble(0.01);
  s.state.bodies.spin[0] = {0.3, 4, 0.2};  // near the middle axis: it tumbles
  const Vec3 momentum = s.angular_momentum(0);
  const Real energy = spin_energy(s.state.bodies, 0);
  Real worst = 0;
  for (int n = 0; n < 5000; ++n) {
    s.step();
    worst = std::max(worst, std::abs(spin_energy(s.state.bodies, 0) / energy - 1));
  }
  EXPECT_NEAR(length(s.angular_momentum(0) - momentum) / length(momentum), 0, 1e-11);  // rounding of 5000 steps
  EXPECT_LT(worst, 1e-3);  // second order in 0.04 rad a step, and it does not grow: 30 tumbles
  EXPECT_NEAR(s.state.bodies.orientation[0].norm_square(), 1, 1e-14);
}

TEST(FreeRotation, OfASymmetricTopFollowsTheClosedForm) {
  // In the body's frame the spin goes round the axis of symmetry at (1 - I3 / I1) w3, one way and uniformly.
  const Vec3 moments{2, 2, 3.5}, inverse{1 / moments.x, 1 / moments.y, 1 / moments.z}, start{0.7, 0, 1.9};
  const Real rate = (moments.z / moments.x - 1) * start.z, end = 3;
  Real before = 0;
  for (const int steps : {300, 600, 1200}) {
    impulse::Rotation r{{}, start};
    for (int n = 0; n < steps; ++n) r = impulse::rotate_freely(r, inverse, end / steps);
    const Vec3 body = r.orientation.turned_back(r.spin);
    const Vec3 exact{start.x * std::cos(rate * end), start.x * std::sin(rate * end), start.z};
    const Real error = length(body - exact);
    EXPECT_LT(error, 1e-3);
    if (before > 0) {
      EXPECT_NEAR(before / error, 4, 0.1);  // second order
    }
    before = error;
  }
}

TEST(Hulls, ABoxAtRestOnAFloorStaysAndItsWeightIsCarried) {
  HullSample s(0.5);
  s.hulls = {box_hull({1, 2, 3})};
  s.grain(0, 0.1, {0, 0, 0.1 * 1.5});
  s.floor();
  // The shape lies along its main axes, the smallest moment first: its long side is x.
  s.grains[0].turning = Quat::from_axis({0, 1, 0}, -pi / 2);
  s.assemble(0.01);
  s.state.globals.gravity = {0, 0, -9.81};
  s.step(200);
  const Real weight = s.state.bodies.mass[0] * 9.81;
  EXPECT_NEAR(s.state.bodies.force[1].z, -weight, 1e-6 * weight);
  EXPECT_NEAR(s.state.bodies.position[0].z, 0.15, 1e-6);
  EXPECT_LT(length(s.state.bodies.velocity[0]) + 0.1 * length(s.state.bodies.spin[0]), 1e-6);
  ASSERT_EQ(s.state.hull_patches.size(), 1u);
  EXPECT_EQ(s.state.hull_patches.points[0], 4u);
}

TEST(Hulls, ABoxOnASlopeSticksOrSlidesAsCoulombSays) {
  for (const Real angle : {0.2, 0.5}) {  // friction 0.4: the angle of friction is 0.38
    const Real mu = 0.4, g = 9.81;
    HullSample s(mu);
    s.hulls = {box_hull({1, 1, 1})};
    s.grain(0, 0.5, {0, 0, 0.25});
    s.floor();
    s.assemble(0.005);
    s.state.globals.gravity = {g * std::sin(angle), 0, -g * std::cos(angle)};
    s.step(100);
    const Real expected = std::tan(angle) < mu ? 0 : 0.5 * g * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR(s.state.bodies.velocity[0].x, expected, 1e-6) << angle;
    EXPECT_NEAR(s.state.bodies.velocity[0].z, 0, 1e-6);
    EXPECT_NEAR(length(s.state.bodies.spin[0]), 0, 1e-5);  // it does not tip over
  }
}

TEST(Hulls, AStackOfBoxesStandsAndEachCarriesThoseAbove) {
  HullSample s(0.5);
  s.hulls = {box_hull({1, 1, 1})};
  for (int k = 0; k < 4; ++k) s.grain(0, 0.1, {0.002 * k, 0, 0.05 + 0.1 * k}, Quat::from_axis({0, 0, 1}, 0.3 * k));
  s.floor();
  s.assemble(0.01);
  s.state.globals.gravity = {0, 0, -9.81};
  s.step(300);
  for (u32 k = 0; k < 4; ++k) EXPECT_NEAR(s.state.bodies.position[s.index(k)].z, 0.05 + 0.1 * k, 1e-5) << k;
  for (const auto& c : impulse::contacts(s.state)) {
    const Real above = c.key.b == 4 ? 4 : Real(3 - c.key.a);  // of 0 and 1: three lie above 0
    EXPECT_NEAR(std::abs(dot(c.force, c.normal)), above * 9.81, 1e-3 * 9.81) << c.key.a << " " << c.key.b;
  }
}

TEST(Hulls, ACollisionOfFreeGrainsKeepsMomentumItsMomentAndNoMoreThanTheEnergy) {
  Rng rng{5, 0, 0};
  const auto shapes = sampling::draw_hulls({}, 3);
  for (int n = 0; n < 20; ++n) {
    HullSample s(0.3, 0.5);
    s.hulls = shapes;
    s.grain(u32(n % 10), 0.1, {0, 0, 0}, sampling::any_turning(rng));
    s.grain(u32((n + 3) % 10), 0.07, {0.25, rng.uniform(-0.03, 0.03), rng.uniform(-0.03, 0.03)}, sampling::any_turning(rng));
    s.grains[0].velocity = {1, 0, 0};
    s.grains[1].spin = {1, -2, 3};
    s.assemble(0.001);
    // About places before a step: bodies may be moved out of an overlap, which is no motion.
    const auto whole = [&](const std::vector<Vec3>& places) {
      Vec3 p{}, l{};
      for (u32 uid : {0u, 1u}) {
        const std::size_t i = s.index(uid);
        const Vec3 momentum = s.state.bodies.mass[i] * s.state.bodies.velocity[i];
        p += momentum;
        l += cross(places[uid], momentum) + s.angular_momentum(uid);
      }
      return std::pair{p, l};
    };
    const Real e0 = measure::energy(s.state, ContactList<3>{}).kinetic;
    for (int k = 0; k < 300; ++k) {
      const std::vector<Vec3> places{s.state.bodies.position[s.index(0)], s.state.bodies.position[s.index(1)]};
      const auto [p0, l0] = whole(places);
      s.step();
      const auto [p1, l1] = whole(places);
      EXPECT_NEAR(length(p1 - p0) / length(p0), 0, 1e-13);
      EXPECT_NEAR(length(l1 - l0) / (0.1 * length(p0)), 0, 1e-13);
    }
    EXPECT_GT(s.state.bodies.velocity[s.index(1)].x, 0.1) << "they have met";
    EXPECT_LT(measure::energy(s.state, ContactList<3>{}).kinetic, e0 * (1 + 1e-9));
  }
}

TEST(Hulls, AnOverlapAtOneEndIsTakenOutWithoutPushingTheOtherEndIn) {
  // A slab lies tilted: one edge is in the floor, the opposite one above it, farther than bodies at rest are watched.
  HullSample s;
  s.hulls = {box_hull({4, 4, 1})};
  const Real tilt = 0.045, low = -0.14;
  s.grain(0, 1, {0, 0, low + 2 * std::sin(tilt) + 0.5 * std::cos(tilt)}, Quat::from_axis({0, 1, 0}, tilt));
  s.floor();
  s.model.options.overlap_limit = 1;
  s.assemble(0.01);
  s.step();
  const HullManifold m = wall_manifold(PlacedHull(s.hulls[0], 1, s.state.bodies.orientation[0], s.state.bodies.position[0]).view(),
                                       WallPlane<3>::facing({0, 0, 1}), {}, {}, 1);
  ASSERT_EQ(m.count, 4);
  for (const HullContact& p : m.point) EXPECT_GT(p.gap, 0.1 * low) << "rounding of the solver for positions is a tenth";
  EXPECT_LT(length(s.state.bodies.velocity[0]), 1e-12) << "and without momentum";
}

TEST(Hulls, AFreePlatenCarriesItsLoadAndFollowsTheAxisOfAMouldThatGyrates) {
  HullSample s(0.1);
  s.hulls = {box_hull({1, 1, 1})};
  s.grain(0, 0.1, {0, 0, 0.05});
  s.floor();
  s.walls.push_back({"top", {0, 0, 0.1001}, WallPlane<3>::facing({0, 0, -1}), 1, {}});
  s.walls.push_back({"mould", {}, WallCylinder<3>::around({0, 0, 1}, 1), 1, {}});
  s.assemble(0.01);
  s.state.bodies.take_forces();
  WallDrive<3>& top = s.model.drives[1];
  top.control = WallControl::free;
  top.by_force = 1;
  top.target = 50;
  top.mass = 5;
  top.follows = 2;
  s.model.drives[2].control = WallControl::gyrate;
  s.model.drives[2].gyration = {0.02, 2, 0, 0.5};
  s.step(137);
  const Real t = s.state.globals.time;
  const Vec3 at = s.state.bodies.position[2], axis = s.model.drives[2].gyration.axis_at(0.1, t);
  EXPECT_NEAR(at.z, 0.1, 1e-5);
  EXPECT_NEAR(at.x, axis.x, 1e-6);
  EXPECT_NEAR(at.y, axis.y, 1e-6);
  EXPECT_NEAR(s.state.bodies.force[2].z, 50, 1e-3);
  EXPECT_NEAR(s.state.bodies.force[1].z, -50, 1e-3);
  const Quat q = s.state.bodies.orientation[3], exact = s.model.drives[2].gyration.orientation(t);
  EXPECT_NEAR(length(q.vector() - exact.vector()), 0, 1e-9);
}

TEST(CoatedHulls, ACubeSinksIntoItsCoatAsTheClosedFormSays) {
  // On a floor, under its weight as a load: the section of the coat grows with the overlap, so the load is compared with the law at the area that there is.
  HullSample s;
  s.hulls = {box_hull({1, 1, 1})};
  const Real coat = 1e-3, edge = 0.02;
  s.grain(0, edge, {0, 0, 0.5 * edge + 0.9 * coat});
  s.floor();
  s.options.coat = impulse::coat_of<Damper<3>>({coat, 0}, {MortarTable::published(), 273.15 + 150, HUGE_VAL, 0, 0, 0});
  s.options.tolerance = 1e-6;
  s.assemble(1.0 / 240);
  s.state.globals.gravity = {0, 0, -9.81};
  Real height = s.state.bodies.position[0].z;
  const Real weight = s.state.bodies.mass[0] * 9.81, viscosity = MortarTable::published().at(273.15 + 150).maxwell_viscosity;
  for (int n = 0; n < 400; ++n) {
    s.step();
    const Real speed = (s.state.bodies.position[0].z - height) / s.state.globals.dt, area = s.state.hull_patches.coat_area[0];
    height = s.state.bodies.position[0].z;
    ASSERT_EQ(s.state.hull_patches.size(), 1u);
    const Real round = coat * std::sqrt(1 - std::pow((height - 0.5 * edge) / 2 / coat, 2)), side = edge + 2 * round;
    EXPECT_NEAR(area, side * side - (4 - pi) * round * round, 2e-3 * area) << "the coat at the middle of the gap: a square with round corners";
    if (n > 10) {
      EXPECT_NEAR(-speed * viscosity * area / coat, weight, 2e-3 * weight) << "creep without inertia";
    }
  }
  EXPECT_EQ(s.last.not_converged, 0);
  EXPECT_NEAR(s.state.bodies.force[1].z, -weight, 1e-3 * weight);
}

TEST(CoatedHulls, SinkWithoutInertiaAndLieOnSolidCoats) {
  // From rest in each step a grain falls g h^2; coats that are as hard as grains hold two cubes and the floor apart by what lies between them.
  HullSample s(0.3);
  s.hulls = {box_hull({1, 1, 1})};
  const Real edge = 0.02, coat = 5e-4, dt = 0.005;
  s.grain(0, edge, {0, 0, 0.5 * edge + 6e-3});
  s.grain(0, edge, {0, 0, 1.5 * edge + 12e-3});
  s.floor();
  s.options.coat = impulse::coat_of<Burgers<3>>({coat, 0}, {MortarTable::published(), 273.15 + 150, HUGE_VAL, 0, 0, 0});
  s.options.solid_coats = s.options.from_rest = true;
  s.options.tolerance = 1e-6;
  s.assemble(dt);
  s.state.globals.gravity = {0, 0, -9.81};
  const auto height = [&](u32 uid) { return s.state.bodies.position[s.index(uid)].z; };
  const Real top = height(1);
  for (int n = 0; n < 10; ++n) s.step();
  EXPECT_NEAR(top - height(1), 10 * 9.81 * dt * dt, 1e-12);
  for (int n = 0; n < 200; ++n) s.step();
  EXPECT_NEAR(height(0), 0.5 * edge + coat, 1e-3 * coat);
  EXPECT_NEAR(height(1), 1.5 * edge + 3 * coat, 2e-3 * coat);
  for (const Real area : s.state.hull_patches.coat_area) EXPECT_EQ(area, 0) << "their law rests";
  s.options.solid_coats = s.options.from_rest = false;  // now it acts: they sink in
  for (int n = 0; n < 20; ++n) s.step();
  EXPECT_LT(height(0), 0.5 * edge + coat);
  EXPECT_EQ(s.last.not_converged, 0);
}

TEST(CoatedHulls, ACollisionKeepsMomentumAndItsMomentToTheTolerance) {
  Rng rng{5, 0, 0};
  const auto shapes = sampling::draw_hulls({}, 3);
  for (int n = 0; n < 10; ++n) {
    HullSample s(0.3);
    s.hulls = shapes;
    s.grain(u32(n % 10), 0.01, {0, 0, 0}, sampling::any_turning(rng));
    s.grain(u32((n + 3) % 10), 0.007, {0.014, rng.uniform(-2e-3, 2e-3), rng.uniform(-2e-3, 2e-3)}, sampling::any_turning(rng));
    s.grains[0].velocity = {0.3, 0, 0};
    s.options.coat = impulse::coat_of<Burgers<3>>({4.4e-4, 0}, {MortarTable::published(), 273.15 + 150, HUGE_VAL, 0, 0, 0});
    s.options.tolerance = 1e-9;
    s.assemble(1e-3);
    const auto momentum = [&] { return s.state.bodies.mass[0] * s.state.bodies.velocity[0] + s.state.bodies.mass[1] * s.state.bodies.velocity[1]; };
    const Vec3 before = momentum();
    bool met = false;
    for (int k = 0; k < 100; ++k) {
      s.step();
      for (const Real area : s.state.hull_patches.coat_area) met = met || area > 0;
    }
    EXPECT_TRUE(met);
    EXPECT_NEAR(length(momentum() - before) / length(before), 0, 1e-6);
    EXPECT_LT(measure::energy(s.state, ContactList<3>{}).kinetic, 0.5 * s.state.bodies.mass[s.index(0)] * 0.09 * (1 + 1e-6));
  }
}

TEST(Hulls, GiveTheSameBitsOnAnyNumberOfThreadsAndWithAnyOrderOfBodies) {
  const auto run = [](int threads, Real rebuilds, bool drop, Real coat = 0) {
    HullSample s(0.4);
    if (coat > 0) s.options.coat = impulse::coat_of<Burgers<3>>({coat, 0}, {MortarTable::published(), 273.15 + 150, HUGE_VAL, 0, 0, 0});
    s.hulls = sampling::draw_hulls({}, 3);
    Rng rng{8, 0, 0};
    for (int k = 0; k < 40; ++k)
      s.grain(u32(k % 10), rng.uniform(0.05, 0.1), {0.2 * (k % 3) - 0.2, 0.2 * (k / 3 % 3) - 0.2, 0.12 + 0.2 * (k / 9)}, sampling::any_turning(rng));
    s.floor();
    s.walls.push_back({"mould", {}, WallCylinder<3>::around({0, 0, 1}, 0.42), 1, {}});
    s.options.tolerance = 1e-4;
    s.options.max_sweeps = 200;
    s.assemble(0.005);
    s.model.options.random_rebuilds = rebuilds;
    s.model.drives[1].control = WallControl::gyrate;
    s.model.drives[1].gyration = {0.02, 0.5, 0, 0.1};
    s.state.globals.gravity = {0, 0, -9.81};
    const WithThreads guard(threads);
    for (int n = 0; n < (coat > 0 ? 50 : 100); ++n) {
      s.step();
      if (drop && n % 7 == 0) s.scratch = {};
    }
    return state_hash(s.state);
  };
  const u64 reference = run(1, 0, false);
  EXPECT_EQ(run(2, 0, false), reference);
  EXPECT_EQ(run(7, 0.3, false), reference);
  EXPECT_EQ(run(1, 0, true), reference);
  const u64 coated = run(1, 0, false, 0.01);
  EXPECT_NE(coated, reference);
  EXPECT_EQ(run(2, 0.3, false, 0.01), coated);
  EXPECT_EQ(run(1, 0, true, 0.01), coated);
}

TEST(Hulls, MotionThatIsLostAtEachStepIsEnteredInTheLedger) {
  // From rest in each step, with inertia a hundred times as large as weights say: a grain falls on a floor and slides on it.
  HullSample s(0.3);
  s.model.options.density_scale = 100;
  s.hulls = {box_hull({1, 1.2, 1.5})};
  s.grain(0, 0.1, {0, 0, 0.2});
  s.floor();
  s.options.from_rest = true;
  s.assemble(0.01);
  s.state.globals.gravity = {3, 1, -9.81};
  ASSERT_FALSE(s.state.bodies.work.empty());
  const measure::Energy start = measure::energy(s.state, ContactList<3>{});
  Real most = 0;
  for (int n = 0; n < 60; ++n) {
    s.step(10);
    const measure::Energy now = measure::energy(s.state, ContactList<3>{});
    EXPECT_NEAR(measure::residual(now, start), 0, 1e-10 * std::abs(now.gravity));
    most = std::max(most, now.gravity);
  }
  EXPECT_GT(most, 0.1 * s.state.bodies.mass[s.index(0)] / 100) << "it has come down";
}
