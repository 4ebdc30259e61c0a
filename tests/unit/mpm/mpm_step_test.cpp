// Material points: docs/design/062-mpm.md.
#include <gtest/gtest.h>

#include <cmath>

#include <talus/core/rng.hpp>
#include <talus/exec/pool.hpp>
#include <talus/measure/energy.hpp>
#include <talus/measure/state_hash.hpp>
#include <talus/mpm/step.hpp>
#include <talus/sampling/assemble.hpp>

using namespace talus;

namespace {

template <int D>
struct Block {
  mpm::Options<D> options;
  Model<D> model;
  State<D> state;
  mpm::Scratch<D> scratch;

  // One thread, where nothing else is said. `cells` particles along each axis, 1 cm apart, from `low` on; a floor without slip, smooth walls around it.
  Block(i64 cells, Real low, const matter::Matter& matter, Real gravity) {
    options.spacing = 0.01;
    options.matter.push_back(matter);
    options.bodies.resize(1);
    options.grips.push_back({"tank", true, false});
    Cell<D>& cell = state.globals.cell;
    for (int k = 0; k < D; ++k) cell.h(k, k) = 0.4;
    std::vector<sampling::PlacedWall<D>> placed;
    for (int k = 0; k < D; ++k)
      for (const int side : {1, -1}) {
        sampling::PlacedWall<D> w;
        w.name = "tank_" + std::string(1, "xyz"[k]) + (side > 0 ? "_low" : "_high");
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
    p.resize(count, options.columns(model) | kept::ledger);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t rest = i;
      p.uid[i] = u32(i);
      for (int k = 0; k < D; ++k, rest /= std::size_t(cells)) p.position[i][k] = low + 0.01 * (Real(rest % std::size_t(cells)) + 0.5);
      p.density[i] = matter.volume.density;
      p.mass[i] = p.density[i] * std::pow(0.01, D);
    }
    state.globals.dt = mpm::stable_step(options, 1, gravity);
  }
  void move(const Vec<D>& velocity, Real spin) {
    Vec<D> middle{};
    Particles<D>& p = state.particles;
    for (const Vec<D>& x : p.position) middle += (1 / Real(p.size())) * x;
    for (std::size_t i = 0; i < p.size(); ++i) {
      p.velocity[i] = velocity;
      p.velocity[i][0] -= spin * (p.position[i][1] - middle[1]);
      p.velocity[i][1] += spin * (p.position[i][0] - middle[0]);
      p.given[i] = p.mass[i] * p.velocity[i];
    }
  }
  Vec<D> missing() const {  // N s
    Vec<D> sum{};
    const Particles<D>& p = state.particles;
    for (std::size_t i = 0; i < p.size(); ++i) sum += p.mass[i] * p.velocity[i] - p.given[i];
    return sum;
  }
  void run(i64 steps) {
    ASSERT_EQ(mpm::prepare(options, model, state, scratch).status, u32(fine));
    ASSERT_EQ(mpm::advance(options, model, state, scratch, steps).status, u32(fine));
  }
};

matter::Matter jelly() { return matter::Elastic{{1000, 20, 1, 0}, 1e5}; }
matter::Matter sand() {
  matter::DruckerPrager d;
  d.volume = {1600, 20, 1, 0};
  d.shear = 3e5;
  d.friction = matter::cone_of("plane-strain").slope(pi / 6);
  return d;
}

}  // namespace

TEST(Mpm, WeightsOfASplineAddUpToOneAndTheirSlopesToNone) {
  mpm::Grid<3> grid;
  grid.width = 0.1;
  grid.inverse = 10;
  grid.count = {9, 9, 9};
  Rng rng{3, 0, 0};
  for (int n = 0; n < 50; ++n) {
    const Vec3 x{rng.uniform(0, 0.4), rng.uniform(0, 0.4), rng.uniform(0, 0.4)};
    const auto near = grid.near(x);
    const auto s = mpm::Spline<3>::of(grid, x, near);
    Real sum = 0;
    Vec3 slope{}, place{};
    mpm::each_around<3>([&](const Vec<3, i64>& off) {
      Vec<3, i64> at;
      for (int k = 0; k < 3; ++k) at[k] = near[k] + off[k] - 1;
      sum += s.at(off);
      slope += s.gradient_at(off);
      place += s.at(off) * grid.place(at);
    });
    EXPECT_NEAR(sum, 1, 1e-14);
    EXPECT_LT(length(slope), 1e-12);
    EXPECT_LT(length(place - x), 1e-15);  // linear fields come out exactly
  }
}

