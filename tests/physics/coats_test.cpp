// Coats of mortar solved inside the step: a chain against its closed form, rigid points beside coats, conservation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include <talus/contact/coat_laws.hpp>
#include <talus/contact/three_phase.hpp>
#include <talus/core/rng.hpp>
#include <talus/impulse/compliant_solver.hpp>
#include <talus/impulse/solver.hpp>

using namespace talus;
using namespace talus::impulse;

namespace {

// Grains in a row along x, a coat between any two; the first is held, the last is pushed towards it.
struct Chain {
  Real scale = 1e-3, mass = 1e-5, force = 1, dt = 1.0 / 240;  // m: area over thickness; kg, N, s
  MortarConstants constants = MortarTable::published().at(273.15 + 150);
  std::vector<RelaxationMemory> memory;
  std::vector<Real> overlap;
  std::vector<Twist> velocity;
  CompliantSolver solver;
  CompliantReport worst;
  i64 iterations = 0, steps = 0;
  Real least_force = HUGE_VAL, most_force = 0;

  explicit Chain(int grains) : memory(std::size_t(grains - 1)), overlap(memory.size(), 0), velocity(std::size_t(grains)) {
    for (RelaxationMemory& m : memory) m.scale = scale;
  }
  void step(const RelaxationStep& law, Real heavier = 1) {
    std::vector<SpaceMotion> bodies(velocity.size());
    for (std::size_t i = 1; i < bodies.size(); ++i) bodies[i] = {velocity[i].way, {}, 1 / (i % 2 ? mass : heavier * mass), {}};
    bodies.back().velocity.x -= dt * force * bodies.back().inverse_mass;
    std::vector<SpaceCoat> coats(memory.size());
    std::vector<SpacePatch> points;
    for (std::size_t k = 0; k < coats.size(); ++k) {
      SpaceCoat& c = coats[k];
      c.patch.a = u32(k + 1), c.patch.b = u32(k);
      c.patch.set_frame({1, 0, 0}, {-0.5, 0, 0}, {0.5, 0, 0});
      c.aim = dt * (law.keep[0] * memory[k].force[0] + law.keep[1] * memory[k].force[1]);
      c.weight = dt * scale * law.viscosity();
      c.least = -HUGE_VAL;
    }
    const CompliantReport r = solver.solve(coats, points, bodies, velocity, {});
    ++steps;
    iterations += r.iterations;
    worst.momentum = std::max(worst.momentum, r.momentum);
    worst.stiffest = std::max(worst.stiffest, r.stiffest);
    worst.not_converged |= r.not_converged;
    least_force = HUGE_VAL, most_force = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) velocity[i] = {bodies[i].velocity, bodies[i].spin};
    for (std::size_t k = 0; k < coats.size(); ++k) {
      const Real closing = velocity[k].way.x - velocity[k + 1].way.x;
      overlap[k] += dt * closing;
      Real now = scale * law.dashpot * closing;
      for (int i = 0; i < 2; ++i) now += memory[k].force[i] = law.keep[i] * memory[k].force[i] + scale * law.gain[i] * closing;
      EXPECT_NEAR(coats[k].patch.impulse.x, dt * now, 1e-12 * dt) << "the impulse is the law's";
      least_force = std::min(least_force, now), most_force = std::max(most_force, now);
    }
  }
  Real shortening() const {
    Real sum = 0;
    for (const Real u : overlap) sum += u;
    return sum;
  }
};

}  // namespace

TEST(BurgersChain, OfTwentyGrainsShortensAsTheClosedFormSays) {
  // h b K = 5e4, where truncated Gauss-Seidel explodes. Every coat creeps under the same force.
  for (const Real heavier : {1.0, 1000.0}) {
    Chain chain(20);
    const RelaxationStep law(BurgersMortar::relaxation(chain.constants, 0), chain.dt);
    const Real km = chain.constants.maxwell_stiffness * chain.scale, cm = chain.constants.maxwell_viscosity * chain.scale,
               kk = chain.constants.kelvin_stiffness * chain.scale, ck = chain.constants.kelvin_viscosity * chain.scale;
    for (int n = 0; n < 240; ++n) chain.step(law, heavier);
    const Real u = 1 / km + 1 / cm - std::expm1(-kk / ck) / kk;  // of one coat after 1 s under 1 N
    EXPECT_NEAR(u, 0.1625196e-3, 1e-9);
    EXPECT_NEAR(chain.shortening() / (19 * u), 1, 2e-3) << "solved to 1e-3 of the force";
    EXPECT_NEAR(chain.worst.stiffest, heavier > 1 ? 2.6e4 : 5.2e4, 1e3);
    EXPECT_FALSE(chain.worst.not_converged);
    EXPECT_NEAR(chain.least_force, 1, 2e-2);
    EXPECT_NEAR(chain.most_force, 1, 2e-2);
  }
}

