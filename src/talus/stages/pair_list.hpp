#pragma once
// Pairs of bodies of the plane that may touch before the next search, in order of keys: what methods on polygons start from.
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>
#include <talus/state/status.hpp>

namespace talus {

// May be dropped between any two steps.
struct PairList {
  bool valid = false;
  Column<RowKey> key;
  Column<u32> body_a, body_b;
  Column<Vec2> reference;  // positions at the last search, as fractions of the cell
  Mat<2> reference_h{};
  Real skin = 0, largest_radius = 0, least_radius = 0;
  i64 searches = 0;
};

// Puts bodies into spatial order and lists pairs that are close: those within `reach`, and enough others that the list lasts
// for some steps. A status.
u32 search(const Model<2>& model, State<2>& state, PairList& pairs, Real reach);

// Could two bodies come within reach of one another in this step that are not in the list? `reach` is the largest gap that
// a step can close.
bool is_stale(const State<2>& state, const PairList& pairs, Real reach);

}  // namespace talus
