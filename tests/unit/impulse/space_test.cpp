// Contacts in space: the exact solution of one, and the solver with many.
#include <gtest/gtest.h>

#include <cmath>

#include <talus/core/rng.hpp>
#include <talus/exec/host.hpp>
#include <talus/impulse/solver.hpp>
#include <talus/impulse/space_solve.hpp>

#include "../../support/with_threads.hpp"

using namespace talus;
using namespace talus::impulse;
using talus::test::WithThreads;

// Tolerances: a residual of 1e-12 leaves impulses of a column of 20 wrong by up to 20 x 2 of it; sums over a heap are kept to the rounding of all
// impulses and of arms up to ten (1e-11, 1e-9).

namespace {

Vec3 random_direction(Rng& rng) {
  for (;;) {
    const Vec3 v{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
    const Real size = length(v);
    if (size > 0.1 && size < 1) return (1 / size) * v;
  }
}

SpaceMotion ball(const Vec3& velocity, Real mass, Real radius) {
  SpaceMotion m{velocity, {}, 1 / mass, {}};
  for (int k = 0; k < 3; ++k) m.inverse_inertia(k, k) = 2.5 / (mass * radius * radius);
  return m;
}

// The inertia of an ellipsoid-like body that lies anyhow: a positive matrix that is not diagonal.
Mat<3> random_inverse_inertia(Rng& rng) {
  Mat<3> out;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 e = random_direction(rng);
    const Real size = rng.uniform(1, 8);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out(i, j) += size * e[i] * e[j];
  }
  return out;
}

// Balls of diameter 1 and mass 1 on top of one another on a floor that leans anyhow, falling onto it for one step; gravity 1.
struct Stack {
  std::vector<SpacePatch> patches;
  std::vector<SpaceMotion> bodies;
  Stack(int n, Real dt, const Vec3& up) {
    bodies.push_back({});
    for (int i = 0; i < n; ++i) {
      bodies.push_back(ball(-dt * up, 1, 0.5));
      SpacePatch p;
      p.a = u32(i) + 1;
      p.b = u32(i);
      p.set_frame(up, -0.5 * up, i == 0 ? Vec3{} : 0.5 * up);
      p.friction = 0.5;
      p.place = Real(i) * up;
      patches.push_back(p);
    }
  }
};

// Balls of radius 1/2 anywhere in a long box, all velocities random; those that are near one another touch. Every tenth has a
// contact with the floor, unless nothing is to come from outside.
struct Heap {
  std::vector<Vec3> place;
  std::vector<SpacePatch> patches;
  std::vector<SpaceMotion> bodies;
  explicit Heap(u32 count, bool floor) {
    Rng rng{9, 2};
    bodies.push_back({});
    place.push_back({});
    for (u32 i = 1; i <= count; ++i) {
      place.push_back({Real(i) / 8, rng.uniform(0, 2), rng.uniform(0, 2)});
      bodies.push_back(ball({rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}, rng.uniform(0.5, 2), 0.5));
      bodies.back().spin = {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
      bodies.back().inverse_inertia = random_inverse_inertia(rng);
    }
    for (u32 a = 1; a <= count; ++a) {
      for (u32 b = a + 1; b <= std::min(count, a + 12); ++b) {
        const Vec3 apart = place[a] - place[b];
        if (length(apart) > 1.1) continue;
        const Vec3 point = 0.5 * (place[a] + place[b]);
        add(a, b, (1 / length(apart)) * apart, point - place[a], point - place[b], point);
      }
      if (floor && a % 10 == 0) add(a, 0, {0, 0, 1}, {0.1, 0, -0.5}, {}, place[a]);
    }
  }
  void add(u32 a, u32 b, const Vec3& normal, const Vec3& to_a, const Vec3& to_b, const Vec3& at) {
    SpacePatch p;
    p.a = a;
    p.b = b;
    p.set_frame(normal, to_a, to_b);
    p.friction = 0.4;
    p.place = at;
    patches.push_back(p);
  }
};

}  // namespace

TEST(SpaceSolve, FulfilsSignoriniAndCoulomb) {
  Rng rng{3, 7};
  int open = 0, sticks = 0, slides = 0;
  for (int n = 0; n < 100000; ++n) {
    SpaceMotion a{{}, {}, rng.uniform(0.5, 2), random_inverse_inertia(rng)}, b;
    if (rng.uniform() < 0.7) b = {{}, {}, rng.uniform(0.5, 2), random_inverse_inertia(rng)};
    SpacePatch patch;
    patch.set_frame(random_direction(rng), 0.5 * random_direction(rng), 0.5 * random_direction(rng));
    patch.friction = rng.uniform() < 0.1 ? 0 : rng.uniform(0, 1);
    patch.w = patch.compliance(a, b);
    const PatchVec free{rng.uniform(-1, 0.5), rng.uniform(-1, 1), rng.uniform(-1, 1)};
    const PatchVec p = SpaceSolve(patch.w, patch.friction, free).impulse(), u = free + patch.w * p;
    const Vec2 t{p.y, p.z}, ut{u.y, u.z};
    const Real bound = patch.friction * p.x, size = length(t), slip = length(ut), eps = 1e-12;
    ASSERT_GE(p.x, 0) << n;
    ASSERT_GE(u.x, -eps) << n;
    ASSERT_NEAR(p.x * u.x, 0, eps) << n;
    ASSERT_LE(size, bound + eps * (1 + bound)) << n;
    if (p.x == 0)
      ++open;
    else if (slip < 1e-10)
      ++sticks;
    else {  // at its bound, straight against the slip
      ++slides;
      ASSERT_NEAR(size, bound, eps * (1 + bound)) << n;
      ASSERT_NEAR(t.x * ut.y - t.y * ut.x, 0, eps * (1 + size * slip)) << n;
      ASSERT_LE(dot(t, ut), 0) << n;
    }
    patch.impulse = p;
    ASSERT_LE(natural_map(patch, u), 1e-11) << n;
  }
  EXPECT_GT(open, 5000);
  EXPECT_GT(sticks, 5000);
  EXPECT_GT(slides, 5000);
}

// A wrong impulse is seen by the natural map that accepts the right one.
TEST(SpaceSolve, TheNaturalMapSeesWhatIsWrong) {
  SpacePatch p;
  p.set_frame({0, 0, 1}, {}, {});
  p.friction = 0.5;
  p.w = Mat<3>::identity();
  p.impulse = {1, 0.3, 0.4};                               // at its bound
  EXPECT_NEAR(natural_map(p, {0, -0.3, -0.4}), 0, 1e-16);  // and against the slip
  EXPECT_GT(natural_map(p, {0, 0.3, 0.4}), 0.1);           // with it
  EXPECT_GT(natural_map(p, {0, -0.4, 0.3}), 0.1);          // across it
  EXPECT_GT(natural_map(p, {-0.2, 0, 0}), 0.1);            // bodies that come together
  EXPECT_GT(natural_map(p, {0.2, 0, 0}), 0.1);             // and that part and push
  p.impulse = {1, 0.1, 0};
  EXPECT_GT(natural_map(p, {0, -0.2, 0}), 0.1);  // slip inside the bound
}

// A ball on a slope that leans anyhow slides when friction is below 2/7 of the slope, else it rolls.
TEST(SpaceSolver, ABallOnASlopeSlidesOrRolls) {
  Rng rng{4, 4};
  const Real mass = 2, radius = 0.3, gravity = 9.81, dt = 0.01, slope = 0.5;
  for (int n = 0; n < 20; ++n) {
    const Vec3 normal = random_direction(rng);
    Vec3 down = reject(random_direction(rng), normal);
    down = (1 / length(down)) * down;
    const Real along = gravity * std::sin(slope) * dt, into = gravity * std::cos(slope) * dt;
    for (const Real mu : {0.1, 0.2, 0.5}) {
      std::vector<SpaceMotion> bodies{{}, ball(along * down - into * normal, mass, radius)};
      SpacePatch p;
      p.a = 1;
      p.b = 0;
      p.set_frame(normal, -radius * normal, {});
      p.friction = mu;
      std::vector<SpacePatch> patches{p};
      const SolverReport r = SpaceSolver().solve(patches, bodies, {1e-12, 100});
      EXPECT_FALSE(r.not_converged);
      const bool slides = mu < 2.0 / 7 * std::tan(slope);
      const Real speed = slides ? along - mu * into : 5.0 / 7 * along;
      const Real spin = slides ? 2.5 * mu * into / radius : speed / radius;
      EXPECT_NEAR(length(bodies[1].velocity - speed * down), 0, 1e-14);
      EXPECT_NEAR(length(bodies[1].spin - spin * cross(normal, down)), 0, 1e-12);
    }
  }
}

TEST(SpaceSolver, CarriesTheWeightOfAColumn) {
  Rng rng{1, 1};
  Stack column(20, 0.01, random_direction(rng));
  const SolverReport report = SpaceSolver().solve(column.patches, column.bodies, {1e-12, 100000});
  EXPECT_FALSE(report.not_converged);
  for (int i = 0; i < 20; ++i) EXPECT_NEAR(column.patches[std::size_t(i)].impulse.x, 0.01 * (20 - i), 4e-11);
  for (const SpaceMotion& m : column.bodies) EXPECT_NEAR(length(m.velocity), 0, 20 * 2 * 1e-12 * 0.105);
}

TEST(SpaceSolver, MomentumSavesSweeps) {
  Stack plain(60, 0.01, {0, 0, 1}), quick(60, 0.01, {0, 0, 1});
  const SolverReport slow = SpaceSolver().solve(plain.patches, plain.bodies, {1e-8, 1000000, Acceleration::none});
  const SolverReport fast = SpaceSolver().solve(quick.patches, quick.bodies, {1e-8, 1000000, Acceleration::careful});
  EXPECT_FALSE(slow.not_converged);
  EXPECT_FALSE(fast.not_converged);
  EXPECT_LT(10 * fast.sweeps, slow.sweeps);
}

// Three discs, one on two, thrown onto the floor: the same in the plane and in a plane of space that lies anyhow.
TEST(SpaceSolver, GivesInAPlaneWhatThePlaneGives) {
  Rng rng{6, 3};
  const Vec3 right = random_direction(rng);
  Vec3 up = reject(random_direction(rng), right);
  up = (1 / length(up)) * up;
  const Vec3 out = cross(right, up);
  const auto lift = [&](const Vec2& v) { return v.x * right + v.y * up; };
  const Vec2 centre[4] = {{}, {-0.5, 0.5}, {0.5, 0.5}, {0, 0.5 + std::sqrt(0.75)}};
  struct Pair {
    u32 a, b;
  };
  for (int n = 0; n < 50; ++n) {
    std::vector<Motion> flat(4);
    std::vector<SpaceMotion> bodies(4);
    for (u32 i = 1; i < 4; ++i) {
      flat[i] = {{rng.uniform(-1, 1), rng.uniform(-2, -1)}, rng.uniform(-1, 1), 1, 10};
      bodies[i] = {lift(flat[i].velocity), flat[i].spin * out, 1, {}};
      for (int k = 0; k < 3; ++k) bodies[i].inverse_inertia(k, k) = 10;
    }
    std::vector<Patch> flat_patches;
    std::vector<SpacePatch> patches;
    for (const Pair& pair : {Pair{1, 0}, Pair{2, 0}, Pair{3, 1}, Pair{3, 2}}) {
      const Vec2 apart = pair.b == 0 ? Vec2{0, 1} : centre[pair.a] - centre[pair.b],
                 normal = (1 / length(apart)) * apart;
      const Vec2 to_a = -0.5 * normal, to_b = pair.b == 0 ? Vec2{} : 0.5 * normal;
      Patch f;
      f.a = pair.a;
      f.b = pair.b;
      f.normal = normal;
      f.friction = 0.3;
      f.lever_a[2] = moment(to_a, f.tangent()).x;
      f.lever_b[2] = moment(to_b, f.tangent()).x;
      flat_patches.push_back(f);
      SpacePatch p;
      p.a = pair.a;
      p.b = pair.b;
      p.set_frame(lift(normal), lift(to_a), lift(to_b));
      p.friction = 0.3;
      patches.push_back(p);
    }
    EXPECT_FALSE(solve(flat_patches, flat, {1e-12, 100000}).not_converged);
    EXPECT_FALSE(SpaceSolver().solve(patches, bodies, {1e-12, 100000}).not_converged);
    for (u32 i = 1; i < 4; ++i) {
      EXPECT_NEAR(length(bodies[i].velocity - lift(flat[i].velocity)), 0, 1e-10) << n;
      EXPECT_NEAR(length(bodies[i].spin - flat[i].spin * out), 0, 1e-10) << n;
    }
  }
}

TEST(SpaceSolver, KeepsMomentumAndItsMomentBetweenFreeBodies) {
  Heap heap(300, false);
  const auto whole = [&] {
    Vec3 momentum{}, about{};
    for (std::size_t i = 1; i < heap.bodies.size(); ++i) {
      const SpaceMotion& m = heap.bodies[i];
      const Vec3 p = (1 / m.inverse_mass) * m.velocity;
      momentum += p;
      about += cross(heap.place[i], p);
    }
    return std::pair{momentum, about};
  };
  const auto [before, about_before] = whole();
  std::vector<Vec3> spin;
  for (const SpaceMotion& m : heap.bodies) spin.push_back(m.spin);
  EXPECT_FALSE(SpaceSolver().solve(heap.patches, heap.bodies, {1e-6, 100000}).not_converged);
  const auto [after, about_after] = whole();
  EXPECT_NEAR(length(after - before), 0, 1e-11);
  // What spins gained, as the impulses say; with the inertia of each body that is its inverse times the moment.
  Vec3 moments{};
  std::vector<Vec3> of(heap.bodies.size());
  for (const SpacePatch& p : heap.patches)
    for (int j = 0; j < 3; ++j) {
      of[p.a] += p.impulse[j] * p.lever_a[j];
      of[p.b] -= p.impulse[j] * p.lever_b[j];
    }
  for (std::size_t i = 1; i < heap.bodies.size(); ++i) {
    moments += of[i];
    EXPECT_NEAR(length(heap.bodies[i].spin - spin[i] - heap.bodies[i].inverse_inertia * of[i]), 0, 1e-11);
  }
  EXPECT_NEAR(length(about_after + moments - about_before), 0, 1e-9);
}

TEST(SpaceSolver, TakesOverlapsOutWithoutMomentum) {
  Stack column(5, 0.01, {0, 0, 1});
  SpaceSolver solver;
  solver.solve(column.patches, column.bodies, {1e-3, 1000});
  const std::vector<SpaceMotion> bodies = column.bodies;
  std::vector<SpaceMotion> displaced;
  solver.separate(column.patches, column.bodies, std::vector<PatchVec>(5, PatchVec{-1e-3, 0, 0}), {1e-10, 100000},
                  displaced);
  for (std::size_t i = 1; i < 6; ++i) EXPECT_NEAR(displaced[i].velocity.z, 1e-3 * Real(i), 1e-11);
  EXPECT_EQ(displaced[0].velocity, Vec3{});
  for (std::size_t i = 0; i < bodies.size(); ++i) EXPECT_EQ(column.bodies[i].velocity, bodies[i].velocity);
}

TEST(SpaceSolver, SaysWhenItDidNotGetThere) {
  Stack column(60, 0.01, {0, 0, 1});
  const SolverReport report = SpaceSolver().solve(column.patches, column.bodies, {1e-12, 10});
  EXPECT_TRUE(report.not_converged);
  EXPECT_EQ(report.sweeps, 10);
  EXPECT_GT(report.residual, 1e-12);
  Stack broken(3, 0.01, {0, 0, 1});
  broken.bodies[2].velocity.x = NAN;
  EXPECT_TRUE(SpaceSolver().solve(broken.patches, broken.bodies, {1e-8, 100}).not_converged);
}

TEST(SpaceSolver, GivesTheSameBitsOnAnyNumberOfThreads) {
  const WithThreads one(1);
  Heap reference(4000, true);
  Strips strips;
  strips.cut(reference.patches, reference.bodies);
  ASSERT_GE(strips.count, 8u);
  SpaceSolver().solve(reference.patches, reference.bodies, {1e-8, 50});
  for (const int threads : {2, 3, 7}) {
    const WithThreads guard(threads);
    Heap heap(4000, true);
    SpaceSolver().solve(heap.patches, heap.bodies, {1e-8, 50});
    for (std::size_t i = 0; i < heap.bodies.size(); ++i) {
      ASSERT_EQ(heap.bodies[i].velocity, reference.bodies[i].velocity);
      ASSERT_EQ(heap.bodies[i].spin, reference.bodies[i].spin);
    }
    for (std::size_t i = 0; i < heap.patches.size(); ++i)
      ASSERT_EQ(heap.patches[i].impulse, reference.patches[i].impulse);
  }
}

TEST(SpaceSolver, SolvesAHeap) {
  Heap heap(4000, true);
  const SolverReport report = SpaceSolver().solve(heap.patches, heap.bodies, {1e-5, 20000});
  EXPECT_FALSE(report.not_converged);
  EXPECT_LE(residual(heap.patches, heap.bodies), 1e-5);
}
