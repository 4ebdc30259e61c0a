// Particles on the device against the host: whole steps of all kinds of matter.
#include <gtest/gtest.h>

#include <talus/measure/state_hash.hpp>
#include <talus/sph/device.hpp>

#include "../unit/sph/block.hpp"

using namespace talus;
using namespace talus::testing;

namespace {

template <int D>
void same_steps(int cells) {
  Block<D> there = mixture<D>(cells), here = mixture<D>(cells);
  for (Block<D>* b : {&there, &here}) ASSERT_EQ(sph::prepare(b->options, b->model, b->state, b->scratch).status, u32(fine));
  for (int round = 0; round < 3; ++round) {
    ASSERT_EQ(sph::advance(here.options, here.model, here.state, here.scratch, 10).status, u32(fine));
    ASSERT_EQ(sph::advance_on_device(there.options, there.model, there.state, there.scratch, 10).status, u32(fine));
    EXPECT_EQ(state_hash(there.state), state_hash(here.state));
  }
}

}  // namespace

TEST(SphDevice, HasTheBitsOfTheHost) {
  same_steps<2>(41);
  same_steps<3>(13);
}
