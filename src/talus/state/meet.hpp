#pragma once
// Where two bodies of the plane meet, with their outlines, places and images taken from the state.
#include <talus/geometry/manifold.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus {

inline PolygonView outline_of(const Model<2>& model, const State<2>& state, std::size_t i) {
  const Shape<2>& shape = model.shapes[state.bodies.shape[i]];
  return shape.kind == ShapeKind::polygon ? model.outlines[shape.outline]
                                          : disc_view(state.globals.radius_scale * state.bodies.radius[i]);
}

inline Placement placement_of(const State<2>& state, std::size_t i) {
  const Bodies<2>& b = state.bodies;
  return b.turn.empty() ? Placement{b.position[i]} : Placement::at(b.position[i], b.turn[i].x);
}

// Where the two bodies of a row may meet within the step; b is placed at the image that a sees.
inline Manifold meet_row(const Model<2>& model, const State<2>& state, const RowKey& key, std::size_t a, std::size_t b,
                         Real reach) {
  const Placement at_a = placement_of(state, a);
  const Shape<2>& shape_b = model.shapes[state.bodies.shape[b]];
  if (shape_b.kind == ShapeKind::plane)
    return meet_plane(outline_of(model, state, a), at_a, state.bodies.position[b], shape_b.normal, reach);
  Placement at_b = placement_of(state, b);
  at_b.position += state.globals.cell.translation(key.image<2>());
  const Vec2 apart = at_a.position - at_b.position;
  const Real far = state.globals.radius_scale * (state.bodies.radius[a] + state.bodies.radius[b]) + reach;
  if (dot(apart, apart) > far * far) return {};  // not even the circles around them meet
  return meet(outline_of(model, state, a), at_a, outline_of(model, state, b), at_b, reach);
}

// Of a against b, from the motion of the cell; a wall does not move with it.
inline Vec2 affine_velocity(const State<2>& state, std::size_t a, std::size_t b, const RowKey& key) {
  const Cell<2>& cell = state.globals.cell;
  const Vec2 xa = state.bodies.position[a];
  if (b >= state.grains()) return cell.rate * xa;
  return cell.rate * (xa - state.bodies.position[b] - cell.translation(key.image<2>()));
}

}  // namespace talus
