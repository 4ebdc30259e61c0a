#include <talus/impulse/hull_ledger.hpp>

#include <algorithm>
#include <cmath>

#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

Vec3 push_of(const SpacePatch& p) {
  return p.impulse.x * p.axis[0] + p.impulse.y * p.axis[1] + p.impulse.z * p.axis[2];
}

void store_impulses(State<3>& state, const HullScratch& s) {
  HullPatches& memory = state.hull_patches;
  memory.resize(s.rows.size());
  Host::for_each(s.rows.size(), [&](std::size_t n) {
    memory.key[n] = s.pairs.key[s.rows[n]];
    memory.points[n] = s.start[n + 1] - s.start[n];
    memory.name[n] = {};
    memory.normal[n] = memory.place[n] = memory.impulse[n] = {};
    memory.gap[n] = memory.bias[n] = {};
    for (u32 i = s.start[n]; i < s.start[n + 1]; ++i) {
      const SpacePatch& p = s.patches[i];
      const u32 k = i - s.start[n];
      memory.name[n].at[k] = s.names[i];
      memory.normal[n].at[k] = p.axis[0];
      memory.place[n].at[k] = p.place;
      memory.impulse[n].at[k] = push_of(p);
      memory.gap[n].at[k] = p.gap;
      memory.bias[n].at[k] = p.bias.x;
    }
    memory.friction[n] = s.start[n] < s.start[n + 1] ? s.patches[s.start[n]].friction : 0;
    const bool coated = !s.coat_contacts.empty();
    memory.coat[n] = coated ? s.coat_contacts[n].memory : RelaxationMemory{};
    memory.coat_area[n] = coated ? s.coat_contacts[n].touch.area : 0;
    memory.coat_impulse[n] = memory.coat_place[n] = {};
  });
  Host::for_each(s.coats.size(), [&](std::size_t k) {
    memory.coat_impulse[s.coat_row[k]] = push_of(s.coats[k].patch);
    memory.coat_place[s.coat_row[k]] = s.coats[k].patch.place;
  });
}

// What one point adds to its bodies and to the whole. Called in order of keys: one order of sums on any number of threads.
struct Share {
  State<3>& state;
  const HullScratch& s;
  const StepOptions& options;
  const Real per_step;

  void operator()(const SpacePatch& p, const exec::Range& mine, Mat<3>& virial) const {
    if (p.impulse.x == 0) return;
    Bodies<3>& b = state.bodies;
    const Vec3 force = per_step * push_of(p);
    if (mine.holds(p.a)) {
      b.force[p.a] += force;
      b.torque[p.a] += moment(p.place - b.position[p.a], force);
      if (!b.work.empty()) add_dissipation(p);
    }
    if (mine.holds(p.b)) {
      b.force[p.b] -= force;
      b.torque[p.b] -= moment(p.place - b.position[p.b], force);
    }
    if (!mine.is_first()) return;
    const bool wall = p.b >= state.grains();
    virial += outer(force, wall ? b.position[p.a] - p.place : b.position[p.a] - b.position[p.b]);
    if (!wall) return;
    // A free wall does not move across its direction by itself: what drives it there works too.
    const Vec3 moved = b.velocity[p.b] + cross(b.spin[p.b], p.place - b.position[p.b]);
    const Vec3 driven = b.inverse_mass[p.b] == 0 ? moved : moved - s.motion[p.b].allowed(moved);
    state.globals.boundary_work += state.globals.dt * dot(force, driven);
  }

  // Impulses work on the mean of the velocities before and after.
  void add_dissipation(const SpacePatch& p) const {
    const auto before = [&](std::size_t i) { return at_start(options, state, i); };
    const PatchVec slid =
        Real(0.5) * (p.velocities(before(p.a), before(p.b)) + p.velocities(s.motion[p.a], s.motion[p.b])) - p.bias;
    BodyWork& work = state.bodies.work[p.a];
    work.friction -= p.impulse.y * slid.y + p.impulse.z * slid.z;
    work.viscous -= p.impulse.x * slid.x;
  }
};

void sum_forces(const StepOptions& options, State<3>& state, const HullScratch& s) {
  Bodies<3>& b = state.bodies;
  Mat<3> virial{};
  const Share share{state, s, options, 1 / state.globals.dt};
  Host::each_range(b.size(), [&](const exec::Range& mine) {
    for (std::size_t i = mine.first; i < mine.last; ++i) b.force[i] = b.torque[i] = {};
    for (const SpacePatch& p : s.patches) share(p, mine, virial);  // the first range alone adds to it
    for (const SpaceCoat& c : s.coats) share(c.patch, mine, virial);
  });
  state.globals.virial = virial;
}

