#pragma once
// An elastic solid: pressure by Tait's equation, deviator by Hooke's law in its Jaumann rate. docs/matter/elastic.md (1)-(7).
#include <optional>
#include <string_view>

#include <talus/matter/deform.hpp>
#include <talus/matter/tait.hpp>

namespace talus::matter {

// Bulk and shear modulus from two of the four constants that a scene may state.
struct Moduli {
  Tait volume;
  Real shear = 0;  // Pa

  static Moduli read(Input& in) {
    Moduli m;
    m.volume.density = in.number("density", dim::density, Range::positive(), std::nullopt, "mass per volume at rest");
    m.volume.tension = 1;
    const auto given = [&](const char* key, Dimension unit, Range range, const char* about) {
      return in.has(key) ? std::optional(in.number(key, unit, range, std::nullopt, about)) : std::nullopt;
    };
    const auto young = given("young", dim::pressure, Range::positive(), "Young's modulus");
    const auto poisson = given("poisson", dim::none, {-1, 0.5, true, true}, "Poisson's ratio");
    const auto shear = given("shear_modulus", dim::pressure, Range::positive(), "shear modulus");
    const auto speed = given("sound_speed", dim::speed, Range::positive(), "root of bulk modulus over density");
    if (young.has_value() + poisson.has_value() + shear.has_value() + speed.has_value() != 2)
      in.fail("young", "a solid has two elastic constants", "give two of young, poisson, shear_modulus and sound_speed");
    Real bulk = speed ? m.volume.density * *speed * *speed : 0, nu = poisson.value_or(0);
    if (young && shear) nu = *young / (2 * *shear) - 1;
    if (young && speed) nu = 0.5 - *young / (6 * bulk);
    if (young) m.shear = *young / (2 * (1 + nu));
    else if (shear) m.shear = *shear;
    else m.shear = 3 * bulk * (1 - 2 * nu) / (2 * (1 + nu));
    if (!speed) bulk = 2 * m.shear * (1 + nu) / (3 * (1 - 2 * nu));
    if (!(nu > -1 && nu < 0.5) || !(m.shear > 0 && bulk > 0))
      in.fail(young ? "young" : "poisson", "with these constants Poisson's ratio is not between -1 and 0.5", "change one of them");
    m.volume.sound_speed = speed ? *speed : std::sqrt(bulk / m.volume.density);
    return m;
  }
};

struct Elastic {
  static constexpr std::string_view name = "elastic", about = "a solid that returns to its shape";

  Tait volume;
  Real shear = 0;  // Pa, G

  static Elastic read(Input& in) {
    const Moduli m = Moduli::read(in);
    return {m.volume, m.shear};
  }
  TALUS_HD Real shear_modulus() const { return shear; }
  TALUS_HD Real viscosity() const { return 0; }
  TALUS_HD Real rubs() const { return 1; }
  static constexpr bool diffuses = false;

  // s -> R s R^T + 2 G (strain less its mean)
  TALUS_HD static Sym3 turned_and_sheared(const Sym3& s, Real shear, const Deformation& by) {
    return turned(s, by.turn) + (2 * shear) * talus::deviator(by.strain);
  }
  TALUS_HD Answer respond(const Memory& before, Real ratio, const Deformation& by) const {
    Answer a;
    a.memory = before;
    a.memory.deviator = turned_and_sheared(before.deviator, shear, by);
    a.ratio = ratio;
    a.pressure = volume.pressure(ratio);
    return a;
  }
  // (6), (7): neo-Hooke's law with a volume term that needs no logarithm. `f`: dx/dX.
  TALUS_HD Stretched stretched(const Mat3& f) const {
    const Real bulk = volume.modulus(), lame = bulk + shear / 3, j = determinant(f), miss = j - 1 - shear / lame;
    Stretched s;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        const int c = (a + 1) % 3, d = (a + 2) % 3, e = (b + 1) % 3, g = (b + 2) % 3;
        s.stress(a, b) = shear * f(a, b) + lame * miss * (f(c, e) * f(d, g) - f(c, g) * f(d, e));
      }
    s.swelled = Real(0.5) * bulk * (j - 1) * (j - 1);
    s.sheared = Real(0.5) * (shear * (contract(f, f) - 3) + lame * miss * miss - shear * shear / lame) - s.swelled;
    return s;
  }
};

}  // namespace talus::matter
