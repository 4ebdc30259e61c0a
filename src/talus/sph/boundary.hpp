#pragma once
// Boundary particles behind walls: rows along flat ones, rings around cylinders, else what a lattice has behind the surface.
#include <talus/sph/options.hpp>
#include <talus/sph/scratch.hpp>

namespace talus::sph {

// Layers as deep as the kernel reaches, from the surface of each wall outwards; where two walls meet, the first has the corner.
template <int D>
void make_boundary(const Options<D>& options, const Model<D>& model, const State<D>& state, Boundary<D>& out);

}  // namespace talus::sph
