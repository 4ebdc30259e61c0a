#pragma once
// Who is near whom. Lists are made anew when a particle has moved by half the skin; neither the moment nor the order of
// particles in memory reaches a result.
#include <talus/sph/options.hpp>
#include <talus/sph/scratch.hpp>

namespace talus::sph {

inline constexpr Real skin = 0.12;  // of the support; the least cost of `bench_sph` lies between 0.1 and 0.15, with little between

inline constexpr std::size_t few_groups = 16;  // done by one thread

// Places in the order of a curve that keeps near ones together; `width`: m, of its cells.
template <int D>
Column<u32> spatial_order(const Cell<D>& cell, Span<const Vec<D>> place, Real width);

// Puts particles into spatial order, when they have left it, and lists the partners of their groups.
template <int D>
void make_lists(const Options<D>& options, const Model<D>& model, State<D>& state, Scratch<D>& scratch);

// m, that a particle may move before its list is stale.
template <int D>
Real free_way(const Options<D>& options) {
  return Real(0.5) * skin * options.support * options.spacing;
}

}  // namespace talus::sph
