#pragma once
// A cylinder as a wall, seen from inside: a mould. The wall's position is any point of its axis; it has no ends. Scenes of the plane do not offer it.
#include <cmath>
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
  static constexpr int powers = 13;
  static constexpr i64 most_lamellae = 10000;            // half of them are fewer than 2^13
  Real cosine[powers]{}, sine[powers]{};  // of 1, 2, 4, … times the angle between two: steps use no function of angles

  static WallCylinder around(const Vec<D>& direction, Real radius, Real lamellae = 0) {
    WallCylinder w{(1 / length(direction)) * direction, radius, lamellae};
    for (int j = 0; j < powers && lamellae > 0; ++j) {
      const Real angle = 2 * pi / lamellae * Real(i64(1) << j);
      w.cosine[j] = std::cos(angle), w.sine[j] = std::sin(angle);
    }
    return w;
  }
  static WallCylinder read(Input& in, Vec<D>& position) {
    std::vector<Real> middle;
    for (int k = 0; k < D; ++k) middle.push_back(position[k]);
    position = to_vec<D>(in.numbers("point", dim::length, Range::any(), D, middle, "a point of the axis of a cylinder; left out: the middle of the cell"));
    const Vec<D> way =
        to_vec<D>(in.numbers("axis", dim::none, Range::any(), D, std::nullopt, "direction of the axis"));
    if (!(length(way) > 0)) in.fail("axis", "the axis has no length", "");
    const Real radius = in.number("diameter", dim::length, Range::positive(), std::nullopt, "of the cylinder") / 2;
    const i64 lamellae = in.integer("lamellae", 0, most_lamellae, 0, "flat ones that it is made of, each touching the circle in its middle; 0: it is round");
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
  // Outward, of the lamella that lies in this direction: that with the largest component along it, by bisection over half of them.
  TALUS_HD Vec<D> lamella_towards(const Vec<D>& out) const {
    if constexpr (D == 3) {
      const Vec<D> e = across(), f = cross(axis, e);
      const Real x = dot(out, e), y = dot(out, f), ahead = y < 0 ? -y : y;
      const auto half = u32(lamellae / 2);
      Real c = 1, s = 0;
      u32 number = 0;
      for (int j = powers - 1; j >= 0; --j) {
        if (number + (1u << j) > half) continue;
        const Real next_c = c * cosine[j] - s * sine[j], next_s = s * cosine[j] + c * sine[j];
        if (next_c * ahead - next_s * x >= 0) c = next_c, s = next_s, number += 1u << j;
      }
      const Real next_c = c * cosine[0] - s * sine[0], next_s = s * cosine[0] + c * sine[0];
      if (next_c * x + next_s * ahead > c * x + s * ahead) c = next_c, s = next_s;
      return c * e + (y < 0 ? -s : s) * f;
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
