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
  Span<const Closing> closing;  // of all bodies; empty: no wall closes in
  Cell<D> cell;
  Real radius_scale, radius_step;  // scale now; its change in this step
  u32 grains;

  TALUS_HD BodyView at(const Globals<D>& g) const {  // the same bodies in the cell of this moment
    BodyView now = *this;
    now.cell = g.cell;
    now.radius_scale = g.radius_scale;
    now.radius_step = g.dt * g.radius_rate;
    return now;
  }
  // m/s, at which the surface of a wall moves along its own normal.
  TALUS_HD Real closing_speed(u32 wall_body) const { return closing.size > 0 ? closing[wall_body].speed : Real(0); }
};

template <int D, class T = Real>
struct Contact {  // geometry of one row
  Vec<D, T> normal, branch;
  T overlap, radius;     // m; reduced radius
  T arm_a, arm_b;        // m, centre to contact; 0 on a wall
  T depth;               // m, radius minus arm of a ball
  T radius_a, radius_b;  // m; 0 on a wall
};

// Of the two bodies; walls have none.
template <int D, class T>
TALUS_HD T smaller_radius(const Contact<D, T>& c) {
  const T zero = 0;
  return select(c.radius_a == zero, c.radius_b, select(c.radius_b == zero, c.radius_a, min(c.radius_a, c.radius_b)));
}

// From b's image to a.
template <int D>
TALUS_HD Vec<D> branch_of(const Cell<D>& cell, const Vec<D>& a, const Vec<D>& b, const RowKey& key) {
  return key.has_image() ? a - b - cell.translation(key.image<D>()) : a - b;
}

// Two balls, in every lane.
template <int D, class T>
TALUS_HD Contact<D, T> touch_pair(const Vec<D, T>& branch, const T& ra, const T& rb) {
  const NormalOverlap<D, T> m = touch_balls(branch, ra, rb);
  const T half = T(0.5) * m.overlap;
  return {m.normal, branch, m.overlap, ra * rb / (ra + rb), ra - half, rb - half, half, ra, rb};
}

// A ball and a wall, which counts as flat where they meet and has no arm.
template <int D>
TALUS_HD Contact<D> touch_wall(const BodyView<D>& v, u32 a, u32 b, const Vec<D>& branch, Real ra, Real rb) {
  const bool wall_is_b = b >= v.grains;
  const u32 wall = wall_is_b ? b : a;
  Surface<D> s = v.shapes[v.shape[wall]].wall.at(wall_is_b ? branch : -branch);
  if (v.closing.size > 0) s.gap -= v.closing[wall].way;
  const Real r = wall_is_b ? ra : rb, overlap = r - s.gap;
  const Vec<D> normal = wall_is_b ? s.normal : -s.normal;
  if (wall_is_b) return {normal, s.gap * normal, overlap, r, s.gap, 0, overlap, r, 0};
  return {normal, s.gap * normal, overlap, r, 0, s.gap, overlap, 0, r};
}

// The stage "touch": where two bodies meet.
template <int D>
TALUS_HD Contact<D> touch(const BodyView<D>& v, u32 a, u32 b, const RowKey& key) {
  const Vec<D> branch = branch_of(v.cell, v.position[a], v.position[b], key);
  const Real ra = v.radius_scale * v.radius[a], rb = v.radius_scale * v.radius[b];
  return a < v.grains && b < v.grains ? touch_pair(branch, ra, rb) : touch_wall(v, a, b, branch, ra, rb);
}

template <int D>
BodyView<D> body_view(const Model<D>& model, const State<D>& state) {
  const Bodies<D>& b = state.bodies;
  const Globals<D>& g = state.globals;
  return {b.position.span(),     b.velocity.span(),    b.spin.span(),       b.radius.span(),
          b.inverse_mass.span(), b.shape.span(),       model.shapes.span(), b.closing.span(), g.cell,
          g.radius_scale,        g.dt * g.radius_rate, u32(state.grains())};
}

}  // namespace talus
