// Elastic contacts solved inside the step: how far they give way, shear springs that remember, what they do to collisions; in the plane and in space.
#include <gtest/gtest.h>

#include <functional>

#include <talus/impulse/hull_step.hpp>
#include <talus/sampling/polygons.hpp>

#include "../support/plane_sample.hpp"

using namespace talus;
using namespace talus::test;

// Steps are solved to 1e-10 of the mean impulse. At rest: what is left of a motion that every step damps.

namespace {

const Polygon disc = make_polygon({{0, 0}}, 0.5), box = make_polygon({{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}});
constexpr Real k = 1e4, shear_ratio = 0.5, damping = 1;

struct ElasticSample : PlaneSample {
  explicit ElasticSample(Real friction, Real damped = damping) : PlaneSample(1, friction, friction) {
    for (const u32 other : {0u, 1u}) model.pairs.set<law_index<Linear<2>>>(0, other, {k, shear_ratio * k, damped, friction});
    options.elastic = true;
    options.tolerance = 1e-10;
  }
  void hertz(Real e_star) {
    for (const u32 other : {0u, 1u}) model.pairs.set<law_index<HertzMindlin<2>>>(0, other, HertzMindlin<2>::make(e_star, e_star / 4, 0, 0.3, true));
  }
  void steps(int n, Real dt = 0.01) {
    for (int i = 0; i < n; ++i) {
      step(dt);
      ASSERT_EQ(last.status, u32(fine));
      ASSERT_EQ(last.not_converged, 0);
    }
  }
};

// A disc that does not turn lies on a platen, pulled along it by a force to come. Its weight.
Real lay_disc(ElasticSample& s) {
  s.platen({0, 0}, {0, 1});
  s.grain(disc, {0, 0.5}, 0, false);
  s.assemble();
  s.state.bodies.take_forces();
  s.state.globals.gravity = {0, -10};
  return s.state.bodies.mass[0] * 10;
}

// Discs on one another.
void tower(ElasticSample& s) {
  s.platen({0, 0}, {0, 1});
  for (int n = 0; n < 3; ++n) s.grain(disc, {0, 0.5 + n});
  s.assemble();
  s.state.globals.gravity = {0, -10};
}
void expect_tower(ElasticSample& s, const std::function<Real(Real, Real)>& overlap) {  // of radius, force
  const Real weight = s.state.bodies.mass[0] * 10;
  Real height = 0.5;
  for (u32 n = 0; n < 3; ++n) {
    height -= overlap(n == 0 ? 0.5 : 0.25, (3 - Real(n)) * weight);
    EXPECT_NEAR(s.position(n).y, height + n, 1e-8);
  }
  EXPECT_NEAR(-s.push(0).y, 3 * weight, 1e-7 * weight);
}

}  // namespace

TEST(Elastic, ATowerOfDiscsSinksByItsWeight) {
  ElasticSample s(0.3);
  tower(s);
  s.steps(400);
  expect_tower(s, [](Real, Real force) { return force / k; });
}

TEST(Elastic, ATowerWithHertzLawToo) {
  ElasticSample s(0.3);
  s.hertz(1e5);
  tower(s);
  s.steps(600);
  expect_tower(s, [&](Real radius, Real force) { return HertzMindlin<2>::overlap_at(HertzMindlin<2>::make(1e5, 1, 0, 0.3, true), radius, force); });
}

TEST(Elastic, AnEdgeCarriesAsOneDiscDoes) {
  ElasticSample s(0.3);
  s.platen({0, 0}, {0, 1});
  s.grain(box, {0, 0.5});
  s.assemble();
  s.state.globals.gravity = {0, -10};
  s.steps(300);
  EXPECT_NEAR(s.position(0).y, 0.5 - 10 / k, 1e-8);
  EXPECT_NEAR(s.angle(0), 0, 1e-10);
}

TEST(Elastic, TheShearSpringRemembersAndSlidesAtItsBound) {
  ElasticSample s(0.4);
  const Real weight = lay_disc(s);
  s.steps(300);
  const Real start = s.position(0).x;
  for (int n = 1; n <= 100; ++n) s.state.bodies.applied[0].x = 0.003 * n * weight, s.steps(3);  // slowly: else it swings beyond the bound
  s.steps(300);
  EXPECT_NEAR(s.position(0).x - start, 0.3 * weight / (shear_ratio * k), 1e-8);
  EXPECT_NEAR(s.push(0).x, 0.3 * weight, 1e-6 * weight);
  for (int n = 99; n >= 0; --n) s.state.bodies.applied[0].x = 0.003 * n * weight, s.steps(3);
  s.steps(300);
  EXPECT_NEAR(s.position(0).x - start, 0, 1e-8) << "below the bound nothing slid";
  s.state.bodies.applied[0].x = 0.5 * weight;
  s.steps(100);
  EXPECT_NEAR(s.push(0).x, 0.4 * weight, 1e-6 * weight);
  EXPECT_GT(s.velocity(0).x, 0.1);
}

