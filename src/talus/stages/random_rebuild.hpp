#pragma once
// Tests: lists are made anew at random moments, with a random order of bodies. No result may change.
#include <talus/core/rng.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus {

template <int D>
bool random_rebuild_due(const Model<D>& model, const State<D>& state) {
  if (!(model.options.random_rebuilds > 0)) return false;
  Rng rng{model.options.random_rebuild_seed, u64(state.globals.step), 1};
  return rng.uniform() < model.options.random_rebuilds;
}

}  // namespace talus
