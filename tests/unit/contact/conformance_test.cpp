// What every contact law must keep, run over the list in laws.hpp: registering a law there tests it here.
#include <gtest/gtest.h>

#include <cstring>

#include <talus/core/rng.hpp>

#include "../../support/every_law.hpp"
#include "../../support/sample.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr Real friction = 0.4, rolling_friction = 0.2;
constexpr Real radius = 1e-3, mass = 1e-5, deepest = 2e-5;  // reduced radius and mass; largest overlap of the paths

template <class Law>
typename Law::Params params_of(Real restitution) {
  Material m = sand(friction, restitution);
  m.rolling_friction = rolling_friction;
  return mix<Law>(m, m, {friction, restitution, rolling_friction});
}

template <int D>
Vec<D> unit_vector(Rng& rng) {
  Vec<D> v;
  do {
    for (int k = 0; k < D; ++k) v[k] = rng.uniform(-1, 1);
  } while (!(dot(v, v) > 0.01 && dot(v, v) < 1));
  return (1 / length(v)) * v;
}

// A smooth closed path of the contact: a few harmonics in overlap, tangential displacement and rolling angle.
template <int D>
struct Loop {
  static constexpr int harmonics = 3;
  static constexpr int turns = Spin<D>::size;
  Real amplitude[1 + D + turns][harmonics], phase[1 + D + turns][harmonics];

  Loop(Rng& rng, Real slide, Real roll) {
    for (int c = 0; c < 1 + D + turns; ++c)
      for (int k = 0; k < harmonics; ++k) {
        const Real size = c == 0 ? 0.45 * deepest / harmonics : c <= D ? slide : roll;
        amplitude[c][k] = size * rng.uniform(-1, 1) / (k + 1);
        phase[c][k] = rng.uniform(0, 2 * pi);
      }
  }
  Real at(int c, Real t) const {
    Real sum = c == 0 ? deepest / 2 : 0;
    for (int k = 0; k < harmonics; ++k) sum += amplitude[c][k] * std::sin((k + 1) * 2 * pi * t + phase[c][k]);
    return sum;
  }
};

struct Travel {
  Real work = 0;    // J, done on the contact by the motion (mean of forces before and after each step)
  Real stored = 0;  // J, change of stored energy
  Real friction = 0, viscous = 0, stiffness = 0;  // J, by the law's own audit
  Real throughput = 0;                            // J, sum of |work| over the steps
};

// Carries the contact once around the loop in `steps` steps of one period of 1e-3 s.
template <class Law>
Travel go_round(const typename Law::Params& p, const Loop<Law::dimension>& loop, int steps) {
  constexpr int D = Law::dimension;
  Rng rng{99, 0, 0};
  const Vec<D> normal = unit_vector<D>(rng);
  const Real period = 1e-3, dt = period / steps;
  const auto displaced = [&](Real t) {  // of a against b
    Vec<D> u;
    for (int k = 0; k < D; ++k) u[k] = loop.at(1 + k, t);
    return reject(u, normal) - loop.at(0, t) * normal;
  };
  const auto turned = [&](Real t) {
    Spin<D> w;
    for (int k = 0; k < Spin<D>::size; ++k) w[k] = loop.at(1 + D + k, t);
    return w;
  };
  typename Law::History history{};
  Push<D> before{};
  Vec<D> viscous_before{}, last{};
  Spin<D> last_turn{};
  Travel out;
  for (int n = 0; n <= steps; ++n) {
    const Real now = Real(n) / steps;
    const Touch<D> touch{normal, loop.at(0, now), radius, mass};
    Slip<D> slip{{}, {}, n == 0 ? 0 : dt, 1};
    const Vec<D> here = displaced(now);
    const Spin<D> turn = turned(now);
    if (n > 0) {
      slip.velocity = (1 / dt) * (here - last);
      slip.rolling = (1 / dt) * (turn - last_turn);
    }
    last = here;
    last_turn = turn;
    Audit<D> audit;
    const Push<D> push = Law::act(p, touch, slip, history, audit);
    const Stored e = Law::stored(p, touch, history);
    if (n == 0) {
      // Starts with its dashpots at rest: their first half step counts as it does in the engine.
      out.stored -= e.normal + e.shear;
    } else {
      const Real work =
          -0.5 * dt * (dot(before.force + push.force, slip.velocity) + dot(before.couple + push.couple, slip.rolling));
      out.work += work;
      out.throughput += std::abs(work);
      out.friction += audit.friction;
      out.stiffness += audit.stiffness;
      out.viscous -= 0.5 * dt * dot(viscous_before + audit.viscous, slip.velocity);
    }
    if (n == steps) out.stored += e.normal + e.shear;
    before = push;
    viscous_before = audit.viscous;
  }
  return out;
}

