#pragma once
// A toy: a fixed ball in the way. The wall's position is its centre.
#include <string_view>

#include <talus/core/input.hpp>
#include <talus/geometry/surface.hpp>

namespace talus {

template <int D>
struct WallToy {
  static constexpr std::string_view name = "toy-wall", about = "a ball in the way", placed_by = "centre";
  static constexpr bool is_flat = false;

  Real radius = 0;  // m

  static WallToy read(Input& in, Vec<D>& position) {
    position = to_vec<D>(in.numbers("centre", dim::length, Range::any(), D, std::nullopt, "of the ball"));
    return {in.number("radius", dim::length, Range::positive(), std::nullopt, "of the ball")};
  }

  TALUS_HD Surface<D> at(const Vec<D>& x) const { return {length(x) - radius, (1 / length(x)) * x, 0}; }
  TALUS_HD bool is_within(const Vec<D>& x, Real reach) const { return length(x) - radius < reach; }
  TALUS_HD Vec<D> direction() const { return {}; }
  bool cuts(int) const { return false; }
};

}  // namespace talus
