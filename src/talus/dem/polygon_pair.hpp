#pragma once
// Two bodies of a row and the sums over their springs: what the step, its time step and the measures start from.
#include <talus/dem/polygon_springs.hpp>
#include <talus/stages/contact_geometry.hpp>

namespace talus::dem::polygons {

using Law = Linear<2>;

inline const Column<Law::Params>& constants(const Model<2>& model) {
  return std::get<law_index<Law>>(model.pairs.constants.of);
}

inline Real dashpot(const Law::Params& law, Real mass) {
  return law.damping > 0 ? 2 * law.damping * std::sqrt(law.normal_stiffness * mass) : 0;
}

// Springs of a pair as bodies lie.
struct Pair {
  const Model<2>& model;
  const State<2>& state;
  const Scratch& s;
  const u32 i, j;
  const Outlined a, b;
  const bool wall;
  const Vec2 between, normal;  // from b to a; of the wall

  Pair(const Model<2>& m, const State<2>& st, const Scratch& sc, std::size_t r)
      : model(m),
        state(st),
        s(sc),
        i(sc.pairs.body_a[r]),
        j(sc.pairs.body_b[r]),
        a{sc.placed[i], core_of(m, st.bodies, i)},
        b{sc.placed[j], core_of(m, st.bodies, j)},
        wall(j >= st.grains()),
        between(branch_of(st.globals.cell, a.position, b.position, sc.pairs.key[r])),
        normal(wall ? m.shapes[st.bodies.shape[j]].wall.at(between).normal : Vec2{}) {}

  template <class F>
  void springs(const Vec2& axis, Real slack, F&& f) const {
    const Real scale = state.globals.radius_scale;
    if (wall)
      for_each_wall_spring(a, between, normal, scale, slack, f);
    else
      for_each_spring(a, b, between, axis, scale, slack, f);
  }

  Real smaller_radius() const { return wall ? a.radius : min(a.radius, b.radius); }
  Real mass() const { return 1 / (a.inverse_mass + b.inverse_mass); }  // reduced

  // Of a against b, of their centres, without spin.
  Vec2 velocity() const {
    const Mat<2>& rate = state.globals.cell.rate;
    return a.velocity - b.velocity + rate * (wall ? a.position : between);  // a wall does not move with the cell
  }
  // At a place seen from the centre of a.
  TALUS_INLINED Vec2 velocity_at(const Vec2& at, const Vec2& centres) const {
    return centres + cross(Spin<2>{a.spin}, at) - cross(Spin<2>{b.spin}, between + at);
  }
  // Of a force on a with its moment about a, by the velocities of now.
  Real power(const Vec3& push, const Vec2& centres) const {
    const Vec2 force{push.x, push.y};
    const Real on_b = -(push.z + moment(between, force).x);
    return dot(force, centres) + push.z * a.spin + on_b * b.spin;
  }
};

// Sums over the springs of a pair, in units of the stiffness.
struct Patch {
  Vec2 push{};                       // m
  Vec2 middle{};                     // m^2, from the centre of a
  Real moment = 0;                   // m^2, about the centre of a
  Real size = 0, square = 0;         // m, m^2: of overlaps
  Real deepest = 0, gap = HUGE_VAL;  // m
  Vec2 nearest{};                    // the normal there

  TALUS_INLINED void add(const Spring& p) {
    if (-p.overlap < gap) gap = -p.overlap, nearest = p.normal;
    if (!(p.overlap > 0)) return;
    const Real share = p.weight * p.overlap;
    push += share * p.normal;
    moment += talus::moment(p.at, share * p.normal).x;
    middle += share * p.at;
    size += share;
    square += share * p.overlap;
    deepest = max(deepest, p.overlap);
  }
  bool touches() const { return size > 0; }
  Vec2 normal() const {
    const Real l = length(push);
    return l > 0 ? (1 / l) * push : nearest;
  }
  Vec2 centre() const { return (1 / size) * middle; }
};

}  // namespace talus::dem::polygons
