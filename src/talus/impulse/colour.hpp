#pragma once
// Patches in colours: those of one colour share no body that they could move, so a colour may be done by any number of
// threads, or in lanes, in any order, and gives the same bits.
#include <vector>

#include <talus/impulse/patch.hpp>

namespace talus::impulse {

// Patches colour by colour, each colour in the order in which they were given.
struct Colours {
  std::vector<u32> order;  // patch numbers
  std::vector<u32> start;  // first place in `order` of each colour, one more at the end
  std::size_t count() const { return start.empty() ? 0 : start.size() - 1; }
};

// Greedy, in the order given: keys in, the same colours out, whatever made the list. Bodies that cannot be moved bind nobody.
Colours colour(const std::vector<Patch>& patches, const std::vector<Motion>& bodies);

}  // namespace talus::impulse
