#pragma once
// Who is near whom. Lists are made anew when a particle has moved by half the skin; neither the moment nor the order of
// particles in memory reaches a result.
#include <talus/sph/options.hpp>
#include <talus/sph/scratch.hpp>

namespace talus::sph {

inline constexpr Real skin = 0.15;  // of the support; a choice, not a measured optimum

// Puts particles into spatial order and lists their partners.
template <int D>
void make_lists(const Options<D>& options, const Model<D>& model, State<D>& state, Scratch<D>& scratch);

// m, that a particle may move before its list is stale.
template <int D>
Real free_way(const Options<D>& options) {
  return Real(0.5) * skin * options.support * options.spacing;
}

}  // namespace talus::sph
