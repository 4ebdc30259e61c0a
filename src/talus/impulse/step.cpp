#include <talus/impulse/step.hpp>

#include <algorithm>
#include <cmath>

#include <talus/exec/host.hpp>
#include <talus/impulse/fixed_count.hpp>
#include <talus/stages/contact_geometry.hpp>
#include <talus/stages/drive_walls.hpp>
#include <talus/stages/meet.hpp>
#include <talus/stages/rays.hpp>
#include <talus/stages/shaken.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

// ---- patches -----------------------------------------------------------------------------------------------------------

constexpr u32 no_patch = ~0u;

// What the conditions see besides the velocities of the bodies: gaps that may be closed, restitution, the cell. `a`, `b`: as they move
// when the step begins, without what gravity adds in it; else a body at rest would rebound from its weight.
void set_targets(Patch& p, const Motion& a, const Motion& b, const Vec2& affine, Real restitution, Real theta,
                 Real dt) {
  p.target = {};
  const Vec3 cell{dot(p.normal, affine), dot(p.normal, affine), dot(p.tangent(), affine)};
  const Three before = p.velocities(a, b) + cell;
  for (int k = 0; k < int(p.points); ++k) {
    p.ahead[k] = p.gap[k] + (1 - theta) * dt * before[k];
    p.target[k] = max(p.ahead[k], Real(0)) / (theta * dt) + restitution * min(before[k], Real(0));
  }
  p.target += cell;
}

struct Making {
  const Model<2>& model;
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
    const Manifold m = meet_row(model, state, s.pairs.key[row], a, b, s.placement[a], s.placement[b],
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
      p.gap[k] = point.gap;
    }
    p.place = middle;
    p.lever_a[2] = moment(middle - xa, p.tangent()).x;
    p.lever_b[2] = wall ? 0 : moment(middle - xb, p.tangent()).x;
    const Bodies<2>& bodies = state.bodies;
    const PairCoefficients& pair =
        model.pairs.coefficients[bodies.material[a] * model.pairs.materials + bodies.material[b]];
    p.friction = state.globals.friction_scale * pair.friction;
    const auto at_start = [&](std::size_t i) { return Motion{bodies.velocity[i], bodies.spin[i].x, 0, 0}; };
    set_targets(p, at_start(a), at_start(b), affine_velocity(state, a, b, s.pairs.key[row]), pair.restitution,
                model.dynamics.theta, state.globals.dt);
    features[row] = {m.point[0].feature, m.count == 2 ? m.point[1].feature : no_feature};
    recall(row, features[row], p);
  }

  // Impulses of the step before. A point that is new, or whose partner point is, starts from nothing.
  void recall(std::size_t row, const Vec<2, u32>& feature, Patch& p) const {
    const Patches& old = state.patches;
    const RowKey& key = s.pairs.key[row];
    std::size_t k = s.patch_of[row];
    if (!(k < old.size() && old.key[k] == key))
      k = std::size_t(std::lower_bound(old.key.begin(), old.key.end(), key) - old.key.begin());
    if (!(k < old.size() && old.key[k] == key)) return;
    const Vec<2, u32> was = old.feature[k];
    const Vec3 impulse = old.impulse[k];
    for (int i = 0; i < int(p.points); ++i)
      for (int j = 0; j < 2; ++j)
        if (feature[i] == was[j]) p.impulse[i] = impulse[j];
    const Real now = normal_of(p.impulse), then = impulse.x + impulse.y;
    if (then > 0) p.impulse.z = impulse.z * (now / then);
  }
};

// A new list has nothing to do with what was known of the rows of the old one.
u32 search_anew(const Model<2>& model, State<2>& state, Scratch& s, Real reach) {
  s.witness.clear();
  s.patch_of.clear();
  return search(model, state, s.pairs, reach);
}