namespace {

// Balls in a heap, thrown at one another: touching pairs with friction, some of them with a coat too.
struct Heap {
  std::vector<SpaceCoat> coats;
  std::vector<SpacePatch> points;
  std::vector<SpaceMotion> bodies;

  Heap(u64 seed, Real friction, Real weight) {
    Rng rng{seed, 0, 0};
    const auto any = [&] { return Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}; };
    std::vector<Vec3> at(60);
    for (std::size_t i = 0; i < at.size(); ++i) {
      at[i] = 3 * any();
      const Real mass = i < 5 ? 0 : std::pow(10, rng.uniform(-1, 1)), inverse = mass > 0 ? 1 / mass : 0;
      Mat<3> inertia{};
      for (int k = 0; k < 3; ++k) inertia(k, k) = 2.5 * inverse * rng.uniform(0.5, 2);
      bodies.push_back({mass > 0 ? any() - 0.7 * at[i] : Vec3{}, mass > 0 ? any() : Vec3{}, inverse, inertia});
    }
    for (u32 i = 0; i < at.size(); ++i)
      for (u32 j = std::max(i + 1, 5u); j < at.size(); ++j) {
        const Vec3 apart = at[i] - at[j];
        if (length(apart) > 1.6) continue;
        SpacePatch p;
        p.a = i, p.b = j;
        p.set_frame((1 / length(apart)) * apart, -0.5 * apart, 0.5 * apart);
        p.friction = friction;
        if (points.size() % 3 == 0 && weight > 0) coats.push_back({p, weight * rng.uniform(-0.1, 0.1), weight, -HUGE_VAL, 0});
        points.push_back(p);
      }
  }
  CompliantReport solve(Real tolerance, Real give = 0) {
    CompliantSolver solver;
    std::vector<Twist> guess;
    for (const SpaceMotion& m : bodies) guess.push_back({m.velocity, m.spin});
    return solver.solve(coats, points, bodies, guess, {tolerance, 2000, 0, give});
  }
  Real mean_impulse() const {
    Real sum = 0, count = 0;
    for (const SpacePatch& p : points) sum += p.impulse.x, count += p.impulse.x > 0;
    for (const SpaceCoat& c : coats) sum += std::abs(c.patch.impulse.x), ++count;
    return sum / count;
  }
  // Largest momentum, linear, that a body has gained without an impulse.
  Real lost(const std::vector<SpaceMotion>& before) const {
    std::vector<Vec3> gained(bodies.size());
    const auto push = [&](const SpacePatch& p) {
      const Vec3 all = p.impulse.x * p.axis[0] + p.impulse.y * p.axis[1] + p.impulse.z * p.axis[2];
      gained[p.a] += all, gained[p.b] -= all;
    };
    for (const SpacePatch& p : points) push(p);
    for (const SpaceCoat& c : coats) push(c.patch);
    Real most = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (bodies[i].inverse_mass > 0) most = std::max(most, length(gained[i] - (1 / bodies[i].inverse_mass) * (bodies[i].velocity - before[i].velocity)));
    return most;
  }
};

}  // namespace

TEST(CompliantSolver, SolvesRigidContactsToTheConditionsOfSignoriniAndCoulomb) {
  for (const Real friction : {0.0, 0.4}) {
    Heap heap(4, friction, 0);
    const CompliantReport r = heap.solve(1e-4);
    for (SpacePatch& p : heap.points) p.w = p.compliance(heap.bodies[p.a], heap.bodies[p.b]);
    EXPECT_FALSE(r.not_converged);
    EXPECT_LT(residual(heap.points, heap.bodies), 1e-4) << "impulses are right to 1e-4 of their mean";
  }
}

