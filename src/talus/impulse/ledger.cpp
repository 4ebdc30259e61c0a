#include <talus/impulse/ledger.hpp>

#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/stages/contact_geometry.hpp>
#include <talus/stages/row_manifold.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

void store_impulses(State<2>& state, const Scratch& s) {
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
    memory.bias[k] = p.bias;
    memory.softness[k] = p.softness;
    memory.friction[k] = p.friction;
    memory.overlap[k] = deepest(p);
  });
}

// What one patch adds to its bodies and to the whole. Called in order of keys: one order of sums on any number of threads.
struct Share {
  State<2>& state;
  const std::vector<Patch>& patches;
  const std::vector<RowKey>& keys;
  const std::vector<Motion>& after;  // velocities; those of the state are from before
  const Real per_step;

  void operator()(std::size_t k, const exec::Range& mine, Mat<2>& virial) const {
    const Patch& p = patches[k];
    if (normal_of(p.impulse) == 0) return;
    Bodies<2>& b = state.bodies;
    const Vec2 force = per_step * p.push(p.impulse);
    if (mine.holds(p.a)) {
      b.force[p.a] += force;
      b.torque[p.a].x += per_step * dot(p.lever_a, p.impulse);
    }
    if (mine.holds(p.b)) {
      b.force[p.b] -= force;
      b.torque[p.b].x -= per_step * dot(p.lever_b, p.impulse);
    }
    if (mine.is_first()) add_stress_and_boundary_work(k, force, virial);
    if (!b.work.empty() && mine.holds(p.a)) add_dissipation(k);
  }

  void add_stress_and_boundary_work(std::size_t k, const Vec2& force, Mat<2>& virial) const {
    const Patch& p = patches[k];
    const Bodies<2>& b = state.bodies;
    Globals<2>& g = state.globals;
    const bool wall = p.b >= state.grains();
    const Vec2 branch = wall ? -1.0 * arm_of(p.normal, p.lever_a, p.impulse)
                             : branch_of(g.cell, b.position[p.a], b.position[p.b], keys[k]);
    virial += outer(force, branch);
    g.boundary_work -= dot(p.impulse, with_cell(k));
    if (wall && b.inverse_mass[p.b] == 0) g.boundary_work += g.dt * dot(force, b.velocity[p.b]);
  }

  // Impulses work on the mean of the velocities before and after: that makes up the change of kinetic energy exactly.
  void add_dissipation(std::size_t k) const {
    const Patch& p = patches[k];
    const Bodies<2>& b = state.bodies;
    const auto before = [&](std::size_t i) { return Motion{b.velocity[i], b.spin[i].x, 0, 0}; };
    const PatchVec mean =
        Real(0.5) * (p.velocities(before(p.a), before(p.b)) + p.velocities(after[p.a], after[p.b])) - p.bias;
    const PatchVec slid = mean + with_cell(k);
    BodyWork& work = state.bodies.work[p.a];
    work.friction -= p.impulse.z * slid.z;
    work.viscous -= p.impulse.x * slid.x + p.impulse.y * slid.y;
  }

  // The velocity of the cell along a patch's normal, at both points, and along its tangent.
  PatchVec with_cell(std::size_t k) const {
    const Patch& p = patches[k];
    const Vec2 affine = affine_velocity(state, p.a, p.b, keys[k]);
    return {dot(p.normal, affine), dot(p.normal, affine), dot(p.tangent(), affine)};
  }
};

// `anew`: else they are added to what is there.
void sum_forces(State<2>& state, const std::vector<Patch>& patches, const std::vector<RowKey>& keys,
                const std::vector<Motion>& after, bool anew) {
  Bodies<2>& b = state.bodies;
  Mat<2> virial = anew ? Mat<2>{} : state.globals.virial;
  const Share share{state, patches, keys, after, 1 / state.globals.dt};
  Host::each_range(b.size(), [&](const exec::Range& mine) {
    for (std::size_t i = mine.first; i < mine.last && anew; ++i) b.force[i] = {}, b.torque[i] = {};
    for (std::size_t k = 0; k < patches.size(); ++k) share(k, mine, virial);  // the first range alone adds to it
  });
  state.globals.virial = virial;
}

void add_body_work(const Model<2>& model, State<2>& state, const Scratch& s) {
  Bodies<2>& b = state.bodies;
  const Real dt = state.globals.dt;
  Host::for_each(b.size(), [&](std::size_t i) {
    if (b.inverse_mass[i] == 0) return;
    const Vec2 mean = Real(0.5) * (b.velocity[i] + s.motion[i].velocity);
    if (!b.applied.empty()) b.applied_work[i] += dt * dot(b.applied[i], mean);
    if (!b.work.empty()) b.work[i].gravity += dt * b.mass[i] * dot(weight_per_mass(model, state), mean);
  });
}

}  // namespace

void store_impacts(State<2>& state, Scratch& s) {
  sum_forces(state, s.hits, s.hit_key, s.motion, !s.had_impacts);
  s.had_impacts = true;
}

void store_results(const Model<2>& model, State<2>& state, const Scratch& s) {
  const exec::Stage timed("ledger");
  store_impulses(state, s);
  sum_forces(state, s.patches, s.patch_key, s.motion, !s.had_impacts);
  add_body_work(model, state, s);
}

}  // namespace talus::impulse
