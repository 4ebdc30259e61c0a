// Two-body impacts against closed forms. Numbers: sand of G = 3 GPa, nu = 0.3, 2650 kg/m^3, R = 0.105 mm.
#include <gtest/gtest.h>

#include "../support/sample.hpp"

using namespace talus;
using namespace talus::test;

// Tolerances without a reason beside them: half a unit of the last printed digit of a number that is quoted.

namespace {

using Hertz = HertzMindlin<3>;

constexpr Real h_n = 4.140393e7;  // N/m^1.5, two equal spheres
constexpr Real mass = 2650 * 4.0 / 3.0 * pi * sand_radius * sand_radius * sand_radius;

// Hertz impact at relative speed v with effective mass m and constant h.
struct HertzImpact {
  Real delta_max, force_max, duration;
  HertzImpact(Real h, Real m, Real v)
      : delta_max(std::pow(5 * m * v * v / (4 * h), 0.4)),
        force_max(h * std::pow(delta_max, 1.5)),
        duration(2.943275 * delta_max / v) {}
};

struct Rebound {
  Vec3 velocity;  // m/s, of the first sphere against the second (or the wall) after the contact
  Vec3 spin;      // rad/s, of the first sphere
  Real delta_max = 0, force_max = 0, duration = 0;
  Real energy_ratio = 0;  // kinetic energy after over before
};

struct Shot {
  Vec3 velocity{};  // m/s of the first sphere against the target; x is the normal, negative = approaching
  Vec3 spin{};
  Real dt = 0;
  bool wall = false;  // target: a wall instead of an equal sphere
  bool rotation = false;
  Real local_damping = 0;
  Real radius = sand_radius;
};

// Sets the bodies at exact touch and steps until they have parted.
template <class Law>
Rebound shoot(const Shot& shot, const typename Law::Params& params) {
  Sample<3> s({sand()});
  s.model.options.rotation = shot.rotation;
  s.options.local_damping = shot.local_damping;
  s.set_law<Law>(0, 0, params);
  const Real r = shot.radius;
  if (shot.wall)
    s.assemble({{{r, 0, 0}, r, 0, shot.velocity, shot.spin}}, {wall<3>({}, {1, 0, 0})});
  else
    s.assemble(
        {{{r, 0, 0}, r, 0, 0.5 * shot.velocity, shot.spin}, {{-r, 0, 0}, r, 0, -0.5 * shot.velocity, shot.spin}});
  s.state.globals.dt = shot.dt;
  s.prepare();
  const Real before = s.kinetic();
  const auto apart = [&] { return shot.wall ? s.position(0).x - r : length(s.position(0) - s.position(1)) - 2 * r; };

  Rebound out;
  Real gap_before = 0;
  for (int n = 0; n < 100000; ++n) {
    s.step();
    const Real gap = apart();
    out.delta_max = std::max(out.delta_max, -gap);
    out.force_max = std::max(out.force_max, length(s.force(0)));
    if (gap > 0) {
      out.duration = shot.dt * (n + gap_before / (gap_before - gap));  // straight line between two steps
      break;
    }
    gap_before = gap;
  }
  s.run(2);
  out.velocity = s.velocity(0) - (shot.wall ? Vec3{} : s.velocity(1));
  out.spin = s.spin(0);
  out.energy_ratio = s.kinetic() / before;
  return out;
}

Hertz::Params hertz(Real friction, Real restitution = 1, const std::string& unloading = "rescaled") {
  return mix<Hertz>(sand(), sand(), {friction, restitution, 0}, {{"shear_unloading", unloading}});
}
Linear<3>::Params linear(Real friction, Real restitution = 1, Real shear_ratio = 0.5) {
  const Real kn = 1e4;
  return {kn, shear_ratio * kn, damping_ratio(restitution), friction};
}
Real linear_duration(Real reduced_mass) { return pi * std::sqrt(reduced_mass / 1e4); }

}  // namespace

