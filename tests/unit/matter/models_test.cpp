// What every model of a solid must do: docs/matter/README.md.
#include <gtest/gtest.h>

#include <cmath>

#include <talus/core/rng.hpp>
#include <talus/matter/models.hpp>

using namespace talus;
using namespace talus::matter;

namespace {

const Tait rest{1600, 25, 1, 0};  // K = 1 MPa

DruckerPrager soil(std::string_view cone, Real phi, Real cohesion, Real psi = 0) {
  DruckerPrager d;
  d.volume = rest;
  d.shear = 4e5;
  d.friction = cone_of(cone).slope(phi);
  d.dilates = cone_of(cone).slope(psi);
  d.cohesion.height[0] = cohesion * cone_of(cone).height(phi);
  return d;
}

// One of each kind, with all features of the law.
std::vector<std::pair<std::string, Matter>> solids() {
  DruckerPrager softens = soil("compromise", 0.4, 2000);
  softens.cohesion.points = 3;
  softens.cohesion.strain = {0, 0.01, 0.1};
  softens.cohesion.height = {4000, 2000, 500};
  return {{"elastic", Elastic{rest, 4e5}},        {"sand", soil("compromise", 0.5, 0)}, {"clay", soil("plane-strain", 0, 1500)},
          {"softening", softens}, {"dilating", soil("internal", 0.6, 500, 0.2)}};
}

Sym3 random_sym(Rng& rng, Real size) {
  const auto r = [&] { return size * rng.uniform(-1, 1); };
  return {r(), r(), r(), r(), r(), r()};
}
Mat3 random_gradient(Rng& rng, Real size) {
  Mat3 l;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) l(i, j) = size * rng.uniform(-1, 1);
  return l;
}
Mat3 transposed(const Mat3& a) {
  Mat3 t;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) t(i, j) = a(j, i);
  return t;
}
// A state that the model itself has reached.
Memory reached(const Matter& m, Rng& rng, Real& ratio) {
  Memory memory;
  ratio = 1 + 0.01 * rng.uniform(0, 1);
  for (int k = 0; k < 5; ++k) {
    const Answer a = m.respond(memory, ratio, Deformation::of(random_gradient(rng, 2e-3), 1));
    memory = a.memory;
    ratio = a.ratio;
  }
  return memory;
}

}  // namespace

TEST(Models, AnswerIsTheSameSeenFromATurnedFrame) {
  Rng rng{7, 0, 0};
  for (const auto& [name, m] : solids())
    for (int n = 0; n < 200; ++n) {
      Real ratio = 1;
      Memory memory = reached(m, rng, ratio);
      const Mat3 l = random_gradient(rng, 5e-3), q = turn_of(random_gradient(rng, 3), 1);
      const Answer here = m.respond(memory, ratio, Deformation::of(l, 1));
      memory.deviator = turned(memory.deviator, q);
      const Answer there = m.respond(memory, ratio, Deformation::of(q * l * transposed(q), 1));
      EXPECT_LT(length(turned(here.memory.deviator, q) - there.memory.deviator), 1e-9) << name;  // of 1e4 Pa: rounding
      EXPECT_NEAR(here.pressure, there.pressure, 1e-8) << name;  // Newton's rule ends at a part of 1e-12
    }
}

TEST(Models, RigidTurnTurnsTheStressAndDoesNothingElse) {
  Rng rng{8, 0, 0};
  for (const auto& [name, m] : solids()) {
    Real ratio = 1;
    Memory memory = reached(m, rng, ratio);
    const Real size = length(memory.deviator);
    const Memory start = memory;
    const int steps = 1000;
    Mat3 spin{};
    spin(0, 1) = -2 * pi / steps;  // one turn about z
    spin(1, 0) = 2 * pi / steps;
    for (int k = 0; k < steps; ++k) memory = m.respond(memory, ratio, Deformation::of(spin, 1)).memory;
    EXPECT_NEAR(length(memory.deviator), size, 1e-9 * size + 1e-12) << name;
    EXPECT_LT(length(memory.deviator - start.deviator), 1e-4 * size + 1e-12) << name;  // (2 pi/1000)^2/12 of each angle, twice
    EXPECT_EQ(memory.plastic_strain, start.plastic_strain) << name;
  }
}

TEST(Models, StressOfAnIsotropicSolidLiesAlongItsStrain) {
  Rng rng{9, 0, 0};
  for (const auto& [name, m] : solids()) {
    const Sym3 strain = random_sym(rng, 1e-2);
    const Answer a = m.respond({}, 1.01, {strain, Mat3::identity()});
    const Sym3 s = a.memory.deviator, e = talus::deviator(strain);
    EXPECT_NEAR(contract(s, e), length(s) * length(e), 1e-12 * length(s) * length(e)) << name;
    EXPECT_NEAR(trace(s), 0, 1e-9) << name;
  }
}

