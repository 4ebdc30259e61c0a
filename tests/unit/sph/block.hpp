#pragma once
// A block of liquid in an open or walled cell, for tests of particles.
#include <cmath>

#include <talus/core/rng.hpp>
#include <talus/sampling/assemble.hpp>
#include <talus/sph/step.hpp>

namespace talus::testing {

template <int D>
struct Block {
  sph::Options<D> options;
  Model<D> model;
  State<D> state;
  sph::Scratch<D> scratch;

  // `cells`: particles along each axis, of 1 cm; `room`: of them more in the cell; `walls`: a box around it.
  Block(int cells, int room, bool walls, Real gravity, Real jitter = 0) {
    const Real dx = 0.01;
    options.spacing = dx;
    options.artificial = 0.05;
    options.diffusion = 0.1;
    options.matter.push_back(matter::Newtonian{{1000, 20, 0, 0}, 0.1});
    Cell<D>& cell = state.globals.cell;
    cell.h = {};
    for (int k = 0; k < D; ++k) cell.h(k, k) = (cells + room) * dx;
    std::vector<sampling::PlacedWall<D>> placed;
    for (int k = 0; k < D && walls; ++k)
      for (const int side : {1, -1}) {
        sampling::PlacedWall<D> w;
        w.name = std::string(1, "xyz"[k]) + (side > 0 ? "_low" : "_high");
        Vec<D> in{};
        in[k] = side;
        w.shape = WallPlane<D>::facing(in);
        w.position[k] = side > 0 ? 0 : cell.h(k, k);
        w.drive.axis = k;
        placed.push_back(w);
      }
    sampling::assemble(model, state, std::vector<sampling::Ball<D>>{}, placed);
    state.globals.gravity = {};
    state.globals.gravity[D - 1] = -gravity;
    std::size_t count = 1;
    for (int k = 0; k < D; ++k) count *= std::size_t(cells);
    Particles<D>& p = state.particles;
    p.resize(count, model.kept_columns());
    Rng rng{42, 0, 0};
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t rest = i;
      p.uid[i] = u32(i);
      for (int k = 0; k < D; ++k, rest /= std::size_t(cells))
        p.position[i][k] = (Real(rest % std::size_t(cells)) + (walls ? 0.5 : 0.5 + room / 2) + jitter * rng.uniform(-1, 1)) * dx;
      for (int k = 0; k < D; ++k) p.velocity[i][k] = jitter * rng.uniform(-1, 1);
      p.mass[i] = 1000 * std::pow(dx, D);
      p.density[i] = 1000 * (1 + 0.01 * jitter * rng.uniform(0, 1));
      p.given[i] = p.mass[i] * p.velocity[i];
    }
    state.globals.dt = sph::stable_step(options, 1, std::max(gravity, 1.0));
  }
  Vec<D> momentum() const {
    Vec<D> sum{};
    for (std::size_t i = 0; i < state.particles.size(); ++i) sum += state.particles.mass[i] * state.particles.velocity[i];
    return sum;
  }
};

}  // namespace talus::testing
