#pragma once
// A toy: grains fly under gravity and meet nobody.
#include <memory>

#include <talus/method/method.hpp>

namespace talus::toy {

template <int D>
std::unique_ptr<Method<D>> make_method();

}  // namespace talus::toy
