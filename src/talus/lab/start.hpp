#pragma once
// What is asked of a fresh sample before its first step.
#include <string>

#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::lab {

// The deepest overlap of rigid bodies as placed: over the smaller radius, and the uids.
struct StartOverlap {
  Real share = 0;
  u32 first = 0, second = 0;
  bool meets_itself = false;  // a grain touches its own image across the cell
};
inline constexpr Real start_overlap_limit = 1e-3;
template <int D>
StartOverlap deepest_at_start(const Model<D>& model, State<D> state);  // a copy: looking puts bodies into another order

// Step that a fresh sample may start with: a share of the time a Rayleigh wave needs through the smallest grain (Hertz),
// or of the period of the stiffest linear contact. Names the limiting material or pair.
template <int D>
struct FirstStep {
  Real dt;
  std::string reason;
};
template <int D>
FirstStep<D> first_step(const Model<D>& model, const State<D>& state);

}  // namespace talus::lab
