#pragma once
// What limits the next step of particles, and what is wrong with them; what steps have shown.
#include <cmath>

#include <talus/continuum/bodies.hpp>
#include <talus/state/status.hpp>

namespace talus::continuum {

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

  static LookAtLimits of(const Particles<D>& p, Span<const matter::Matter> matter) {
    return {p.velocity.span(), p.acceleration.span(), p.density.span(), p.material.span(), matter};
  }
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

struct StepReport {
  u32 status = fine;
  Real compression = 0;  // largest density / rest - 1
  Real mach = 0;         // largest speed over the speed of sound
  Real beyond = 0;       // most particles behind walls in one step
  Real time = 0;         // s, of all steps

  void see(const Limits& now) {
    status |= now.status;
    compression = max(compression, now.compression);
    mach = max(mach, std::sqrt(now.mach));
  }
  template <int D>
  void count_step(Globals<D>& g) {
    g.time += g.dt;
    time += Real(float(g.dt));  // 24 bits: such sums are exact, in whatever turns steps are made
    ++g.step;
  }
};

// The particle that a status complains about (uid): the first by uid. `far`: m beyond the domain that a particle is still held.
template <int D>
u32 culprit(const std::vector<matter::Matter>& matter, Real far, const State<D>& state, u32 status);

}  // namespace talus::continuum
