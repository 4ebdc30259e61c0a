// Porosity and stress on a grid of boxes.
#include <cmath>

#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/measure/grid.hpp>
#include <talus/measure/porosity.hpp>

#include "../../support/mixed_sample.hpp"

using namespace talus;
using namespace talus::test;
using measure::Box;
using measure::volume_inside;

namespace {

constexpr int slices = 20000;

// Chords along y, side by side over the x that ball and box share.
Real summed(const Box<2>& box, const Vec2& c, Real r) {
  const Real from = std::max(box.low.x, c.x - r), to = std::min(box.high.x, c.x + r), step = (to - from) / slices;
  Real sum = 0;
  for (int k = 0; k < slices && to > from; ++k) {
    const Real x = from + (k + 0.5) * step - c.x, half = std::sqrt(std::max(r * r - x * x, 0.0));
    sum += step * std::max(std::min(box.high.y, c.y + half) - std::max(box.low.y, c.y - half), 0.0);
  }
  return sum;
}
// Discs across z, on top of one another.
Real summed(const Box<3>& box, const Vec3& c, Real r) {
  const Real from = std::max(box.low.z, c.z - r), to = std::min(box.high.z, c.z + r), step = (to - from) / slices;
  Real sum = 0;
  for (int k = 0; k < slices && to > from; ++k) {
    const Real z = from + (k + 0.5) * step - c.z;
    sum += step * volume_inside(Box<2>{{box.low.x, box.low.y}, {box.high.x, box.high.y}}, Vec2{c.x, c.y}, std::sqrt(std::max(r * r - z * z, 0.0)));
  }
  return sum;
}

template <int D>
void expect_volumes(Real tolerance) {
  Rng rng{5, 0, 0};
  for (int trial = 0; trial < 60; ++trial) {
    Box<D> box;
    Vec<D> c;
    for (int k = 0; k < D; ++k) {
      box.low[k] = rng.uniform(-1.2, 0.4);
      box.high[k] = box.low[k] + rng.uniform(0.1, 2.5);
      c[k] = rng.uniform(-0.3, 0.3);
    }
    EXPECT_NEAR(volume_inside(box, c, 1.0), summed(box, c, 1.0), tolerance) << "seed 5, trial " << trial;
  }
}

}  // namespace

TEST(VolumeInside, IsWhatSlicesGive) {
  expect_volumes<2>(1e-5);  // 20,000 slices miss the ends of the disc by (1e-4)^(3/2)
  expect_volumes<3>(8.4e-4);  // 2e-4 of the ball, as the header says; boxes smaller than the ball are among them
}

TEST(VolumeInside, PartsOfABallAddUpToIt) {
  Rng rng{6, 0, 0};
  for (int trial = 0; trial < 20; ++trial) {
    const Vec3 c{rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5)};
    Real sum = 0, area = 0;
    for (int k = 0; k < 8; ++k) {
      Box<3> box;
      for (int q = 0; q < 3; ++q) {
        box.low[q] = (k >> q) & 1 ? 0 : -3;
        box.high[q] = (k >> q) & 1 ? 3 : 0;
      }
      sum += volume_inside(box, c, 1.0);
      if (k < 4) area += volume_inside(Box<2>{{box.low.x, box.low.y}, {box.high.x, box.high.y}}, Vec2{c.x, c.y}, 1.0);
    }
    EXPECT_NEAR(area, pi, 1e-13);
    EXPECT_NEAR(sum, ball_volume<3>(1), 8.4e-4);  // 2e-4 of the ball
  }
}

TEST(Grid, BoxesTogetherHaveThePorosityAndTheStressOfTheWhole) {
  Sample<3> s = walled_sample<3>();
  s.prepare();
  s.run(100);
  measure::Grid<3> grid;
  for (int k = 0; k < 3; ++k) {
    grid.box.low[k] = -0.05;
    grid.box.high[k] = s.state.globals.cell.h(k, k) + 0.05;
    grid.count[k] = k + 2;
  }
  const auto n = measure::porosities(s.model, s.state, grid);
  Real mean = 0, volume = 1;
  for (const Real x : n) mean += x / Real(n.size());
  for (int k = 0; k < 3; ++k) volume *= grid.box.high[k] - grid.box.low[k];
  EXPECT_NEAR((1 - mean) * volume, measure::solid_volume(s.model, s.state), 1e-4 * volume);  // edges and corners of boxes
  // In one box the stress is the sum of the grains' own over its volume.
  measure::Grid<3> whole = grid;
  whole.count = {1, 1, 1};
  const auto one = measure::porosities(s.model, s.state, whole);
  const auto stress = measure::stresses(s.model, s.state, s.contacts(), whole, one);
  Mat3 expected;
  const auto of_grain = measure::grain_stresses(s.model, s.state, s.contacts());
  for (std::size_t i = 0; i < s.state.grains(); ++i) expected += (measure::grain_volume(s.model, s.state, i) / volume) * of_grain[i];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(stress[0](i, j), expected(i, j), 1e-9 * trace(expected));
}