TEST(CompliantSolver, SolvesCoatsBesideRigidContactsOfAHundredthToAHundredTimesTheStiffness) {
  for (const Real weight : {1e-2, 1.0, 1e2}) {
    Heap heap(4, 0.3, weight);
    const CompliantReport r = heap.solve(1e-3);
    EXPECT_FALSE(r.not_converged) << weight;
    for (const SpaceCoat& c : heap.coats) {  // the law at the velocities that were found
      const Real opening = c.patch.velocities(heap.bodies[c.patch.a], heap.bodies[c.patch.b]).x - c.patch.bias.x;
      EXPECT_NEAR(c.patch.impulse.x, c.aim - c.weight * opening, 1e-9 * weight);
    }
    // The bound is that of a round before, off by no more than the tolerance.
    for (const SpacePatch& p : heap.points) EXPECT_LE(std::hypot(p.impulse.y, p.impulse.z), p.friction * p.impulse.x + 2e-3 * heap.mean_impulse());
  }
}

TEST(CompliantSolver, SolvesContactsThatGiveWayToMomentumFrictionAndTheWayTheyMayGive) {
  for (const Real weight : {0.0, 1.0, 1e3})
    for (const Real give : {1e-3, 1e-2}) {
      Heap heap(7, 0.4, weight);
      const std::vector<SpaceMotion> before = heap.bodies;
      const CompliantReport r = heap.solve(1e-4, give);
      const Real tolerance = 1e-4 * heap.mean_impulse();
      EXPECT_FALSE(r.not_converged) << weight;
      EXPECT_LT(heap.lost(before), 1.001 * tolerance);
      for (const SpacePatch& p : heap.points) {
        const PatchVec u = p.velocities(heap.bodies[p.a], heap.bodies[p.b]);
        EXPECT_GE(p.impulse.x, 0);
        EXPECT_LE(std::hypot(p.impulse.y, p.impulse.z), p.friction * p.impulse.x + 1.001 * tolerance);
        EXPECT_GT(u.x, -4.01 * give) << "nothing was carried over: what it gives way is its approach";
        if (p.impulse.x > tolerance) {
          EXPECT_LT(u.x, 4.01 * give) << "what pushes does not part";
        }
      }
    }
}

TEST(BurgersChain, NeedsAboutAsManyIterationsAtAnyMass) {
  // Coats far stiffer than grains are heavy: inertia hardly counts.
  i64 least = 1 << 30, most = 0;
  for (const Real mass : {1e-5, 1e-4, 1e-3}) {
    Chain chain(20);
    chain.mass = mass;
    const RelaxationStep law(BurgersMortar::relaxation(chain.constants, 0), chain.dt);
    for (int n = 0; n < 240; ++n) chain.step(law);
    EXPECT_FALSE(chain.worst.not_converged) << mass;
    least = std::min(least, chain.iterations), most = std::max(most, chain.iterations);
  }
  EXPECT_LE(most, 2 * least);
}

TEST(BlockSystem, SolvesWhatAMatrixOfAllBodiesSays) {
  Rng rng{11, 0, 0};
  const auto any = [&] { return Twist{{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}, {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}}; };
  const u32 bodies = 7;  // the last two do not move
  std::vector<BodyPair> pairs;
  std::vector<SixBySix> own(bodies);
  std::vector<std::tuple<u32, u32, Real, Twist, Twist>> rows;
  for (u32 i = 0; i < bodies; ++i)
    for (int k = 0; k < 6; ++k) own[i].at[k][k] = 0.1;
  for (u32 i = 0; i < 5; ++i)
    for (u32 j = i + 1; j < bodies; ++j) {
      pairs.push_back({i, j, {}, {}, {}});
      for (int k = 0; k < 3; ++k) {
        rows.emplace_back(i, j, rng.uniform(0, 10), any(), j < 5 ? any() : Twist{});
        const auto& [a, b, weight, on_a, on_b] = rows.back();
        pairs.back().add(weight, on_a, on_b);
      }
    }
  BlockSystem system;
  system.lay_out(bodies, {3, 0, 4, 1, 2}, pairs);
  system.take(pairs, own);
  std::vector<Twist> rest(bodies), x;
  for (u32 i = 0; i < 5; ++i) rest[i] = any();
  const std::vector<Real> arm(bodies, 1);
  const i64 iterations = system.solve(rest, x, {arm, 1e-12, HUGE_VAL}, 1000);
  EXPECT_LE(iterations, 40) << "30 unknowns";
  std::vector<Twist> times(bodies);
  for (u32 i = 0; i < 5; ++i) times[i] = 0.1 * x[i];
  for (const auto& [a, b, weight, on_a, on_b] : rows) {
    const Real u = weight * (dot(on_a, x[a]) + dot(on_b, x[b]));
    times[a] += u * on_a, times[b] += u * on_b;
  }
  for (u32 i = 0; i < 5; ++i) EXPECT_LT(length(times[i].way - rest[i].way) + length(times[i].turn - rest[i].turn), 1e-11);
  EXPECT_EQ(x[5].way, Vec3{}) << "what does not move";
}

