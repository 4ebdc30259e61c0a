#include <talus/measure/energy.hpp>

#include <algorithm>
#include <numeric>

namespace talus::measure {

namespace {

// Compression counts as held along normals, plastic flow as friction, what walls at rest do as boundary work, diffusion of density as the model's.
template <int D>
void add_particles(const Particles<D>& p, Energy& e) {
  std::vector<u32> order(p.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](u32 i, u32 j) { return p.uid[i] < p.uid[j]; });
  for (const u32 i : order) {
    e.kinetic += 0.5 * p.mass[i] * dot(p.velocity[i], p.velocity[i]);
    if (p.work.empty()) continue;
    e.elastic_normal += p.stored[i];
    e.gravity += p.work[i].gravity;
    e.viscous += p.work[i].viscous;
    e.boundary += p.work[i].walls;
    e.model += p.work[i].density;
    e.friction += p.work[i].plastic;
    if (!p.sheared.empty()) e.elastic_shear += p.sheared[i];
  }
}

}  // namespace

template <int D>
Energy energy(const State<D>& state, const ContactList<D>& contacts) {
  Energy e;
  Real applied = 0;
  for (const auto& c : contacts) {
    e.elastic_normal += c.stored.normal;
    e.elastic_shear += c.stored.shear;
  }
  const Bodies<D>& b = state.bodies;
  std::vector<u32> order(b.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](u32 i, u32 j) { return b.uid[i] < b.uid[j]; });
  for (const u32 i : order) {
    e.kinetic += 0.5 * b.mass[i] * dot(b.velocity[i], b.velocity[i]);
    e.kinetic += spin_energy(b, i);
    if (!b.applied_work.empty()) applied += b.applied_work[i];
    if (!b.model_work.empty()) e.model += b.model_work[i];
    if (b.work.empty()) continue;
    e.friction += b.work[i].friction;
    e.viscous += b.work[i].viscous;
    e.stiffness += b.work[i].stiffness;
    e.growth += b.work[i].growth;
    e.local_damping += b.work[i].local;
    e.gravity += b.work[i].gravity;
  }
  e.boundary = state.globals.boundary_work + applied;
  e.initial = state.globals.initial_energy;
  e.removed_kinetic = state.globals.removed_kinetic;
  add_particles(state.particles, e);
  return e;
}

template Energy energy(const State<2>&, const ContactList<2>&);
template Energy energy(const State<3>&, const ContactList<3>&);

}  // namespace talus::measure
