#pragma once
// The stable step of a sample whose contacts are not known yet.
#include <string>

#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::dem {

// The time a Rayleigh wave needs through the smallest grain (Hertz), or the stable step of a grain among the stiffest linear
// contacts, whichever is shorter.
struct StartLimit {
  Real dt;             // s
  std::string reason;  // names the limiting material or pair
};
template <int D>
StartLimit start_limit(const Model<D>& model, const State<D>& state);

}  // namespace talus::dem
