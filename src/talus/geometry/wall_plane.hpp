#pragma once
// A plane as a wall: the half space behind it. The wall's position is any point of the plane.
#include <string_view>

#include <talus/geometry/surface.hpp>

namespace talus {

template <int D>
struct WallPlane {
  static constexpr std::string_view name = "plane";
  static constexpr bool is_flat = true;

  Vec<D> normal{};  // unit, out of the wall into the sample

  static WallPlane facing(const Vec<D>& direction) { return {(1 / length(direction)) * direction}; }

  TALUS_HD Surface<D> at(const Vec<D>& x) const { return {dot(x, normal), normal, 0}; }
  TALUS_HD bool is_within(const Vec<D>& x, Real reach) const { return dot(x, normal) < reach; }
  TALUS_HD Vec<D> direction() const { return normal; }
};

}  // namespace talus
