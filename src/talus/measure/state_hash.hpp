#pragma once
// One number for a whole State: two states have the same hash when every column of every body, of every contact that
// remembers something and of the globals has the same bits, whatever the order of bodies and rows in memory, the skin,
// and the number of threads. The head of the hash chain is left out: it is made of these hashes.
#include <talus/core/hash.hpp>
#include <talus/state/state.hpp>

namespace talus {

template <int D>
u64 state_hash(const State<D>& state);

// Adds the state as it is now to the chain in its globals. The chain's head tells two histories apart even where their
// states meet again. The one function of this layer that writes to a State, and only to the chain.
template <int D>
void extend_chain(State<D>& state);

}  // namespace talus
