#include <talus/dem/polygons.hpp>

#include <algorithm>
#include <cmath>

#include <talus/dem/advance.ipp>
#include <talus/dem/polygon_pair.hpp>
#include <talus/exec/host.hpp>
#include <talus/geometry/shape_table.hpp>
#include <talus/stages/carry.hpp>
#include <talus/stages/drive_walls.hpp>
#include <talus/stages/rays.hpp>

namespace talus::dem::polygons {
namespace {

using exec::Host;

// ---- pairs -------------------------------------------------------------------------------------------------------------

// By how much a gap may become narrower when surfaces come so far.
Real narrowed(const State<2>& state, const Scratch& s, Real way) {
  const Globals<2>& g = state.globals;
  const Real size = 2 * s.pairs.largest_radius * 2 + s.pairs.skin;
  return 2 * way + g.dt * (std::sqrt(contract(g.cell.rate, g.cell.rate)) + std::abs(g.radius_rate)) * size;
}

// Places of this moment, and how far gaps may have closed in this step.
void place(const Model<2>& model, const State<2>& state, Scratch& s) {
  const exec::Stage timed("touch");
  const Bodies<2>& b = state.bodies;
  const Globals<2>& g = state.globals;
  s.placed.resize_unset(b.size());
  Real way = 0;
  const auto one = [&](std::size_t i) {
    const Moving<2>& m = s.moving[i];
    const CorePolygonView core = core_of(model, b, i);
    Placed p;
    p.position = m.position;
    p.velocity = m.velocity;
    p.spin = m.spin.x;
    p.inverse_mass = m.inverse_mass;
    if (core.edges.size > 1) {
      p.cosine = std::cos(b.turn[i].x);
      p.sine = std::sin(b.turn[i].x);
    }
    p.depth = g.radius_scale * core.depth;
    p.radius = g.radius_scale * b.radius[i];
    s.placed[i] = p;
    return finite_or_infinity(g.dt * (length(p.velocity) + std::abs(p.spin) * p.radius));
  };
  Host::raise(b.size(), one, &way);
  s.travelled += narrowed(state, s, way);
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
  visit_both(state.springs, s.memory, [](const About&, auto& kept, const auto& all) { kept.copy_from(all); });
  state.springs.drop_forgotten();
}

u32 find_pairs(const Model<2>& model, State<2>& state, Scratch& s) {
  state.bodies.add(model.kept_columns());
  u32 status = search(model, state, s.pairs, 0);
  const exec::Stage timed("carry_history");
  const std::size_t pairs = s.pairs.key.size();
  s.touches.assign(pairs, 0);
  s.recheck.assign(pairs, -1);
  s.action.resize_unset(pairs);
  s.work.resize_unset(model.options.ledger ? pairs : 0);
  s.params.resize_unset(pairs);
  s.axis.resize_unset(pairs);
  s.travelled = 0;
  s.reference = s.pairs.reference;
  s.reference_h = s.pairs.reference_h;
  s.reference_scale = state.globals.radius_scale;
  s.skin = s.pairs.skin;
  s.largest_radius = s.pairs.largest_radius;
  const Bodies<2>& b = state.bodies;
  for (std::size_t r = 0; r < pairs; ++r) {
    const u32 i = s.pairs.body_a[r], j = s.pairs.body_b[r];
    const RowKey& key = s.pairs.key[r];
    const Vec2 between = branch_of(state.globals.cell, b.position[i], b.position[j], key);
    const Real apart = length(between);
    s.axis[r] = apart > 0 ? (1 / apart) * between : Vec2{1, 0};
    s.params[r] = model.pairs.params[b.material[i] * model.pairs.materials + b.material[j]];
  }
  list_incident(b.size(), s);
  std::size_t uids = 0;
  for (const u32 uid : b.uid) uids = max(uids, std::size_t(uid) + 1);
  s.virial_of_uid.assign(uids, {});
  s.memory.key = s.pairs.key;
  status |= carry<Host>(state.springs, s.memory, uids, 0);
  s.virial.resize(1);
  s.tally.resize(1);
  s.wall_force.resize(state.walls);
  return status;
}

// ---- one pair ----------------------------------------------------------------------------------------------------------

// The stages touch and act. Returns the overlap over the smaller radius.
struct Act {
  const Model<2>& model;
  const State<2>& state;
  Scratch& s;

