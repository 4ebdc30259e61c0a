#pragma once
// Stages of single particles: kick, drift, matter, and what is looked at after them.
#include <talus/geometry/wall_shape.hpp>
#include <talus/matter/models.hpp>
#include <talus/sph/options.hpp>
#include <talus/sph/scratch.hpp>

namespace talus::sph {

// Half a step of velocity; what gravity and walls give counts as given.
template <int D>
struct Kick {
  Span<const Vec<D>> acceleration, wall_force;
  Span<const Real> mass;
  Span<Vec<D>> velocity, given;
  Vec<D> gravity;
  Real half;  // s
  TALUS_HD void operator()(std::size_t i) const {
    velocity[i] += half * acceleration[i];
    if (given.size > 0) given[i] += half * (wall_force[i] + mass[i] * gravity);
  }
};

template <int D>
struct Drift {
  Span<Vec<D>> position;
  Span<const Vec<D>> velocity;
  Span<const Real> mass;
  Span<ParticleWork> work;  // or empty
  Vec<D> gravity;
  Real dt;  // s
  TALUS_HD void operator()(std::size_t i) const {
    const Vec<D> way = dt * velocity[i];
    position[i] += way;
    if (work.size > 0) work[i].gravity += mass[i] * dot(gravity, way);
  }
};

// Where particles are after a drift.
struct Places {
  u32 status = fine;
  u32 beyond = 0;  // particles behind a wall
  Real moved = 0;  // m^2, farthest since lists were made
  TALUS_HD void join(const Places& other) {
    status |= other.status;
    beyond += other.beyond;
    moved = max(moved, other.moved);
  }
};
template <int D>
struct LookAtPlaces {
  Span<const Vec<D>> position, reference;
  Span<const Vec<D>> wall_position;
  Span<const WallShape<D>> walls;
  Cell<D> cell;
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
    const Vec<D> way = i < reference.size ? x - reference[i] : Vec<D>{};
    p.moved = dot(way, way);
    return p;
  }
};

// Stage `matter`: density after the step, pressure from it, and the record that partners read.
template <int D>
struct Respond {
  Span<const matter::Matter> matter;
  Span<const u32> material;
  Span<const DensityRate> rates;  // or empty: nothing moves
  Span<Real> density, pressure;
  Span<Real> stored;  // or empty, as the ledger
  Span<ParticleWork> work;
  Span<const Real> mass;
  Span<Record<D>> records;
  Real dt;  // s

  TALUS_HD void operator()(std::size_t i) const {
    const matter::Tait& rest = matter[material[i]].volume;
    const Real before = density[i];
    const DensityRate rate = rates.size > 0 ? rates[i] : DensityRate{};
    const Real bare = before + dt * (before * rate.converges);
    // Drops that fly apart would remember a density far below rest, and fall through walls and each other until it was made up.
    const Real least = rest.tension ? 0 : loosest * rest.density;
    const Real now = max(bare + dt * rate.diffuses, least);
    density[i] = now;
    pressure[i] = rest.pressure(now / rest.density);
    records[i].volume = mass[i] / now;
    records[i].density = now;
    records[i].pressure = pressure[i];
    if (stored.size == 0) return;
    stored[i] = mass[i] * rest.energy(now / rest.density);
    work[i].density += stored[i] - mass[i] * rest.energy(bare / rest.density);
  }
};

// What limits the next step, and what is wrong.
struct Limits {
  u32 status = fine;
  Real speed = 0;         // m^2/s^2
  Real acceleration = 0;  // m^2/s^4
  Real compression = 0;   // largest density / rest - 1
  Real mach = 0;          // squared
  TALUS_HD void join(const Limits& other) {
    status |= other.status;
    speed = max(speed, other.speed);
    acceleration = max(acceleration, other.acceleration);
    compression = max(compression, other.compression);
    mach = max(mach, other.mach);
  }
};
template <int D>
struct LookAtLimits {
  Span<const Vec<D>> velocity, acceleration;
  Span<const Real> density;
  Span<const u32> material;
  Span<const matter::Matter> matter;
  TALUS_HD Limits operator()(std::size_t i) const {
    const matter::Tait& rest = matter[material[i]].volume;
    const Real ratio = density[i] / rest.density, c = rest.sound_speed;
    Limits l{fine, dot(velocity[i], velocity[i]), dot(acceleration[i], acceleration[i]), max(ratio - 1, Real(0)), 0};
    if (!(l.speed < Real(1e300) && l.acceleration < Real(1e300) && ratio < Real(1e300))) return {not_finite, 0, 0, 0, 0};
    l.mach = l.speed / (c * c);
    if (!(ratio < densest)) l.status = compressed;
    return l;
  }
};

}  // namespace talus::sph
