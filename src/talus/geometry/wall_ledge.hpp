#pragma once
// A block with a right-angled edge as a wall: half of the side of a shear box, a gate, a step. It is what lies behind both of its
// faces, each without end on the other sides; the wall's position is any point of the edge.
#include <cmath>
#include <string_view>

#include <talus/core/input.hpp>
#include <talus/geometry/surface.hpp>

namespace talus {

template <int D>
struct WallLedge {
  static constexpr std::string_view name = "ledge", about = "a block that ends at an edge, such as half of the side of a shear box, or a gate",
                                    placed_by = "normal";
  static constexpr bool is_flat = false, has_edge = true;

  Vec<D> face{};  // unit, out of the block into the sample
  Vec<D> end{};   // unit, out of the block where it ends, across `face`

  static WallLedge facing(const Vec<D>& face, const Vec<D>& end) { return {(1 / length(face)) * face, (1 / length(end)) * end}; }
  static WallLedge read(Input& in, Vec<D>& position) {
    position = to_vec<D>(in.numbers("point", dim::length, Range::any(), D, std::nullopt, "a point of the edge"));
    const Vec<D> face = to_vec<D>(in.numbers("normal", dim::none, Range::any(), D, std::nullopt, "direction out of its face into the sample"));
    const Vec<D> end = to_vec<D>(in.numbers("end", dim::none, Range::any(), D, std::nullopt, "direction in which the block ends at its edge"));
    if (!(length(face) > 0)) in.fail("normal", "the normal has no length", "");
    if (!(length(end) > 0)) in.fail("end", "the direction has no length", "");
    if (!(std::abs(dot(face, end)) <= Real(1e-12) * length(face) * length(end)))
      in.fail("end", "it is not across the normal", "the edge of a ledge has a right angle: normal = [1, 0, 0] goes with end = [0, 0, 1]");
    return facing(face, end);
  }

  TALUS_HD Surface<D> at(const Vec<D>& x) const {
    const Real a = dot(x, face), b = dot(x, end);
    if (a > 0 && b > 0) {
      const Real away = std::sqrt(a * a + b * b);
      return {away, (1 / away) * (a * face + b * end), 0};
    }
    return b > a ? Surface<D>{b, end, 0} : Surface<D>{a, face, 0};  // inside: the face that is nearer
  }
  TALUS_HD bool is_within(const Vec<D>& x, Real reach) const { return dot(x, face) < reach && dot(x, end) < reach; }
  // That of its face: what a stage moves it along.
  TALUS_HD Vec<D> direction() const { return face; }
  bool cuts(int axis) const { return face[axis] != 0 || end[axis] != 0; }
};

}  // namespace talus
