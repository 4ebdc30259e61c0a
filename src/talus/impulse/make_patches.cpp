#include <talus/impulse/make_patches.hpp>

#include <algorithm>

#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/impulse/elastic.hpp>
#include <talus/impulse/progress.hpp>
#include <talus/stages/row_manifold.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

// What the conditions see besides the velocities of the bodies: gaps that may be closed, the cell, and restitution where the stage
// "collide" has not seen to it (a game engine's solver). `a`, `b`: as they move when the step begins, without what gravity adds in it;
// else a body at rest would rebound from its weight.
void set_bias(Patch& p, const Motion& a, const Motion& b, const Vec2& affine, Real restitution, Real theta, Real dt) {
  p.bias = {};
  const Vec3 cell{dot(p.normal, affine), dot(p.normal, affine), dot(p.tangent(), affine)};
  const PatchVec before = p.velocities(a, b) + cell;
  for (int k = 0; k < int(p.points); ++k) {
    p.ahead[k] = p.gap[k] + (1 - theta) * dt * before[k];
    p.bias[k] = max(p.ahead[k], Real(0)) / (theta * dt) + restitution * min(before[k], Real(0));
  }
  p.bias += cell;
}

// Of a against b at the points, without what the conditions add.
PatchVec opening(const Patch& p, const Motion& a, const Motion& b) { return p.velocities(a, b) - p.bias; }

// What touches with a round corner or a disc is one spring; of two polygons, or a polygon and a wall, each point is half of one: two of them carry an edge (note 017).
Real share_of_point(const Model<2>& model, const State<2>& state, const Patch& p) {
  const auto is_sharp = [&](u32 i) {  // or a wall
    if (i >= state.grains()) return true;
    const Shape<2>& shape = model.shapes[state.bodies.shape[i]];
    return shape.kind == ShapeKind::polygon && (shape.parts > 1 || model.outlines[shape.outline].corners.size > 1);
  };
  return is_sharp(p.a) && is_sharp(p.b) ? Real(0.5) : Real(1);
}

// The law of the pair instead of what is said of rigid points. `guess`: opening velocities, `affine`: that of the cell, both near the end of the step; `shear`: N, along
// the tangent. Returns the largest impulse by which p is off its law, N s: not zero where the law is not linear.
Real make_elastic(const Model<2>& model, const State<2>& state, Patch& p, const Vec2& affine, const PatchVec& guess, Real shear) {
  const Bodies<2>& b = state.bodies;
  const Real dt = state.globals.dt, share = share_of_point(model, state, p);
  const Instant now{dt, 0, state.globals.friction_scale};
  const Vec3 cell{dot(p.normal, affine), dot(p.normal, affine), dot(p.tangent(), affine)};
  PatchTouch<2> touch;
  touch.normal = p.normal;
  touch.radius = state.globals.radius_scale * reduced(b.radius[p.a], p.b < state.grains() ? b.radius[p.b] : 0);
  touch.mass = reduced(b.inverse_mass[p.a] > 0 ? b.mass[p.a] : 0, b.inverse_mass[p.b] > 0 ? b.mass[p.b] : 0);
  const u32 slot = b.material[p.a] * model.pairs.materials + b.material[p.b];
  Real off = 0, slip = 0, held = 0;
  bool pushes = false;
  p.bias = cell;
  for (int k = 0; k < int(p.points); ++k) {
    touch.overlap = -p.gap[k];
    const Real opens = guess[k] + cell[k];
    const Soft<2> soft = soften<2>(model.pairs, slot, touch, now, opens * p.normal, shear * p.tangent());
    const ElasticRow row = elastic_row(soft.a, soft.b, dt * share);
    p.bias[k] += row.bias;
    p.softness[k] = row.softness;
    off = max(off, std::abs(dt * share * max(soft.a - soft.b * opens, Real(0)) - p.impulse[k]));
    pushes = pushes || soft.b > 0;
    if (soft.slip > slip) slip = soft.slip, held = dot(soft.shear, p.tangent());
  }
  if (pushes && !(slip > 0)) p.friction = 0;  // a law without shear stiffness
  const ElasticRow across = elastic_row(held, slip, dt);
  p.bias.z += slip > 0 ? across.bias : 0;
  p.softness.z = across.softness;
  return off;
}

// One row of the list.
struct Making {
  const Model<2>& model;
  const StepOptions& options;
  const State<2>& state;
  const Scratch& s;
  Witnesses* witness;
  Patch* patches;  // one per row of the list; those of no points are dropped
  Vec<2, u32>* features;

