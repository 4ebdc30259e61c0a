#include <talus/contact/material.hpp>

#include <algorithm>
#include <cmath>

namespace talus {

Material Material::read(Input& in, std::string name, bool elastic) {
  Material m;
  m.name = std::move(name);
  m.density = in.number("density", dim::density, Range::positive(), std::nullopt, "mass of the solid per volume");
  m.poisson = in.number("poisson", dim::none, {-1, 0.5, true, false}, 0.3, "Poisson's ratio of the solid");
  if (in.has("young") && in.has("shear_modulus"))
    in.fail("young", "both young and shear_modulus are given", "keep one: young = 2 shear_modulus (1 + poisson)");
  if (in.has("shear_modulus"))
    m.young = 2 * (1 + m.poisson) *
              in.number("shear_modulus", dim::pressure, Range::positive(), std::nullopt, "shear modulus of the solid");
  else if (elastic || in.has("young"))
    m.young = in.number("young", dim::pressure, Range::positive(), std::nullopt,
                        "Young's modulus of the solid (or give shear_modulus)");
  if (in.has("friction") && in.has("friction_angle"))
    in.fail("friction", "both friction and friction_angle are given", "keep one: friction = tan(friction_angle)");
  if (in.has("friction_angle"))
    m.friction = std::tan(in.number("friction_angle", dim::angle, Range::below(0, pi / 2), std::nullopt,
                                    "angle of Coulomb friction against itself"));
  else
    m.friction = in.number("friction", dim::none, Range::not_negative(), std::nullopt,
                           "Coulomb friction against itself (or give friction_angle)");
  m.restitution = in.number("restitution", dim::none, Range::closed(0, 1), 1.0,
                            "rebound over impact speed against itself; 1 puts no dashpot into the contact");
  m.rolling_friction =
      in.number("rolling_friction", dim::none, Range::not_negative(), 0.0, "rolling friction against itself");
  m.rigid = in.flag("rigid", false, "adds no compliance to a contact");
  return m;
}

PairCoefficients mix_coefficients(const Material& a, const Material& b, const std::string& rule) {
  const auto mix = [&](Real x, Real y) {
    if (rule == "mean") return (x + y) / 2;
    if (rule == "least") return std::min(x, y);
    return std::sqrt(x * y);
  };
  return {mix(a.friction, b.friction), mix(a.restitution, b.restitution), mix(a.rolling_friction, b.rolling_friction)};
}

}  // namespace talus