TEST(HertzContact, StiffnessConstantsOfEqualSpheresMatchTheClosedForms) {
  const auto p = hertz(0.275);
  const Real reduced = sand_radius / 2;
  // h_n = 4/3 E* sqrt(R*); the reference has seven digits.
  EXPECT_NEAR(4.0 / 3.0 * p.e_star * std::sqrt(reduced) / 4.140393e7, 1, 1e-6);

  const Real overlap = std::pow(1e-3 / (4.0 / 3.0 * p.e_star * std::sqrt(reduced)), 2.0 / 3.0);  // F_n = 1e-3 N
  Hertz::History history{};
  Audit<3> audit;
  const Touch<3> touch{{1, 0, 0}, overlap, reduced, mass / 2};
  const Push<3> push = Hertz::act(p, touch, {{}, {}, 1e-9, 1}, history, audit);
  EXPECT_NEAR(push.force.x / 1e-3, 1, 1e-12);            // the same closed form, rounding only
  EXPECT_NEAR(history.stiffness / 1.478421e4, 1, 1e-6);  // k_s, seven digits
  EXPECT_NEAR(history.stiffness / Hertz::stiffness(p, touch), 2 * 0.7 / 1.7, 1e-12);  // k_s / k_n = 2(1-nu)/(2-nu)
}

TEST(HeadOnImpact, OverlapForceAndDurationFollowHertz) {
  const HertzImpact theory(h_n, mass / 2, 0.1);
  EXPECT_NEAR(theory.delta_max / 8.224250e-8, 1, 1e-6);  // the reference numbers, seven digits
  EXPECT_NEAR(theory.force_max / 9.765311e-4, 1, 1e-6);
  EXPECT_NEAR(theory.duration / 2.420623e-6, 1, 1e-6);

  const Rebound r = shoot<Hertz>({.velocity = {-0.1, 0, 0}, .dt = theory.duration / 200}, hertz(0));
  EXPECT_NEAR(r.delta_max / theory.delta_max, 1, 1e-3);  // 0.1 % at 200 steps per contact
  EXPECT_NEAR(r.force_max / theory.force_max, 1, 1e-3);
  EXPECT_NEAR(r.duration / theory.duration, 1, 1e-3);
  EXPECT_NEAR(r.velocity.x / 0.1, 1, 1e-3);  // no damping: e = 1
}

TEST(HeadOnImpact, ErrorFallsWithTheSquareOfTheTimeStep) {
  const HertzImpact theory(h_n, mass / 2, 0.1);
  const auto position_at = [&](int steps) {  // after 0.7 of the contact
    Sample<3> s;
    s.set_law<Hertz>(0, 0, hertz(0));
    s.assemble({{{sand_radius, 0, 0}, sand_radius, 0, {-0.05, 0, 0}, {}},
                {{-sand_radius, 0, 0}, sand_radius, 0, {0.05, 0, 0}, {}}});
    s.state.globals.dt = 0.7 * theory.duration / steps;
    s.prepare();
    s.run(steps);
    return s.position(0).x - sand_radius;
  };
  const Real coarse = position_at(50), middle = position_at(100), fine = position_at(200);
  // Order 2 makes the differences shrink by 4; the root in the force leaves higher terms worth some percent.
  EXPECT_NEAR((coarse - middle) / (middle - fine), 4, 0.4);
}

TEST(HeadOnImpact, LocalDampingGivesItsClosedFormRestitution) {
  for (const Real alpha : {0.5, 0.7}) {
    const Real e = std::sqrt((1 - alpha) / (1 + alpha));
    EXPECT_NEAR(e, alpha == 0.7 ? 0.42008 : 0.57735, 5e-6);
    const HertzImpact theory(h_n, mass / 2, 0.1);
    const Rebound soft =
        shoot<Hertz>({.velocity = {-0.1, 0, 0}, .dt = theory.duration / 400, .local_damping = alpha}, hertz(0));
    EXPECT_NEAR(soft.velocity.x / 0.1 / e, 1, 5e-3) << "Hertz, alpha = " << alpha;  // 0.5 %
    const Rebound stiff = shoot<Linear<3>>(
        {.velocity = {-0.1, 0, 0}, .dt = linear_duration(mass / 2) / 400, .local_damping = alpha}, linear(0));
    EXPECT_NEAR(stiff.velocity.x / 0.1 / e, 1, 5e-3) << "linear, alpha = " << alpha;
  }
}

