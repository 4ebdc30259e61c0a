// A wall or grains that are taken away while springs are loaded: what these held is in the ledger.
#include <cmath>

#include <gtest/gtest.h>

#include <talus/dem/dem_method.hpp>
#include <talus/sampling/assemble.hpp>
#include <talus/state/remove.hpp>
#include <talus/contact/laws.hpp>

#include "../../support/wait_stage.hpp"

using namespace talus;
using namespace talus::lab;

namespace {

class Wait final : public test::WaitStage {
 public:
  explicit Wait(i64 steps) : WaitStage(steps) { traits.exact_steps = steps; }
};

// Takes the last two grains of the column away.
class Cut final : public Stage<2> {
 public:
  Cut() {
    name = "cut";
    traits.has_steps = false;
    traits.changes_bodies = true;
  }
  void begin(const Model<2>&, State<2>& state) override {
    std::vector<bool> gone(state.grains());
    for (std::size_t i = 0; i < gone.size(); ++i) gone[i] = state.bodies.uid[i] >= 3;
    remove_grains(state, gone);
  }
  void plan(Model<2>&, const State<2>&) const override {}
  bool done(const Observation<2>&) const override { return true; }
  double progress(const Observation<2>&) const override { return 1; }
};

constexpr Real stiffness = 1000, overlap = 0.01;

// Five grains in a column between two walls, all springs pressed by as much: at rest. As balls or as polygons
// of one corner, which go through a step of their own.
Experiment<2> column(bool polygons) {
  Experiment<2> x;
  x.method = dem::make_method<2>({.automatic = false});
  x.model.materials = {{"grain", 1, 1, 0, 0.5, 1, 0, false}, {"wall", 0, 0, 0, 0.5, 1, 0, true}};
  x.model.pairs.resize(2);
  const Linear<2>::Params law{stiffness, stiffness, 0, 0.5};
  x.model.pairs.set<law_index<Linear<2>>>(0, 0, law);
  x.model.pairs.set<law_index<Linear<2>>>(0, 1, law);
  for (int k = 0; k < 2; ++k) {
    x.state.globals.cell.h(k, k) = 10;
    x.state.globals.cell.periodic[k] = 0;
  }
  const auto height = [](int k) { return 1 + (1 - overlap) * (0.5 + k) - 0.5 * overlap; };
  std::vector<sampling::PlacedWall<2>> walls{
      {"low", {0, 1}, WallPlane<2>::facing({0, 1}), 1, {}},
      {"high", {0, 1 + (1 - overlap) * 5 - overlap}, WallPlane<2>::facing({0, -1}), 1, {}}};
  std::vector<sampling::Ball<2>> balls;
  std::vector<sampling::Block> blocks;
  for (int k = 0; k < 5; ++k) {
    balls.push_back({{5, height(k)}, 0.5, 0, {}, {}});
    sampling::Block block;
    block.shape = make_polygon({{0, 0}}, 0.5);
    block.position = {5, height(k)};
    blocks.push_back(block);
  }
  if (polygons)
    sampling::assemble(x.model, x.state, blocks, walls);
  else
    sampling::assemble(x.model, x.state, balls, walls);
  x.dt_start = 1e-3;
  x.cadence.hash_every = x.cadence.checkpoint_every = 1000000;
  return x;
}

struct Ledger {
  Real missing, lost, held;
};
Ledger run(Experiment<2>& x) {
  Ledger ledger{NAN, NAN, NAN};
  Hooks<2> hooks;
  hooks.row = [&](const Row& row) {
    for (const auto& c : row) {
      if (c.name == "residual") ledger.missing = c.value;
      if (c.name == "stiffness_work") ledger.lost = c.value;
      if (c.name == "initial_energy") ledger.held = c.value;
    }
  };
  x.cadence.probe_every = 1;
  Runner<2> runner(x, hooks);
  const Result result = runner.run(false);
  EXPECT_EQ(result.outcome, Outcome::done) << result.message;
  return ledger;
}

std::unique_ptr<Wait> without_top() {
  auto open = std::make_unique<Wait>(50);
  WallDrive<2> drive;
  drive.control = WallControl::away;
  drive.axis = 1;
  open->walls.emplace_back(1, drive);
  return open;
}

}  // namespace

TEST(Away, TheSpringsOfAWallThatGoesAreEnteredInTheLedger) {
  for (const bool polygons : {false, true}) {
    Experiment<2> x = column(polygons);
    x.stages.push_back(std::make_unique<Wait>(20));
    x.stages.push_back(without_top());
    const Ledger ledger = run(x);
    const Real spring = 0.5 * stiffness * overlap * overlap;
    EXPECT_NEAR(ledger.lost, spring, 1e-6 * spring) << polygons;  // of the six springs one was the wall's
    EXPECT_GT(ledger.held, 5 * spring);
    EXPECT_LT(std::abs(ledger.missing), 2e-3 * spring) << polygons;  // what steps of finite length leave
  }
}

TEST(Away, TheSpringsOfGrainsThatGoAreEnteredInTheLedger) {
  for (const bool polygons : {false, true}) {
    Experiment<2> x = column(polygons);
    x.stages.push_back(std::make_unique<Wait>(20));
    x.stages.push_back(std::make_unique<Cut>());
    x.stages.push_back(std::make_unique<Wait>(50));
    const Ledger ledger = run(x);
    const Real spring = 0.5 * stiffness * overlap * overlap;
    EXPECT_NEAR(ledger.lost, 3 * spring, 1e-6 * spring) << polygons;
    EXPECT_LT(std::abs(ledger.missing), 2e-3 * spring) << polygons;
  }
}
