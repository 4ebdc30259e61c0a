#include <talus/dem/polygons.hpp>

#include <algorithm>
#include <cmath>

#include <talus/core/triple.hpp>
#include <talus/dem/polygon_pair.hpp>
#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/geometry/shape_table.hpp>
#include <talus/stages/drive_walls.hpp>
#include <talus/stages/rays.hpp>
#include <talus/stages/shaken.hpp>

namespace talus::dem::polygons {
namespace {

using exec::Host;

// ---- pairs -------------------------------------------------------------------------------------------------------------

// Bodies that their pairs see: places of this moment.
void place(const Model<2>& model, const State<2>& state, Scratch& s) {
  const Bodies<2>& b = state.bodies;
  const Real scale = state.globals.radius_scale;
  s.placed.resize_unset(b.size());
  Host::for_each(b.size(), [&](std::size_t i) {
    const HeartView heart = heart_of(model, b, i);
    Placed p;
    p.position = b.position[i];
    p.velocity = b.velocity[i];
    p.spin = b.spin[i].x;
    p.inverse_mass = b.inverse_mass[i];
    if (heart.edges.size > 1) {
      p.cosine = std::cos(b.turn[i].x);
      p.sine = std::sin(b.turn[i].x);
    }
    p.depth = scale * heart.depth;
    p.radius = scale * b.radius[i];
    s.placed[i] = p;
  });
}

// Pairs of each body in order of keys.
void list_incident(std::size_t bodies, Scratch& s) {
  s.first.assign(bodies + 1, 0);
  const std::size_t pairs = s.pairs.key.size();
  for (std::size_t r = 0; r < pairs; ++r) ++s.first[s.pairs.body_a[r]], ++s.first[s.pairs.body_b[r]];
  Host::scan(s.first.span());
  s.incident.resize_unset(2 * pairs);
  Column<u32> next = s.first;
  for (std::size_t r = 0; r < pairs; ++r) {
    s.incident[next[s.pairs.body_a[r]]++] = u32(2 * r);
    s.incident[next[s.pairs.body_b[r]]++] = u32(2 * r + 1);
  }
}

// What pairs remember, put into the state.
void keep(State<2>& state, const Scratch& s) {
  Springs& kept = state.springs;
  kept.clear();
  for (std::size_t r = 0; r < s.pairs.key.size(); ++r) {
    if (s.shear[r] == 0 && s.viscous[r] == Vec3{}) continue;
    kept.key.push_back(s.pairs.key[r]);
    kept.shear.push_back(s.shear[r]);
    kept.viscous.push_back(s.viscous[r]);
  }
}

u32 find_pairs(const Model<2>& model, State<2>& state, Scratch& s) {
  const exec::Stage timed("search");
  u32 status = search(model, state, s.pairs, 0);
  const std::size_t pairs = s.pairs.key.size();
  s.shear.assign(pairs, 0);
  s.viscous.assign(pairs, {});
  s.touches.assign(pairs, 0);
  s.wake.assign(pairs, -1);
  s.action.resize_unset(pairs);
  s.work.resize_unset(model.options.ledger ? pairs : 0);
  s.params.resize_unset(pairs);
  s.axis.resize_unset(pairs);
  s.travelled = 0;
  s.reference_scale = state.globals.radius_scale;
  const Bodies<2>& b = state.bodies;
  std::size_t found = 0;
  for (std::size_t r = 0, old = 0; r < pairs; ++r) {
    const u32 i = s.pairs.body_a[r], j = s.pairs.body_b[r];
    const RowKey& key = s.pairs.key[r];
    const Vec2 between = branch_of(state.globals.cell, b.position[i], b.position[j], key);
    const Real apart = length(between);
    s.axis[r] = apart > 0 ? (1 / apart) * between : Vec2{1, 0};
    s.params[r] = model.pairs.params[b.material[i] * model.pairs.materials + b.material[j]];
    while (old < state.springs.size() && state.springs.key[old] < key) ++old;
    if (old == state.springs.size() || !(state.springs.key[old] == key)) continue;
    s.shear[r] = state.springs.shear[old];
    s.viscous[r] = state.springs.viscous[old];
    ++found;
  }
  if (found < state.springs.size()) status |= lost_history;
  list_incident(b.size(), s);
  u32 most = 0;
  for (const u32 uid : b.uid) most = max(most, uid);
  s.virial_of_uid.assign(b.size() == 0 ? 0 : std::size_t(most) + 1, {});
  return status;
}

// ---- one pair ----------------------------------------------------------------------------------------------------------

// The stages touch and act. Returns the overlap over the smaller radius.
struct Act {
  const Model<2>& model;
  const State<2>& state;
  Scratch& s;

