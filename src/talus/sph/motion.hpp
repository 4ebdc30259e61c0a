#pragma once
// Stages of single particles: kick, drift, matter, and where particles are.
#include <talus/geometry/wall_shape.hpp>
#include <talus/matter/models.hpp>
#include <talus/sph/options.hpp>
#include <talus/sph/pairs.hpp>
#include <talus/sph/principal.hpp>
#include <talus/sph/scratch.hpp>
#include <talus/sph/wall_contact.hpp>

namespace talus::sph {

// Half a step of velocity; what gravity and walls give counts as given. A force of the half step works along the mean of the two
// velocities: with any other the ledger would miss energy wherever a step changes a velocity by much.
template <int D>
struct Kick {
  Span<const Vec<D>> acceleration, wall_force, drag, wall_push;
  Span<const Real> mass;
  Span<Vec<D>> velocity, given;
  Span<ParticleWork> work;  // or empty, as all of the ledger
  Span<const u32> body, held;  // of each particle; 1: this body stays where it is
  Vec<D> gravity;
  Real half;  // s
  TALUS_HD void operator()(std::size_t i) const {
    if (held[body[i]]) {  // what its partners do to it is given back to them by what holds it
      if (given.size > 0) given[i] -= (half * mass[i]) * acceleration[i] - half * (wall_force[i] + mass[i] * gravity);
      return;
    }
    const Vec<D> before = velocity[i];
    velocity[i] += half * acceleration[i];
    if (work.size == 0) return;
    given[i] += half * (wall_force[i] + mass[i] * gravity);
    const Vec<D> way = (Real(0.5) * half) * (before + velocity[i]);
    work[i].viscous -= dot(drag[i], way);
    work[i].walls += dot(wall_push[i], way);
  }
};

template <int D>
struct Drift {
  Span<Vec<D>> position;
  Span<const Vec<D>> velocity;
  Span<const Real> mass;
  Span<ParticleWork> work;  // or empty
  Vec<D> gravity;
  Real half;  // s
  TALUS_HD void operator()(std::size_t i) const {
    const Vec<D> way = half * velocity[i];
    position[i] += way;
    if (work.size > 0) work[i].gravity += mass[i] * dot(gravity, way);
  }
};

// Where particles are in the middle of the step and how they move, for their partners. Volume and density are still those before the step.
template <int D>
struct WriteRecord {
  Span<const Vec<D>> position, velocity;
  Span<const Real> mass, density, pressure;
  Span<const u32> material, body;
  Span<const Real> parts;  // of each body
  Span<Record<D>> records;
  TALUS_HD void operator()(std::size_t i) const {
    records[i] = {position[i], velocity[i], mass[i] / density[i], density[i], pressure[i], Real(material[i]), parts[body[i]]};
  }
};

// Where particles are in the middle of a step.
struct Places {
  u32 status = fine;
  u32 beyond = 0;  // particles behind a wall
  Real moved = 0;  // m^2, farthest since lists were made, until the end of the step
  TALUS_HD void join(const Places& other) {
    status |= other.status;
    beyond += other.beyond;
    moved = max(moved, other.moved);
  }
};
template <int D>
struct LookAtPlaces {
  Span<const Vec<D>> position, velocity, reference;
  Span<const Vec<D>> wall_position;
  Span<const WallShape<D>> walls;
  Cell<D> cell;
  Real half;   // s, until the end of the step
  Real reach;  // m, beyond the domain that a particle is still held by walls
  TALUS_HD Places operator()(std::size_t i) const {
    const Vec<D> x = position[i];
    Places p;
    for (int k = 0; k < D; ++k) {
      if (!(std::abs(x[k]) < Real(1e300))) return {not_finite, 0, Real(HUGE_VAL)};
      if (!cell.periodic[k] && !(x[k] > -reach && x[k] < cell.h(k, k) + reach)) p.status |= lost_particle;
    }
    for (std::size_t w = 0; w < walls.size; ++w)
      if (walls[w].at(x - wall_position[w]).gap < 0) p.beyond = 1;
    if (i >= reference.size) return p;
    const Vec<D> now = x - reference[i], then = now + half * velocity[i];
    p.moved = max(dot(now, now), dot(then, then));
    return p;
  }
};

// Stage `matter`: density and stress after the step, and what partners read of them.
template <int D>
struct Respond {
  Span<const matter::Matter> matter;
  Span<const u32> material;
  Span<const Vec<D>> position;
  Span<const DensityRate<>> rates;    // or empty: nothing moves
  Span<const Strain<D>> strains;    // or empty: there are no solids
  Span<const Real> summed;          // kg/m^3, density by summation; or empty
  Span<const Real> mass;
  WallContact<D> contact;
  Real artificial;  // part of a tension that is taken from between particles
  Real damps;       // m, bulk viscosity of soils over the smoothing length and the speed of sound, times that length
  Real dt;          // s
  Span<Real> density, pressure;
  Span<Sym3> deviator;
  Span<Real> plastic_strain, dilation;
  Span<Real> stored, sheared;  // or empty, as the ledger
  Span<ParticleWork> work;
  Span<Record<D>> records;
  Span<Traction<D>> tractions;
  Span<Mat<D>> artificials;  // empty where there is none

