// Threads, the order of bodies, a dropped Scratch and the skin leave no trace in a run of contact dynamics.
// Sample: 100 random polygons in a periodic cell that is sheared and squeezed.
#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/measure/state_hash.hpp>
#include <talus/sampling/polygons.hpp>

#include "../../support/plane_sample.hpp"
#include "../../support/with_threads.hpp"

using namespace talus;
using namespace talus::test;

namespace {

struct After {
  u64 hash;
  i64 sweeps, touching;
  u32 status;
};

After run(const Way& way, bool compounds = false) {
  PlaneSample s(1, 0.4, 0, 0.1);
  Rng rng{6, 0, 0};
  i64 drawn = 0;
  const sampling::PolygonRecipe recipe{1, 8, 1, 1, 10, 0};
  for (int i = 0; i < 100; ++i) {
    const Vec2 at{1.02 * (i % 10) + 0.5, 1.02 * (i / 10) + 0.5};
    if (compounds && i % 2 == 0)  // an L
      s.grain(make_compound(
                  {{{{0, 0}, {0.7, 0}, {0.7, 0.3}, {0, 0.3}}, 0.02}, {{{0, 0}, {0.3, 0}, {0.3, 0.7}, {0, 0.7}}, 0}}),
              at, rng.uniform(0, 6));
    else
      s.grain(sampling::random_polygon(recipe, rng, drawn), at);
    s.blocks.back().velocity = {rng.uniform(-1, 1), rng.uniform(-1, 1)};
    s.blocks.back().spin = rng.uniform(-1, 1);
  }
  s.assemble();
  s.options.tolerance = 1e-6;
  s.model.options.skin = way.skin;
  s.model.options.random_rebuilds = way.random_rebuilds;
  s.model.options.random_rebuild_seed = 3;
  Cell<2>& cell = s.state.globals.cell;
  for (int k = 0; k < 2; ++k) {
    cell.h(k, k) = 10.2;
    cell.periodic[k] = 1;
  }
  s.model.cell.target(0, 0) = s.model.cell.target(1, 1) = -0.1;
  s.model.cell.target(0, 1) = 0.5;
  const WithThreads guard(way.threads);
  Rng drops{8, 0, 0};
  After after{0, 0, 0, 0};
  for (int n = 0; n < 60; ++n) {
    s.step(0.01);
    after.sweeps += s.last.sweeps;
    after.status |= s.last.status;
    if (drops.uniform() < way.drop) s.scratch = {};
  }
  after.hash = state_hash(s.state);
  after.touching = i64(s.state.patches.size());
  return after;
}

class ImpulseSameBits : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(, ImpulseSameBits, testing::Bool(),
                         [](const auto& p) { return p.param ? "compounds" : "polygons"; });

TEST_P(ImpulseSameBits, WhateverTheWay) {
  const After reference = run({}, GetParam());
  EXPECT_EQ(reference.status, 0u);
  EXPECT_GT(reference.touching, 50);
  const Way ways[] = {{2}, {3}, {7}, {1, 0.2, 1}, {2, 0.2, 0.5, 0.3}, {1, 0.6}, {3, 0.1, 0, 0.2}};
  for (const Way& way : ways) {
    const After after = run(way, GetParam());
    EXPECT_EQ(after.hash, reference.hash)
        << way.threads << " threads, skin " << way.skin << ", random rebuilds " << way.random_rebuilds;
    EXPECT_EQ(after.sweeps, reference.sweeps);
  }
}

}  // namespace