TEST(Mpm, FallsFreely) {
  Block<2> b(8, 0.2, jelly(), 9.81);
  const Real before = b.state.particles.position[0].y;
  b.run(100);
  const Real t = b.state.globals.time;
  EXPECT_NEAR(b.state.particles.velocity[3].y, -9.81 * t, 1e-12);
  EXPECT_NEAR(b.state.particles.position[0].y - before, -0.5 * 9.81 * t * t, 0.6 * 9.81 * t * b.state.globals.dt);  // of first order in the step
  EXPECT_LT(length(b.missing()), 1e-13);
}

TEST(Mpm, KeepsMomentumAndAccountsForTheEnergyOfASpinningBlock) {
  Block<3> b(6, 0.15, jelly(), 0);
  b.move({0.3, 0.1, -0.2}, 20);
  const Real start = measure::energy(b.state, ContactList<3>{}).held();
  b.run(200);
  EXPECT_LT(length(b.missing()), 1e-13);
  const measure::Energy e = measure::energy(b.state, ContactList<3>{});
  EXPECT_NEAR(e.held() + e.viscous + e.friction, start, 0.01 * start);
  EXPECT_GE(e.viscous, 0);
}

TEST(Mpm, SandComesToRestOnTheFloorWhichBearsItsWeight) {
  Block<2> b(12, 0.1, sand(), 9.81);
  for (auto& x : b.state.particles.position) x.y -= 0.1;
  b.run(4000);
  const auto& p = b.state.particles;
  Real weight = 0, square = 0;
  for (std::size_t i = 0; i < p.size(); ++i) weight += 9.81 * p.mass[i], square += dot(p.velocity[i], p.velocity[i]) / Real(p.size());
  EXPECT_LT(std::sqrt(square), 0.01);  // a hundredth of what a fall over the block's height gives; a grain or two still roll
  EXPECT_NEAR(-b.state.bodies.force[2].y, weight, 0.02 * weight);
  EXPECT_LT(length(b.missing()), 1e-11);
  const measure::Energy e = measure::energy(b.state, ContactList<2>{});
  EXPECT_NEAR(e.held() + e.viscous + e.friction, e.gravity, 0.02 * e.gravity);
}

TEST(Mpm, GivesTheSameBitsOnAnyNumberOfThreadsAndInPieces) {
  u64 first = 0;
  for (const int threads : {1, 2, 3, 7}) {
    exec::set_threads(threads);
    Block<3> b(9, 0.0, sand(), 9.81);
    b.run(0);
    for (int k = 0; k < 30; k += threads == 3 ? 5 : 30) {
      ASSERT_EQ(mpm::advance(b.options, b.model, b.state, b.scratch, threads == 3 ? 5 : 30).status, u32(fine));
      b.scratch = {};
      mpm::rebuild(b.options, b.model, b.state, b.scratch);
    }
    const u64 hash = state_hash(b.state);
    if (first == 0) first = hash;
    EXPECT_EQ(hash, first);
  }
  exec::set_threads(1);
}

TEST(Mpm, NamesAParticleThatLeaves) {
  Block<2> b(4, 0.1, jelly(), 0);
  b.state.particles.position[5].x = 0.6;
  ASSERT_EQ(mpm::prepare(b.options, b.model, b.state, b.scratch).status, u32(fine));
  EXPECT_EQ(mpm::advance(b.options, b.model, b.state, b.scratch, 1).status, u32(lost_particle));
  EXPECT_EQ(continuum::culprit(b.options.matter, b.options.width(), b.state, lost_particle), 5u);
}
