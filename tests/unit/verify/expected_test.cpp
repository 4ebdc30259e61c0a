// Expected values against published numbers and against limits in which closed forms hold.
#include <cmath>

#include <gtest/gtest.h>

#include <talus/verify/expected_bodies.hpp>
#include <talus/verify/expected_impact.hpp>

using namespace talus;
using namespace talus::verify;

namespace {

Impact ball_on_plane(Real slip, Real restitution = 1) {
  const Real young = 1e9, nu = 0.3;
  Impact x;
  x.mass = 1;
  x.radius = 0.1;
  x.e_star = young / (1 - nu * nu);
  x.g_star = young / (2 * (2 - nu) * (1 + nu));
  x.friction = 0.3;
  x.restitution = restitution;
  x.speed = 1e-3;
  x.sideways = slip * x.speed;
  return x;
}

constexpr Real kappa = 2 * 0.7 / 1.7;

}  // namespace

TEST(ExpectedImpact, HertzNumbersAreThoseOfTheReferenceSand) {
  Impact x;  // two grains of G = 3 GPa, nu = 0.3, R = 0.105 mm, 2650 kg/m3 at 0.1 m/s; seven digits are stated
  x.radius = x.other_radius = 0.105e-3;
  x.mass = x.other_mass = 2650 * 4.0 / 3.0 * pi * std::pow(0.105e-3, 3);
  x.e_star = 2 * 3e9 * 1.3 / (1 - 0.09) / 2;
  x.speed = 0.1;
  const HertzImpact h = hertz_impact(x);
  EXPECT_NEAR(h.overlap / 8.224250e-8, 1, 1e-6);
  EXPECT_NEAR(h.force / 9.765311e-4, 1, 1e-6);
  EXPECT_NEAR(h.time / 2.420623e-6, 1, 1e-6);
}

TEST(ExpectedImpact, TheLawReboundsAsStatedAndSlidesAsRigidBodiesDoWithoutDashpots) {
  for (const Real e : {1.0, 0.5, 0.2}) EXPECT_NEAR(rebound_by_law(ball_on_plane(10, e)).restitution, e, 1e-5);
  const Impact x = ball_on_plane(10);
  EXPECT_NEAR(rebound_by_law(x).impulse / sliding_rebound(x).impulse, 1, 1e-4);
  // A dashpot that pulls at the end takes normal impulse away where friction has none to lose: 3.35 % more at e = 0.5.
  const Impact damped = ball_on_plane(10, 0.5);
  EXPECT_NEAR(rebound_by_law(damped).impulse / sliding_rebound(damped).impulse, 1.0335, 1e-4);
}

TEST(ExpectedImpact, MawsCurveIsThatOfRigidBodiesBeyondItsThresholdAndNotBefore) {
  const Real limit = maw_gross_slip(kappa);
  EXPECT_NEAR(maw_psi_after(limit + 0.1, kappa), limit + 0.1 - 7 * kappa, 1e-3);  // 10000 steps
  EXPECT_NEAR(maw_psi_after(limit + 2, kappa), limit + 2 - 7 * kappa, 1e-3);
  EXPECT_GT(std::abs(maw_psi_after(limit - 0.5, kappa) - (limit - 0.5 - 7 * kappa)), 0.02);
}

TEST(ExpectedImpact, MawsCurveIsLinearWhileTheContactSticks) {
  // Small psi: slip stays in a thin ring, so the answer is nearly in proportion.
  EXPECT_NEAR(maw_psi_after(0.02, kappa) / 0.02, maw_psi_after(0.01, kappa) / 0.01, 0.05);
}

TEST(ExpectedGas, TheRateIsThatOfKineticTheoryAndVanishesForElasticSpheres) {
  Gas gas{1e6, 1e-3, 0.01, 0.9};  // dilute: solid fraction 5e-4, pair function 1 + 5/2 of that
  const Real rate = 4 * 1e-6 * 1e6 * std::sqrt(pi * 0.01);
  EXPECT_NEAR(collision_rate(gas) / rate, 1 + 2.5 * pi / 6 * 1e-3, 1e-5);
  EXPECT_NEAR(haff_rate(gas) / collision_rate(gas), 0.19 / 6, 1e-4);  // the Sonine term is 0.3 %
  gas.restitution = 1;
  EXPECT_EQ(haff_rate(gas), 0);
}

TEST(ExpectedChain, ThePulseHasNesterenkosSpeedAndThePublishedHeight) {
  const Pulse p = chain_pulse(40, 15, 25);
  EXPECT_NEAR(p.speed / nesterenko_speed(1, 1, 1, p.velocity), 1, 0.01);  // long waves: 0.8 % too fast
  EXPECT_NEAR(p.velocity, 0.682, 1e-3);  // of the striker's: known from experiments and from other integrations
}

TEST(ExpectedArch, ThinnestArchIsThatOfMilankovitchWithManyVoussoirs) {
  EXPECT_NEAR(least_thickness(120), 0.1075, 1e-4);
  EXPECT_LT(least_thickness(12), least_thickness(120));  // hinges only at joints: fewer of them, fewer ways to fall
}

TEST(ExpectedArch, ThrustIsOneNumberInTheThinnestArchAndARangeInAThickerOne) {
  const Real least = least_thickness(12);
  const Thrust thin = thrust({12, least}), thick = thrust({12, 1.5 * least});
  EXPECT_TRUE(thin.stands && thick.stands);
  EXPECT_NEAR(thin.least, thin.most, 1e-6);
  EXPECT_LT(thick.least, thin.least);
  EXPECT_GT(thick.most, thin.most);
  EXPECT_FALSE(thrust({12, 0.99 * least}).stands);
}

TEST(ExpectedRocking, SlenderBlocksFollowHousnersClosedForm) {
  const Rocking slender{1e-3, 3};
  for (const Real share : {0.2, 0.5, 0.8})  // 20000 midpoints; sin x = x to 1e-6
    EXPECT_NEAR(slender.time_to_impact(share * 1e-3), std::acosh(1 / (1 - share)) / 3, 1e-6);
  const Rocking block{0.2, 3};
  EXPECT_NEAR(block.rate_ratio(), 1 - 1.5 * std::pow(std::sin(0.2), 2), 1e-15);
  // Energy: cos(a - tilt) - cos(a) falls by the square of the ratio.
  const Real next = block.next_tilt(0.1);
  EXPECT_NEAR((std::cos(0.2 - next) - std::cos(0.2)) / (std::cos(0.1) - std::cos(0.2)), std::pow(block.rate_ratio(), 2), 1e-12);
}