TEST(HeadOnImpact, DashpotsGiveTheRestitutionTheyWereMadeFor) {
  for (const Real e : {0.3, 0.6, 0.9}) {
    const Real z = damping_ratio(e);
    EXPECT_NEAR(std::exp(-pi * z / std::sqrt(1 - z * z)), e, 1e-14);
    // The dashpot jumps on at touch; half a step of that jump is worth 2 z / 400 at 400 steps per contact.
    const Rebound r = shoot<Linear<3>>({.velocity = {-0.1, 0, 0}, .dt = linear_duration(mass / 2) / 400}, linear(0, e));
    EXPECT_NEAR(r.velocity.x / 0.1 / e, 1, 5e-3) << "linear, e = " << e;
    for (const Real v : {0.01, 1.0}) {  // Hertz: at any speed
      const HertzImpact theory(h_n, mass / 2, v);
      const Rebound h = shoot<Hertz>({.velocity = {-v, 0, 0}, .dt = theory.duration / 400}, hertz(0, e));
      EXPECT_NEAR(h.velocity.x / v / e, 1, 5e-3) << "Hertz, e = " << e << ", v = " << v;
    }
  }
}

// Oblique impacts are shot slowly: the turn of the contact during the impact, which the closed forms leave out, is of
// the order of overlap over radius, 2e-5 here.
TEST(ObliqueImpact, WithoutRotationFollowsTheTableForKeptAndRescaledShear) {
  struct Case {
    Real degrees, kept, rescaled;
  };
  const Case table[] = {{5, -1.00719, -0.81572},
                        {15, -0.85024, -0.81572},
                        {25, -0.17948, -0.17948},  // from here on gross slip: 1 - 2 mu / tan(angle)
                        {45, 0.45000, 0.45000},
                        {75, 0.85263, 0.85263}};
  for (const Case& c : table) {
    const Real angle = c.degrees * pi / 180, v = 1e-3;
    const HertzImpact theory(h_n, mass / 2, v * std::cos(angle));
    const Shot shot{.velocity = {-v * std::cos(angle), v * std::sin(angle), 0}, .dt = theory.duration / 20000};
    const Rebound kept = shoot<Hertz>(shot, hertz(0.275, 1, "kept"));
    const Rebound rescaled = shoot<Hertz>(shot, hertz(0.275));
    // Five printed digits. The shear force grows with the stiffness at the end of a step, an error of up to 1.5 / steps
    // per contact (an independent integration of the same law gives 7.5e-5 here and the table in the limit).
    EXPECT_NEAR(kept.velocity.y / (v * std::sin(angle)), c.kept, 1e-4) << c.degrees << " deg, kept";
    EXPECT_NEAR(rescaled.velocity.y / (v * std::sin(angle)), c.rescaled, 1e-4) << c.degrees << " deg, rescaled";
    EXPECT_LE(rescaled.energy_ratio, 1 + 1e-9) << c.degrees << " deg";  // never creates energy
    if (c.degrees == 5) {
      EXPECT_NEAR(kept.energy_ratio, 1.00011, 1e-5);
      EXPECT_NEAR(rescaled.energy_ratio, 0.99746, 1e-5);
    }
    if (c.degrees >= 25) { EXPECT_NEAR(c.kept, 1 - 2 * 0.275 / std::tan(angle), 1e-5); }
  }
}

TEST(ObliqueImpact, GrossSlipOnAWallTurnsImpulseIntoSpin) {
  const Real mu = 0.275, vn = 1e-3, h_wall = 2 * std::sqrt(0.5) * h_n;  // R* = R instead of R/2
  for (const Real e : {1.0, 0.6}) {
    const HertzImpact theory(h_wall, mass, vn);
    const Vec3 spin{0, 0, 3};
    const Rebound r = shoot<Hertz>(
        {.velocity = {-vn, 4 * vn, 0}, .spin = spin, .dt = theory.duration / 1000, .wall = true, .rotation = true},
        hertz(mu, e));
    const Real vn_out = r.velocity.x;
    EXPECT_NEAR(vn_out / vn, e, 5e-3 * e);
    // With the rebound that came out, not the nominal e: momentum balance holds at every step. A dashpot that pulls
    // leaves no friction in that moment: the balance with e < 1 is good to the impulse of the pull, some percent.
    const Real balance = e == 1.0 ? 1e-3 : 3e-2;
    EXPECT_NEAR((4 * vn - r.velocity.y) / (mu * (vn + vn_out)), 1, balance) << "e = " << e;
    // The wall is at -x: friction along -y at the arm -R x makes the spin grow along +z.
    EXPECT_NEAR((r.spin.z - spin.z) * sand_radius / (2.5 * (4 * vn - r.velocity.y)), 1, 1e-4);  // arm R - overlap/2
  }
}