namespace {

// A lattice of bodies with rows between neighbours, some of which are `stiffer` than the others.
struct Lattice {
  std::vector<BodyPair> pairs;
  std::vector<SixBySix> own;
  std::vector<u32> free;

  Lattice(u32 side, Real stiffer) : own(side * side * side) {
    Rng rng{5, 0, 0};
    const auto any = [&] { return Twist{{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}, {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}}; };
    for (u32 i = 0; i < own.size(); ++i) {
      free.push_back(i);
      for (int k = 0; k < 6; ++k) own[i].at[k][k] = 1;
      for (const u32 next : {1u, side, side * side}) {
        if (i / next % side + 1 == side) continue;
        pairs.push_back({i, i + next, {}, {}, {}});
        for (int k = 0; k < 2; ++k) pairs.back().add(k == 0 ? stiffer : Real(1), any(), any());
      }
    }
  }
  // The largest part of `rest` that x does not explain.
  Real off(const std::vector<Twist>& x, std::vector<Twist> rest) const {
    const auto take = [](Twist& from, const SixBySix& m, const Twist& by, bool turned, bool symmetric) {
      const Real in[6] = {by.way.x, by.way.y, by.way.z, by.turn.x, by.turn.y, by.turn.z};
      Real out[6]{};
      for (int j = 0; j < 6; ++j)
        for (int k = 0; k < 6; ++k) out[j] += (symmetric ? m.at[std::max(j, k)][std::min(j, k)] : turned ? m.at[k][j] : m.at[j][k]) * in[k];
      from += Real(-1) * Twist{{out[0], out[1], out[2]}, {out[3], out[4], out[5]}};
    };
    for (std::size_t i = 0; i < own.size(); ++i) take(rest[i], own[i], x[i], false, true);
    for (const BodyPair& p : pairs) {
      take(rest[p.a], p.aa, x[p.a], false, true), take(rest[p.a], p.ab, x[p.b], false, false);
      take(rest[p.b], p.bb, x[p.b], false, true), take(rest[p.b], p.ab, x[p.a], true, false);
    }
    Real most = 0;
    for (const Twist& r : rest) most = std::max(most, length(r.way) + length(r.turn));
    return most;
  }
};

}  // namespace

TEST(BlockSystem, TakesFewIterationsWhateverTheRatioOfStiffness) {
  for (const Real stiffer : {1.0, 1e5, 1e10}) {
    const Lattice lattice(8, stiffer);
    BlockSystem system;
    system.lay_out(lattice.own.size(), lattice.free, lattice.pairs);
    system.take(lattice.pairs, lattice.own);
    std::vector<Twist> rest(lattice.own.size(), Twist{{1, 0, 0}, {0, 1, 0}}), x;
    // A ratio of 1e10 leaves a few digits of the remainder; 512 bodies are more than one part.
    const Real enough = 1e-10 * std::max(stiffer * 1e-4, Real(1));
    const i64 iterations = system.solve(rest, x, {std::vector<Real>(rest.size(), 1), enough, HUGE_VAL}, 1000);
    EXPECT_LE(iterations, 100) << stiffer;
    EXPECT_LT(lattice.off(x, rest), 100 * enough) << stiffer;
  }
}

TEST(BlockSystem, GivesTheSameBitsWhereOtherBodiesAreNamedFirst) {
  Lattice lattice(4, 1e3);
  std::vector<Twist> rest(lattice.own.size(), Twist{{1, 0, 0}, {0, 1, 0}}), x[2];
  const std::vector<Real> arm(rest.size(), 1);
  for (int k = 0; k < 2; ++k) {
    BlockSystem system;
    system.lay_out(lattice.own.size(), lattice.free, lattice.pairs);
    system.take(lattice.pairs, lattice.own);
    system.solve(rest, x[k], {arm, 1e-10, HUGE_VAL}, 1000);
    // Bodies lie the other way round; their order in sums is what it was.
    const auto turned = [&](u32 i) { return u32(rest.size()) - 1 - i; };
    std::reverse(lattice.own.begin(), lattice.own.end());
    for (BodyPair& p : lattice.pairs) p.a = turned(p.a), p.b = turned(p.b);
    for (u32& i : lattice.free) i = turned(i);
  }
  for (std::size_t i = 0; i < rest.size(); ++i) EXPECT_EQ(x[0][i].way, x[1][rest.size() - 1 - i].way);
}