  Real operator()(std::size_t r) const {
    if (s.travelled < s.wake[r]) return 0;
    const Pair pair(model, state, s, r);
    const Law::Params& law = constants(model)[s.params[r]];
    const Real damping = dashpot(law, pair.mass());
    const Vec2 centres = pair.velocity();
    Patch patch;
    Vec2 braked{};
    Real braked_moment = 0, growth = 0;
    const Globals<2>& g = state.globals;
    pair.springs(s.axis[r], 0, [&](const Spring& p) {
      patch.add(p);
      if (!(p.overlap > 0)) return;
      const Real rate = dot(p.normal, pair.velocity_at(p.at, centres));
      if (damping > 0) {
        const Vec2 force = (-p.weight * damping * rate) * p.normal;
        braked += force;
        braked_moment += moment(p.at, force).x;
      }
      if (g.radius_rate != 0) {  // the force in the middle of the step times what radii add to the overlap
        const Real grown = g.dt * g.radius_rate / g.radius_scale * (p.overlap + dot(p.normal, pair.between));
        growth += grown * law.normal_stiffness * p.weight * (p.overlap - (grown - g.dt * rate) / 2);
      }
    });
    if (!patch.touches()) return open(r, pair, law, centres);
    s.touches[r] = touching;
    s.wake[r] = -1;
    const Vec2 normal = patch.normal(), tangent{-normal.y, normal.x}, centre = patch.centre();
    s.axis[r] = normal;
    const Vec2 pushed = law.normal_stiffness * patch.push + braked;
    const Real slip = dot(tangent, pair.velocity_at(centre, centres));
    const Real limit = g.friction_scale * law.friction * max(dot(pushed, normal), Real(0));
    BodyWork work{};
    const Vec<1> held = slide(Vec<1>{s.shear[r]}, Vec<1>{-law.shear_stiffness * g.dt * slip}, limit,
                              law.shear_stiffness, work.friction);
    s.shear[r] = held.x + Real(0);  // no zero with a sign: it would be lost in the state
    const Vec2 sheared = s.shear[r] * tangent, force = pushed + sheared;
    const Real moment_a = law.normal_stiffness * patch.moment + braked_moment + moment(centre, sheared).x;
    s.action[r] = {force, moment_a, -(moment_a + moment(pair.between, force).x), pair.wall ? -centre : pair.between};
    if (!s.work.empty()) {
      const Vec3 viscous{braked.x + Real(0), braked.y + Real(0), braked_moment + Real(0)};
      work.viscous = Real(-0.5) * g.dt * pair.power(s.viscous[r] + viscous, centres);
      work.growth = growth;
      s.viscous[r] = viscous;
      s.work[r] = work;
    }
    return patch.deepest / pair.smaller_radius();
  }