TEST(Elastic, AForceStaysWhatItWasWhenTheStepChanges) {
  // The shear spring is kept as an impulse. When the step changes the method rescales it with the step.
  ElasticSample s(0.4);
  const Real weight = lay_disc(s);
  s.state.bodies.applied[0].x = 0.3 * weight;
  s.steps(600);
  const Real then = s.position(0).x;
  s.steps(300);
  EXPECT_NEAR(s.position(0).x, then, 1e-9);
  for (Vec3& impulse : s.state.patches.impulse) impulse = Real(0.5) * impulse;
  s.steps(1000, 0.005);
  EXPECT_NEAR(s.position(0).x, then, 1e-9);
  s.steps(1, 0.01);  // not rescaled: half of the force is taken for all of it
  EXPECT_GT(std::abs(s.position(0).x - then), 1e-7);
}

TEST(Elastic, ACollisionInShortStepsIsThatOfTheLaw) {
  // Without a dashpot the rebound is that of a spring; steps that are solved at their end lose some of it, of first order in the step.
  Real error_before = 0;
  for (const Real dt : {1e-4, 5e-5}) {
    ElasticSample s(0, 0);
    s.grain(disc, {0, 0});
    s.grain(disc, {1.001, 0});
    s.assemble();
    s.velocity(0) = {0.5, 0};
    s.velocity(1) = {-0.5, 0};
    for (int n = 0; n < int(0.1 / dt); ++n) s.step(dt);
    const Real error = 0.5 - s.velocity(1).x;
    EXPECT_NEAR(s.velocity(0).x + s.velocity(1).x, 0, 1e-12);
    EXPECT_GT(error, 0);
    EXPECT_LT(error, 0.02);
    if (error_before > 0) {
      EXPECT_NEAR(error_before / error, 2, 0.1);
    }
    error_before = error;
  }
}

TEST(Elastic, ABoxInSpaceSinksByItsWeightAndItsSpringRemembers) {
  Model<3> model;
  State<3> state;
  for (const char* name : {"grain", "wall"}) {
    Material m;
    m.name = name;
    m.density = 1000;
    model.materials.push_back(m);
  }
  constexpr Real stiff = 1e5, friction = 0.4;
  model.pairs.resize(2);
  for (const u32 other : {0u, 1u}) {
    model.pairs.set(0, other, {friction, 0, 0});
    model.pairs.set<law_index<Linear<3>>>(0, other, {stiff, shear_ratio * stiff, damping, friction});
  }
  for (int j = 0; j < 3; ++j) state.globals.cell.h(j, j) = 100, state.globals.cell.periodic[j] = 0;
  std::vector<Vec3> corners;
  for (int n = 0; n < 8; ++n) corners.push_back({n & 1 ? 0.5 : -0.5, n & 2 ? 0.5 : -0.5, n & 4 ? 0.5 : -0.5});
  sampling::Aggregate grain;
  grain.size = 0.1;
  grain.position = {0, 0, 0.05};
  const std::vector<Hull> hulls{make_hull(corners)};
  const std::vector<sampling::Aggregate> grains{grain};
  std::vector<sampling::PlacedWall<3>> walls;
  walls.push_back({"floor", {}, WallPlane<3>::facing({0, 0, 1}), 1, {}});
  sampling::assemble(model, state, hulls, grains, walls);
  state.globals.dt = 0.002;
  state.globals.gravity = {0, 0, -9.81};
  state.bodies.take_forces();
  impulse::StepOptions options;
  options.elastic = true;
  options.tolerance = 1e-10;
  impulse::HullScratch scratch;
  const auto steps = [&](i64 n) {
    const impulse::StepReport last = impulse::step(model, options, state, scratch, n);
    ASSERT_EQ(last.status, u32(fine));
    ASSERT_EQ(last.not_converged, 0);
  };
  steps(1000);
  const Real weight = 9.81 * state.bodies.mass[0];
  EXPECT_NEAR(state.bodies.position[0].z, 0.05 - weight / stiff, 1e-9);
  const Vec3 start = state.bodies.position[0];
  const Vec3 push{0.2 * weight, -0.1 * weight, 0};
  for (int n = 1; n <= 200; ++n) state.bodies.applied[0] = Real(n) / 200 * push, steps(5);  // slowly: else it swings beyond the bound
  steps(1000);
  // The box tilts about its lower edges besides: springs at its corners, 0.05 off the middle, carry the moment of the push at 0.05 above them.
  const Vec3 moved = state.bodies.position[0] - start;
  const Real tilt = 0.2 * weight * 0.05 / (stiff * 0.05 * 0.05);
  EXPECT_NEAR(moved.x, 0.2 * weight / (shear_ratio * stiff) + 0.05 * tilt, 1e-3 * moved.x);
  EXPECT_NEAR(moved.y, -0.5 * moved.x, 1e-3 * moved.x);
  for (int n = 199; n >= 0; --n) state.bodies.applied[0] = Real(n) / 200 * push, steps(5);
  steps(1000);
  EXPECT_NEAR(length(state.bodies.position[0] - start), 0, 1e-8);
}
