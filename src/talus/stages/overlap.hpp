#pragma once
// How deep bodies lie inside one another as they are placed, by their geometry alone.
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus {

struct Overlap {
  Real share = 0;               // the deepest, over the smaller radius
  u32 first = 0, second = 0;    // uids
  bool touches_itself = false;  // a grain touches its own image across the cell
};
Overlap deepest_overlap(const Model<2>& model, State<2> state);  // a copy: the search puts bodies into another order

}  // namespace talus
