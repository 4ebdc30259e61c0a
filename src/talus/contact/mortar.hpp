#pragma once
// The four constants of a mortar at several temperatures, linear between them. Table: docs/laws/burgers.md.
#include <string_view>

#include <talus/core/input.hpp>

namespace talus {

// Of a coat of area over thickness 1 m.
struct MortarConstants {
  Real maxwell_stiffness, maxwell_viscosity;  // Pa, Pa s
  Real kelvin_stiffness, kelvin_viscosity;    // Pa, Pa s
};

struct MortarTable {
  static constexpr u32 most = 8;
  u32 count = 0;
  Real temperature[most] = {};  // K, rising
  MortarConstants constants[most] = {};

  static MortarTable published();        // 100, 125, 150 degC
  static MortarTable read(Input& in);    // `published` where the scene states nothing
  Real coldest() const { return temperature[0]; }
  Real hottest() const { return temperature[count - 1]; }
  bool holds(Real kelvin) const { return kelvin >= coldest() && kelvin <= hottest(); }  // false for NaN
  // An error of the input at `key` when the table does not hold the temperature: nothing is extrapolated.
  void need(const Input& in, std::string_view key, Real kelvin) const;
  MortarConstants at(Real kelvin) const;
};

}  // namespace talus
