#include <talus/stages/pair_list.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <talus/exec/host.hpp>
#include <talus/stages/close_pairs.ipp>
#include <talus/stages/row_manifold.hpp>

namespace talus {

using exec::Host;

namespace {

// A row for every two parts of a pair.
u32 name_parts(const Model<2>& model, const State<2>& state, Column<RowKey>& key, Column<u32>& body_a,
               Column<u32>& body_b) {
  Column<RowKey> keys;
  Column<u32> first, second;
  for (std::size_t row = 0; row < key.size(); ++row) {
    const u32 a = body_a[row], b = body_b[row];
    for (u32 p = 0; p < parts_of(model, state, a); ++p)
      for (u32 q = 0; q < parts_of(model, state, b); ++q) {
        keys.push_back(key[row].of_parts(p, q));
        first.push_back(a);
        second.push_back(b);
      }
  }
  key = std::move(keys);
  body_a = std::move(first);
  body_b = std::move(second);
  return u32(key.size());
}

// m, how far the turning of walls since the last search may have brought their surfaces to a body.
template <int D>
Real turned_by(const State<D>& state, const BasicPairList<D>& s) {
  Real most = 0;
  for (std::size_t w = 0; w < s.wall_reference.size(); ++w) {
    const Bodies<D>& b = state.bodies;
    const std::size_t i = state.grains() + w;
    const Real angle = 4 * length((b.orientation[i] * s.wall_reference[w].conjugate()).vector());  // twice what a small one is
    if (angle == 0) continue;
    Real farthest = 0;
    for (std::size_t g = 0; g < state.grains(); ++g) farthest = max(farthest, length(b.position[g] - b.position[i]));
    most = max(most, angle * (farthest + s.largest_radius));
  }
  return most;
}

}  // namespace

template <int D>
u32 search(const Model<D>& model, State<D>& state, BasicPairList<D>& s, Real reach) {
  const Sorted<D> sorted = sort_bodies<Host>(model, state, 2 * reach);
  const exec::Stage timed("find_pairs");
  const Bodies<D>& b = state.bodies;
  const std::size_t grains = state.grains();
  Column<u32> start(grains), body_a, body_b;
  Column<RowKey> key;
  FindPairs<D> find = count_pairs(model, state, sorted, any_law, start.span());
  Host::for_each(grains, find);
  u32 total = Host::scan(start.span());
  key.resize_unset(total);
  body_a.resize_unset(total);
  body_b.resize_unset(total);
  find.fill = true;
  find.key = key.span();
  find.body_a = body_a.span();
  find.body_b = body_b.span();
  Host::for_each(grains, find);
  if constexpr (D == 2)
    if (model.outlines.has_compounds()) total = name_parts(model, state, key, body_a, body_b);
  std::vector<u32> order(total);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](u32 p, u32 q) { return key[p] < key[q]; });
  s.key.resize_unset(total);
  s.body_a.resize_unset(total);
  s.body_b.resize_unset(total);
  for (u32 k = 0; k < total; ++k) {
    s.key[k] = key[order[k]];
    s.body_a[k] = body_a[order[k]];
    s.body_b[k] = body_b[order[k]];
  }
  const Mat<D> inverse_h = inverse(state.globals.cell.h);
  s.reference.resize_unset(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) s.reference[i] = i < grains ? inverse_h * b.position[i] : b.position[i];
  s.wall_reference.clear();
  for (std::size_t i = grains; i < b.size() && !b.orientation.empty(); ++i) s.wall_reference.push_back(b.orientation[i]);
  s.reference_h = state.globals.cell.h;
  s.skin = sorted.skin;
  s.largest_radius = sorted.largest_radius;
  s.least_radius = sorted.least_radius;
  s.valid = true;
  ++s.searches;
  return sorted.too_far ? too_many_periods : fine;
}

template <int D>
bool is_stale(const State<D>& state, const BasicPairList<D>& s, Real reach) {
  const Cell<D>& cell = state.globals.cell;
  Real most = 0;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    const Vec<D> x = state.bodies.position[i];
    const Vec<D> moved = i < state.grains() ? x - cell.h * s.reference[i] : x - s.reference[i];
    most = max(most, dot(moved, moved));
  }
  const Mat<D> change = cell.h * inverse(s.reference_h) - Mat<D>::identity();
  const Real shrink = std::sqrt(contract(change, change));
  if (!s.wall_reference.empty()) reach += turned_by(state, s);
  return !(2 * std::sqrt(most) + reach + shrink * (s.skin + 2 * s.largest_radius) < s.skin);
}

template u32 search(const Model<2>&, State<2>&, BasicPairList<2>&, Real);
template u32 search(const Model<3>&, State<3>&, BasicPairList<3>&, Real);
template bool is_stale(const State<2>&, const BasicPairList<2>&, Real);
template bool is_stale(const State<3>&, const BasicPairList<3>&, Real);

}  // namespace talus
