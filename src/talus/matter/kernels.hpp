#pragma once
// The kernels that there are. One word here adds one; a scene names it in sph.kernel.
#include <string>
#include <tuple>
#include <vector>

#include <talus/matter/wendland.hpp>

namespace talus::matter {

template <int D>
using Kernels = std::tuple<Wendland<D>>;

inline std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  std::apply([&](const auto&... kernel) { (names.emplace_back(kernel.name), ...); }, Kernels<2>{});
  return names;
}

}  // namespace talus::matter
