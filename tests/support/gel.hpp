#pragma once
// The material of soft grains in tests: Young's modulus and density 1.
#include <talus/contact/material.hpp>

namespace talus::test {

inline Material gel(Real poisson = 0.5, Real friction = 0) {
  Material m;
  m.name = "gel";
  m.density = 1;
  m.young = 1;
  m.poisson = poisson;
  m.friction = friction;
  return m;
}

}  // namespace talus::test