// A status. No impulse can part a grain and its own image.
u32 make_patches(const Model<2>& model, const State<2>& state, Scratch& s) {
  const std::size_t rows = s.pairs.key.size();
  s.made.resize(rows);
  s.made_feature.resize(rows);
  s.witness.resize(rows);
  s.patch_of.resize(rows, no_patch);
  s.placement.resize(state.bodies.size());
  Host::for_each(s.placement.size(), [&](std::size_t i) { s.placement[i] = placement_of(state, i); });
  Host::for_each(rows, Making{model, state, s, s.witness.data(), s.made.data(), s.made_feature.data()});
  Host::for_each(rows, [&](std::size_t row) { s.patch_of[row] = s.made[row].points == 0 ? no_patch : 0; });
  u32 kept = 0;
  bool meets_itself = false;
  for (std::size_t row = 0; row < rows; ++row)
    if (s.patch_of[row] != no_patch) {
      s.patch_of[row] = kept++;
      meets_itself = meets_itself || s.pairs.body_a[row] == s.pairs.body_b[row];
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
  return meets_itself ? own_image : fine;
}

// From the centre of a to where the force of a patch acts: the moment arms tell.
Vec2 arm_of(const Vec2& normal, const Three& lever, const Three& impulse) {
  const Real along = lever.z, across = -(lever.x * impulse.x + lever.y * impulse.y) / normal_of(impulse);
  return along * normal + across * Vec2{-normal.y, normal.x};
}

Real deepest(const Patch& p) {
  Real depth = 0;
  for (int k = 0; k < int(p.points); ++k) depth = max(depth, -p.gap[k]);
  return depth;
}

Real relative_overlap(const State<2>& state, const std::vector<Patch>& patches) {
  Real most = 0;
  for (const Patch& p : patches) most = max(most, impulse::relative_overlap(state, p));
  return most;
}

// ---- stages ------------------------------------------------------------------------------------------------------------

// 2. Velocities that bodies would have without contacts.
void kick(const Model<2>& model, const State<2>& state, Scratch& s) {
  const Bodies<2>& b = state.bodies;
  const Globals<2>& g = state.globals;
  s.motion.resize(b.size());
  Host::for_each(b.size(), [&](std::size_t i) {
    const bool moves = b.inverse_mass[i] > 0;
    s.motion[i] = {moves ? b.velocity[i] + g.dt * weight_per_mass(model, state) : b.velocity[i], b.spin[i].x,
                   b.inverse_mass[i], b.inverse_inertia[i]};
    if (moves && !b.applied.empty()) s.motion[i].velocity += (g.dt * b.inverse_mass[i]) * b.applied[i];
  });
}

// 3. Contacts are solved. How far a point of a body can come in the step.
Real way_in_a_step(const Model<2>& model, const State<2>& state, const Scratch& s, std::size_t i) {
  const Mat<2>& rate = state.globals.cell.rate;
  const auto fastest = [&](const Vec2& velocity, Real spin) {
    return length(velocity) + std::abs(spin) * state.bodies.radius[i];
  };
  Real speed = fastest(s.motion[i].velocity, s.motion[i].spin);
  if (model.dynamics.theta < 1) speed = max(speed, fastest(state.bodies.velocity[i], state.bodies.spin[i].x));
  return state.globals.dt * (speed + std::sqrt(contract(rate, rate)) * s.pairs.largest_radius);
}

// Patches are made for gaps that the step may close: each body reaches as far as it would come without contacts, and a
// quarter more.
void foresee(const Model<2>& model, const State<2>& state, Scratch& s) {
  const Real least = Real(0.5) * model.dynamics.reach * s.pairs.least_radius;
  s.reach.resize(state.bodies.size());
  Host::for_each(s.reach.size(), [&](std::size_t i) {
    const Real way = way_in_a_step(model, state, s, i), more = Real(1.25) * way;
    s.reach[i] = finite_or_infinity(max(least, 2 * more < s.pairs.largest_radius ? more : way));
  });
}

// A point that is farther away than the reach of its bodies, and comes together all the same.
struct Missed {
  const Model<2>& model;
  const State<2>& state;
  const Scratch& s;
  Witnesses* witness;

  bool operator()(std::size_t row) const {
    const std::size_t a = s.pairs.body_a[row], b = s.pairs.body_b[row];
    if (a == b || (!s.is_faster[a] && !s.is_faster[b])) return false;
    const Manifold m = meet_row(model, state, s.pairs.key[row], a, b, s.placement[a], s.placement[b],
                                way_in_a_step(model, state, s, a) + way_in_a_step(model, state, s, b), witness[row]);
    const Vec2 to_b = state.globals.cell.translation(s.pairs.key[row].image<2>()),
               affine = affine_velocity(state, a, b, s.pairs.key[row]);
    const auto velocity = [&](std::size_t i, const Vec2& arm) {
      const Real theta = model.dynamics.theta, spin = theta * s.motion[i].spin + (1 - theta) * state.bodies.spin[i].x;
      return theta * s.motion[i].velocity + (1 - theta) * state.bodies.velocity[i] + Vec2{-spin * arm.y, spin * arm.x};
    };
    for (int k = 0; k < m.count; ++k) {
      const ManifoldPoint& point = m.point[k];
      if (point.gap <= s.reach[a] + s.reach[b]) continue;
      const Vec2 of_a = velocity(a, point.at - state.bodies.position[a]),
                 of_b = b < state.grains() ? velocity(b, point.at - state.bodies.position[b] - to_b) : velocity(b, {});
      if (point.gap + state.globals.dt * dot(m.normal, of_a - of_b + affine) < 0) return true;
    }
    return false;
  }
};

// Contacts can make bodies faster than they would be without. The farthest that one came that came farther than foreseen, m.
Real farther_than_foreseen(const Model<2>& model, const State<2>& state, Scratch& s) {
  s.is_faster.resize(s.reach.size());
  Real most = 0;
  Host::raise(
      s.reach.size(),
      [&](std::size_t i) {
        const Real way = finite_or_infinity(way_in_a_step(model, state, s, i));
        s.is_faster[i] = !(way <= s.reach[i]);
        return s.is_faster[i] ? way : 0;
      },
      &most);
  return most;
}

// Does one of them meet another that it has no patch with? Then they all reach twice as far from now on.
bool reach_farther(const Model<2>& model, const State<2>& state, Scratch& s) {
  const Missed missed{model, state, s, s.witness.data()};
  bool some = false;
  for (std::size_t row = 0; row < s.pairs.key.size() && !some; ++row) some = missed(row);
  for (std::size_t i = 0; i < s.reach.size() && some; ++i)
    if (s.is_faster[i]) {
      const Real way = way_in_a_step(model, state, s, i);
      s.reach[i] = min(2 * way, max(way, Real(0.499) * s.pairs.largest_radius));
    }
  return some;
}

// A search puts bodies into another order.
u32 search_and_keep_reach(const Model<2>& model, State<2>& state, Scratch& s, Real widest) {
  const Column<u32>& uid = state.bodies.uid;
  u32 last = 0;
  for (const u32 u : uid) last = std::max(last, u);
  std::vector<Real> by_uid(1 + last);
  for (std::size_t i = 0; i < s.reach.size(); ++i) by_uid[uid[i]] = s.reach[i];
  const u32 status = search_anew(model, state, s, widest);
  for (std::size_t i = 0; i < s.reach.size(); ++i) s.reach[i] = by_uid[uid[i]];
  return status;
}

FixedCount fixed_count(const Model<2>& model, const Scratch& s) {
  return {model.dynamics.sweeps, model.dynamics.position_sweeps, 0.2, 0.005 * 2 * s.pairs.least_radius};
}

// 4. Overlaps that are left at the end of the step are taken out without momentum, once one of them matters.
// How deep that is follows the accuracy that is asked for. Of the smallest radius.
Real deepest_left(Real tolerance) { return clamp(Real(0.05) * tolerance, Real(1e-6), Real(5e-5)); }
void part(const Model<2>& model, const State<2>& state, Scratch& s) {
  const Real dt = state.globals.dt, theta = model.dynamics.theta;
  s.gap.resize(s.patches.size());
  Real most = 0;
  Host::raise(
      s.patches.size(),
      [&](std::size_t i) {
        const Patch& p = s.patches[i];
        const Three u = p.velocities(s.motion[p.a], s.motion[p.b]);  // targets included
        Real deep = 0;
        for (int k = 0; k < int(p.points); ++k) {
          s.gap[i][k] = min(p.ahead[k], Real(0)) + theta * dt * u[k];
          deep = max(deep, -s.gap[i][k]);
        }
        return deep;
      },
      &most);
  if (model.dynamics.fixed_count) {
    s.displaced = push_out(s.patches, s.motion, s.gap, fixed_count(model, s));
    return;
  }
  const Real matters = deepest_left(model.dynamics.tolerance) * s.pairs.least_radius;
  if (!(most > matters)) return s.displaced.assign(s.motion.size(), Motion{});
  // As accurately as needed to come below that, in a few sweeps where the step itself is solved roughly: what they leave is taken
  // out in the next steps.
  const i64 sweeps = clamp(i64(0.012 / model.dynamics.tolerance), i64(12), i64(100));
  s.solver.separate(s.patches, s.motion, s.gap, {min(Real(0.1) * matters / most, Real(0.1)), sweeps}, s.displaced);
}

// 5. What the step leaves behind: impulses to start from, forces on bodies, the stress, the books.
void book(const Model<2>& model, State<2>& state, const Scratch& s) {
  Bodies<2>& b = state.bodies;
  Globals<2>& g = state.globals;
  const Real per_step = 1 / g.dt;
  Patches& memory = state.patches;
  memory.resize(s.patches.size());
  Host::for_each(s.patches.size(), [&](std::size_t k) {
    const Patch& p = s.patches[k];
    memory.key[k] = s.patch_key[k];
    memory.feature[k] = s.patch_feature[k];
    memory.impulse[k] = p.impulse;
    memory.normal[k] = p.normal;
    memory.lever_a[k] = p.lever_a;
    memory.lever_b[k] = p.lever_b;
    memory.target[k] = p.target;
    memory.friction[k] = p.friction;
    memory.overlap[k] = deepest(p);
  });
  Mat<2> virial{};
  const auto before = [&](std::size_t i) { return Motion{b.velocity[i], b.spin[i].x, 0, 0}; };
  const auto with_cell = [&](std::size_t k) {
    const Patch& p = s.patches[k];
    const Vec2 affine = affine_velocity(state, p.a, p.b, s.patch_key[k]);
    return Three{dot(p.normal, affine), dot(p.normal, affine), dot(p.tangent(), affine)};
  };
  // In order of keys: one order of sums on any number of threads.
  Host::each_range(b.size(), [&](const exec::Range& mine) {
    for (std::size_t i = mine.first; i < mine.last; ++i) b.force[i] = {}, b.torque[i] = {};
    for (std::size_t k = 0; k < s.patches.size(); ++k) {
      const Patch& p = s.patches[k];
      if (normal_of(p.impulse) == 0) continue;
      const Vec2 force = per_step * p.push(p.impulse);
      if (mine.holds(p.a)) {
        b.force[p.a] += force;
        b.torque[p.a].x += per_step * dot(p.lever_a, p.impulse);
      }
      if (mine.holds(p.b)) {
        b.force[p.b] -= force;
        b.torque[p.b].x -= per_step * dot(p.lever_b, p.impulse);
      }
      if (mine.is_first()) {
        const Vec2 branch = p.b >= state.grains() ? -1.0 * arm_of(p.normal, p.lever_a, p.impulse)
                                                  : branch_of(g.cell, b.position[p.a], b.position[p.b], s.patch_key[k]);
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 2; ++j) virial(i, j) += force[i] * branch[j];
        g.boundary_work -= dot(p.impulse, with_cell(k));
        if (p.b >= state.grains() && b.inverse_mass[p.b] == 0) g.boundary_work += g.dt * dot(force, b.velocity[p.b]);
      }
      if (b.work.empty() || !mine.holds(p.a)) continue;
      // Impulses work on the mean of the velocities before and after: that makes up the change of kinetic energy exactly.
      const Three mean =
          Real(0.5) * (p.velocities(before(p.a), before(p.b)) + p.velocities(s.motion[p.a], s.motion[p.b])) - p.target;
      const Three slid = mean + with_cell(k);
      b.work[p.a].friction -= p.impulse.z * slid.z;
      b.work[p.a].viscous -= p.impulse.x * slid.x + p.impulse.y * slid.y;
    }
  });
  g.virial = virial;
  Host::for_each(b.size(), [&](std::size_t i) {
    if (b.inverse_mass[i] == 0) return;
    const Vec2 mean = Real(0.5) * (b.velocity[i] + s.motion[i].velocity);
    if (!b.applied.empty()) b.applied_work[i] += g.dt * dot(b.applied[i], mean);
    if (!b.work.empty()) b.work[i].gravity += g.dt * b.mass[i] * dot(weight_per_mass(model, state), mean);
  });
}