  // A contact that opens forgets; what its spring held is booked as lost. Its dashpots acted through the first half of this
  // step. How far apart the bodies are says for how long they need not be looked at.
  Real open(std::size_t r, const Pair& pair, const Law::Params& law, const Vec2& centres) const {
    if (s.touches[r] == touching || s.shear[r] != 0 || !(s.viscous[r] == Vec3{})) {
      s.action[r] = {};
      if (!s.work.empty()) {
        BodyWork work{};
        work.viscous = Real(-0.5) * state.globals.dt * pair.power(s.viscous[r], centres);
        if (law.shear_stiffness > 0) work.stiffness = Real(0.5) * s.shear[r] * s.shear[r] / law.shear_stiffness;
        s.work[r] = work;
      }
      s.shear[r] = 0;
      s.viscous[r] = {};
      s.touches[r] = opening;
      return 0;
    }
    s.touches[r] = apart;
    const Real slack = Real(0.02) * pair.smaller_radius();
    Patch patch;
    pair.springs(s.axis[r], slack, [&](const Spring& p) { patch.add(p); });
    if (patch.gap < HUGE_VAL) s.axis[r] = patch.nearest;
    s.wake[r] = s.travelled + Real(0.999999) * min(slack, patch.gap);
    return 0;
  }
};

// ---- stages ------------------------------------------------------------------------------------------------------------

// 1. Walls and cell are driven; cell and radii move on.
void drive(const Model<2>& model, State<2>& state, Real sleeve) {
  Globals<2>& g = state.globals;
  drive_walls(model, state, sleeve);
  if (contract(g.cell.rate, g.cell.rate) > 0) g.cell.deform(g.dt);
  g.radius_scale += g.dt * g.radius_rate;
}

// 2. First half kick and drift. Returns the square of how far surfaces may have come, or infinity.
struct Move {
  Bodies<2>& b;
  const Globals<2>& g;
  std::size_t grains;
  Real operator()(std::size_t i) const {
    const Real half = Real(0.5) * g.dt;
    Vec2 v = b.velocity[i];
    Real w = b.spin[i].x;
    if (i < grains) {
      v += (half * b.inverse_mass[i]) * b.force[i];
      w += half * b.inverse_inertia[i] * b.torque[i].x;
      b.position[i] += g.dt * (g.cell.rate * b.position[i]);
      b.velocity[i] = v;
      b.spin[i].x = w;
    }
    b.position[i] += g.dt * v;
    if (!b.turn.empty()) b.turn[i].x += g.dt * w;
    const Real way = g.dt * (length(v) + std::abs(w) * g.radius_scale * b.radius[i]);
    return finite_or_infinity(way * way);
  }
};

// By how much a gap may have become narrower in this step.
Real narrowed(const State<2>& state, const Scratch& s, Real way) {
  const Globals<2>& g = state.globals;
  const Real size = 2 * s.pairs.largest_radius * 2 + s.pairs.skin;
  return 2 * way + g.dt * (std::sqrt(contract(g.cell.rate, g.cell.rate)) + std::abs(g.radius_rate)) * size;
}

// Could bodies touch that are not in the list?
bool is_outdated(const State<2>& state, const Scratch& s) {
  const Real growth = state.globals.radius_scale / s.reference_scale - 1;
  return is_stale(state, s.pairs, 2 * s.pairs.largest_radius * max(growth, Real(0)));
}

// 6., 7. The sum over the pairs of each body, gravity, damping, second half kick.
struct Gather {
  const Model<2>& model;
  State<2>& state;
  Scratch& s;

  Real operator()(std::size_t i) const {
    Bodies<2>& b = state.bodies;
    Vec2 pushed{};
    Real twist = 0;
    Mat<2> virial{};
    BodyWork spent{};
    for (u32 e = s.first[i]; e < s.first[i + 1]; ++e) {
      const u32 r = s.incident[e] >> 1;
      if (s.touches[r] == apart) continue;
      const Action& act = s.action[r];
      if (s.incident[e] & 1u) {
        pushed -= act.force;
        twist += act.moment_b;
        continue;
      }
      pushed += act.force;
      twist += act.moment_a;
      virial += outer(act.force, act.branch);
      if (s.work.empty()) continue;
      const BodyWork& w = s.work[r];
      spent.friction += w.friction;
      spent.viscous += w.viscous;
      spent.stiffness += w.stiffness;
      spent.growth += w.growth;
    }
    s.virial_of_uid[b.uid[i]] = virial;
    if (!b.work.empty()) {
      BodyWork& done = b.work[i];
      done.friction += spent.friction;
      done.viscous += spent.viscous;
      done.stiffness += spent.stiffness;
      done.growth += spent.growth;
    }
    return kick(i, pushed, {twist});
  }

  template <class V>
  V damped(const V& f, const V& v) const {
    const Real share = model.options.local_damping;
    return share > 0 ? f - times(share * size_of(f), sign_of(v)) : f;
  }

