// Kernels that move bodies: kick, drift, body forces.
#pragma once
#include <talus/dem/step.hpp>

namespace talus::dem {

template <class T>
TALUS_HD Real finite_or_infinity(T x) {
  return x <= Real(1.7e308) ? Real(x) : Real(HUGE_VAL);  // NaN compares false
}

template <int D, bool Rotation>
struct Kick {  // half a step of acceleration
  Span<Vec<D>> velocity;
  Span<Spin<D>> spin;
  Span<const Vec<D>> force;
  Span<const Spin<D>> torque;
  Span<const Real> inverse_mass, inverse_inertia;
  Real half_dt;
  TALUS_HD void operator()(std::size_t i) const {
    velocity[i] += (half_dt * inverse_mass[i]) * force[i];
    if constexpr (Rotation) spin[i] += (half_dt * inverse_inertia[i]) * torque[i];
  }
};

// Grains move with their own velocity and with the cell; driven bodies with their velocity alone. Returns the square of
// the largest displacement against the deforming reference of the last rebuild.
template <int D>
struct Drift {
  Span<Vec<D>> position;
  Span<const Vec<D>> velocity, reference;
  Mat<D> rate, h;  // h after the step
  Real dt;
  std::size_t grains;
  bool deforms;
  TALUS_HD Real operator()(std::size_t i) const {
    Vec<D> x = position[i];
    if (deforms && i < grains) x += dt * (rate * x);
    x += dt * velocity[i];
    position[i] = x;
    const Vec<D> moved = i < grains ? x - h * reference[i] : x - reference[i];
    return finite_or_infinity(dot(moved, moved));
  }
};

// Gravity and local damping on top of the contact forces, then the second half kick. Returns the square of the speed.
template <int D, bool Rotation, bool Ledger>
struct BodyForces {
  Span<Vec<D>> velocity, force;
  Span<Spin<D>> spin, torque;
  Span<const Real> mass, inverse_mass, inverse_inertia;
  Span<BodyWork> work;
  Vec<D> gravity;
  Real damping, dt;
  template <class V>
  TALUS_HD static V against(const V& f, const V& v, Real share) {
    V out = f;
    for (int k = 0; k < V::size; ++k) {
      const Real sign = v[k] > 0 ? Real(1) : v[k] < 0 ? Real(-1) : Real(0);
      out[k] -= share * std::abs(f[k]) * sign;
    }
    return out;
  }
  TALUS_HD Real operator()(std::size_t i) const {
    if (!(inverse_mass[i] > 0)) return 0;  // driven bodies keep the force of the grains for their servo
    const Vec<D> weight = mass[i] * gravity;
    const Vec<D> whole = force[i] + weight;
    const Vec<D> damped = damping > 0 ? against(whole, velocity[i], damping) : whole;
    force[i] = damped;
    const Vec<D> middle = velocity[i], v = middle + (Real(0.5) * dt * inverse_mass[i]) * damped;
    velocity[i] = v;
    Spin<D> twist{}, w{}, damped_twist{};
    if constexpr (Rotation) {
      twist = torque[i];
      damped_twist = damping > 0 ? against(twist, spin[i], damping) : twist;
      torque[i] = damped_twist;
      w = spin[i] + (Real(0.5) * dt * inverse_inertia[i]) * damped_twist;
      spin[i] = w;
    }
    if constexpr (Ledger) {
      // This force acts over the half kick just made and the first half of the next step: its work is force times the
      // velocity in the middle, v.
      work[i].local += dt * (dot(whole - damped, v) + dot(twist - damped_twist, w));
      work[i].gravity += dt * dot(weight, middle);  // weight times displacement: exact
    }
    return finite_or_infinity(dot(v, v) + dot(w, w));
  }
};

}  // namespace talus::dem