// 6. Positions follow.
Real move(const Model<2>& model, State<2>& state, const Scratch& s) {
  Bodies<2>& b = state.bodies;
  Globals<2>& g = state.globals;
  const Real theta = model.dynamics.theta;
  if (contract(g.cell.rate, g.cell.rate) > 0) g.cell.deform(g.dt);
  Real fastest = 0;
  Host::raise(
      b.size(),
      [&](std::size_t i) {
        const Motion& m = s.motion[i];
        const Vec2 v = theta * m.velocity + (1 - theta) * b.velocity[i];
        const Real w = theta * m.spin + (1 - theta) * b.spin[i].x;
        Vec2 x = b.position[i];
        if (i < state.grains()) x += g.dt * (g.cell.rate * x);
        b.position[i] = x + g.dt * v + s.displaced[i].velocity;
        if (!b.turn.empty()) b.turn[i].x += g.dt * w + s.displaced[i].spin;
        b.velocity[i] = m.velocity;
        b.spin[i].x = m.spin;
        return finite_or_infinity(dot(m.velocity, m.velocity) + 0 * dot(b.position[i], b.position[i]));
      },
      &fastest);
  return fastest;
}

}  // namespace

StepReport step(const Model<2>& model, State<2>& state, Scratch& s, i64 steps) {
  StepReport report;
  Globals<2>& g = state.globals;
  for (i64 n = 0; n < steps && report.status == fine; ++n) {
    drive_walls(model, state, push_membrane(model, state));
    SolverReport solved;
    if (!s.pairs.valid || shaken(model, state)) report.status |= search_anew(model, state, s, 0);
    kick(model, state, s);
    foresee(model, state, s);
    for (Real farther = 0;;) {
      Real widest = 2 * farther;
      for (const Real reach : s.reach) widest = max(widest, 2 * reach);
      if (!(widest < HUGE_VAL))
        report.status |= not_finite;
      else if (!(widest < s.pairs.largest_radius))
        report.status |= too_fast;
      if (report.status == fine && is_stale(state, s.pairs, widest))
        report.status |= search_and_keep_reach(model, state, s, widest);
      if (report.status != fine) return report;
      kick(model, state, s);
      report.status |= make_patches(model, state, s);
      if (report.status != fine) return report;
      const DynamicsOptions& o = model.dynamics;
      solved = o.fixed_count ? solve_fixed_count(s.patches, s.motion, fixed_count(model, s))
                             : s.solver.solve(s.patches, s.motion, {o.tolerance, o.max_sweeps, o.acceleration});
      farther = farther_than_foreseen(model, state, s);
      // All neighbours must be in the list before it can be said whether one was missed: once more with those.
      if (farther > 0 && (!(2 * farther < s.pairs.largest_radius) || is_stale(state, s.pairs, 2 * farther))) continue;
      report.sweeps += solved.sweeps;
      if (!(farther > 0) || !reach_farther(model, state, s)) break;
      farther = 0;
    }
    report.capped += solved.capped;
    report.residual = max(report.residual, solved.residual);
    report.overlap = max(report.overlap, relative_overlap(state, s.patches));
    part(model, state, s);
    book(model, state, s);
    const Real speed = move(model, state, s);
    if (!(speed < HUGE_VAL)) report.status |= not_finite;
    if (!(report.overlap <= model.options.overlap_limit)) report.status |= deep_overlap;
    ++g.step;
    g.time += g.dt;
  }
  return report;
}