  Real kick(std::size_t i, const Vec2& pushed, const Spin<2>& twist) const {
    Bodies<2>& b = state.bodies;
    if (!(b.inverse_mass[i] > 0)) {  // driven bodies keep the force of the grains for their servo
      b.force[i] = pushed;
      b.torque[i] = {};
      return 0;
    }
    const Real dt = state.globals.dt;
    const Vec2 weight = b.mass[i] * weight_per_mass(model, state);
    Vec2 whole = pushed + weight;
    if (!b.applied.empty()) whole += b.applied[i];
    const Vec2 middle = b.velocity[i], braked = damped(whole, middle);
    const Spin<2> spin = b.spin[i], braked_twist = damped(twist, spin);
    if (!b.applied.empty()) b.applied_work[i] += dt * dot(b.applied[i], middle);
    const Vec2 v = middle + (Real(0.5) * dt * b.inverse_mass[i]) * braked;
    const Spin<2> w = spin + (Real(0.5) * dt * b.inverse_inertia[i]) * braked_twist;
    b.velocity[i] = v;
    b.spin[i] = w;
    b.force[i] = braked;
    b.torque[i] = braked_twist;
    if (!b.work.empty()) {
      b.work[i].local += dt * (dot(whole - braked, v) + dot(twist - braked_twist, w));
      b.work[i].gravity += dt * dot(weight, middle);
    }
    return finite_or_infinity(dot(v, v) + dot(w, w));
  }
};

struct VirialOf {
  const Column<Mat<2>>& of_uid;
  Mat<2> operator()(std::size_t uid) const { return of_uid[uid]; }
};

// Contact forces of the positions as they are, and what follows from them.
void push(const Model<2>& model, State<2>& state, Scratch& s, StepReport& report) {
  {
    const exec::Stage timed("place");
    place(model, state, s);
  }
  Globals<2>& g = state.globals;
  const std::size_t grains = state.grains();
  std::vector<Vec2> wall_force(state.bodies.force.begin() + grains, state.bodies.force.end());
  Real overlap = 0, fastest = 0;
  {
    const exec::Stage timed("contacts");
    Host::raise(s.pairs.key.size(), Act{model, state, s}, &overlap);
  }
  {
    const exec::Stage timed("gather");
    Host::raise(state.bodies.size(), Gather{model, state, s}, &fastest);
  }
  const exec::Stage timed("finish");
  const Mat<2> before = g.virial;
  g.virial = Host::sum<Mat<2>>(s.virial_of_uid.size(), VirialOf{s.virial_of_uid});
  g.boundary_work -= Real(0.5) * g.dt * contract(before + g.virial, g.cell.rate);
  for (std::size_t w = 0; w < wall_force.size(); ++w)
    g.boundary_work -=
        Real(0.5) * g.dt * dot(wall_force[w] + state.bodies.force[grains + w], state.bodies.velocity[grains + w]);
  report.overlap = max(report.overlap, overlap);
  if (!(fastest < HUGE_VAL)) report.status |= not_finite;
  if (!(overlap <= model.options.overlap_limit)) report.status |= deep_overlap;
}

}  // namespace

HeartView heart_of(const Model<2>& model, const Bodies<2>& bodies, std::size_t i) {
  return talus::heart_of(model.outlines, model.shapes[bodies.shape[i]], bodies.radius[i]);
}

StepReport step(const Model<2>& model, State<2>& state, Scratch& s, i64 steps) {
  StepReport report;
  Globals<2>& g = state.globals;
  if (!s.pairs.valid) report.status |= find_pairs(model, state, s);
  for (i64 n = 0; n < steps && report.status == fine; ++n) {
    drive(model, state, push_membrane(model, state));
    Real way = 0;
    {
      const exec::Stage timed("move");
      Host::raise(state.bodies.size(), Move{state.bodies, g, state.grains()}, &way);
      if (!(way < HUGE_VAL)) {
        report.status |= not_finite;
        break;
      }
      s.travelled += narrowed(state, s, std::sqrt(way));
    }
    if (is_outdated(state, s) || shaken(model, state)) {
      keep(state, s);
      report.status |= find_pairs(model, state, s);
      report.rebuilt = true;
      if (report.status != fine) break;
    }
    push(model, state, s, report);
    ++g.step;
    g.time += g.dt;
  }
  keep(state, s);
  return report;
}

StepReport prepare(const Model<2>& model, State<2>& state, Scratch& s) {
  StepReport report;
  const Real dt = std::exchange(state.globals.dt, 0);
  state.globals.cell.rate = {};
  push_membrane(model, state);
  report.status = find_pairs(model, state, s);
  if (report.status == fine) push(model, state, s, report);
  keep(state, s);
  report.status &= ~u32(deep_overlap);  // the caller looks at the overlap
  state.globals.dt = dt;
  return report;
}

u32 rebuild(const Model<2>& model, State<2>& state, Scratch& s) {
  const u32 status = find_pairs(model, state, s);
  place(model, state, s);
  return status;
}

}  // namespace talus::dem::polygons
