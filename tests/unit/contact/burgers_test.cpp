// Coats of mortar: coefficients of a step, stability, energy, what happens as coats meet, part and change their section.
#include <gtest/gtest.h>

#include <array>

#include <talus/contact/coat_laws.hpp>
#include <talus/contact/three_phase.hpp>
#include <talus/core/rng.hpp>

#include "../../support/csv_rows.hpp"
#include "../../support/plausible_input.hpp"

using namespace talus;
using namespace talus::test;

namespace {

const std::string data = TALUS_SOURCE_DIR "/tests/data/";
constexpr Real mm = 1e-3, n_per_mm = 1e3, n_s_per_mm = 1e3, zero_celsius = 273.15;

template <class Law>
typename Law::Params params() {
  PlausibleInput in;
  return Law::mix(in, {}, {}, {});
}

// A patch whose area is `area` m^2, with coats of 0.44 mm.
template <int D = 3>
PatchTouch<D> patch(Real area, Real mass, Real overlap = 1e-4) {
  PatchTouch<D> t;
  t.normal[0] = 1;
  t.overlap = overlap;
  t.mass = mass;
  t.area = area;
  t.thickness = 0.88 * mm;
  return t;
}

template <class F>
void with_variant(const std::string& variant, F&& f) {
  if (variant == "original") f(Burgers<3>{});
  if (variant == "expanded") f(ExpandedBurgers<3>{});
  if (variant == "reduced") f(ReducedBurgers<3>{});
}

// Forces of the two Maxwell elements for the state that the table is in: (F, u_ve), (u_e, u_ve) or u_ve, in SI.
// dF_i/dt = -Z_i F_i + g_i v, so F and -dF/dt at v = 0 give both.
RelaxationMemory memory_of(const std::string& variant, const Relaxation& r, const MortarConstants& c, Real mass, Real first, Real second) {
  const Real km = c.maxwell_stiffness, cm = c.maxwell_viscosity, kk = c.kelvin_stiffness, ck = c.kelvin_viscosity;
  if (variant == "reduced") {
    const Real k = kk * km / (kk + km), critical = 2 * std::sqrt(k * mass);
    return {{cm / (critical + cm) * k * first, 0}, 1};
  }
  Real force, fall;  // F and -dF/dt
  if (variant == "original") {
    force = first;
    fall = km * (first / cm + (first - kk * second) / ck);
  } else {
    const Real c1 = 2 * std::sqrt(km * mass), c2 = std::max(ck, 2 * std::sqrt(kk * mass));
    const Real series = 1 / (1 / c1 + 1 / cm + 1 / c2);
    force = series * (km * first / c1 + kk * second / c2);
    fall = -series * (km / c1 * (force - km * first) / c1 + kk / c2 * (force - kk * second) / c2);
  }
  const Real apart = r.rate[0] - r.rate[1];
  return {{(fall - r.rate[1] * force) / apart, (r.rate[0] * force - fall) / apart}, 1};
}

// Spectral radius from ||M^n||^(1/n), n = 2^40, by squaring.
template <std::size_t N>
Real spectral_radius(std::array<std::array<Real, N>, N> m) {
  Real log_norm = 0, power = 1;
  for (int k = 0; k < 40; ++k) {
    std::array<std::array<Real, N>, N> square{};
    Real norm = 0;
    for (std::size_t i = 0; i < N; ++i)
      for (std::size_t j = 0; j < N; ++j) {
        for (std::size_t l = 0; l < N; ++l) square[i][j] += m[i][l] * m[l][j];
        norm = std::max(norm, std::abs(square[i][j]));
      }
    for (auto& row : square)
      for (Real& x : row) x /= norm;
    m = square;
    power *= 2;
    log_norm = 2 * log_norm + std::log(norm);
  }
  return std::exp(log_norm / power);
}

// A mass on a coat over one step, the force solved at its end: closing speed v, forces of the elements.
template <class Law>
struct OnCoat {
  typename Law::Step step;
  PatchTouch<3> touch;
  typename Law::History h{};
  Real v = 0, u = 0;

