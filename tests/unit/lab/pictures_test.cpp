#include <gtest/gtest.h>

#include <cmath>

#include <talus/lab/methods.hpp>
#include <talus/lab/pictures.hpp>

using namespace talus;
using namespace talus::lab;

namespace {

// Its progress is what the test says.
class Told final : public Stage<3> {
 public:
  explicit Told(bool shears) { traits.shears = shears; }
  bool done(const Observation<3>&) const override { return false; }
  double progress(const Observation<3>&) const override { return share; }
  double share = 0;
};

struct Protocol {
  Experiment<3> x;
  i64 taken = 0;
  explicit Protocol(const std::vector<bool>& shears) {
    x.method = make_method<3>("dem");
    for (const bool s : shears) x.stages.push_back(std::make_unique<Told>(s));
    x.cadence.vtk_frames = 50;
  }
  // Is a picture due at this progress of a stage?
  bool due(std::size_t stage, double share, bool looked = true) {
    x.state.globals.stage.index = i64(stage);
    auto& told = static_cast<Told&>(*x.stages[stage]);
    told.share = share;
    const Observation<3> seen(x.model, x.state, *x.method);
    return picture_is_due(x, seen, looked, taken);
  }
};

}  // namespace

TEST(Pictures, FollowTheProgressOfTheTest) {
  Protocol p({false, true});
  EXPECT_EQ(first_of_test(p.x), 1u);
  int taken = 0;
  for (int k = 0; k <= 1000; ++k) taken += p.due(1, k / 1000.0) ? 1 : 0;
  EXPECT_EQ(taken, 50);
  p.taken = 0;
  for (int k = 0; k <= 1000; ++k) EXPECT_FALSE(p.due(0, k / 1000.0));  // the sample is made
  EXPECT_FALSE(p.due(1, 0.5, false));
  EXPECT_TRUE(p.due(1, 0.5));
  EXPECT_FALSE(p.due(1, 0.3));  // progress that falls, and comes back
  EXPECT_FALSE(p.due(1, 0.5));
  EXPECT_TRUE(p.due(1, 0.9));   // one for a leap
  EXPECT_FALSE(p.due(1, 0.9));
  EXPECT_FALSE(p.due(1, std::nan("")));
}

TEST(Pictures, StagesOfTheTestShareThem) {
  Protocol p({false, false});  // nothing shears: all stages are the test
  EXPECT_EQ(first_of_test(p.x), 0u);
  for (std::size_t stage = 0; stage < 2; ++stage) {
    int taken = 0;
    p.taken = 0;
    for (int k = 0; k <= 1000; ++k) taken += p.due(stage, k / 1000.0) ? 1 : 0;
    EXPECT_EQ(taken, 25);
  }
}

TEST(Pictures, AreFewerWhereTheyAreLarge) {
  Protocol p({true});
  const auto frames = [&](std::size_t grains, i64 asked) {
    p.x.state.bodies.resize(grains);
    return frames_within_limit(p.x, asked);
  };
  EXPECT_EQ(frames(100, 50), 50);
  EXPECT_EQ(frames(100, 0), 0);
  EXPECT_EQ(frames(10'000'000, 50), least_frames);
  EXPECT_EQ(frames(10'000'000, 2), 2);
  const i64 some = frames(20'000, 50);
  EXPECT_LT(some, 50);
  EXPECT_GT(some, least_frames);
  EXPECT_LE(double(some) * picture_bytes(p.x), largest_pictures);
}

TEST(Pictures, FramesOfTheFilmFollowTheTestWithoutFilesForParaView) {
  Protocol p({false, true});
  p.x.cadence.vtk = false;
  p.x.cadence.film_frames = 24;
  auto& told = static_cast<Told&>(*p.x.stages[1]);
  p.x.state.globals.stage.index = 1;
  const Observation<3> seen(p.x.model, p.x.state, *p.x.method);
  i64 taken = 0, frames = 0;
  for (int k = 0; k <= 1000; ++k) {
    told.share = k / 1000.0;
    frames += frame_is_due(p.x, seen, true, taken) ? 1 : 0;
  }
  EXPECT_EQ(frames, 24);
  p.x.cadence.film_frames = 0;
  taken = 0;
  EXPECT_FALSE(frame_is_due(p.x, seen, true, taken));
  p.x.cadence.film_every = 100;
  p.x.state.globals.step = 300;
  EXPECT_TRUE(frame_is_due(p.x, seen, false, taken));
}
