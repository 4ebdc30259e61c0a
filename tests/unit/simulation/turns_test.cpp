// A step is the same whatever call it is made in: runs are made in turns of random lengths, as the clock of a loaded machine would
// make them, and have the chain of hashes of a run whose turns are as long as they can be.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

#include <talus/core/rng.hpp>
#include <talus/simulation/simulation.hpp>

using namespace talus;
using namespace talus::simulation;

namespace {

struct Scene {
  const char* name;
  i64 steps;  // until everything in it has moved
  std::vector<std::string> settings;
};

struct End {
  u64 state, chain;
  i64 links, step;
  std::vector<u64> row;  // of the series: what is reduced since the last one is the same too
  bool operator==(const End&) const = default;
};
void PrintTo(const End& e, std::ostream* out) { *out << "state " << e.state << ", chain " << e.chain << " of " << e.links << " at " << e.step; }

// Turns of 1 to `longest` steps, many of them of one step.
template <int D>
End run(const Scene& scene, u64 seed, i64 longest) {
  Simulation s = Simulation::open(TALUS_SOURCE_DIR "/scenes/" + std::string(scene.name) + ".toml", scene.settings);
  Rng rng{seed, 0, 0};
  lab::Result result;
  do {
    const i64 turn = rng.uniform() < 0.3 ? 1 : 1 + i64(rng.below(u64(longest)));
    result = s.step(seed == 0 ? scene.steps : std::min(turn, scene.steps - s.steps()));
  } while (result.outcome == lab::Outcome::until && s.steps() < scene.steps);
  EXPECT_NE(result.outcome, lab::Outcome::failed) << result.message;
  const Globals<D>& g = s.look<D>().state.globals;
  std::vector<u64> row;
  for (const auto& channel : s.row()) row.push_back(std::bit_cast<u64>(channel.value));
  return {s.state_hash(), g.hash, g.hashes, g.step, row};
}

template <int D>
void expect_same_in_any_turns(Scene scene) {
  scene.settings.push_back("output.hash_every=20");
  const End whole = run<D>(scene, 0, 0);
  EXPECT_EQ(whole.step, scene.steps);
  for (const u64 seed : {1, 2}) EXPECT_EQ(run<D>(scene, seed, seed == 1 ? 3 : 50), whole) << scene.name << ", seed " << seed;
}

}  // namespace

TEST(SameInAnyTurns, SandThatIsCompressedByAServo) {
  expect_same_in_any_turns<3>({"triaxial", 3000, {"grains=60", "stage.0.steps=1000"}});
}
TEST(SameInAnyTurns, ContactsThatFeelOneAnotherUnderAPlate) {
  // Down and up again: with the plate that goes up, a zero in its velocity has a sign.
  expect_same_in_any_turns<3>({"hydrogel", 1400, {"stage.0.steps=400", "stage.1.max_time=0.04 s", "cycles=1", "dropped=0", "levels=1",
                                                  "plate_travel=3 mm", "stage.2.max_rest=0.04 s", "dynamics.ledger=true"}});
}
TEST(SameInAnyTurns, SoftPolygonsThatFall) {
  expect_same_in_any_turns<2>({"polygons", 8000, {"method=dem", "grains=20", "restitution=0.3"}});
}
TEST(SameInAnyTurns, SoftPolygonsInsideAMembrane) {
  expect_same_in_any_turns<2>({"biaxial-dem-small-dense", 5000,
                               {"grains=24", "width=4 m", "height=5 m", "zone=14 m", "stage.drop.min_time=5 s", "stage.drop.max_time=12 s",
                                "stage.drop.unbalanced=0.1", "stage.lighten.ramp_time=1 s", "stage.lighten.max_time=1 s"}});
}
TEST(SameInAnyTurns, RigidPolygonsThatFall) {
  expect_same_in_any_turns<2>({"polygons", 600, {"grains=20"}});
}
TEST(SameInAnyTurns, ALiquidBehindADam) { expect_same_in_any_turns<2>({"dam-break", 300, {}}); }
