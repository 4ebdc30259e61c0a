// Kernels of the sums over partners: one particle a call, as on a device, has the bits that lanes have.
#include <gtest/gtest.h>

#include <cstring>

#include <talus/exec/host.hpp>
#include <talus/sph/forces.hpp>
#include <talus/sph/gradients.hpp>

#include "block.hpp"

using namespace talus;
using namespace talus::testing;

namespace {

// A kernel run in lanes and one by one on the same data.
template <class Kernel, class Clear, class Look>
void compare(const Kernel& kernel, std::size_t members, Clear&& clear, Look&& look) {
  clear();
  exec::Host::for_each(sph::groups_of(members), sph::InLanes<Kernel>{kernel, u32(members)});
  const auto lanes = look();
  clear();
  exec::Host::for_each(members, sph::OneByOne<Kernel>{kernel});
  const auto single = look();
  ASSERT_EQ(lanes.size(), single.size());
  ASSERT_FALSE(lanes.empty());
  EXPECT_EQ(0, std::memcmp(lanes.data(), single.data(), lanes.size() * sizeof lanes[0]));
}
template <class T>
void append(std::vector<Real>& out, const Column<T>& column) {
  const Real* words = reinterpret_cast<const Real*>(column.data());
  out.insert(out.end(), words, words + column.size() * sizeof(T) / sizeof(Real));
}

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

template <int D>
void kernels_agree(int cells) {
  Block<D> b = mixture<D>(cells);
  ASSERT_EQ(sph::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));
  ASSERT_EQ(sph::advance(b.options, b.model, b.state, b.scratch, 7).status, u32(fine));
  auto& p = b.state.particles;
  auto& s = b.scratch;
  Column<matter::Matter> matter;
  for (const auto& m : b.options.matter) matter.push_back(m);
  sph::Pairs<D> pairs = sph::Pairs<D>::of(b.options, sph::Kinds::of(b.options), matter.span(), b.state, s);
  pairs.nearest.any = true;  // across edges: an edge that is far away changes nothing
  for (int k = 0; k < D; ++k) pairs.nearest.edge[k] = 1e3, pairs.nearest.inverse[k] = 1e-3;
  for (u32& j : s.lists.particles.partner)
    if (j % 3 == 0) j |= sph::across_edge;

  compare(sph::Gradients<D>{pairs, b.state.globals.gravity, 0.01, true, b.options.full_sum(), s.rates.span(), s.strains.span()}, p.size(),
          [&] {
            s.rates.assign(p.size(), {});
            s.strains.assign(p.size(), {});
          },
          [&] {
            std::vector<Real> out;
            append(out, s.rates);
            append(out, s.strains);
            return out;
          });
  auto& w = s.boundary;
  compare(sph::CarryToWalls<D>{pairs, b.state.globals.gravity, w.pressure.span(), w.deviator.span(), p.deviator.span(), w.velocity.span()}, w.size(),
          [&] { w.pressure.assign(w.size(), 0); },
          [&] {
            std::vector<Real> out;
            append(out, w.pressure);
            append(out, w.deviator);
            append(out, w.velocity);
            return out;
          });
  const sph::Viscosity viscosity{0.1, b.options.kernel().h(), 1 / b.options.kernel().value(b.options.spacing), 0.5};
  compare(sph::Forces<D>{pairs, viscosity, {}, b.state.globals.gravity, 1e-4, p.mass.span(), p.acceleration.span(), p.wall_force.span(), p.drag.span(),
                         p.wall_push.span(), p.stored.span()},
          p.size(), [&] { p.stored.assign(p.size(), 0); },
          [&] {
            std::vector<Real> out;
            append(out, p.acceleration);
            append(out, p.wall_force);
            append(out, p.drag);
            append(out, p.wall_push);
            append(out, p.stored);
            return out;
          });
}

}  // namespace

TEST(SphLanes, HaveTheBitsOfOneParticleACall) {
  kernels_agree<2>(21);
  kernels_agree<3>(9);
}
