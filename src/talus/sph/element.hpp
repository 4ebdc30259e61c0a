#pragma once
// Pieces of matter on their own: each particle is deformed along a path, as if it had no partners.
#include <talus/method/first_step.hpp>
#include <talus/sph/options.hpp>

namespace talus::sph {

// Under the confining pressure, without shear.
template <int D>
void begin_path(const Options<D>& options, const MaterialPath& path, State<D>& state);

// One of the equal steps of the path. Stress, density and what solids remember are State; nothing moves.
template <int D>
void follow_path(const Options<D>& options, const MaterialPath& path, State<D>& state);

}  // namespace talus::sph
