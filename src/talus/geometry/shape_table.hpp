#pragma once
// What others ask of a body's shape, whatever its kind, and which code finds where two bodies meet. Only here are kinds told
// apart: a new kind is a word of ShapeKind, a row and a column of the matrix, and its answers below.
#include <talus/geometry/chord.hpp>
#include <talus/geometry/circle_overlap.hpp>
#include <talus/geometry/outlines.hpp>
#include <talus/geometry/shape.hpp>

namespace talus {

enum class Pairing : u32 { none, balls, outlines, wall, hulls };

template <int D>
TALUS_HD Pairing pairing_of(const Shape<D>& a, const Shape<D>& b) {
  constexpr Pairing none = Pairing::none, balls = Pairing::balls, lines = Pairing::outlines, wall = Pairing::wall,
                    hulls = Pairing::hulls;
  constexpr Pairing matrix[4][4] = {
      //         ball   wall  polygon  hull
      /* ball */ {balls, wall, lines, none},
      /* wall */ {wall, none, wall, wall},
      /* polygon */ {lines, wall, lines, none},
      /* hull */ {none, wall, none, hulls},
  };
  return matrix[u32(a.kind)][u32(b.kind)];
}

// Nobody sees how it is turned.
template <int D>
bool is_round(const Outlines& outlines, const Shape<D>& shape) {
  if (shape.kind == ShapeKind::hull) return false;
  return shape.kind != ShapeKind::polygon || (shape.parts == 1 && outlines[shape.outline].corners.size == 1);
}
// Its radius says all about it.
template <int D>
bool is_ball(const Shape<D>& shape) {
  return shape.kind == ShapeKind::ball;
}

// Of one part of a grain of the plane; most have but one. A disc is an outline of one corner. Radius: m, of a disc.
inline PolygonView outline_of(const Outlines& outlines, const Shape<2>& shape, Real radius, u32 part = 0) {
  return shape.kind == ShapeKind::polygon ? outlines[shape.outline + part] : disc_view(radius);
}
inline PartView part_of(const Outlines& outlines, const Shape<2>& shape, Real radius, u32 part) {
  if (shape.kind == ShapeKind::polygon) return outlines.part(shape.outline + part);
  const PolygonView disc = disc_view(radius);
  return {disc, {}, true, {}, disc.rounding, 0};
}
inline CorePolygonView core_of(const Outlines& outlines, const Shape<2>& shape, Real radius) {
  if (shape.kind == ShapeKind::wall) return {};
  return shape.kind == ShapeKind::polygon ? outlines.core(shape.outline) : disc_core(radius);
}

// m, how far its farthest part reaches along a direction of length one, from the origin.
inline Real reach_along(const Outlines& outlines, const Shape<2>& shape, Real radius, const Placement& at,
                        const Vec2& direction) {
  Real most = -HUGE_VAL;
  for (u32 part = 0; part < shape.parts; ++part)
    most = max(most, reach_along(outline_of(outlines, shape, radius, part), at, direction));
  return most;
}
// m^2, shared with a circle, of a grain that is no ball. `reach`: m, from its centre.
inline Real overlap_area(const Outlines& outlines, const Shape<2>& shape, Real reach, const Placement& at,
                         const Circle& circle) {
  return shape.parts > 1 ? overlap_area(outlines.around(shape.outline), reach, at, circle)
                         : overlap_area(outlines[shape.outline], at, circle);
}

}  // namespace talus
