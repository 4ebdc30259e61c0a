#pragma once
// 300 balls of two materials in a periodic cell that is sheared and squeezed; three laws act at once. A lively sample
// for tests that compare two ways of computing the same thing.
#include <talus/core/rng.hpp>

#include "sample.hpp"

namespace talus::test {

// `longer`: so many times 300 balls, in a longer cell.
template <int D>
Sample<D> mixed_sample(int longer = 1) {
  Material a = sand(0.5, 0.7), b = sand(0.3, 0.9);
  a.young = b.young = 1e7;
  b.rolling_friction = 0.2;
  Sample<D> s({a, b});
  s.template set_law<HertzMindlin<D>>(0, 0, mix<HertzMindlin<D>>(a, a, {0.5, 0.7, 0}));
  s.template set_law<Linear<D>>(0, 1, {5e3, 2e3, damping_ratio(0.8), 0.4});
  s.template set_law<Rolling<HertzMindlin<D>>>(1, 1, mix<Rolling<HertzMindlin<D>>>(b, b, {0.3, 0.9, 0.2}));
  s.model.options.spheres_in_plane = true;
  s.options.local_damping = 0.1;
  s.model.options.overlap_limit = 1;  // the balls start pressed into each other
  const Vec<3, i32> count = D == 3 ? Vec<3, i32>{10 * longer, 6, 5} : Vec<3, i32>{20 * longer, 15, 1};
  const Real r = 0.01, spacing = 1.95 * r;
  Vec<D> edges;
  for (int k = 0; k < D; ++k) edges[k] = count[k] * spacing;
  s.set_box(edges);
  Rng rng{20, 0, 0};
  std::vector<Ball<D>> balls;
  for (int i = 0; i < 300 * longer; ++i) {
    Ball<D> ball;
    const int at[3] = {i % count.x, i / count.x % count.y, i / (count.x * count.y)};
    for (int k = 0; k < D; ++k) {
      ball.position[k] = (at[k] + rng.uniform(0.4, 0.6)) * spacing;
      ball.velocity[k] = rng.uniform(-0.5, 0.5);
    }
    for (int k = 0; k < Spin<D>::size; ++k) ball.spin[k] = rng.uniform(-20, 20);
    ball.radius = r * rng.uniform(0.6, 1.1);
    ball.material = u32(rng.below(2));
    balls.push_back(ball);
  }
  s.assemble(balls);
  s.state.globals.gravity[0] = 1;
  Mat<D> rate;
  rate(0, 1) = 3;
  rate(1, 1) = -1;
  s.set_rate(rate);
  s.state.globals.dt = 2e-5;
  return s;
}

// The same balls in a box of walls: one under stress, one that moves.
template <int D>
Sample<D> walled_sample(int longer = 1) {
  Sample<D> s = mixed_sample<D>(longer);
  std::vector<Ball<D>> balls;
  for (std::size_t i = 0; i < s.state.grains(); ++i) {
    Ball<D> b;
    b.position = s.state.bodies.position[i];
    b.radius = s.state.bodies.radius[i];
    b.material = s.state.bodies.material[i];
    b.velocity = s.state.bodies.velocity[i];
    balls.push_back(b);
  }
  Vec<D> edges;
  for (int k = 0; k < D; ++k) edges[k] = s.state.globals.cell.h(k, k);
  s.set_box(edges, false);
  s.set_rate({});
  auto walls = box_walls<D>(edges);
  walls[1].drive.control = WallControl::servo;
  walls[1].drive.target = 1e4;
  walls[1].drive.speed_max = 0.1;
  walls[2].drive.control = WallControl::velocity;
  walls[2].drive.velocity[1] = 0.05;
  s.assemble(balls, walls);
  return s;
}

}  // namespace talus::test
