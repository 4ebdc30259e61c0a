#pragma once
// The energy ledger: every entry is integrated or evaluated on its own; the residual is what does not add up.
#include <talus/state/contact_sample.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::measure {

struct Energy {                                                                           // J
  Real kinetic = 0, elastic_normal = 0, elastic_shear = 0;                                // held now
  Real friction = 0, viscous = 0, stiffness = 0, local_damping = 0, removed_kinetic = 0;  // gone since the start
  Real boundary = 0, gravity = 0, growth = 0, initial = 0;  // put in since the start, and held at it
  Real model = 0;  // put in by a multi-contact model that is not conservative; negative: taken

  Real held() const { return kinetic + elastic_normal + elastic_shear; }
  Real gone() const { return friction + viscous + stiffness + local_damping + removed_kinetic; }
  Real given() const { return boundary + gravity + growth + initial + model; }
};

template <int D>
Energy energy(const State<D>& state, const ContactList<D>& contacts);

// Energy-balance error since `start`, J: put in - dissipated - change of held.
inline Real residual(const Energy& now, const Energy& start) {
  return (now.given() - start.given()) - (now.gone() - start.gone()) - (now.held() - start.held());
}

}  // namespace talus::measure
