#pragma once
// The material point method as a method object, for scenes of particles that `sph` runs too.
#include <talus/method/method.hpp>

namespace talus::mpm {

template <int D>
std::unique_ptr<Method<D>> make_method();

}  // namespace talus::mpm