TEST(Models, ElasticCycleGivesBackAllWork) {
  const Matter m = Elastic{rest, 4e5};
  Memory memory;
  Real work = 0, through = 0;
  const int steps = 400;
  for (int k = 0; k < steps; ++k) {  // round an ellipse of strain, no spin
    const Real a = 2 * pi * k / steps, b = 2 * pi * (k + 1) / steps;
    Sym3 step{};
    step.xx = 0.01 * (std::cos(b) - std::cos(a));
    step.yy = -step.xx;
    step.xy = 0.02 * (std::sin(b) - std::sin(a));
    const Answer answer = m.respond(memory, 1, {step, Mat3::identity()});
    const Real here = contract(0.5 * (memory.deviator + answer.memory.deviator), step);
    work += here;
    through += std::abs(here);
    memory = answer.memory;
  }
  EXPECT_GT(through, 0);
  EXPECT_LT(std::abs(work), 1e-12 * through);  // rounding: the mean stress of a step is exact for a linear law
  EXPECT_LT(length(memory.deviator), 1e-9);
}

TEST(Models, PlasticFlowTakesEnergyAndItsStrainGrows) {
  Rng rng{10, 0, 0};
  for (const auto& [name, m] : solids()) {
    Real ratio = 1, taken = 0;
    Memory memory = reached(m, rng, ratio);
    for (int n = 0; n < 5000; ++n) {
      const Real compressed = ratio * (1 + 1e-3 * rng.uniform(-1, 1));
      const Answer a = m.respond(memory, compressed, Deformation::of(random_gradient(rng, 5e-3), 1));
      EXPECT_GE(a.plastic, 0) << name;
      EXPECT_GE(a.memory.plastic_strain, memory.plastic_strain) << name;  // the multiplier is not negative
      EXPECT_GE(a.memory.dilation, memory.dilation) << name;
      taken += a.plastic;
      memory = a.memory;
      ratio = clamp(a.ratio, 0.98, 1.02);
    }
    EXPECT_EQ(taken > 0, name != "elastic") << name;
  }
}

// Row 8 of the validation: a million stresses, among them none at all and those beyond the apex.
TEST(DruckerPrager, StressNeverLiesOutsideTheCone) {
  Rng rng{11, 0, 0};
  for (const DruckerPrager& d : {soil("compression", 0.6, 0), soil("compromise", 0.5, 300), soil("internal", 0, 1000),
                                 soil("plane-strain", 0.5, 100, 0.3)})
    for (int n = 0; n < 250000; ++n) {
      const Real size = n % 1000 == 0 ? 0 : std::pow(10.0, rng.uniform(0, 5));
      const Memory memory{talus::deviator(random_sym(rng, size)), 0, 0};
      const Answer a = d.respond(memory, 1 + 0.02 * rng.uniform(-1, 1), {});
      const Real shear = length(a.memory.deviator) / std::sqrt(2.0);
      EXPECT_LE(shear - d.strength(a.pressure, a.memory.plastic_strain), 1e-6 * std::max(1.0, size));
      if (d.has_apex()) {
        EXPECT_GE(a.pressure, -d.apex(0) * (1 + 1e-12));
      }
      const Answer again = d.respond(a.memory, a.ratio, {});
      EXPECT_LE(length(again.memory.deviator - a.memory.deviator), 1e-9 * std::max(1.0, size));
    }
}

TEST(DruckerPrager, ConesMeetMohrAndCoulombWhereTheySay) {
  const Real phi = 0.5, c = 700, p = 3000;  // sqrt(J2) at yield, in the states that the cones are named for
  const Real s = std::sin(phi), k = std::cos(phi);
  const auto strength = [&](const char* cone) { return 3 * cone_of(cone).slope(phi) * p + cone_of(cone).height(phi) * c; };
  const Real q_compression = (6 * s * p + 6 * c * k) / (3 - s), q_extension = (6 * s * p + 6 * c * k) / (3 + s);
  EXPECT_NEAR(strength("compression"), q_compression / std::sqrt(3.0), 1e-9);
  EXPECT_NEAR(strength("extension"), q_extension / std::sqrt(3.0), 1e-9);
  EXPECT_NEAR(strength("compromise"), 2 * (s * p + c * k) / std::sqrt(3.0), 1e-9);
  EXPECT_NEAR(strength("plane-strain"), s * p + c * k, 1e-9);  // the middle stress is the mean of the others
  const Real t = std::tan(phi);
  EXPECT_NEAR(strength("internal"), (3 * t * p + 3 * c) / std::sqrt(9 + 12 * t * t), 1e-9);
}

