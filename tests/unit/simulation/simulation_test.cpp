// A simulation driven by a program, without the command line.
#include <unistd.h>

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include <talus/core/input_error.hpp>
#include <talus/simulation/beside_state.hpp>
#include <talus/simulation/simulation.hpp>

using namespace talus;
using namespace talus::simulation;

namespace {

namespace fs = std::filesystem;

// Four grains in a periodic cell that is squeezed for 300 steps, then held for 100.
constexpr const char* scene_text = R"(
title = "four grains"
dimension = 3
[material.glass]
density = 2500
young = "1 MPa"
poisson = 0.2
restitution = 0.5
friction = 0.5
[contact]
law = "hertz-mindlin"
[grains.glass]
count = 4
sizes = { kind = "uniform", min = "0.9 mm", max = "1 mm" }
place = { kind = "random-without-overlap" }
[cell]
size = ["3 mm", "3 mm", "3 mm"]
[[stage]]
name = "squeeze"
kind = "deform"
steps = 300
rate = ["-20 1/s", 0, 0, 0, "-20 1/s", 0, 0, 0, "-20 1/s"]
[[stage]]
name = "hold"
kind = "deform"
steps = 100
[probes]
every = 50
[output]
hash_every = 100
)";

class SimulationTest : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("talus-simulation-test-" + std::to_string(getpid()));
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::ofstream(folder / "four.toml") << scene_text;
  }
  void TearDown() override { fs::remove_all(folder); }
  Simulation open() { return Simulation::open((folder / "four.toml").string()); }
  fs::path folder;
};

Real value(const lab::Row& row, const std::string& name) {
  for (const auto& c : row)
    if (c.name == name) return c.value;
  ADD_FAILURE() << "no channel " << name;
  return 0;
}

}  // namespace

TEST_F(SimulationTest, StepsOneByOneOrAllAtOnceLeadToTheSameState) {
  Simulation whole = open(), pieces = open();
  EXPECT_EQ(whole.run().outcome, lab::Outcome::done);
  EXPECT_EQ(whole.steps(), 400);
  for (const i64 n : {1, 7, 92, 199, 1, 50}) EXPECT_EQ(pieces.step(n).outcome, lab::Outcome::until);
  EXPECT_EQ(pieces.steps(), 350);
  EXPECT_EQ(pieces.step(1000).outcome, lab::Outcome::done);
  EXPECT_EQ(pieces.steps(), 400);
  EXPECT_EQ(pieces.state_hash(), whole.state_hash());
}

TEST_F(SimulationTest, WhatIsSeenBetweenStepsIsTheStateOfThatStep) {
  Simulation s = open();
  EXPECT_EQ(value(s.row(), "step"), 0);
  s.step(120);
  const auto row = s.row();
  EXPECT_EQ(value(row, "step"), 120);
  EXPECT_EQ(value(row, "time"), s.time());
  EXPECT_NEAR(value(row, "axial_strain"), 20 * s.time(), 1e-3 * 20 * s.time());  // steps are of finite length
  EXPECT_EQ(s.look<3>().state.grains(), 4u);
}

TEST_F(SimulationTest, LookingChangesNothing) {
  Simulation plain = open(), seen = open();
  plain.step(200);
  for (int k = 0; k < 20; ++k) {
    seen.step(10);
    (void)seen.row();
  }
  EXPECT_EQ(seen.state_hash(), plain.state_hash());
}

TEST_F(SimulationTest, ARecordedRunThatIsLeftAndResumedEndsInTheSameState) {
  Simulation whole = open();
  whole.run();
  {
    Simulation first = open();
    first.record(folder / "run");
    EXPECT_EQ(first.step(210).outcome, lab::Outcome::until);
    EXPECT_EQ(first.finish().steps, 210);
  }
  Simulation second = Simulation::resume(folder / "run");
  EXPECT_EQ(second.steps(), 210);
  EXPECT_FALSE(second.was_complete());
  EXPECT_EQ(second.run().outcome, lab::Outcome::done);
  const Summary summary = second.finish();
  EXPECT_EQ(summary.status, "done");
  EXPECT_EQ(second.state_hash(), whole.state_hash());
  for (const char* file : {"scene.toml", "series.csv", "hash_chain.csv", "summary.json", "report.html"})
    EXPECT_TRUE(fs::exists(folder / "run" / file)) << file;
}

TEST_F(SimulationTest, ACompleteRunSaysSo) {
  {
    Simulation s = open();
    s.record(folder / "run");
    s.run();
    s.finish();
  }
  EXPECT_TRUE(Simulation::resume(folder / "run").was_complete());
}

TEST_F(SimulationTest, AListenerCanStopTheRun) {
  class Impatient final : public Listener {
   public:
    bool wants_stop() override { return ++asked == 2; }
    int asked = 0;
  } listener;
  Simulation s = Simulation::open((folder / "four.toml").string(), {}, {}, listener), whole = open();
  EXPECT_EQ(s.run().outcome, lab::Outcome::interrupted);
  EXPECT_LE(s.steps(), 100);  // the first question comes after one step: nobody knows yet how long it takes
  EXPECT_EQ(s.run().outcome, lab::Outcome::done);
  whole.run();
  EXPECT_EQ(s.state_hash(), whole.state_hash());
}

