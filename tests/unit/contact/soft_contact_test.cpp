// The laws of bare grains inside an implicit step, against their explicit form.
#include <gtest/gtest.h>

#include <talus/contact/soft_contact.hpp>
#include <talus/core/rng.hpp>

#include "../../support/plausible_input.hpp"

using namespace talus;
using namespace talus::test;

namespace {

template <class Law>
class SoftContactOf : public ::testing::Test {};
struct SoftName {
  template <class Law>
  static std::string GetName(int) {
    return std::string(Law::name == "linear" ? "linear" : "hertz_mindlin") + (Law::dimension == 2 ? "_2d" : "_3d");
  }
};
using Tested = ::testing::Types<Linear<2>, Linear<3>, HertzMindlin<2>, HertzMindlin<3>>;
TYPED_TEST_SUITE(SoftContactOf, Tested, SoftName);

constexpr Real mass = 1e-5, friction = 0.3;

template <class Law>
typename Law::Params params(Real restitution) {
  PlausibleInput in;
  Material m;
  m.young = 7.8e9;
  m.poisson = 0.3;
  return Law::mix(in, m, m, {friction, restitution, 0});
}

template <int D>
PatchTouch<D> touch(Real overlap) {
  PatchTouch<D> t;
  t.normal[D - 1] = 1;
  t.overlap = overlap;
  t.radius = 1e-3;
  t.mass = mass;
  return t;
}

template <int D>
Vec<D> random_velocity(Rng& rng, Real size) {
  Vec<D> v;
  for (int k = 0; k < D; ++k) v[k] = size * rng.uniform(-1, 1);
  return v;
}

// A mass meets a wall: velocity after the contact, by steps that are solved at their end or by explicit ones.
template <class Law>
Vec<Law::dimension> rebound(Real restitution, Real angle, Real dt, bool implicit) {
  constexpr int D = Law::dimension;
  using Implicit = SoftContact<Law>;
  const auto p = params<Law>(restitution);
  const auto step = Implicit::over(p, {dt});
  typename Law::History h{};
  Vec<D> v;
  v[0] = std::sin(angle);
  v[D - 1] = -std::cos(angle);
  auto t = touch<D>(0);
  do {
    if (implicit) {
      Vec<D> found = v;
      for (int k = 0; k < 20; ++k) {  // Newton on the normal, then the spring across
        const auto soft = Implicit::soften(step, t, found, h);
        const Real vn = (mass * dot(v, t.normal) + dt * soft.a) / (mass + dt * soft.b);
        const Real fn = soft.normal_force(vn);
        const Vec<D> before = reject(v, t.normal);
        Vec<D> vt = (1 / (mass + dt * soft.slip)) * (mass * before + dt * soft.shear);
        const Vec<D> ft = soft.shear - soft.slip * vt;
        if (length(ft) > friction * fn) vt = before + (dt / mass * friction * fn / length(ft)) * ft;
        found = (dot(v, t.normal) + dt / mass * fn) * t.normal + vt;
      }
      Implicit::advance(step, t, found, h);
      v = found;
    } else if (t.overlap > 0) {
      Audit<D> audit;
      v = v + dt / mass * Law::act(p, t, {v, {}, dt, 1}, h, audit).force;
    }
    t.overlap -= dt * dot(v, t.normal);
  } while (t.overlap > 0);
  return v;
}

}  // namespace

// The line of `soften` touches the law at the guess, normal and across.
TYPED_TEST(SoftContactOf, ForceAtTheGuessIsThatOfTheLawAtTheEndOfTheStep) {
  constexpr int D = TypeParam::dimension;
  using Implicit = SoftContact<TypeParam>;
  for (const Real restitution : {1.0, 0.6}) {
    Rng rng{7, 0, 0};
    const auto step = Implicit::over(params<TypeParam>(restitution), {1e-6});
    typename TypeParam::History h{};
    for (int n = 0; n < 300; ++n) {
      const auto t = touch<D>(rng.uniform(0.3, 1) * 2e-5);
      const Vec<D> v = random_velocity<D>(rng, 3);
      const auto soft = Implicit::soften(step, t, v, h);
      const Real opening = dot(v, t.normal), normal = soft.normal_force(opening);
      Vec<D> across = soft.shear - soft.slip * (v - opening * t.normal);
      if (length(across) > soft.friction * normal) across = (soft.friction * normal / length(across)) * across;
      const Vec<D> force = Implicit::advance(step, t, v, h);
      const Real scale = std::max(length(force), Real(1e-3));
      ASSERT_NEAR(dot(force, t.normal), normal, 1e-12 * scale);  // rounding
      // With dashpots Hertz-Mindlin keeps the spring below the limit before the dashpot adds: equal while it sticks.
      if (restitution == 1) { ASSERT_LE(length(reject(force, t.normal) - across), 1e-12 * scale) << n; }
    }
  }
}

TYPED_TEST(SoftContactOf, LineIsTheTangentOfTheForceOverVelocity) {
  constexpr int D = TypeParam::dimension;
  using Implicit = SoftContact<TypeParam>;
  const auto step = Implicit::over(params<TypeParam>(1), {1e-6});
  const typename TypeParam::History h{};
  const auto t = touch<D>(1e-5);
  const auto force = [&](Real opening) {
    auto copy = h;
    return dot(Implicit::advance(step, t, opening * t.normal, copy), t.normal);
  };
  for (const Real opening : {-3.0, 0.0, 3.0}) {
    const Real d = 1e-3, slope = -(force(opening + d) - force(opening - d)) / (2 * d);
    EXPECT_NEAR(slope / Implicit::soften(step, t, opening * t.normal, h).b, 1, 1e-7);  // (d dt / overlap)^2 and rounding over d
  }
}

// Implicit Euler and the explicit step both have an error of first order: they come together as steps get short. From head-on to
// sliding throughout.
TYPED_TEST(SoftContactOf, CollisionIsThatOfTheExplicitLawForShortSteps) {
  for (const Real degrees : {0.0, 10.0, 30.0, 70.0}) {
    const Real angle = degrees * pi / 180;
    const auto apart = [&](Real dt) {
      return length(rebound<TypeParam>(1, angle, dt, true) - rebound<TypeParam>(1, angle, dt, false));
    };
    const Real coarse = apart(2e-8), fine = apart(2e-9);
    EXPECT_LT(fine, 5e-3) << degrees;
    EXPECT_LT(fine, coarse / 5) << degrees;  // first order: a tenth
  }
}

TYPED_TEST(SoftContactOf, LongStepsAddNoEnergyAndDoNotGlue) {
  constexpr int D = TypeParam::dimension;
  for (const Real restitution : {1.0, 0.5})
    for (const Real dt : {1e-6, 1e-5, 1e-4}) {
      const Vec<D> v = rebound<TypeParam>(restitution, 0.4, dt, true);
      EXPECT_GE(v[D - 1], 0) << dt;
      EXPECT_LE(length(v), 1 + 1e-12) << dt;
    }
}
