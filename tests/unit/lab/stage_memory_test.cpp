#include <gtest/gtest.h>

#include <talus/lab/ramp.hpp>

using namespace talus;
using namespace talus::lab;

namespace {

struct Mixed {
  Real first = 0;
  i64 count = 0;
  Real second = 0;
  auto words() { return std::tie(first, count, second); }
};
struct Large {
  Real values[5]{};
  auto words() { return std::tie(values[0], values[1], values[2], values[3], values[4]); }
};

}  // namespace

TEST(StageMemory, WhatIsRememberedIsRecalled) {
  State<2> state;
  remember(state, Mixed{1.5, 7, -2});
  const Mixed m = recall<Mixed>(state);
  EXPECT_EQ(m.first, 1.5);
  EXPECT_EQ(m.count, 7);
  EXPECT_EQ(m.second, -2);
}

// Hash chains of published runs hold them there.
TEST(StageMemory, NumbersAndCountersFillTheWordsOfTheStateInOrder) {
  State<2> state;
  remember(state, Mixed{1.5, 7, -2});
  const StageWords& w = state.globals.stage.words;
  EXPECT_EQ(w.real[0], 1.5);
  EXPECT_EQ(w.real[1], -2);
  EXPECT_EQ(w.count[0], 7);
  set_ramp(state, Ramp{{1, 2, 3}, 0.5});
  EXPECT_EQ(w.real[4], 1);
  EXPECT_EQ(w.real[6], 3);
  EXPECT_EQ(w.real[7], 0.5);
}

TEST(StageMemory, ARampAndAStageThatMayHaveOneDoNotMeet) {
  State<2> state;
  remember(state, Mixed{1.5, 7, -2});
  set_ramp(state, Ramp{{1, 2, 3}, 0.5});
  EXPECT_EQ(recall<Mixed>(state).second, -2);
  remember(state, Mixed{});
  EXPECT_EQ(ramp_of(state).share, 0.5);
  EXPECT_TRUE(leaves_room_for_ramp<Mixed>);
  EXPECT_FALSE(leaves_room_for_ramp<Large>);
}
