#pragma once
// A dashpot beside up to two Maxwell elements: what every linear law of a coat is in one dimension. Its force after a unit jump of
// the overlap is R(t) = dashpot delta(t) + sum stiffness_i exp(-rate_i t), no term negative, so it is passive.
// All quantities hold for a coat of area over thickness 1 m: a coat has s = area / thickness times as much.
// Equations: docs/laws/burgers.md (5)-(8).
#include <talus/core/real.hpp>

namespace talus {

struct Relaxation {
  Real dashpot = 0;         // Pa s
  Real stiffness[2] = {};   // Pa
  Real rate[2] = {};        // 1/s; 0: a spring
};

// The same over one step, exact for a constant closing velocity v:  f_i <- keep_i f_i + gain_i v,  F = f_0 + f_1 + dashpot v.
struct RelaxationStep {
  Real dashpot = 0;  // Pa s
  Real keep[2] = {1, 1};
  Real gain[2] = {};       // Pa s
  Real stiffness[2] = {};  // Pa, for the energy

  RelaxationStep() = default;
  RelaxationStep(const Relaxation& r, Real dt) : dashpot(r.dashpot) {
    for (int i = 0; i < 2; ++i) {
      const Real lost = -std::expm1(-r.rate[i] * dt);  // no cancellation for short steps
      keep[i] = 1 - lost;
      gain[i] = r.stiffness[i] * (r.rate[i] > 0 ? lost / r.rate[i] : dt);
      stiffness[i] = r.stiffness[i];
    }
  }
  Real viscosity() const { return dashpot + (gain[0] + gain[1]); }  // b for s = 1 m, Pa s
};

// Two forces remember all that a coat went through.
struct RelaxationMemory {
  Real force[2] = {};  // N
  Real scale = 0;      // m, area over thickness in the last step; 0: a new contact
};

// Stored forces follow the area down and not up. To keep the elongations when the area grows would create energy, as would keeping
// the forces when it shrinks.
inline Real kept_share(const RelaxationMemory& m, Real scale) { return m.scale > scale ? scale / m.scale : 1; }

// Elastic energy, J, of a coat of scale s > 0.
inline Real stored_energy(const RelaxationStep& r, const RelaxationMemory& m) {
  Real sum = 0;
  for (int i = 0; i < 2; ++i)
    if (r.stiffness[i] > 0 && m.scale > 0) sum += 0.5 * m.force[i] * m.force[i] / (r.stiffness[i] * m.scale);
  return sum;
}

}  // namespace talus
