#pragma once
// Takes grains out of a sample for good. Uids of the others stay, so uids have gaps from then on.
#include <vector>

#include <talus/state/state.hpp>

namespace talus {

// `gone`: for each grain by index. The energy that moved with them counts as removed; what the ledger has entered for them is
// kept by the first wall, or the first grain left.
template <int D>
void remove_grains(State<D>& state, const std::vector<bool>& gone);

// What contacts of these bodies remember goes: they are, or will be, out of reach.
template <int D>
void forget_contacts(State<D>& state, std::vector<u32> uids);

}  // namespace talus
