#include <cmath>

#include <gtest/gtest.h>

#include <talus/lab/methods.hpp>
#include <talus/sampling/assemble.hpp>
#include <talus/contact/laws.hpp>

#include "../../support/wait_stage.hpp"

using namespace talus;
using namespace talus::lab;
using talus::law_index;

namespace {

// Sees the friction of each plan.
class Wait final : public test::WaitStage {
 public:
  using WaitStage::WaitStage;
  void plan(Model<2>& model, const State<2>&) const override { seen_friction.push_back(friction_of(model)); }
  static Real friction_of(const Model<2>& model) { return model.pairs.coefficients[0].friction; }
  mutable std::vector<Real> seen_friction;
};

// One brick in free flight.
Experiment<2> flight() {
  Experiment<2> x;
  x.method = make_method<2>("impulse");
  x.model.materials = {{"stone", 1, 0, 0, 0.5, 0, 0, true}};
  x.model.pairs.resize(1);
  x.model.pairs.set(0, 0, PairCoefficients{0.5, 0, 0});
  for (int k = 0; k < 2; ++k) {
    x.state.globals.cell.h(k, k) = 10;
    x.state.globals.cell.periodic[k] = 0;
  }
  sampling::Block block;
  block.shape = make_polygon({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  block.position = {5, 5};
  sampling::assemble(x.model, x.state, std::vector<sampling::Block>{block}, {});
  x.state.globals.gravity = {0, -0.1};
  x.dt_start = 0.01;
  return x;
}

}  // namespace

TEST(Ramp, GravityGoesDownInStairsOfAHundredStepsAndStaysAway) {
  Experiment<2> x = flight();
  auto first = std::make_unique<Wait>(100);  // done long before the ramp is
  first->ramp_time = 10;
  first->gravity = Vec2{0, 0};
  x.stages.push_back(std::move(first));
  x.stages.push_back(std::make_unique<Wait>(200));
  Runner<2> runner(x, {});
  ASSERT_EQ(runner.run(false).outcome, Outcome::done);
  // Ten pieces of one second, each with the gravity at its start: 0.1 (1 + 0.9 + ... + 0.1).
  EXPECT_NEAR(x.state.bodies.velocity[0].y, -0.1 * 5.5, 1e-12);
  EXPECT_EQ(x.state.globals.gravity.y, 0);
  EXPECT_EQ(x.state.globals.step, 1000 + 200);
}

TEST(Ramp, FrictionOfOneMaterialGoesFromOneValueToAnotherAndBackAfterTheStage) {
  Experiment<2> x = flight();
  auto first = std::make_unique<Wait>(100);
  const Wait& ramped = *first;
  first->ramp_time = 4;
  first->friction = FrictionChange{0, 0.2, 0.6};
  x.stages.push_back(std::move(first));
  auto second = std::make_unique<Wait>(100);
  const Wait& after = *second;
  x.stages.push_back(std::move(second));
  Runner<2> runner(x, {});
  ASSERT_EQ(runner.run(false).outcome, Outcome::done);
  ASSERT_EQ(ramped.seen_friction.size(), 6u);  // begun, then once each 100 steps
  EXPECT_NEAR(ramped.seen_friction[1], 0.2, 1e-12);
  EXPECT_NEAR(ramped.seen_friction[3], 0.4, 1e-12);
  EXPECT_NEAR(ramped.seen_friction[5], 0.6, 1e-12);
  EXPECT_EQ(after.seen_friction.back(), 0.5);
}

TEST(Ramp, FrictionChangesForEitherMethod) {
  PairTable<2> pairs;
  pairs.resize(2);
  pairs.set<law_index<HertzMindlin<2>>>(0, 0, {});
  pairs.set<law_index<HertzMindlin<2>>>(0, 1, {});
  set_friction(pairs, 0, 0.3);
  EXPECT_EQ(pairs.coefficients[0].friction, 0.3);
  EXPECT_EQ(pairs.coefficients[1].friction, 0);
  const auto& constants = std::get<law_index<HertzMindlin<2>>>(pairs.constants.of);
  EXPECT_EQ(constants[pairs.params[0]].friction, 0.3);
  EXPECT_EQ(constants[pairs.params[1]].friction, 0);
}