void add_body_work(const Model<3>& model, const StepOptions& options, State<3>& state, const HullScratch& s) {
  Bodies<3>& b = state.bodies;
  const Vec3 weight = weight_per_mass(model, state);
  Host::for_each(b.size(), [&](std::size_t i) {
    if (b.inverse_mass[i] == 0) return;
    const Vec3 way = (Real(0.5) * state.globals.dt) * (at_start(options, state, i).velocity + s.motion[i].velocity);
    const Real drag = i < state.grains() ? Real(0) : model.drives[i - state.grains()].drag;
    if (!b.applied.empty()) b.applied_work[i] += dot(b.applied[i] - drag * s.motion[i].velocity, way);
    if (!b.work.empty()) b.work[i].gravity += b.mass[i] * dot(weight, way);
  });
}

// Grains that start each step from rest: the motion that they had is lost, and what they have now was gained with their true masses, however inertia is scaled.
void enter_lost_motion(const Model<3>& model, State<3>& state, const HullScratch& s) {
  Bodies<3>& b = state.bodies;
  if (b.work.empty()) return;
  Host::for_each(state.grains(), [&](std::size_t i) {
    if (b.inverse_mass[i] == 0) return;
    const auto energy = [&](const Vec3& velocity, const Vec3& spin) {
      const Vec3 w = b.orientation[i].turned_back(spin);
      Real twice = b.mass[i] * dot(velocity, velocity);
      for (int k = 0; k < 3; ++k) twice += b.inverse_moments[i][k] > 0 ? w[k] * w[k] / b.inverse_moments[i][k] : 0;
      return Real(0.5) * twice;
    };
    const Real scaled = energy(s.motion[i].velocity, s.motion[i].spin);
    b.work[i].viscous += energy(b.velocity[i], b.spin[i]) - (scaled - scaled / model.options.density_scale);
  });
}

}  // namespace

void store_results(const Model<3>& model, const StepOptions& options, State<3>& state, const HullScratch& s) {
  const exec::Stage timed("ledger");
  store_impulses(state, s);
  sum_forces(options, state, s);
  add_body_work(model, options, state, s);
  if (options.from_rest) enter_lost_motion(model, state, s);
}

ContactList<3> contacts(const State<3>& state) {
  const Bodies<3>& b = state.bodies;
  const HullPatches& p = state.hull_patches;
  const std::vector<u32> index = index_by_uid(b);
  ContactList<3> list;
  for (std::size_t n = 0; n < p.size(); ++n) {
    const u32 first = index[p.key[n].a], second = index[p.key[n].b];
    Vec3 impulse{}, normal{}, place{};
    Real pushed = 0, deep = 0;
    for (u32 k = 0; k < p.points[n]; ++k) {
      const Real along = dot(p.impulse[n].at[k], p.normal[n].at[k]);
      pushed += along;
      impulse += p.impulse[n].at[k];
      normal += along * p.normal[n].at[k];
      place += along * p.place[n].at[k];
      deep = max(deep, -p.gap[n].at[k]);
    }
    if (const Vec3& coat = p.coat_impulse[n]; !(coat == Vec3{})) {
      const Real size = length(coat);
      const Vec3 apart = b.position[first] - (second >= state.grains() ? p.coat_place[n] : b.position[second]);
      impulse += coat;
      normal += dot(coat, apart) < 0 ? -coat : coat;
      place += size * p.coat_place[n];
      pushed += size;
    }
    if (!(pushed > 0)) continue;
    normal = (1 / length(normal)) * normal;
    const Vec3 arm = (1 / pushed) * place - b.position[first];
    const Vec3 branch = second >= state.grains() ? -arm : b.position[first] - b.position[second];
    list.push_back({p.key[n], first, second, 0, normal, branch, (1 / state.globals.dt) * impulse, deep, 0, {}, arm});
  }
  return list;
}

u32 culprit(const State<3>& state, u32 status) {
  const Bodies<3>& b = state.bodies;
  const HullPatches& p = state.hull_patches;
  Real worst = -1;
  u32 uid = 0;
  const auto offer = [&](u32 who, Real badness) {
    if (badness > worst || (badness == worst && who < uid)) worst = badness, uid = who;
  };
  if (status & deep_overlap)
    for (std::size_t n = 0; n < p.size(); ++n)
      for (u32 k = 0; k < p.points[n]; ++k) offer(p.key[n].a, -p.gap[n].at[k]);
  else
    for (std::size_t i = 0; i < state.grains(); ++i)
      offer(b.uid[i], finite_or_infinity(0 * length(b.position[i]) + length(b.velocity[i])));
  return uid;
}

}  // namespace talus::impulse