  OnCoat(Real celsius, Real dt, Real mass, Real area)
      : step(Law::over(params<Law>(), {dt, celsius + zero_celsius})), touch(patch(area, mass, 1e9)) {}  // never parts
  Real advance(Real pressing) {
    const Real dt = step.now.dt;
    const Soft<3> s = Law::soften(step, touch, {}, h);
    v = (touch.mass * v + dt * (pressing - s.a)) / (touch.mass + dt * s.b);
    u += dt * v;
    return Law::advance(step, touch, {-v, 0, 0}, h).x;
  }
};

}  // namespace

TEST(Burgers, StepHasTheCoefficientsOfTheMatrixExponential) {
  int rows = 0;
  for (const auto& row : csv_rows(data + "burgers_step_coeffs.csv")) {
    const Real celsius = std::stod(row[0]), dt = std::stod(row[1]), mass = row[3].empty() ? 1 : std::stod(row[3]);
    with_variant(row[2], [&]<class Law>(Law) {
      const auto step = Law::over(params<Law>(), {dt, celsius + zero_celsius});
      const auto touch = patch(0.88 * mm * mm, mass);
      const Real scale = mm;  // area over thickness
      const Relaxation r = Law::Model::relaxation(step.constants, mass / scale);
      const auto memory = [&](Real first, Real second) {  // as the table writes states: N and mm
        RelaxationMemory h = memory_of(row[2], r, step.constants, mass / scale, row[2] == "original" ? first / scale : first * mm, second * mm);
        for (Real& f : h.force) f *= scale;
        h.scale = scale;
        return h;
      };
      RelaxationMemory h = row[2] == "reduced" ? memory(0.02, 0) : memory(0.3, 0.02);
      const Vec3 velocity{-0.7 * mm, 0, 0};
      const Soft<3> soft = Law::soften(step, touch, velocity, h);
      // 1e-12: the table has 15 digits.
      EXPECT_NEAR(soft.b / n_s_per_mm / std::stod(row[4]), 1, 1e-12) << row[2] << " " << row[0] << " " << row[1];
      EXPECT_NEAR(soft.a / std::stod(row[5]), 1, 1e-12) << row[2] << " " << row[0] << " " << row[1];
      EXPECT_NEAR(Law::advance(step, touch, velocity, h).x / std::stod(row[6]), 1, 1e-12);
      std::stringstream state(row[7]);
      Real first = 0, second = 0;
      state >> first >> second;
      const RelaxationMemory next = memory(first, second);
      for (int i = 0; i < 2; ++i) EXPECT_NEAR(h.force[i], next.force[i], 1e-12 * (std::abs(next.force[0]) + std::abs(next.force[1])));
      ++rows;
    });
  }
  EXPECT_EQ(rows, 27);
}

TEST(Burgers, OneStepOfAMassOnACoatHasTheSpectralRadiusOfItsMatrix) {
  int rows = 0;
  for (const auto& row : csv_rows(data + "burgers_spectral_radius.csv")) {
    const Real celsius = std::stod(row[0]), area = std::stod(row[1]) * mm * mm, mass = std::stod(row[2]);
    int column = 4;
    for (const std::string variant : {"original", "expanded", "reduced"})
      with_variant(variant, [&]<class Law>(Law) {
        // Columns of the matrix: the answers to v = 1, F_0 = 1, F_1 = 1, each in units in which the matrix is near balance.
        std::array<std::array<Real, 3>, 3> m{};
        const Real unit_v = mm, unit_f = 1;
        for (int j = 0; j < 3; ++j) {
          OnCoat<Law> c(celsius, Real(1) / 240, mass, area);
          c.h.scale = area / c.touch.thickness;
          if (j == 0) c.v = unit_v;
          if (j > 0) c.h.force[j - 1] = unit_f;
          c.advance(0);
          m[0][j] = c.v / unit_v;
          for (int i = 0; i < 2; ++i) m[1 + i][j] = c.h.force[i] / unit_f;
        }
        // A reduced coat has one element only, and a pair of complex values so close to one another that powers are ill conditioned:
        // their product is the determinant.
        const Real determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0], half = (m[0][0] + m[1][1]) / 2;
        if (variant == "reduced") { EXPECT_LT(half * half, determinant); }
        const Real radius = variant == "reduced" ? std::sqrt(determinant) : spectral_radius<3>(m);
        // 1e-11: the determinant is a difference of products a hundred times as large.
        EXPECT_NEAR(radius, std::stod(row[column]), 1e-11) << variant << " " << row[0] << " degC, " << row[2] << " kg";
        ++column;
      });
    ++rows;
  }
  EXPECT_EQ(rows, 42);
}

