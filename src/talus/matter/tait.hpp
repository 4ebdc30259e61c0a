#pragma once
// Pressure of a nearly incompressible body from its density (Tait, exponent 7). docs/matter/tait.md (1)-(4).
// The seventh power is four multiplications: no step calls a function whose bits depend on a library.
#include <talus/core/input.hpp>
#include <talus/core/real.hpp>

namespace talus::matter {

struct Tait {
  Real density = 0;      // kg/m^3, at pressure 0
  Real sound_speed = 0;  // m/s, there
  i32 tension = 0;       // 1: it carries tension; 0: below its rest density the pressure is 0
  i32 unused = 0;

  static Tait read(Input& in) {
    Tait t;
    t.density = in.number("density", dim::density, Range::positive(), std::nullopt, "mass per volume at rest");
    t.sound_speed = in.number("sound_speed", dim::speed, Range::positive(), std::nullopt,
                              "numerical speed of sound: ten times the fastest motion keeps the density within 1 %");
    t.tension = in.flag("tension", false, "whether it carries tension; a liquid with a free surface does not") ? 1 : 0;
    return t;
  }

  TALUS_HD Real modulus() const { return density * sound_speed * sound_speed; }  // Pa, bulk modulus at rest
  // `ratio`: density over that at rest. Clamped wherever it is evaluated: a pressure that was cut off once would be forgotten.
  TALUS_HD Real pressure(Real ratio) const {  // Pa
    const Real j = held(ratio), j3 = j * j * j;
    return modulus() * (j3 * j3 * j - 1) / 7;
  }
  TALUS_HD Real tangent(Real ratio) const {  // Pa, dp/d(ratio)
    const Real j = held(ratio), j3 = j * j * j;
    return modulus() * j3 * j3;
  }
  // The work of compression from rest, J/kg: integral of p/rho^2.
  TALUS_HD Real energy(Real ratio) const {
    const Real j = held(ratio), j3 = j * j * j;
    return sound_speed * sound_speed / 7 * ((j3 * j3 - 1) / 6 + 1 / j - 1);
  }

  // Density over that at rest so far below the free surface of a column that has compressed: J^6 = 1 + 6 g depth / c^2. `head`:
  // g depth, m^2/s^2. By Newton's rule, whose bits are the same everywhere.
  Real ratio_at(Real head) const {
    const Real sixth = 1 + 6 * max(head, Real(0)) / (sound_speed * sound_speed);
    Real j = 1 + (sixth - 1) / 6;
    for (int k = 0; k < 8; ++k) {
      const Real j2 = j * j, j5 = j2 * j2 * j;
      j -= (j5 * j - sixth) / (6 * j5);
    }
    return j;
  }

 private:
  TALUS_HD Real held(Real ratio) const { return tension ? ratio : max(ratio, Real(1)); }
};

}  // namespace talus::matter
