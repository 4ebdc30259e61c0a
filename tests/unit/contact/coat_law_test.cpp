// What every law of a coat must keep, run over the list in coat_laws.hpp: registering a law there tests it here.
#include <gtest/gtest.h>

#include <talus/contact/coat_laws.hpp>
#include <talus/core/rng.hpp>

#include "../../support/plausible_input.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr Real kelvin = 130 + 273.15, mass = 1e-3, area = 2e-6, thickness = 0.88e-3;

template <class... L>
::testing::Types<L...> types_of(std::tuple<L...>);

struct CoatName {
  template <class Law>
  static std::string GetName(int) {
    return Law::name == "spring-damper" ? "spring_damper" : std::string(Law::name);
  }
};

template <class Law>
class EveryCoatLaw : public ::testing::Test {};
TYPED_TEST_SUITE(EveryCoatLaw, decltype(types_of(CoatLaws<3>{})), CoatName);

bool empty(const RelaxationMemory& h) { return h.force[0] == 0 && h.force[1] == 0 && h.scale == 0; }

template <class Law>
struct Contact {
  static constexpr int D = Law::dimension;
  PlausibleInput in;
  typename Law::Params params = Law::mix(in, {}, {}, {});
  typename Law::History h{};
  PatchTouch<D> touch;

  Contact() {
    touch.normal[D - 1] = 1;
    touch.overlap = 1e-4;
    touch.mass = mass;
    touch.area = area;
    touch.thickness = thickness;
  }
  Real move(Real dt, Real closing) {
    const auto step = Law::over(params, {dt, kelvin});
    const Real force = dot(Law::advance(step, touch, -closing * touch.normal, h), touch.normal);
    touch.overlap += dt * closing;
    return force;
  }
  Real stored(Real dt) const { return Law::stored(Law::over(params, {dt, kelvin}), touch, h); }
};

}  // namespace

// The force at the end of a step does at least the work by which the stored energy rises, whatever the step, the speed and the change
// of the area. So an implicit solver can add none.
TYPED_TEST(EveryCoatLaw, StoresNoMoreThanTheWorkDoneInAnyStep) {
  for (u64 seed = 1; seed <= 8; ++seed) {
    Rng rng{seed, 0, 0};
    Contact<TypeParam> c;
    c.touch.overlap = 1;  // far from parting
    Real before = 0, scale = 0;
    for (int n = 0; n < 2000; ++n) {
      const Real dt = std::pow(10, rng.uniform(-5, 1.5)), closing = std::pow(10, rng.uniform(-6, -2)) * (rng.uniform(-1, 1) < 0 ? -1 : 1);
      c.touch.overlap = 1;
      c.touch.area = area * std::pow(10, rng.uniform(-1, 1));
      const Real work = c.move(dt, closing) * closing * dt, now = c.stored(dt);
      scale = std::max({scale, std::abs(work), now});
      ASSERT_GE(work - (now - before), -1e-13 * scale) << "seed " << seed << ", step " << n;  // rounding
      before = now;
    }
  }
}

TYPED_TEST(EveryCoatLaw, GivesNoEnergyOnAClosedPath) {
  for (const Real period : {1e-3, 1.0, 1e3}) {
    Contact<TypeParam> c;
    const int steps = 1000;
    const Real dt = period / steps;
    Real work = 0, u = 0;
    for (int n = 1; n <= 3 * steps; ++n) {
      const Real next = 1e-5 * (std::sin(2 * pi * n / steps) + 0.3 * std::sin(6 * pi * n / steps));
      c.touch.overlap = 1e-3;
      work += c.move(dt, (next - u) / dt) * (next - u);
      u = next;
    }
    EXPECT_GT(work, 0) << period;
  }
}

TYPED_TEST(EveryCoatLaw, ForceOfTheRowIsTheForceThatHistoryFollows) {
  Contact<TypeParam> c;
  Rng rng{5, 0, 0};
  for (int n = 0; n < 200; ++n) {
    const auto step = TypeParam::over(c.params, {1e-3, kelvin});
    const Real opening = rng.uniform(-1e-3, 1e-3);
    const auto soft = TypeParam::soften(step, c.touch, opening * c.touch.normal, c.h);
    EXPECT_GE(soft.b, 0);
    const Real force = soft.normal_force(opening);
    EXPECT_NEAR(soft.normal_force(soft.opening_of(force)), force, 1e-9 * std::abs(force));  // rounding of (a - F) / b
    EXPECT_EQ(force, dot(TypeParam::advance(step, c.touch, opening * c.touch.normal, c.h), c.touch.normal));
  }
}

// Coats that meet in the middle of a step begin with the way behind the place where they met.
TYPED_TEST(EveryCoatLaw, BeginsWhereTheCoatsMeet) {
  const Real dt = 1e-3, speed = 1e-2;
  Contact<TypeParam> whole, late;
  whole.touch.overlap = 0;
  late.touch.overlap = -0.75 * dt * speed;
  const Real all = whole.move(dt, speed), quarter = late.move(dt, speed);
  EXPECT_NEAR(quarter / all, 0.25, 1e-12);  // rounding
  EXPECT_NEAR(late.h.force[0] + late.h.force[1], 0.25 * (whole.h.force[0] + whole.h.force[1]), 1e-12 * all);
  Contact<TypeParam> apart;
  apart.touch.overlap = -2 * dt * speed;
  EXPECT_EQ(apart.move(dt, speed), 0);
  EXPECT_TRUE(empty(apart.h));
}

TYPED_TEST(EveryCoatLaw, RemembersNothingAfterTheCoatsPartedAndPullsOnOnlyWhenAsked) {
  for (const Real elongation : {0.0, 1e-4}) {
    Contact<TypeParam> c;
    c.params.elongation = elongation;
    c.move(1e-3, 1e-2);
    EXPECT_FALSE(empty(c.h));
    c.touch.overlap = 1e-6;
    c.touch.area = 0.1 * area;
    const Real pull = c.move(1e-3, -2e-3);  // parts in this step
    EXPECT_EQ(empty(c.h), elongation == 0);
    c.touch.area = 0;  // no common section any more
    const Real later = c.move(1e-3, -2e-3);
    EXPECT_EQ(later != 0, elongation > 0);
    if (TypeParam::name == "damper") { EXPECT_LT(pull, 0); }
    c.move(1e-1, -2e-3);
    EXPECT_TRUE(empty(c.h));
  }
}

TYPED_TEST(EveryCoatLaw, PullsNoMoreThanItIsAllowedTo) {
  for (const Real limit : {0.0, 100.0}) {
    Contact<TypeParam> c;
    c.params.tension_limit = limit;
    c.touch.overlap = 1;
    EXPECT_NEAR(c.move(1e-3, -1e-2), -limit * area, 1e-15 * limit * area);  // rounding
  }
}

// Forces follow the area down and stay when it grows.
TYPED_TEST(EveryCoatLaw, ForcesFollowAShrinkingAreaOnly) {
  Contact<TypeParam> c;
  if constexpr (!TypeParam::Model::needs_mass) {
    c.move(1e-3, 1e-2);
    const auto row = [&](Real at) {
      c.touch.area = at;
      return TypeParam::soften(TypeParam::over(c.params, {1e-3, kelvin}), c.touch, {}, c.h);
    };
    const auto same = row(area), half = row(area / 2), twice = row(2 * area);
    EXPECT_NEAR(half.a, same.a / 2, 1e-15 * std::abs(same.a));
    EXPECT_EQ(twice.a, same.a);
    EXPECT_NEAR(twice.b, 2 * same.b, 1e-15 * twice.b);
  }
}