TEST(DruckerPrager, SteadyShearOfSandIsThreeAlphaTimesPressure) {
  const DruckerPrager d = soil("plane-strain", pi / 6, 0);
  Memory memory;
  Mat3 l{};
  l(0, 1) = 1e-4;
  Answer a;
  for (int k = 0; k < 5000; ++k) {
    a = d.respond(memory, 1.01, Deformation::of(l, 1));
    memory = a.memory;
  }
  EXPECT_NEAR(memory.deviator.xy / a.pressure, std::sin(pi / 6), 1e-4);  // the stress trails its strain by an angle of 1e-2, squared
}

TEST(DruckerPrager, CohesionFallsAlongItsTable) {
  DruckerPrager d = soil("plane-strain", 0, 1000);
  d.cohesion.points = 2;
  d.cohesion.strain = {0, 0.05};
  d.cohesion.height = {1000, 200};
  Memory memory;
  Mat3 l{};
  l(0, 1) = 1e-4;
  for (int k = 0; k < 2000; ++k) {
    memory = d.respond(memory, 1, Deformation::of(l, 1)).memory;
    const Real shear = length(memory.deviator) / std::sqrt(2.0);
    if (memory.plastic_strain > 0) {
      EXPECT_NEAR(shear, d.cohesion.at(memory.plastic_strain), 1e-6);
    }
  }
  EXPECT_GT(memory.plastic_strain, 0.1);
  EXPECT_NEAR(length(memory.deviator) / std::sqrt(2.0), 200, 1e-6);
}

TEST(DruckerPrager, OpensWithoutStressBeyondItsApexAndClosesAtOnce) {
  const DruckerPrager d = soil("compromise", 0.5, 0);
  Memory memory{{100, -100, 0, 0, 0, 30}, 0, 0};
  Answer a = d.respond(memory, 0.9, {});  // pulled apart by 10 %
  EXPECT_EQ(a.pressure, 0);
  EXPECT_EQ(length(a.memory.deviator), 0);
  EXPECT_EQ(a.ratio, 1);
  a = d.respond(a.memory, a.ratio * 1.001, {});
  EXPECT_NEAR(a.pressure, rest.pressure(1.001), 1e-9);
}

TEST(Elastic, JaumannShearFollowsTheSine) {  // row 4 of the validation
  const Elastic e{rest, 4e5};
  Memory memory;
  Mat3 l{};
  const int steps = 1000;
  l(0, 1) = 1.0 / steps;
  for (int k = 0; k < steps; ++k) memory = e.respond(memory, 1, Deformation::of(l, 1)).memory;
  EXPECT_NEAR(memory.deviator.xy / 4e5, std::sin(1.0), 1e-3);
  EXPECT_NEAR(memory.deviator.xx / 4e5, 1 - std::cos(1.0), 1e-3);
  EXPECT_NEAR(memory.deviator.yy, -memory.deviator.xx, 1e-6);
}

namespace {
const Elastic rubber{rest, 4e5};
Real energy_of(const Mat3& f) {
  const Stretched s = rubber.stretched(f);
  return s.swelled + s.sheared;
}
}  // namespace

// docs/matter/elastic.md (6), (7)
TEST(Elastic, StressOfAStretchIsTheSlopeOfItsEnergy) {
  Rng rng{11, 0, 0};
  for (int n = 0; n < 20; ++n) {
    Mat3 f = Mat3::identity() + random_gradient(rng, 0.3);
    const Stretched s = rubber.stretched(f);
    EXPECT_GE(s.swelled + s.sheared, 0);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        Mat3 more = f, less = f;
        more(a, b) += 1e-6;
        less(a, b) -= 1e-6;
        EXPECT_NEAR(s.stress(a, b), (energy_of(more) - energy_of(less)) / 2e-6, 1e-3);  // of 1e5 Pa: rounding of the difference
      }
  }
}
TEST(Elastic, SmallStretchHasHookesStressAndATurnHasNone) {
  Rng rng{12, 0, 0};
  const Mat3 turn = turn_of(random_gradient(rng, 3), 1);
  EXPECT_LT(energy_of(turn), 1e-9);
  const Mat3 small = random_gradient(rng, 1e-6);
  const Sym3 strain = symmetric(small), hooke = (2 * rubber.shear) * talus::deviator(strain) + ball(rest.modulus() * trace(strain));
  const Sym3 stress = symmetric(rubber.stretched(Mat3::identity() + small).stress);
  EXPECT_LT(length(stress - hooke), 1e-5 * length(hooke));
}
