#include <gtest/gtest.h>

#include <talus/lab/dam_break.hpp>

using namespace talus;
using namespace talus::lab;

namespace {

// The measured front itself, as a series.
struct Series {
  std::vector<Real> time{0}, place{1};
  Series() {
    for (const FrontPoint& p : martin_moyce()) {
      time.push_back(p.time);
      place.push_back(p.place);
    }
    time.push_back(5);
    place.push_back(6);
  }
};

}  // namespace

TEST(DamBreak, ErrorOfTheMeasuredFrontIsZero) {
  const Series s;
  EXPECT_NEAR(front_error(s.time, s.place, 0.2).value(), 0, 1e-12);
}

TEST(DamBreak, AGateThatOpensLateIsNoError) {
  Series s;
  for (Real& t : s.time) t += 0.1;
  EXPECT_NEAR(front_error(s.time, s.place, 0.2).value(), 0, 1e-12);
  EXPECT_GT(front_error(s.time, s.place, 0).value(), 0.02);
}

TEST(DamBreak, AFrontThatRunsATenthFartherIsWrongByAboutATenth) {
  Series s;
  for (Real& x : s.place) x *= 1.1;
  EXPECT_NEAR(front_error(s.time, s.place, 0).value(), 0.1, 1e-12);
  EXPECT_LT(front_error(s.time, s.place, 0.2).value(), 0.1);  // a shift of time takes some of it
}

TEST(DamBreak, ARunThatEndsEarlyHasNoError) {
  EXPECT_FALSE(front_error({0, 1, 2}, {1, 1.5, 2.3}, 0.2).has_value());
  const auto figures = dam_break_analysis({0.05715, 9.81, 0.002})->figures({{"dam_time", {0, 1}}, {"front", {1, 1.4}}});
  EXPECT_FALSE(figures[0].value.has_value());
  EXPECT_FALSE(figures[0].reason.empty());
}
