// One particle a call, as on a device, has the bits that lanes have: kernels of the sums over partners, and whole steps.
#include <gtest/gtest.h>

#include <cstring>

#include <talus/measure/state_hash.hpp>
#include <talus/sph/step.ipp>

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

// A host without lanes: every stage calls its kernel as a device does.
struct OneACall : exec::Host {};

template <int D>
void steps_agree(int cells, bool paper) {
  Block<D> one = mixture<D>(cells), lanes = mixture<D>(cells);
  one.options.paper = lanes.options.paper = paper;
  if (paper) one.options.bodies[3].total = lanes.options.bodies[3].total = false;
  for (Block<D>* b : {&one, &lanes}) ASSERT_EQ(sph::prepare(b->options, b->model, b->state, b->scratch).status, u32(fine));
  for (int round = 0; round < 3; ++round) {  // the last step of a bunch sums what walls feel
    const u32 status = sph::advance(lanes.options, lanes.model, lanes.state, lanes.scratch, 5).status;
    EXPECT_EQ(sph::advance_on<OneACall>(one.options, one.model, one.state, one.scratch, 5).status, status);
    EXPECT_EQ(state_hash(one.state), state_hash(lanes.state));
    for (std::size_t w = 0; w < one.model.walls.size(); ++w) EXPECT_EQ(one.state.bodies.force[w], lanes.state.bodies.force[w]);
    if (status != fine) return;
  }
}

}  // namespace

TEST(SphLanes, HaveTheBitsOfOneParticleACall) {
  kernels_agree<2>(21);
  kernels_agree<3>(9);
}

TEST(SphLanes, AWholeStepHasTheBitsOfOneParticleACall) {
  for (const bool paper : {false, true}) {
    steps_agree<2>(21, paper);
    steps_agree<3>(9, paper);
  }
}
