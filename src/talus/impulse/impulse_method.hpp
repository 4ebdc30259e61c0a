#pragma once
// Contact dynamics as an object.
#include <memory>

#include <talus/impulse/options.hpp>
#include <talus/method/method.hpp>

namespace talus::impulse {

template <int D>
std::unique_ptr<Method<D>> make_method(const Options& options = {});

}  // namespace talus::impulse
