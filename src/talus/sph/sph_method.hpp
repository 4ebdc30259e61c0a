#pragma once
// Smoothed particles as an object.
#include <memory>

#include <talus/method/method.hpp>

namespace talus::sph {

template <int D>
std::unique_ptr<Method<D>> make_method();

}  // namespace talus::sph
