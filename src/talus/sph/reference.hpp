#pragma once
// Who was near whom when bodies were laid: partners of total-Lagrangian bodies, which keep them for ever. docs/design/048-total-lagrangian.md
#include <talus/sph/options.hpp>
#include <talus/sph/scratch.hpp>

namespace talus::sph {

// Makes the lists when there are none, and tells particles, in their present order, where theirs is.
template <int D>
void rank_reference(const Options<D>& options, const State<D>& state, const Column<u32>& by_uid, Reference<D>& out);

}  // namespace talus::sph
