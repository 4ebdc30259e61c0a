#pragma once
// A plane as a wall: the half space behind it. The wall's position is any point of the plane.
#include <string_view>

#include <talus/core/input.hpp>
#include <talus/geometry/surface.hpp>

namespace talus {

template <int D>
struct WallPlane {
  static constexpr std::string_view name = "plane", about = "anywhere", placed_by = "normal";
  static constexpr bool is_flat = true;

  Vec<D> normal{};  // unit, out of the wall into the sample

  static WallPlane facing(const Vec<D>& direction) { return {(1 / length(direction)) * direction}; }
  static WallPlane read(Input& in, Vec<D>& position) {
    position = to_vec<D>(in.numbers("point", dim::length, Range::any(), D, std::nullopt, "a point of the plane"));
    const Vec<D> way = to_vec<D>(
        in.numbers("normal", dim::none, Range::any(), D, std::nullopt, "direction out of the wall into the sample"));
    if (!(length(way) > 0)) in.fail("normal", "the normal has no length", "");
    return facing(way);
  }

  TALUS_HD Surface<D> at(const Vec<D>& x) const { return {dot(x, normal), normal, 0}; }
  TALUS_HD bool is_within(const Vec<D>& x, Real reach) const { return dot(x, normal) < reach; }
  TALUS_HD Vec<D> direction() const { return normal; }
  Vec<D> turns_about() const { return normal; }
  bool cuts(int axis) const { return normal[axis] != 0; }
};

}  // namespace talus