TEST(Burgers, ClosedFormOfCreepHoldAndPullHasTheReferenceValues) {
  PlausibleInput in;
  int rows = 0;
  for (const auto& row : csv_rows(data + "burgers_three_phase.csv")) {
    const Real celsius = std::stod(row[0]);
    const ThreePhase test({MortarTable::published().at(celsius + zero_celsius), mm, 1, 0.88 * mm, -2e-3 * mm, 600, 1000});
    const Real time = row[1] == "T1" ? test.t1() : std::stod(row[2]);
    if (row[1] == "T1") { EXPECT_NEAR(time / std::stod(row[2]), 1, 1e-12); }
    EXPECT_NEAR(test.overlap_at(time) / mm, std::stod(row[3]), 2e-13);  // the table has 12 to 13 digits
    EXPECT_NEAR(test.force_at(time), std::stod(row[4]), 2e-12);
    ++rows;
  }
  EXPECT_EQ(rows, 57);
}

TEST(Burgers, WrightsOmegaSolvesItsEquation) {
  for (Real z = -690; z < 1e5; z += z < 10 ? 0.37 : z) {
    const Real w = wright_omega(z);
    ASSERT_GT(w, 0) << z;
    EXPECT_NEAR(w + std::log(w), z, 1e-14 * std::max(std::abs(z), Real(1))) << z;  // rounding
  }
}

// A coat between nothing and a creeping force: the form of t1 that needs omega at ordinary arguments.
TEST(Burgers, TouchingTimeHoldsForStrongForcesToo) {
  const MortarConstants c = MortarTable::published().at(150 + zero_celsius);
  for (const Real force : {4.0, 5.0, 8.0, 12.0, 13.3}) {
    const ThreePhase test({c, mm, force, 0.88 * mm, -2e-6, 600, 1000});
    EXPECT_NEAR(test.overlap_at(test.t1()) / (0.88 * mm), 1, 1e-12) << force << " N";
  }
}

TEST(Mortar, ConstantsAreLinearBetweenTheirTemperatures) {
  const MortarTable table = MortarTable::published();
  EXPECT_EQ(table.at(100 + zero_celsius).maxwell_stiffness, 40.27e6);
  EXPECT_EQ(table.at(125 + zero_celsius).kelvin_viscosity, 2.43e6);
  EXPECT_EQ(table.at(150 + zero_celsius).maxwell_viscosity, 530.09e6);
  EXPECT_NEAR(table.at(130 + zero_celsius).maxwell_stiffness, 23.45e6 + 0.2 * (15.12e6 - 23.45e6), 1e-5);  // rounding
}

TEST(Mortar, RefusesATemperatureOutsideItsTable) {
  PlausibleInput in;
  const MortarTable table = MortarTable::published();
  for (const Real celsius : {99.0, 151.0, std::nan("")}) EXPECT_THROW(table.need(in, "temperature", celsius + zero_celsius), std::runtime_error);
  EXPECT_NO_THROW(table.need(in, "temperature", 150 + zero_celsius));
}
