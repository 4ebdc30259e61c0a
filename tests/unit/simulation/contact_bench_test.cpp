// The contact bench: every registered law goes along every path; what comes out is what closed forms say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include <talus/contact/mortar.hpp>
#include <talus/core/input_error.hpp>
#include <talus/scene/toml_input.hpp>
#include <talus/simulation/contact_bench.hpp>

using namespace talus;
using namespace talus::simulation;

namespace {

BenchTable bench(const std::string& law, const std::string& path, std::string keys = "") {
  if (law.starts_with("linear")) keys += "\nnormal_stiffness = \"20 kN/m\"";
  TomlInput in(keys, "bench");
  BenchTable t = contact_bench(in, law, path);
  in.finish();
  return t;
}

const std::vector<Real>& column(const BenchTable& t, std::string_view name) {
  const auto at = std::find(t.names.begin(), t.names.end(), name);
  EXPECT_NE(at, t.names.end()) << name;
  return t.columns[std::size_t(at - t.names.begin())];
}
Real value(const BenchTable& t, const std::string& name) {
  for (const auto& f : t.figures)
    if (f.name == name) return f.value.value_or(NAN);
  return NAN;
}

}  // namespace

TEST(ContactBench, EveryLawGoesAlongEveryPathAndTakesNoEnergyOut) {
  for (const auto& law : bench_laws())
    for (const char* path : {"normal", "oblique", "relaxation", "cyclic", "creep"}) {
      const BenchTable t = bench(law, path);
      ASSERT_GT(t.columns[0].size(), 100u) << law << path;
      for (const Real f : column(t, "force")) ASSERT_TRUE(std::isfinite(f)) << law << " " << path;
      // Explicit laws are given force and motion of the same instant, an error of first order in the step: 1e-3 of the work done at most.
      if (path != std::string("creep")) { EXPECT_GE(value(t, "work") + value(t, "stored_start") - value(t, "stored"), -1e-3 * std::abs(value(t, "work"))) << law << " " << path; }
    }
}

TEST(ContactBench, ComplexStiffnessOfEveryCoatIsThatOfItsElements) {
  for (const char* law : {"burgers", "expanded", "reduced", "damper", "spring-damper"}) {
    const BenchTable t = bench(law, "frequency", "points = 8\nlow = 0.05\nhigh = 50");
    // The force is that at the end of steps of 1/2000 of a swing: half a step late, pi / 2000.
    EXPECT_LT(value(t, "error_max"), 2e-3) << law;
  }
}

TEST(ContactBench, CreepOfBurgersModelEndsOnItsClosedForm) {
  const BenchTable t = bench("burgers", "creep", "force = 1\ntime = 20\nsteps = 4800\ntemperature = \"100 degC\"\nmass = 1e-3");
  // 100 degC, 1 N, area over thickness 1 mm: 0.1077101960643 mm at 10 s.
  EXPECT_NEAR(column(t, "overlap")[2399] / 1e-3, 0.1077101960643, 1e-5);
}

TEST(ContactBench, SlidingContactsKeepCoulombsLimit) {
  for (const char* law : {"linear", "hertz-mindlin", "hertz-saturated", "hertz-mindlin-rolling"})
    EXPECT_NEAR(value(bench(law, "oblique", "angle = \"45 deg\"\nfriction = 0.3"), "ratio_max"), 0.3, 1e-9) << law;
}

TEST(ContactBench, RefusesPathsThatAreOfBurgersModelAlone) {
  EXPECT_THROW(bench("damper", "integrators"), InputError);
  EXPECT_THROW(bench("burgers", "normal", "temperature = \"99 degC\""), InputError);
}

TEST(ContactBench, FindsTheConstantsOfACreepTestInItsOwnUnits) {
  const MortarConstants c = MortarTable::published().at(398.15);
  std::vector<Real> t, u;
  for (int k = 0; k < 200; ++k) {
    t.push_back(1e-2 * std::pow(1e4, k / 199.0));
    u.push_back(2 * 0.004 / 2e-4 * (1 / c.maxwell_stiffness + t.back() / c.maxwell_viscosity - std::expm1(-c.kelvin_stiffness * t.back() / c.kelvin_viscosity) / c.kelvin_stiffness));
  }
  TomlInput in("force = 2\narea = \"2 cm2\"\nthickness = \"4 mm\"", "bench");
  const BenchTable found = creep_bench(in, t, u);
  EXPECT_NEAR(value(found, "maxwell_stiffness") / c.maxwell_stiffness, 1, 1e-6);
  EXPECT_NEAR(value(found, "kelvin_viscosity") / c.kelvin_viscosity, 1, 1e-5);
}
