#pragma once
// Where two bodies of a row meet: the stage "touch", shared by the methods and the measures.
#include <talus/contact/row_key.hpp>
#include <talus/geometry/cell.hpp>
#include <talus/geometry/shape.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus {

template <int D>
struct BodyView {
  Span<const Vec<D>> position, velocity;
  Span<const Spin<D>> spin;
  Span<const Real> radius, inverse_mass;
  Span<const u32> shape;
  Span<const Shape<D>> shapes;
  Cell<D> cell;
  Real radius_scale, radius_step;  // scale now; its change in this step
  u32 grains;
};

template <int D>
struct Contact {  // geometry of one row
  Vec<D> normal, branch;
  Real overlap, radius;     // m; reduced radius
  Real arm_a, arm_b;        // m, centre to contact; 0 on a wall
  Real radius_a, radius_b;  // m; 0 on a wall
};

// Of the two bodies; walls have none.
template <int D>
TALUS_HD Real smaller_radius(const Contact<D>& c) {
  return c.radius_a == 0 ? c.radius_b : c.radius_b == 0 ? c.radius_a : min(c.radius_a, c.radius_b);
}

// Certainly apart, seen without a root: two balls whose centres are further than their radii by more than rounding.
template <int D>
TALUS_HD bool apart(const BodyView<D>& v, u32 a, u32 b, const RowKey& key) {
  if (a >= v.grains || b >= v.grains) return false;
  Vec<D> branch = v.position[a] - v.position[b];
  if (key.detail != 0) branch = branch - v.cell.translation(key.image<D>());
  const Real reach = v.radius_scale * (v.radius[a] + v.radius[b]);
  return dot(branch, branch) > Real(1.0000001) * reach * reach;
}

// The stage "touch": where two bodies meet. Planes have no curvature and no arm.
template <int D>
TALUS_HD Contact<D> touch(const BodyView<D>& v, u32 a, u32 b, const RowKey& key) {
  Vec<D> branch = v.position[a] - v.position[b];
  if (key.detail != 0) branch = branch - v.cell.translation(key.image<D>());
  if (a < v.grains && b < v.grains) {
    const Real ra = v.radius_scale * v.radius[a], rb = v.radius_scale * v.radius[b];
    const Meeting<D> m = touch_balls(branch, ra, rb);
    return {m.normal, branch, m.overlap, ra * rb / (ra + rb), ra - m.overlap / 2, rb - m.overlap / 2, ra, rb};
  }
  const bool wall_is_b = b >= v.grains;
  const Vec<D> out = v.shapes[v.shape[wall_is_b ? b : a]].normal;
  const Real r = v.radius_scale * v.radius[wall_is_b ? a : b];
  const Meeting<D> m = touch_plane(wall_is_b ? branch : -branch, r, out);
  const Vec<D> normal = wall_is_b ? out : -out;
  if (wall_is_b) return {normal, m.distance * normal, m.overlap, r, m.distance, 0, r, 0};
  return {normal, m.distance * normal, m.overlap, r, 0, m.distance, 0, r};
}

template <int D>
BodyView<D> body_view(const Model<D>& model, const State<D>& state) {
  const Bodies<D>& b = state.bodies;
  const Globals<D>& g = state.globals;
  return {b.position.span(),
          b.velocity.span(),
          b.spin.span(),
          b.radius.span(),
          b.inverse_mass.span(),
          b.shape.span(),
          {model.shapes.data(), model.shapes.size()},
          g.cell,
          g.radius_scale,
          g.dt * g.radius_rate,
          u32(state.grains())};
}

}  // namespace talus