  void operator()(std::size_t row) const {
    Patch& p = patches[row];
    p.points = 0;
    const std::size_t a = s.pairs.body_a[row], b = s.pairs.body_b[row];
    // A grain and its own image move alike: the gap between them closes by no step, but for what the cell and spin do.
    const Manifold m = row_manifold(model, state, s.pairs.key[row], a, b, s.placement[a], s.placement[b],
                                    a == b ? 0 : s.reach[a] + s.reach[b], witness[row]);
    if (m.count == 0) return;
    const Cell<2>& cell = state.globals.cell;
    const Vec2 xa = state.bodies.position[a];
    const bool wall = b >= state.grains();
    const Vec2 xb = state.bodies.position[b] + cell.translation(s.pairs.key[row].image<2>());
    p = {};
    p.a = u32(a);
    p.b = u32(b);
    p.normal = m.normal;
    p.points = u32(m.count);
    Vec2 middle{};
    for (int k = 0; k < m.count; ++k) {
      const ManifoldPoint& point = m.point[k];
      middle += (1 / Real(m.count)) * point.at;
      p.lever_a[k] = moment(point.at - xa, m.normal).x;
      p.lever_b[k] = wall ? 0 : moment(point.at - xb, m.normal).x;
      p.alone_a[k] = moment(point.at - xa, p.tangent()).x;
      p.alone_b[k] = wall ? 0 : moment(point.at - xb, p.tangent()).x;
      p.gap[k] = point.gap;
    }
    p.place = middle;
    // Friction acts at the point that will be the nearer one: it carries. Where both do, both lie in one plane along the tangent and
    // have one arm. With the middle of both the arm was wrong by a quarter of the gap of a point that does not carry.
    const auto later = [&](int k) {
      return p.gap[k] + state.globals.dt * (p.lever_a[k] * state.bodies.spin[a].x - p.lever_b[k] * state.bodies.spin[b].x);
    };
    const int nearer = m.count == 2 && later(1) < later(0) ? 1 : 0;
    p.lever_a[2] = p.alone_a[nearer];
    p.lever_b[2] = p.alone_b[nearer];
    const Bodies<2>& bodies = state.bodies;
    const PairCoefficients& pair = pair_of(model, state, a, b);
    p.friction = state.globals.friction_scale * pair.friction;
    const auto at_start = [&](std::size_t i) { return Motion{bodies.velocity[i], bodies.spin[i].x, 0, 0}; };
    set_bias(p, at_start(a), at_start(b), affine_velocity(state, a, b, s.pairs.key[row]),
             options.fixed_count ? pair.restitution : 0, options.theta, state.globals.dt);
    features[row] = {m.point[0].feature, m.count == 2 ? m.point[1].feature : no_feature};
    const Real shear = recall(row, features[row], p) / state.globals.dt;
    if (options.elastic) make_elastic(model, state, p, affine_velocity(state, a, b, s.pairs.key[row]), opening(p, at_start(a), at_start(b)), shear);
  }

  // Impulses of the step before. A point that is new, or whose partner point is, starts from nothing. Returns the friction of the pair.
  Real recall(std::size_t row, const Vec<2, u32>& feature, Patch& p) const {
    const Patches& old = state.patches;
    const RowKey& key = s.pairs.key[row];
    std::size_t k = s.patch_of[row];
    if (!(k < old.size() && old.key[k] == key))
      k = std::size_t(std::lower_bound(old.key.begin(), old.key.end(), key) - old.key.begin());
    if (!(k < old.size() && old.key[k] == key)) return 0;
    const Vec<2, u32> was = old.feature[k];
    const Vec3 impulse = old.impulse[k];
    for (int i = 0; i < int(p.points); ++i)
      for (int j = 0; j < 2; ++j)
        if (feature[i] == was[j]) p.impulse[i] = impulse[j];
    const Real now = normal_of(p.impulse), then = impulse.x + impulse.y;
    if (then > 0) p.impulse.z = impulse.z * (now / then);
    return impulse.z;
  }
};

// Numbers the rows that have a patch and puts their patches side by side, in order of keys.
u32 drop_empty(Scratch& s) {
  const std::size_t rows = s.pairs.key.size();
  Host::for_each(rows, [&](std::size_t row) { s.patch_of[row] = s.made[row].points == 0 ? no_patch : 0; });
  u32 kept = 0;
  bool touches_itself = false;
  for (std::size_t row = 0; row < rows; ++row)
    if (s.patch_of[row] != no_patch) {
      s.patch_of[row] = kept++;
      touches_itself = touches_itself || s.pairs.body_a[row] == s.pairs.body_b[row];
    }
  s.patches.resize(kept);
  s.patch_feature.resize(kept);
  s.patch_key.resize(kept);
  Host::for_each(rows, [&](std::size_t row) {
    const u32 to = s.patch_of[row];
    if (to == no_patch) return;
    s.patches[to] = s.made[row];
    s.patch_feature[to] = s.made_feature[row];
    s.patch_key[to] = s.pairs.key[row];
  });
  return touches_itself ? own_image : fine;
}

}  // namespace

Real renew_elastic(const Model<2>& model, const State<2>& state, Scratch& s) {
  const exec::Stage timed("touch");
  const Patches& old = state.patches;
  Real off = 0, sum = 0;
  i64 pushing = 0;
  for (const Patch& p : s.patches) sum += normal_of(p.impulse), pushing += normal_of(p.impulse) > 0;
  Host::raise(
      s.patches.size(),
      [&](std::size_t n) {
        Patch& p = s.patches[n];
        const RowKey& key = s.patch_key[n];
        const auto k = std::size_t(std::lower_bound(old.key.begin(), old.key.end(), key) - old.key.begin());
        const Real shear = k < old.size() && old.key[k] == key ? old.impulse[k].z / state.globals.dt : 0;
        return make_elastic(model, state, p, affine_velocity(state, p.a, p.b, key), opening(p, s.motion[p.a], s.motion[p.b]), shear);
      },
      &off);
  return relative_residual(off, sum, pushing);
}

u32 make_patches(const Model<2>& model, const StepOptions& options, const State<2>& state, Scratch& s) {
  const exec::Stage timed("touch");
  const std::size_t rows = s.pairs.key.size();
  s.made.resize(rows);
  s.made_feature.resize(rows);
  s.witness.resize(rows);
  s.patch_of.resize(rows, no_patch);
  s.placement.resize(state.bodies.size());
  Host::for_each(s.placement.size(), [&](std::size_t i) { s.placement[i] = placement_of(state, i); });
  Host::for_each(rows, Making{model, options, state, s, s.witness.data(), s.made.data(), s.made_feature.data()});
  return drop_empty(s);
}

}  // namespace talus::impulse
