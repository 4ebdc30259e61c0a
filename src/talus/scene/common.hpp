#pragma once
// Small things that the readers of a scene share.
#include <string>
#include <string_view>
#include <vector>

#include <talus/contact/material.hpp>
#include <talus/core/input.hpp>
#include <talus/core/vec.hpp>

namespace talus::scene {

inline constexpr const char* axis_names = "xyz";

template <int D>
std::vector<Real> zeros() {
  return std::vector<Real>(D, 0.0);
}

// The index of the material that a key names; with a single material the key may be left out.
u32 find_material(Input& in, std::string_view key, const std::vector<Material>& materials);

}  // namespace talus::scene
