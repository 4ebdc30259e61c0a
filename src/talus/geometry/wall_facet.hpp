#pragma once
// A facet of a flexible wall: a part of a cylinder seen from inside, one of so many columns around the axis and rows along it. A ball touches the facet that its
// centre lies before, and no other: facets that have moved by different ways make steps, and no gaps. The wall's position is any point of the axis from which
// heights are counted. Scenes of the plane do not offer it.
#include <cmath>
#include <string_view>
#include <vector>

#include <talus/core/input.hpp>
#include <talus/geometry/surface.hpp>

namespace talus {

template <int D>
struct WallFacet {
  static constexpr std::string_view name = "facet", about = "a part of a cylinder with the sample inside: one piece of a flexible wall", placed_by = "axis";
  static constexpr bool is_flat = false, is_of_space = true, has_edge = true;

  Vec<D> axis{}, zero{}, quarter{};  // unit; where angles are counted from, and where they are 90 degrees
  Real from[2]{}, to[2]{};             // where its column begins and ends: parts along `zero` and `quarter` of a unit vector, which neighbours share
  Real radius = 0, low = 0, high = 0;  // m; of all of the wall
  u32 columns = 1, rows = 1, column = 0, row = 0;

  // The first and the last row go on beyond the ends.
  static WallFacet of(const Vec<D>& direction, Real radius, Real low, Real high, u32 columns, u32 rows, u32 column, u32 row) {
    WallFacet f{(1 / length(direction)) * direction, {}, {}, {}, {}, radius, low, high, columns, rows, column, row};
    Vec<D> way;
    way[std::abs(f.axis[0]) < Real(0.9) ? 0 : 1] = 1;
    const Vec<D> across = reject(way, f.axis);
    f.zero = (1 / length(across)) * across;
    if constexpr (D == 3) f.quarter = cross(f.axis, f.zero);
    const auto edge = [&](u32 k, Real* to) { to[0] = std::cos(2 * pi * Real(k % columns) / columns), to[1] = std::sin(2 * pi * Real(k % columns) / columns); };
    edge(column, f.from);
    edge(column + 1, f.to);
    return f;
  }
  static WallFacet read(Input& in, Vec<D>& position) {
    std::vector<Real> middle;
    for (int k = 0; k < D; ++k) middle.push_back(position[k]);
    position = to_vec<D>(in.numbers("point", dim::length, Range::any(), D, middle, "a point of the axis of a flexible wall, from which heights are counted; left out: the middle of the cell"));
    const Vec<D> way = to_vec<D>(in.numbers("axis", dim::none, Range::any(), D, std::nullopt, "direction of the axis"));
    for (int k = 0; k < D; ++k)
      if (k == D - 1 ? !(way[k] > 0) : way[k] != 0) in.fail("axis", "flexible walls stand upright", "take [0, 0, 1]");
    const Real wide = in.number("diameter", dim::length, Range::positive(), std::nullopt, "of the cylinder");
    const Real height = in.number("height", dim::length, Range::positive(), std::nullopt, "of the flexible wall; its middle lies at the point");
    const auto columns = u32(in.integer("columns", 3, 1000, 12, "facets around the axis"));
    const auto rows = u32(in.integer("rows", 1, 1000, 6, "facets along it"));
    const auto column = u32(in.integer("column", 0, columns - 1, 0, "which of these a facet is"));
    const auto row = u32(in.integer("row", 0, rows - 1, 0, "which of those it is"));
    return of(way, wide / 2, -height / 2, height / 2, columns, rows, column, row);
  }

  TALUS_HD Surface<D> at(const Vec<D>& x) const {
    const Real z = dot(x, axis);
    const Vec<D> out = x - z * axis;
    if (!(beyond(from, out) >= 0 && beyond(to, out) < 0) || row_of(z) != row) return {far, -zero, 0};
    const Real away = length(out);
    return {radius - away, away > 0 ? (-1 / away) * out : -zero, 0};
  }
  // `reach` is short by as much as the facet has moved outwards: along the wall a facet reaches at least as far as its neighbours.
  TALUS_HD bool is_within(const Vec<D>& x, Real reach) const {
    const Real z = dot(x, axis);
    const Vec<D> out = x - z * axis;
    const Real away = length(out), size = (high - low) / rows, up = max(reach, size), around = max(reach, 2 * pi * radius / columns);
    if (away < radius - reach) return false;
    if ((row > 0 && z < low + row * size - up) || (row + 1 < rows && z > low + (row + 1) * size + up)) return false;
    return beyond(from, out) >= -around && beyond(to, out) <= around;
  }
  TALUS_HD Vec<D> direction() const { return {}; }
  bool cuts(int k) const { return std::abs(axis[k]) != 1; }
  // m^2 and m^3, of the part of this facet between two heights and of what it encloses, when it has moved so far (m) along its normal.
  TALUS_HD Real own_area(Real way, Real bottom, Real top) const { return 2 * pi * (radius - way) / columns * height_between(bottom, top); }
  TALUS_HD Real own_volume(Real way, Real bottom, Real top) const { return pi * (radius - way) * (radius - way) / columns * height_between(bottom, top); }
  Real whole_radius() const { return radius; }

 private:
  static constexpr Real far = 1e100;  // m, of balls before other facets
  // m, how far a point lies beyond an edge, counter-clockwise. Neighbours ask with the same numbers: each point lies before one column. No angle is computed,
  // whose last bits would be those of a library.
  TALUS_HD Real beyond(const Real* edge, const Vec<D>& out) const { return edge[0] * dot(out, quarter) - edge[1] * dot(out, zero); }
  TALUS_HD Real height_between(Real bottom, Real top) const {
    const Real size = (high - low) / rows;
    return max(min(low + (row + 1) * size, top) - max(low + row * size, bottom), Real(0));
  }
  TALUS_HD u32 row_of(Real z) const { return u32(clamp(std::floor((z - low) / (high - low) * rows), Real(0), Real(rows - 1))); }
};

}  // namespace talus
