#pragma once
// Where two bodies of the plane meet, with their outlines, places and images taken from the state.
#include <talus/geometry/manifold.hpp>
#include <talus/geometry/shape_table.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus {

// Of one part of a body; most have but one.
inline PolygonView outline_of(const Model<2>& model, const State<2>& state, std::size_t i, u32 part = 0) {
  return outline_of(model.outlines, model.shapes[state.bodies.shape[i]],
                    state.globals.radius_scale * state.bodies.radius[i], part);
}
inline u32 parts_of(const Model<2>& model, const State<2>& state, std::size_t i) {
  return model.shapes[state.bodies.shape[i]].parts;
}
inline PartView part_of(const Model<2>& model, const State<2>& state, std::size_t i, u32 part) {
  return part_of(model.outlines, model.shapes[state.bodies.shape[i]],
                 state.globals.radius_scale * state.bodies.radius[i], part);
}

inline Placement placement_of(const State<2>& state, std::size_t i) {
  const Bodies<2>& b = state.bodies;
  return b.turn.empty() ? Placement{b.position[i]} : Placement::at(b.position[i], b.turn[i].x);
}

// m, along a direction of length one, from the origin.
template <int D>
Real reach_along(const Model<D>& model, const State<D>& state, std::size_t i, const Vec<D>& direction) {
  const Real radius = state.globals.radius_scale * state.bodies.radius[i];
  if constexpr (D == 2)
    return reach_along(model.outlines, model.shapes[state.bodies.shape[i]], radius, placement_of(state, i), direction);
  else
    return dot(state.bodies.position[i], direction) + radius;
}

// A grain and a flat wall.
inline Manifold wall_row_manifold(const Model<2>& model, const State<2>& state, const RowKey& key, std::size_t a,
                                  std::size_t b, const Placement& at_a, Real reach) {
  const Vec2 normal = model.shapes[state.bodies.shape[b]].wall.direction(), &point = state.bodies.position[b];
  return parts_of(model, state, a) > 1
             ? plane_part_manifold(part_of(model, state, a, key.sub_a), at_a, point, normal, reach)
             : plane_manifold(outline_of(model, state, a), at_a, point, normal, reach);
}

// The parts that a row names.
inline Manifold part_row_manifold(const Model<2>& model, const State<2>& state, const RowKey& key, std::size_t a,
                                  std::size_t b, const Placement& at_a, Placement at_b, Real reach) {
  const PartView part_a = part_of(model, state, a, key.sub_a), part_b = part_of(model, state, b, key.sub_b);
  at_b.position += state.globals.cell.translation(key.image<2>());
  const Vec2 apart = at_a.position + at_a.turned(part_a.centre) - at_b.position - at_b.turned(part_b.centre);
  const Real far = (1 + Real(1e-9)) * (part_a.reach + part_b.reach + reach);
  if (dot(apart, apart) > far * far) return {};
  return part_manifold(part_a, at_a, part_b, at_b, reach);
}

// Where the two bodies of a row may meet within the step; b is placed at the image that a sees. `known`: of that row.
inline Manifold row_manifold(const Model<2>& model, const State<2>& state, const RowKey& key, std::size_t a,
                             std::size_t b, const Placement& at_a, Placement at_b, Real reach, Witnesses& known) {
  const Shape<2>&shape_a = model.shapes[state.bodies.shape[a]], &shape_b = model.shapes[state.bodies.shape[b]];
  const Pairing pairing = pairing_of(shape_a, shape_b);  // discs are outlines of one corner
  if (pairing == Pairing::wall) return wall_row_manifold(model, state, key, a, b, at_a, reach);
  if (shape_a.parts > 1 || shape_b.parts > 1) return part_row_manifold(model, state, key, a, b, at_a, at_b, reach);
  at_b.position += state.globals.cell.translation(key.image<2>());
  const Vec2 apart = at_a.position - at_b.position;
  const Real far = state.globals.radius_scale * (state.bodies.radius[a] + state.bodies.radius[b]) + reach;
  if (dot(apart, apart) > far * far) return {};  // not even the circles around them meet
  return find_manifold(outline_of(model, state, a), at_a, outline_of(model, state, b), at_b, reach, known);
}

// Of a against b, from the motion of the cell; a wall does not move with it.
inline Vec2 affine_velocity(const State<2>& state, std::size_t a, std::size_t b, const RowKey& key) {
  const Cell<2>& cell = state.globals.cell;
  const Vec2 xa = state.bodies.position[a];
  if (b >= state.grains()) return cell.rate * xa;
  return cell.rate * (xa - state.bodies.position[b] - cell.translation(key.image<2>()));
}

}  // namespace talus