TEST_F(SimulationTest, AFolderIsClaimedBeforeAnythingIsWrittenIntoIt) {
  Simulation first = open(), second = open();
  first.record(folder / "run");
  EXPECT_THROW(second.record(folder / "run"), InputError);
  EXPECT_THROW(Simulation::resume(folder / "run"), InputError);
}

TEST_F(SimulationTest, ASceneThatChangesOnTheDiskIsNotTheSceneOfTheRun) {
  {
    Simulation s = open();
    s.record(folder / "run");
    std::ofstream(folder / "run" / "scene.toml", std::ios::app) << "# somebody else wrote this\n";
    s.step(210);
    EXPECT_THROW(s.finish(), InputError);  // the report would show another scene than the one that ran
  }
  EXPECT_THROW(Simulation::resume(folder / "run"), InputError);  // sealed with the text in memory
}

TEST_F(SimulationTest, ARunThatWasKilledBeforeItsFirstCheckpointGetsItsSizes) {
  {
    Simulation s = open();
    s.record(folder / "run");
  }
  fs::remove(folder / "run" / "sizes.csv");
  Simulation again = Simulation::resume(folder / "run");
  again.run();
  again.finish();
  EXPECT_TRUE(fs::exists(folder / "run" / "sizes.csv"));
}

TEST_F(SimulationTest, RecordingBeginsBeforeTheFirstStep) {
  Simulation s = open();
  s.step();
  EXPECT_THROW(s.record(folder / "late"), std::logic_error);
}

TEST_F(SimulationTest, ASampleIsChangedBeforeTheFirstStepAndThenNotRecorded) {
  Simulation plain = open(), moved = open();
  moved.sample<3>().bodies.velocity[0].x = 1e-3;
  EXPECT_THROW(moved.record(folder / "moved"), std::logic_error);
  plain.step(10);
  moved.step(10);
  EXPECT_NE(plain.state_hash(), moved.state_hash());
  EXPECT_THROW(moved.sample<3>(), std::logic_error);
}

TEST_F(SimulationTest, AWrongSceneIsRefusedWhenItIsOpened) {
  EXPECT_THROW(Simulation::open((folder / "four.toml").string(), {"cell.size=3"}), InputError);
}

TEST(BesideState, AnInfiniteResidualSurvivesACheckpoint) {
  SinceRow before;
  before.steps = 17;
  before.overlap = 0.125;
  before.values = {HUGE_VAL, 0.1, 3};
  before.in_all = {HUGE_VAL, 0.3, 40};
  const SinceRow after = read_since_row(nlohmann::json::parse(written(before).dump()));  // as a checkpoint keeps it
  EXPECT_EQ(after.steps, before.steps);
  EXPECT_EQ(after.overlap, before.overlap);
  EXPECT_EQ(after.values, before.values);
  EXPECT_EQ(after.in_all, before.in_all);
}

TEST(BesideState, FiguresThatWereNotReachedStayWithoutAValue) {
  const Figures before{{"reached", 0.1, "m", "what it is", ""}, {"missed", std::nullopt, "1", "what it is", "why not"}};
  const Figures after = read_figures(nlohmann::json::parse(written(before).dump()));
  ASSERT_EQ(after.size(), 2u);
  EXPECT_EQ(after[0].value, 0.1);
  EXPECT_EQ(after[1].value, std::nullopt);
  EXPECT_EQ(after[1].reason, "why not");
}

namespace {

// What a progress line is told.
struct Watcher final : Listener {
  bool wants_progress() override { return true; }
  void progress(const lab::Progress& p) override { seen.push_back(p); }
  std::vector<lab::Progress> seen;
};

}  // namespace

TEST_F(SimulationTest, ProgressIsThatOfTheWholeRunWhereStagesKnowTheirSteps) {
  Watcher watcher;
  Simulation s = Simulation::open((folder / "four.toml").string(), {}, {}, watcher);
  s.run();
  ASSERT_EQ(watcher.seen.size(), 4u);  // every hundred steps
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(watcher.seen[k].run_share(), 0.25 * double(k + 1), 1e-12);
    EXPECT_FALSE(watcher.seen[k].goal);
    EXPECT_EQ(watcher.seen[k].open_ahead, 0u);
  }
}

TEST_F(SimulationTest, AStageWithoutAKnownEndTellsWhatItWaitsFor) {
  Watcher watcher;
  std::ofstream(folder / "four.toml", std::ios::app) << "\n[[stage]]\nkind = \"relax\"\nunbalanced = 0.02\nmax_steps = 300\n";
  Simulation s = Simulation::open((folder / "four.toml").string(), {}, {}, watcher);
  s.run();
  ASSERT_GE(watcher.seen.size(), 5u);
  EXPECT_EQ(watcher.seen[0].open_ahead, 1u);
  ASSERT_TRUE(watcher.seen.back().goal);
  EXPECT_EQ(watcher.seen.back().goal->word, "unbalanced");
  EXPECT_EQ(watcher.seen.back().goal->target, 0.02);
  EXPECT_EQ(watcher.seen.back().steps_left, 0);
}