  Real operator()(std::size_t r) const {
    if (s.travelled < s.recheck[r]) return 0;
    const Pair pair(model, state, s, r);
    const Law::Params& law = constants(model)[s.params[r]];
    const Real damping = dashpot(law, pair.mass());
    const Vec2 centres = pair.velocity();
    Patch patch;
    Vec2 braked{};
    Real braked_moment = 0, growth = 0;
    const Globals<2>& g = state.globals;
    pair.springs(s.axis[r], 0, [&](const Spring& p) TALUS_INLINED {
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
    s.recheck[r] = -1;
    const Vec2 normal = patch.normal(), tangent{-normal.y, normal.x}, centre = patch.centre();
    s.axis[r] = normal;
    const Vec2 pushed = law.normal_stiffness * patch.push + braked;
    const Real slip = dot(tangent, pair.velocity_at(centre, centres));
    const Real limit = g.friction_scale * law.friction * max(dot(pushed, normal), Real(0));
    RowWork work{};
    const Vec<1> held = slide(Vec<1>{s.memory.shear[r]}, Vec<1>{-law.shear_stiffness * g.dt * slip}, limit,
                              law.shear_stiffness, work.friction);
    s.memory.shear[r] = held.x + Real(0);  // no zero with a sign: it would be lost in the state
    const Vec2 sheared = s.memory.shear[r] * tangent, force = pushed + sheared;
    const Real moment_a = law.normal_stiffness * patch.moment + braked_moment + moment(centre, sheared).x;
    s.action[r] = {force, moment_a, -(moment_a + moment(pair.between, force).x), pair.wall ? -centre : pair.between};
    if (!s.work.empty()) {
      const Vec3 viscous{braked.x + Real(0), braked.y + Real(0), braked_moment + Real(0)};
      work.viscous = Real(-0.5) * g.dt * pair.power(s.memory.viscous[r] + viscous, centres);
      work.growth = growth;
      s.memory.viscous[r] = viscous;
      s.work[r] = work;
    }
    return patch.deepest / pair.smaller_radius();
  }

  // A contact that opens forgets; what its spring held is entered as lost. Its dashpots acted through the first half of this
  // step. How far apart the bodies are says for how long they need not be looked at.
  Real open(std::size_t r, const Pair& pair, const Law::Params& law, const Vec2& centres) const {
    if (s.touches[r] == touching || s.memory.shear[r] != 0 || !(s.memory.viscous[r] == Vec3{})) {
      s.action[r] = {};
      if (!s.work.empty()) {
        RowWork work{};
        work.viscous = Real(-0.5) * state.globals.dt * pair.power(s.memory.viscous[r], centres);
        if (law.shear_stiffness > 0) work.stiffness = Real(0.5) * s.memory.shear[r] * s.memory.shear[r] / law.shear_stiffness;
        s.work[r] = work;
      }
      s.memory.shear[r] = 0;
      s.memory.viscous[r] = {};
      s.touches[r] = opening;
      return 0;
    }
    s.touches[r] = apart;
    const Real slack = Real(0.02) * pair.smaller_radius();
    Patch patch;
    pair.springs(s.axis[r], slack, [&](const Spring& p) { patch.add(p); });
    if (patch.gap < HUGE_VAL) s.axis[r] = patch.nearest;
    s.recheck[r] = s.travelled + Real(0.999999) * min(slack, patch.gap);
    return 0;
  }
};

// ---- stages ------------------------------------------------------------------------------------------------------------

// 1. Walls and cell are driven, with the membrane between them; cell and radii move on.
void drive(const Model<2>& model, State<2>& state, Scratch& s) {
  const exec::Stage timed("drive");
  Bodies<2>& b = state.bodies;
  const std::size_t grains = state.grains();
  if (model.membrane.stress > 0) unpack<Host>(state, s);  // its rays see all bodies
  for (std::size_t i = grains; i < b.size(); ++i) b.position[i] = s.moving[i].position;
  for (std::size_t w = 0; w < s.wall_force.size(); ++w) s.wall_force[w] = b.force[grains + w];
  drive_walls(model, state, push_membrane(model, state));
  for (std::size_t i = grains; i < b.size(); ++i) {
    s.moving[i].velocity = b.velocity[i];
    s.moving[i].spin = b.spin[i];
    s.moving[i].inverse_mass = b.inverse_mass[i];
  }
  move_cell(state.globals);
}

// 6. The sum over the pairs of each body; then it is kicked.
template <Keep K>
struct Gather {
  const Scratch& s;
  const std::size_t grains;
  const Kick<2, true, K> kick;

  Real operator()(std::size_t i) const {
    GatherSums<2> sums;
    for (u32 e = s.first[i]; e < s.first[i + 1]; ++e) {
      const u32 r = s.incident[e] >> 1;
      if (s.touches[r] == apart) continue;
      const Action& act = s.action[r];
      if (s.incident[e] & 1u) {
        sums.force -= act.force;
        if (i < grains) sums.moment.x += act.moment_b;  // nobody asks for the moment on a wall
        continue;
      }
      sums.force += act.force;
      sums.moment.x += act.moment_a;
      for (int k = 0; k < 2; ++k) sums.virial[k] += act.force[k] * act.branch;
      if constexpr (K == Keep::ledger) sums.spent += s.work[r];
    }
    return kick(i, sums);
  }
};

// Polygons as the step knows contacts, see advance.ipp.
struct PairContacts {
  using Exec = Host;
  using Scratch = polygons::Scratch;

  static bool is_ready(const State<2>&, const Scratch& s) { return s.pairs.valid; }
  static u32 rebuild(const Model<2>& model, State<2>& state, Scratch& s) { return find_pairs(model, state, s); }
  static void keep(State<2>& state, const Scratch& s) { polygons::keep(state, s); }
  static bool needs_stress(const Model<2>&) { return true; }
  static void drive(const Model<2>& model, State<2>& state, Scratch& s) { polygons::drive(model, state, s); }
  static u32 solve_displacements(const Model<2>&, const State<2>&, const Scratch&, bool) { return fine; }  // of space only
  static void act(const Model<2>& model, State<2>& state, Scratch& s, bool) {
    place(model, state, s);
    {
      const exec::Stage timed("act");
      Host::raise(s.pairs.key.size(), Act{model, state, s}, &s.tally[0].overlap);
    }
    const exec::Stage timed("gather");
    const auto gather = [&]<Keep K>() {
      const Gather<K> sum{s, state.grains(), kick_kernel<2, true, K>(model, state, s)};
      Host::raise(state.bodies.size(), sum, &s.tally[0].fastest);
    };
    model.options.ledger ? gather.template operator()<Keep::ledger>() : gather.template operator()<Keep::stress>();
  }
};

}  // namespace

CorePolygonView core_of(const Model<2>& model, const Bodies<2>& bodies, std::size_t i) {
  return talus::core_of(model.outlines, model.shapes[bodies.shape[i]], bodies.radius[i]);
}

StepReport step(const Model<2>& model, const StepOptions& options, State<2>& state, Scratch& s, i64 steps) {
  return advance<PairContacts>(model, options, state, s, steps);
}

StepReport prepare(const Model<2>& model, const StepOptions& options, State<2>& state, Scratch& s) {
  push_membrane(model, state);
  return find_first_forces<PairContacts>(model, options, state, s);
}

u32 rebuild(const Model<2>& model, State<2>& state, Scratch& s) {
  const u32 status = find_pairs(model, state, s);
  pack<Host>(state, s, &state.globals);
  place(model, state, s);
  return status;
}

}  // namespace talus::dem::polygons