// Note 008: the dashpot pulls at the end, when friction has nothing to draw on. The push alone ends where the force is zero, at the
// fastest moment of the rebound, exp(-2 theta cot theta) of the impact speed; cos theta: share of critical damping. The wall slides 300
// times as fast as the ball comes, so friction is at its limit but for 1e-3 of the contact; half a step of the dashpot's jump is 2e-4.
TEST(ObliqueImpact, FrictionOfADampedImpactFollowsThePushAlone) {
  for (const Real e : {0.2, 0.5, 0.8}) {
    const Real theta = std::acos(damping_ratio(e)), push = 1 + std::exp(-2 * theta / std::tan(theta)), mu = 0.05, vn = 1e-3;
    const Rebound r = shoot<Linear<3>>(
        {.velocity = {-vn, 300 * vn, 0}, .dt = linear_duration(mass) / 4000, .wall = true}, linear(mu, e, 1));
    EXPECT_NEAR((300 * vn - r.velocity.y) / (mu * vn) / push, 1, 3e-3) << "e " << e;
    if (e == 0.5) {
      EXPECT_NEAR(push / (1 + e), 1.0335, 5e-5);
    }
  }
}

// Kept shear: slip lasts to the end when v_t/v_n > mu (7 - (2-nu)/(2(1-nu))) = 1.5911 (Maw). Rescaled shear gives back a
// third of it while it unloads, k_s ~ F^(1/3): mu (7 - 2/3 (2-nu)/(2(1-nu))) = 1.7024.
TEST(ObliqueImpact, GrossSlipEndsAtTheThresholdOfMaw) {
  const Real mu = 0.275, vn = 1e-3, h_wall = 2 * std::sqrt(0.5) * h_n;
  const HertzImpact theory(h_wall, mass, vn);
  const auto missing = [&](Real ratio, const std::string& unloading) {  // relative distance from gross slip
    const Rebound r =
        shoot<Hertz>({.velocity = {-vn, ratio * vn, 0}, .dt = theory.duration / 1000, .wall = true, .rotation = true},
                     hertz(mu, 1, unloading));
    return std::abs((ratio * vn - r.velocity.y) / (mu * 2 * vn) - 1);
  };
  const Real maw = mu * (7 - 1.7 / 1.4), rescaled = mu * (7 - 2.0 / 3.0 * 1.7 / 1.4);
  EXPECT_NEAR(maw, 1.5911, 5e-5);
  EXPECT_LT(missing(1.01 * maw, "kept"), 2e-4);  // rounding of the stick-slip moment at 1000 steps per contact
  EXPECT_GT(missing(0.8 * maw, "kept"), 2e-3);
  EXPECT_LT(missing(1.01 * rescaled, "rescaled"), 2e-4);
  EXPECT_GT(missing(0.8 * rescaled, "rescaled"), 2e-3);
}

TEST(ObliqueImpact, LinearSpringsWithoutSlipSwingBackByACosine) {
  const Real v = 1e-3;
  for (const Real ratio : {0.1, 0.3, 0.7}) {
    const Shot shot{.velocity = {-v, 0.3 * v, 0}, .dt = linear_duration(mass / 2) / 1000};
    const Rebound locked = shoot<Linear<3>>(shot, linear(1e9, 1, ratio));
    // 1000 steps per contact: the last step ends up to one step late, pi/1000 of the swing's sine.
    EXPECT_NEAR(locked.velocity.y / (0.3 * v), std::cos(pi * std::sqrt(ratio)), 3e-3) << "k_t/k_n = " << ratio;

    Shot free = shot;
    free.rotation = true;
    const Rebound rolled = shoot<Linear<3>>(free, linear(1e9, 1, ratio));
    // The second sphere sits at -x: the surface point of the first moves with -spin z x (-R x) = v_y - R spin_z, and the
    // second sphere spins the same way.
    const Real surface = rolled.velocity.y - 2 * sand_radius * rolled.spin.z;
    EXPECT_NEAR(surface / (0.3 * v), std::cos(pi * std::sqrt(3.5 * ratio)), 5e-3) << "k_t/k_n = " << ratio;
  }
}