// A small cluster in a periodic cell: two dozen balls pressed into each other, with velocities and spins.
template <class Law>
Sample<Law::dimension> cluster(u64 seed, Real restitution) {
  constexpr int D = Law::dimension;
  Material m = sand(friction, restitution);
  m.rolling_friction = rolling_friction;
  m.young = 1e7;
  Sample<D> s({m});
  s.template set_law<Law>();
  s.model.options.spheres_in_plane = true;
  s.model.options.overlap_limit = 2;
  Rng rng{seed, 0, 0};
  Vec<D> edges;
  for (int k = 0; k < D; ++k) edges[k] = D == 2 ? 0.09 : 0.05;
  s.set_box(edges);
  std::vector<Ball<D>> balls;
  for (int i = 0; i < 24; ++i) {
    Ball<D> b;
    for (int k = 0; k < D; ++k) {
      b.position[k] = edges[k] * rng.uniform();
      b.velocity[k] = rng.uniform(-0.3, 0.3);
    }
    for (int k = 0; k < Spin<D>::size; ++k) b.spin[k] = rng.uniform(-30, 30);
    b.radius = 0.01 * rng.uniform(0.8, 1.2);
    balls.push_back(b);
  }
  s.assemble(balls);
  s.state.globals.dt = 2e-6;
  s.prepare();
  return s;
}

template <class Law>
class EveryContactLaw : public ::testing::Test {};
TYPED_TEST_SUITE(EveryContactLaw, EveryLaw, LawName);

}  // namespace

// Keys of the scene are given values of the scale of the contact that the other tests use; a law that answers with an overlap
// of that scale, pressed without motion, pushes back with a force of that scale and stores an energy of it.
TYPED_TEST(EveryContactLaw, AnswersPlausibleValuesOfItsKeysWithAPlausibleForce) {
  constexpr int D = TypeParam::dimension;
  static_assert(mass == PlausibleInput::mass && deepest == PlausibleInput::overlap);
  const auto p = params_of<TypeParam>(0.7);
  Vec<D> normal{};
  normal[0] = 1;
  const Touch<D> touch{normal, deepest, radius, mass};
  typename TypeParam::History history{};
  Audit<D> audit;
  const Real stiffness = TypeParam::stiffness(p, touch), force = TypeParam::act(p, touch, {{}, {}, 0, 1}, history, audit).force.x;
  EXPECT_GT(stiffness, 0);
  EXPECT_TRUE(std::isfinite(stiffness));
  // Any power law with an exponent from 1 to 3 at this overlap: F = k d / n, E = F d / (n + 1) with k the tangent stiffness.
  EXPECT_LE(force, stiffness * deepest * (1 + 1e-12));  // rounding
  EXPECT_GE(force, stiffness * deepest / 3);
  const Real energy = TypeParam::stored(p, touch, history).normal;
  EXPECT_LE(energy, force * deepest / 2 * (1 + 1e-12));
  EXPECT_GE(energy, force * deepest / 4);
}

