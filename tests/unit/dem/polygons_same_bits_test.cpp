// Threads, the order of bodies, a dropped Scratch and the skin leave no trace in a run of soft polygons.
// Sample: 300 random polygons and discs in a periodic cell that is sheared and squeezed.
#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/measure/state_hash.hpp>
#include <talus/sampling/polygons.hpp>

#include "../../support/soft_sample.hpp"
#include "../../support/with_threads.hpp"

using namespace talus;
using namespace talus::test;

namespace {

struct After {
  u64 hash;
  std::size_t touching, remembered;
  u32 status;
};

After run(const Way& way) {
  SoftSample s(1, 1e4, 0.7, 0.4, 0.5);
  Rng rng{6, 0, 0};
  i64 drawn = 0;
  const sampling::PolygonRecipe recipe{1, 8, 1, 1, 10, 0};
  for (int i = 0; i < 300; ++i) {
    s.grain(i % 7 == 0 ? make_polygon({{0, 0}}, 0.45) : sampling::random_polygon(recipe, rng, drawn),
            {0.95 * (i % 20) + 0.5, 0.95 * (i / 20) + 0.5}, rng.uniform(0, 6));
    s.blocks.back().velocity = {rng.uniform(-1, 1), rng.uniform(-1, 1)};
    s.blocks.back().spin = rng.uniform(-1, 1);
  }
  s.assemble();
  s.model.options.skin = way.skin;
  s.model.options.random_rebuilds = way.random_rebuilds;
  s.model.options.random_rebuild_seed = 3;
  Cell<2>& cell = s.state.globals.cell;
  cell.h(0, 0) = 19;
  cell.h(1, 1) = 14.25;
  for (int k = 0; k < 2; ++k) cell.periodic[k] = 1;
  const WithThreads guard(way.threads);
  s.prepare(1e-3);
  s.model.cell.target(0, 0) = s.model.cell.target(1, 1) = -0.2;
  s.model.cell.target(0, 1) = 0.5;
  Rng drops{8, 0, 0};
  After after{0, 0, 0, 0};
  for (int n = 0; n < 300; n += int(way.at_once)) {
    s.step(way.at_once);
    after.status |= s.last.status;
    if (drops.uniform() < way.drop) s.scratch = {};
  }
  after.hash = state_hash(s.state);
  after.touching = s.contacts().size();
  after.remembered = s.state.springs.size();
  return after;
}

TEST(SoftPolygonsSameBits, WhateverTheWay) {
  const After reference = run({});
  EXPECT_EQ(reference.status, 0u);
  EXPECT_GT(reference.touching, 200u);
  EXPECT_GT(reference.remembered, 200u);
  const Way ways[] = {
      {2}, {3}, {7}, {1, 0.2, 1}, {2, 0.2, 0.5, 0.3}, {1, 0.6}, {3, 0.1, 0, 0.2}, {2, 0.2, 0.1, 0.1, 20}};
  for (const Way& way : ways) {
    const After after = run(way);
    EXPECT_EQ(after.status, 0u);
    EXPECT_EQ(after.hash, reference.hash) << way.threads << " threads, skin " << way.skin << ", random rebuilds "
                                          << way.random_rebuilds << ", dropped " << way.drop;
  }
}

}  // namespace
