#pragma once
// A Newtonian liquid: pressure by Tait's equation, viscous force between pairs of particles. docs/matter/newtonian.md (1), (2).
#include <string_view>

#include <talus/matter/deform.hpp>
#include <talus/matter/tait.hpp>

namespace talus::matter {

struct Newtonian {
  static constexpr std::string_view name = "newtonian", about = "a liquid of constant viscosity";
  // Of the density at rest: drops that fly apart would remember a density far below it, and fall through walls and each other until
  // it was made up. At 1 itself the liquid swells where drops meet.
  static constexpr Real loosest = 0.99;

  Tait volume;
  Real dynamic = 0;  // Pa s, viscosity

  static Newtonian read(Input& in) {
    return {Tait::read(in), in.number("viscosity", dim::viscosity, Range::not_negative(), 0.0, "dynamic viscosity")};
  }
  TALUS_HD Real shear_modulus() const { return 0; }
  TALUS_HD Real viscosity() const { return dynamic; }
  TALUS_HD Real rubs() const { return 0; }
  static constexpr bool diffuses = true;
  TALUS_HD Answer respond(const Memory&, Real ratio, const Deformation&) const {
    Answer a;
    a.ratio = volume.tension ? ratio : max(ratio, loosest);
    a.pressure = volume.pressure(a.ratio);
    return a;
  }
};

}  // namespace talus::matter