TYPED_TEST(EveryContactLaw, PushesBothBodiesWithOppositeForces) {
  auto s = cluster<TypeParam>(1, 0.7);
  const auto start = s.momentum();
  Real scale = 0;
  for (std::size_t i = 0; i < s.state.grains(); ++i)
    scale += s.state.bodies.mass[i] * length(s.state.bodies.velocity[i]);
  s.run(500);
  // Forces are equal and opposite bit for bit; what is left is the rounding of 500 additions to 24 velocities.
  EXPECT_LT(length(s.momentum() - start), 1e-13 * 500 * scale);
  EXPECT_EQ(s.status & ~u32(deep_overlap), 0u);
}

TYPED_TEST(EveryContactLaw, TurnsItsForceWithTheWholeProblem) {
  constexpr int D = TypeParam::dimension;
  const auto p = params_of<TypeParam>(0.7);
  Rng rng{3, 0, 0};
  // Rotation: columns of an orthonormal frame.
  Mat<D> q;
  if constexpr (D == 2) {
    const Vec<2> e = unit_vector<2>(rng);
    q = {{{e.x, -e.y}, {e.y, e.x}}};
  } else {
    const Vec3 a = unit_vector<3>(rng), b0 = unit_vector<3>(rng);
    const Vec3 b1 = reject(b0, a), b = (1 / length(b1)) * b1, c = cross(a, b);
    q = {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
  }
  const auto turn_spin = [&](const Spin<D>& w) {
    if constexpr (D == 2)
      return w;  // a turn in the plane leaves its axis alone
    else
      return q * w;
  };
  typename TypeParam::History here{}, there{};
  Real largest = 0, largest_couple = 0;
  Vec<D> normal = unit_vector<D>(rng);
  for (int n = 0; n < 200; ++n) {
    normal = normal + Real(0.02) * unit_vector<D>(rng);  // the contact rolls over the bodies
    normal = (1 / length(normal)) * normal;
    const Real overlap = rng.uniform(0.1, 1) * deepest;
    Slip<D> slip{rng.uniform(0, 0.1) * unit_vector<D>(rng), {}, 1e-6, 1};
    for (int k = 0; k < Spin<D>::size; ++k) slip.rolling[k] = rng.uniform(-10, 10);
    Slip<D> turned = slip;
    turned.velocity = q * slip.velocity;
    turned.rolling = turn_spin(slip.rolling);
    Audit<D> a, b;
    const Push<D> f = TypeParam::act(p, {normal, overlap, radius, mass}, slip, here, a);
    const Push<D> g = TypeParam::act(p, {q * normal, overlap, radius, mass}, turned, there, b);
    largest = std::max(largest, length(f.force));
    largest_couple = std::max(largest_couple, length(f.couple));
    ASSERT_LE(length(q * f.force - g.force), 1e-12 * largest) << "seed 3, step " << n;  // rounding
    ASSERT_LE(length(turn_spin(f.couple) - g.couple), 1e-12 * largest_couple) << "seed 3, step " << n;
  }
}

TYPED_TEST(EveryContactLaw, GivesNoEnergyOnAClosedPath) {
  for (const Real restitution : {1.0, 0.6})
    for (u64 seed = 1; seed <= 4; ++seed) {
      Rng rng{seed, 0, 0};
      // From sticking through to wide sliding: tangential paths from a hundredth of the overlap to its tenfold.
      const Real slide = deepest * std::pow(10, rng.uniform(-2, 1));
      const Loop<TypeParam::dimension> loop(rng, slide, slide / radius);
      const Travel t = go_round<TypeParam>(params_of<TypeParam>(restitution), loop, 100000);
      // The mean of two forces misses the curvature of the normal force by (2 pi / steps)^2 / 12 = 3e-10 of the work.
      EXPECT_GE(t.work, -1e-9 * t.throughput) << "seed " << seed << ", e = " << restitution;
    }
}

TYPED_TEST(EveryContactLaw, NeverExceedsCoulombsLimit) {
  constexpr int D = TypeParam::dimension;
  for (const Real restitution : {1.0, 0.3})
    for (const Real scale : {1.0, 0.35, 0.0}) {
      const auto p = params_of<TypeParam>(restitution);
      Rng rng{5, 0, 0};
      typename TypeParam::History history{};
      Vec<D> normal = unit_vector<D>(rng);
      for (int n = 0; n < 5000; ++n) {
        normal = normal + Real(0.05) * unit_vector<D>(rng);
        normal = (1 / length(normal)) * normal;
        Slip<D> slip{rng.uniform(0, 1) * unit_vector<D>(rng), {}, 1e-5, scale};
        for (int k = 0; k < Spin<D>::size; ++k) slip.rolling[k] = rng.uniform(-100, 100);
        Audit<D> audit;
        const Push<D> push =
            TypeParam::act(p, {normal, rng.uniform(0.001, 1) * deepest, radius, mass}, slip, history, audit);
        const Real fn = dot(push.force, normal), limit = scale * friction * std::max(fn, 0.0);
        const Real rounding = 1e-12 * length(push.force);
        ASSERT_LE(length(reject(push.force, normal)), limit + rounding) << "seed 5, step " << n;
        ASSERT_LE(length(push.couple), scale * rolling_friction * radius * std::max(fn, 0.0) + rounding * radius);
      }
    }
}

TYPED_TEST(EveryContactLaw, RemembersNothingExactlyWhenItsHistoryIsAllZero) {
  static_assert(sizeof(typename TypeParam::History) % 8 == 0);
  EXPECT_TRUE(all_zero(typename TypeParam::History{}));
  // A contact that was sheared remembers; once it has opened in the engine nothing is left.
  constexpr int D = TypeParam::dimension;
  Material m = sand(friction, 0.7);
  m.rolling_friction = rolling_friction;
  Sample<D> s({m});
  s.model.options.spheres_in_plane = true;
  s.template set_law<TypeParam>();
  Ball<D> a, b;
  a.radius = b.radius = 0.01;
  b.position[0] = 0.019999;
  a.velocity[1] = 0.01;
  s.assemble({a, b});
  s.state.globals.dt = 1e-7;
  s.prepare();
  s.run(3);
  auto& rows = s.state.template rows_of<law_index<TypeParam>>();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_FALSE(all_zero(rows.history[0]));
  EXPECT_TRUE(rows.remembers(0));
  s.position(1)[0] = 0.0201;
  s.step();
  EXPECT_TRUE(all_zero(rows.history[0]));
  EXPECT_FALSE(rows.remembers(0));
}

TYPED_TEST(EveryContactLaw, KeepsItsHistoryThroughRebuildsAndReorders) {
  constexpr int D = TypeParam::dimension;
  auto calm = cluster<TypeParam>(2, 0.7), disturbed = cluster<TypeParam>(2, 0.7);
  disturbed.model.options.random_rebuilds = 1;
  disturbed.model.options.random_rebuild_seed = 4;
  calm.run(300);
  disturbed.run(300);
  EXPECT_EQ(disturbed.status & lost_history, 0u);
  for (u32 uid = 0; uid < calm.state.grains(); ++uid) {
    const std::size_t i = calm.index(uid), j = disturbed.index(uid);
    Bodies<D>::visit(calm.state.bodies, [&](const About& about, const auto& column) {
      using Value = typename std::decay_t<decltype(column)>::value_type;
      Bodies<D>::visit(disturbed.state.bodies, [&](const About& same, const auto& other) {
        if constexpr (std::is_same_v<std::decay_t<decltype(other)>, std::decay_t<decltype(column)>>) {
          if (same.name == about.name && !column.empty()) {
            EXPECT_EQ(std::memcmp(&column[i], &other[j], sizeof(Value)), 0) << about.name << " of " << uid;
          }
        }
      });
    });
  }
}

TYPED_TEST(EveryContactLaw, AccountsForTheWorkDoneOnIt) {
  for (const Real restitution : {1.0, 0.6})
    for (u64 seed = 1; seed <= 5; ++seed) {
      Rng rng{seed, 1, 0};
      const Real slide = deepest * std::pow(10, rng.uniform(-1.5, 1));
      const Loop<TypeParam::dimension> loop(rng, slide, slide / radius);
      const auto p = params_of<TypeParam>(restitution);
      const auto missing = [&](int steps) {
        const Travel t = go_round<TypeParam>(p, loop, steps);
        return std::abs(t.work - t.stored - t.friction - t.viscous - t.stiffness) / t.throughput;
      };
      // Second order: ten times the steps leave a hundredth. Half of that order is allowed for where the coarse path
      // happens to cancel, and rounding of 20,000 sums ends the fall at 1e-12.
      const Real coarse = missing(2000), fine = missing(20000);
      EXPECT_LT(coarse, 1e-4) << "seed " << seed << ", e = " << restitution;
      EXPECT_LT(fine, std::max(coarse / 30, 2e-8))
          << "seed " << seed << ", e = " << restitution << ", coarse " << coarse;
    }
}

// A contact that was slid and rolled is given a share of its forces: at rest it pushes with just these, step after step, its spring is that
// of the new force, and no stiffness falls.
TYPED_TEST(EveryContactLaw, PushesWithAShareOfItsForcesAtTheOverlapOfThatShare) {
  constexpr int D = TypeParam::dimension;
  if constexpr (ScalableLaw<TypeParam>) {  // scenes that would scale another are refused
    const auto p = params_of<TypeParam>(0.7);
    Rng rng{11, 0, 0};
    const Vec<D> normal = unit_vector<D>(rng);
    for (const Real share : {0.1, 0.5, 1.0, 2.0}) {
      typename TypeParam::History history{};
      Audit<D> audit;
      Touch<D> touch{normal, deepest / 2, radius, mass};
      for (int n = 0; n < 20; ++n) {
        Slip<D> slip{0.02 * unit_vector<D>(rng), {}, 1e-6, 1};
        slip.velocity = reject(slip.velocity, normal);
        for (int k = 0; k < Spin<D>::size; ++k) slip.rolling[k] = rng.uniform(-1, 1);
        TypeParam::act(p, touch, slip, history, audit);
      }
      const Slip<D> rest{{}, {}, 0, 1};
      const Push<D> before = TypeParam::act(p, touch, rest, history, audit);
      const Real force = dot(before.force, normal);
      touch.overlap = TypeParam::overlap_at(p, radius, share * force);
      TypeParam::scale(p, touch, share, history);
      for (int n = 0; n < 3; ++n) {
        Audit<D> now;
        const Push<D> after = TypeParam::act(p, touch, rest, history, now);
        // Rounding of a few operations, of two roots among them.
        EXPECT_LT(length(after.force - share * before.force), 1e-14 * share * length(before.force)) << "share " << share << ", step " << n;
        EXPECT_LE(length(after.couple - share * before.couple), 1e-14 * share * length(before.couple)) << "share " << share;
        EXPECT_LE(std::abs(now.stiffness), 1e-14 * share * force * deepest) << "share " << share;
      }
      const Real k = TypeParam::stiffness(p, touch), step = 1e-6 * touch.overlap;
      Touch<D> more = touch, less = touch;
      more.overlap += step, less.overlap -= step;
      const auto pushes = [&](const Touch<D>& t) {
        auto memory = history;
        return dot(TypeParam::act(p, t, rest, memory, audit).force, normal);
      };
      // A central difference over a millionth of the overlap: rounding of the force over it.
      EXPECT_NEAR((pushes(more) - pushes(less)) / (2 * step), k, 1e-8 * k) << "share " << share;
    }
  }
}