  TALUS_HD void operator()(std::size_t i) const {
    const matter::Matter& m = matter[material[i]];
    const matter::Tait& rest = m.volume;
    if (is_total(records[i].part)) {  // stage `stretch` has the rest
      records[i].position = position[i];
      if (stored.size > 0) stored[i] = contact.on(position[i], mass[i], rest.sound_speed, true).energy;
      return;
    }
    const Real before = density[i];
    const DensityRate<> rate = rates.size > 0 ? rates[i] : DensityRate<>{};
    const Real bare = summed.size > 0 ? summed[i] : before + dt * (before * rate.converges);
    const bool remembers = deviator.size > 0;
    const matter::Memory memory = remembers ? matter::Memory{deviator[i], plastic_strain[i], dilation[i]} : matter::Memory{};
    matter::Deformation by = remembers ? matter::Deformation::of(in_space(strains[i].gradient, 0), dt) : matter::Deformation{};
    by.before = before / rest.density;
    by.full = rate.full;
    const matter::Answer a = m.respond(memory, (bare + dt * rate.diffuses) / rest.density, by);
    density[i] = a.ratio * rest.density;
    pressure[i] = a.pressure;
    records[i].position = position[i];
    records[i].volume = mass[i] / density[i];
    records[i].density = density[i];
    records[i].pressure = a.pressure;
    if (remembers) {
      deviator[i] = a.memory.deviator;
      plastic_strain[i] = a.memory.plastic_strain;
      dilation[i] = a.memory.dilation;
      tractions[i] = traction_of(m, a, strains[i].correction, damps * m.volume.sound_speed * density[i] * rate.converges);
      if (artificials.size > 0) artificials[i] = artificial_of(m, a);
    }
    if (stored.size > 0) book(i, m, memory, a, bare, bare + dt * rate.diffuses);
  }

 private:
  // Elastic: the whole stress takes the correction. Soil: its deviator alone, (13).
  TALUS_HD Traction<D> traction_of(const matter::Matter& m, const matter::Answer& a, const Mat<D>& correction, Real damping) const {
    const Sym3 stress = a.memory.deviator - ball(a.pressure), corrected = m.diffuses ? a.memory.deviator : stress;
    Traction<D> t;
    for (int k = 0; k < D; ++k)
      for (int l = 0; l < D; ++l) {
        Real sum = 0;
        for (int n = 0; n < D; ++n) sum += corrected(k, n) * correction(n, l);
        t.stress(k, l) = sum - (m.diffuses && k == l ? a.pressure : 0);
      }
    if (m.is_solid() && m.diffuses) t.damping = damping;
    return t;
  }
  TALUS_HD Mat<D> artificial_of(const matter::Matter& m, const matter::Answer& a) const {
    Mat<D> out{};
    if (!m.is_solid()) return out;
    const Sym3 apart = -artificial * tension_of(a.memory.deviator - ball(a.pressure));
    for (int k = 0; k < D; ++k)
      for (int l = 0; l < D; ++l) out(k, l) = apart(k, l);
    return out;
  }
  TALUS_HD void book(std::size_t i, const matter::Matter& m, const matter::Memory& memory, const matter::Answer& a, Real bare,
                     Real diffused) const {
    const Real rest = mass[i] / m.volume.density;  // m^D
    const Real compressed = mass[i] * m.volume.energy(max(a.ratio, a.loosest) * (1 + a.memory.dilation));
    stored[i] = compressed + contact.on(position[i], mass[i], m.volume.sound_speed, false).energy;
    if (m.is_solid()) {
      sheared[i] = rest * contract(a.memory.deviator, a.memory.deviator) / (4 * m.shear_modulus);
      work[i].plastic += rest * a.plastic;
    }
    const Real swollen = (1 + memory.dilation) / m.volume.density;
    const Real least = a.loosest * m.volume.density;
    const Real after = m.is_solid() ? mass[i] * m.volume.energy(max(diffused, least) * swollen) : compressed;  // what opens a solid is plastic
    work[i].density += after - mass[i] * m.volume.energy(max(bare, least) * swollen);
  }
};

}  // namespace talus::sph
