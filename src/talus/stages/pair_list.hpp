#pragma once
// Pairs of bodies that may touch before the next search, in order of keys: what methods on polygons and hulls start from.
#include <vector>

#include <talus/state/model.hpp>
#include <talus/state/state.hpp>
#include <talus/state/status.hpp>

namespace talus {

// May be dropped between any two steps.
template <int D>
struct BasicPairList {
  bool valid = false;
  Column<RowKey> key;
  Column<u32> body_a, body_b;
  Column<Vec<D>> reference;          // positions at the last search, as fractions of the cell
  std::vector<Quat> wall_reference;  // how walls were turned then; none where bodies have no orientation
  Mat<D> reference_h{};
  Real skin = 0, largest_radius = 0, least_radius = 0;
  i64 searches = 0;
};

using PairList = BasicPairList<2>;

// Puts bodies into spatial order and lists pairs that are close: those within `reach`, and enough others that the list lasts
// for some steps. A status.
template <int D>
u32 search(const Model<D>& model, State<D>& state, BasicPairList<D>& pairs, Real reach);

// Could two bodies come within reach of one another in this step that are not in the list? `reach` is the largest gap that
// a step can close.
template <int D>
bool is_stale(const State<D>& state, const BasicPairList<D>& pairs, Real reach);

}  // namespace talus
