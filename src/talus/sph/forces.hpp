#pragma once
// Stages `boundary` and `forces`: pressure of the walls, and what pairs of particles do to each other. Each force of a pair is
// computed from both sides by expressions that differ in sign alone, so momentum is kept to rounding.
// docs/design/029-sph.md (3)-(7).
#include <talus/sph/pairs.hpp>
#include <talus/state/particles.hpp>

namespace talus::sph {

// What a boundary particle is, from the particles before it (Adami 2012): their pressure with the weight of the liquid between,
// and the velocity that makes a liquid stick.
template <int D>
struct CarryToWalls {
  Pairs<D> pairs;
  Vec<D> gravity;
  Span<Real> pressure;
  Span<Vec<D>> velocity;

  TALUS_HD void operator()(std::size_t b) const {
    Real weight = 0, sum = 0;
    Vec<D> moved{};
    pairs.each_before(b, [&](const Record<D>& other, const Vec<D>& branch, Real r2) TALUS_INLINED {
      const Real w = pairs.kernel.value(std::sqrt(r2));
      weight += w;
      sum += w * (other.pressure - other.density * dot(gravity, branch));
      moved += w * other.velocity;
    });
    const bool wet = weight > 0;
    pressure[b] = wet ? max(sum / weight, Real(0)) : 0;
    velocity[b] = wet ? (-1 / weight) * moved : Vec<D>{};  // the wall is at rest: it lies in the middle
  }
};

struct Viscosity {
  Real artificial;  // Monaghan's coefficient
  Real h;           // m
};

// Force on a particle from another: along the branch, and across it.
template <int D>
struct PairForce {
  Real along = 0;     // N/m: times the branch
  Real dragged = 0;   // N s/m: times the relative velocity
  Real power = 0;     // W, taken by viscosity; both particles together
};

template <int D>
TALUS_HD PairForce<D> force_between(const Pairs<D>& pairs, const Viscosity& v, const Record<D>& me, const Record<D>& other,
                                    const Vec<D>& branch, Real r2) {
  const Real slope = pairs.kernel.slope(std::sqrt(r2)), volumes = me.volume * other.volume;
  const Vec<D> relative = me.velocity - other.velocity;
  const Real closing = dot(relative, branch), softened = r2 + Real(0.01) * v.h * v.h;
  PairForce<D> f;
  f.along = -(volumes * (me.pressure + other.pressure)) * slope;
  const matter::Matter a = pairs.matter[me.material], b = pairs.matter[other.material];
  if (closing < 0) {  // (27): Pi = -a c Q / rho
    const Real speed = Real(0.5) * (a.volume.sound_speed + b.volume.sound_speed);
    const Real mean = Real(0.5) * (me.density + other.density);
    const Real shock = -v.artificial * speed * (v.h * closing / softened) / mean;
    const Real push = -(volumes * (me.density * other.density)) * shock * slope;
    f.along += push;
    f.power -= push * closing;
  }
  f.dragged = volumes * (a.viscosity + b.viscosity) * (slope * r2 / softened);
  f.power -= f.dragged * dot(relative, relative);
  return f;
}

// Of the wall on a particle: pressure, and drag where it sticks.
template <int D>
struct WallForce {
  Vec<D> force{};      // N
  Real given = 0;      // W, to the particle beyond what its compression takes
  Real power = 0;      // W, taken by viscosity
};
template <int D>
TALUS_HD WallForce<D> force_of_wall(const Pairs<D>& pairs, const Viscosity& v, const Record<D>& me, u32 b, const Vec<D>& branch,
                                    Real r2) {
  const Real slope = pairs.kernel.slope(std::sqrt(r2)), volumes = me.volume * pairs.wall_volume[b];
  const Real along = -(volumes * (me.pressure + pairs.wall_pressure[b])) * slope;
  WallForce<D> f{along * branch, -(volumes * pairs.wall_pressure[b]) * slope * dot(me.velocity, branch), 0};
  if (!pairs.wall_slips[b]) {
    const Real dragged = volumes * 2 * pairs.matter[me.material].viscosity * (slope * r2 / (r2 + Real(0.01) * v.h * v.h));
    const Vec<D> drag = dragged * (me.velocity - pairs.wall_velocity[b]);
    f.force += drag;
    f.power = -dot(drag, me.velocity);
  }
  return f;
}

template <int D>
struct Forces {
  Pairs<D> pairs;
  Viscosity viscosity;
  Vec<D> gravity;
  Real dt;  // s, of the step that ends here; 0: none does
  Span<const Real> mass;
  Span<Vec<D>> acceleration, wall_force;  // the latter may be empty, as may the ledger
  Span<ParticleWork> work;

  TALUS_HD void operator()(std::size_t i) const {
    const Record<D> me = pairs.records[i];
    Vec<D> inner{};
    Real taken = 0;
    pairs.each_particle(i, [&](const Record<D>& other, const Vec<D>& branch, Real r2) TALUS_INLINED {
      const PairForce<D> f = force_between(pairs, viscosity, me, other, branch, r2);
      inner += f.along * branch + f.dragged * (me.velocity - other.velocity);
      taken += Real(0.5) * f.power;
    });
    WallForce<D> outer;
    pairs.each_wall(i, [&](u32 b, const Vec<D>& branch, Real r2) TALUS_INLINED {
      const WallForce<D> f = force_of_wall(pairs, viscosity, me, b, branch, r2);
      outer.force += f.force;
      outer.given += f.given;
      outer.power += f.power;
    });
    acceleration[i] = (1 / mass[i]) * (inner + outer.force) + gravity;
    if (wall_force.size == 0) return;
    wall_force[i] = outer.force;
    work[i].viscous += dt * (taken + outer.power);
    work[i].walls += dt * outer.given;
  }
};

// Force of the particles before it on a boundary particle.
template <int D>
struct PushWalls {
  Pairs<D> pairs;
  Viscosity viscosity;
  Span<Vec<D>> force;
  TALUS_HD void operator()(std::size_t b) const {
    Vec<D> sum{};
    pairs.each_before(b, [&](const Record<D>& other, const Vec<D>& branch, Real r2) TALUS_INLINED {
      sum -= force_of_wall(pairs, viscosity, other, u32(b), branch, r2).force;
    });
    force[b] = sum;
  }
};

}  // namespace talus::sph
