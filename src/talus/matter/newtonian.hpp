#pragma once
// A Newtonian liquid: pressure by Tait's equation, viscous force between pairs of particles. docs/matter/newtonian.md (1), (2).
#include <string_view>

#include <talus/matter/tait.hpp>

namespace talus::matter {

struct Newtonian {
  static constexpr std::string_view name = "newtonian", about = "a liquid of constant viscosity";

  Tait volume;
  Real viscosity = 0;  // Pa s, dynamic

  static Newtonian read(Input& in) {
    return {Tait::read(in), in.number("viscosity", dim::viscosity, Range::not_negative(), 0.0, "dynamic viscosity")};
  }
};

}  // namespace talus::matter