StepReport look(const Model<2>& model, State<2>& state, Scratch& s) {
  StepReport report;
  report.status = search_anew(model, state, s, 0);
  if (report.status != fine) return report;
  kick(model, state, s);
  s.reach.assign(state.bodies.size(), 0);
  report.status = make_patches(model, state, s);
  report.overlap = relative_overlap(state, s.patches);
  return report;
}

Real relative_overlap(const State<2>& state, const Patch& p) {
  const Real ra = state.bodies.radius[p.a], rb = state.bodies.radius[p.b];
  return deepest(p) / (rb > 0 ? min(ra, rb) : ra);
}

u32 culprit(const State<2>& state, u32 status) {
  const Bodies<2>& b = state.bodies;
  Real worst = -1;
  u32 uid = 0;
  const auto offer = [&](u32 who, Real badness) {
    if (badness > worst || (badness == worst && who < uid)) worst = badness, uid = who;
  };
  if (status & deep_overlap)
    for (std::size_t k = 0; k < state.patches.size(); ++k) offer(state.patches.key[k].a, state.patches.overlap[k]);
  else
    for (std::size_t i = 0; i < state.grains(); ++i)
      offer(b.uid[i],
            finite_or_infinity(dot(b.position[i], b.position[i]) * Real(0) + dot(b.velocity[i], b.velocity[i])));
  return uid;
}

ContactList<2> contacts(const State<2>& state) {
  const Bodies<2>& b = state.bodies;
  const Patches& p = state.patches;
  const std::vector<u32> index = index_by_uid(b);
  ContactList<2> list;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const Vec3 impulse = p.impulse[k];
    if (!(normal_of(impulse) > 0)) continue;
    const Vec2 n = p.normal[k], t{-n.y, n.x};
    const u32 first = index[p.key[k].a], second = index[p.key[k].b];
    const Real ra = b.radius[first], rb = b.radius[second];
    const Vec2 branch = second >= state.grains()
                            ? -1.0 * arm_of(n, p.lever_a[k], impulse)
                            : branch_of(state.globals.cell, b.position[first], b.position[second], p.key[k]);
    list.push_back({p.key[k],
                    first,
                    second,
                    0,
                    n,
                    branch,
                    (1 / state.globals.dt) * (normal_of(impulse) * n + impulse.z * t),
                    p.overlap[k],
                    p.overlap[k] / (rb > 0 ? min(ra, rb) : ra),
                    0,
                    {},
                    arm_of(n, p.lever_a[k], impulse)});
  }
  return list;
}

}  // namespace talus::impulse
