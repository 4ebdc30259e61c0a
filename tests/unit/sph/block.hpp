#pragma once
// A block of liquid, or of all kinds of matter, in an open or walled cell, for tests of particles.
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

// Water, sand and two elastic bodies, one of them total-Lagrangian, stirred in a box: all that a pair of particles may do to each other.
template <int D>
Block<D> mixture(int cells) {
  Block<D> b(cells, 0, true, 9.81, 0.1);
  matter::DruckerPrager d;
  d.volume = {1600, 20, 1, 0};
  d.shear = 1.2e5;
  d.friction = 0.2;
  b.options.matter.push_back(d);
  b.options.matter.push_back(matter::Elastic{{1200, 25, 1, 0}, 2e5});
  b.options.bodies.resize(4);
  for (u32 k = 0; k < 4; ++k) b.options.bodies[k].material = min(k, 2u);
  b.options.bodies[3].total = true;
  b.options.blind = 0.5;
  b.options.damps = 0.2;
  b.options.apart = 0.3;
  b.options.stiffens = 1;
  auto& p = b.state.particles;
  p.add(kept::ledger | kept::deviators | kept::origins);
  for (std::size_t i = 0; i < p.size(); ++i) {
    p.body[i] = u32(i * 4 / p.size());
    p.material[i] = min(p.body[i], 2u);
    p.origin[i] = p.position[i];
    p.density[i] = b.options.matter[p.material[i]].volume.density;
    p.mass[i] = p.density[i] * std::pow(b.options.spacing, D);
  }
  b.state.globals.dt = 0.5 * sph::stable_step(b.options, 1, 10);
  return b;
}

}  // namespace talus::testing
