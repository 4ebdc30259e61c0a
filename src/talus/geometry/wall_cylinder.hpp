#pragma once
// A cylinder as a wall, seen from inside: a mould. The wall's position is any point of its axis; it has no ends. Scenes of the plane do not offer it.
#include <string_view>
#include <vector>

#include <talus/core/input.hpp>
#include <talus/geometry/surface.hpp>

namespace talus {

template <int D>
struct WallCylinder {
  static constexpr std::string_view name = "cylinder", about = "the sample is inside", placed_by = "axis";
  static constexpr bool is_flat = false, is_of_space = true;

  Vec<D> axis{};    // unit
  Real radius = 0;  // m
  Real lamellae = 0;  // flat ones around the axis, each touching the circle in its middle; 0: it is round

  static WallCylinder around(const Vec<D>& direction, Real radius, Real lamellae = 0) {
    return {(1 / length(direction)) * direction, radius, lamellae};
  }
  static WallCylinder read(Input& in, Vec<D>& position) {
    std::vector<Real> middle;
    for (int k = 0; k < D; ++k) middle.push_back(position[k]);
    position = to_vec<D>(in.numbers("point", dim::length, Range::any(), D, middle, "a point of the axis of a cylinder; left out: the middle of the cell"));
    const Vec<D> way =
        to_vec<D>(in.numbers("axis", dim::none, Range::any(), D, std::nullopt, "direction of the axis"));
    if (!(length(way) > 0)) in.fail("axis", "the axis has no length", "");
    const Real radius = in.number("diameter", dim::length, Range::positive(), std::nullopt, "of the cylinder") / 2;
    const i64 lamellae = in.integer("lamellae", 0, 10000, 0, "flat ones that it is made of, each touching the circle in its middle; 0: it is round");
    if (lamellae == 1 || lamellae == 2) in.fail("lamellae", "they enclose nothing", "take 3 or more, or 0");
    return around(way, radius, Real(lamellae));
  }

  TALUS_HD Surface<D> at(const Vec<D>& x) const {
    const Vec<D> out = reject(x, axis);
    const Real away = length(out);
    if (!(away > 0)) return {radius, across(), 0};  // on the axis all of it is as near
    if (lamellae > 0) {
      const Vec<D> face = lamella_towards(out);
      return {radius - dot(face, out), -face, 0};
    }
    return {radius - away, (-1 / away) * out, 0};
  }
  TALUS_HD bool is_within(const Vec<D>& x, Real reach) const {
    const Vec<D> out = reject(x, axis);
    const Real room = radius - reach;
    return room < 0 || dot(out, out) > room * room;
  }
  TALUS_HD Vec<D> direction() const { return {}; }
  Vec<D> turns_about() const { return lamellae > 0 ? Vec<D>{} : axis; }  // flat ones stay where they are
  bool cuts(int k) const { return std::abs(axis[k]) != 1; }
  // m^2 and m, of what it encloses across an axis of space, and around it; 0: it does not enclose it.
  TALUS_HD Real section(int k, Real way) const { return std::abs(axis[k]) == 1 ? (lamellae > 0 ? lamellae * std::tan(pi / lamellae) : pi) * (radius - way) * (radius - way) : 0; }
  TALUS_HD Real girth(int k, Real way) const { return std::abs(axis[k]) == 1 ? 2 * (lamellae > 0 ? lamellae * std::tan(pi / lamellae) : pi) * (radius - way) : 0; }

 private:
  // Outward, of the lamella that lies in this direction.
  TALUS_HD Vec<D> lamella_towards(const Vec<D>& out) const {
    if constexpr (D == 3) {
      const Vec<D> e = across(), f = cross(axis, e);
      const Real step = 2 * pi / lamellae, angle = step * std::round(std::atan2(dot(out, f), dot(out, e)) / step);
      return std::cos(angle) * e + std::sin(angle) * f;
    }
    return out;
  }
  TALUS_HD Vec<D> across() const {
    Vec<D> way;
    way[std::abs(axis.x) < Real(0.9) ? 0 : 1] = 1;
    const Vec<D> flat = reject(way, axis);
    return (1 / length(flat)) * flat;
  }
};

}  // namespace talus
