// Bodies in spatial order, and the pairs of them that are close: what both methods look for when bodies have moved too far.
#pragma once
#include <talus/core/rng.hpp>
#include <talus/exec/timers.hpp>
#include <talus/exec/whole_columns.hpp>
#include <talus/neighbours/grid.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus {

template <int D>
struct Wrap {  // position inside the cell, and the periods taken off
  Span<const Vec<D>> position;
  Span<Vec<D>> wrapped;
  Span<Vec<D, i32>> offset;
  Cell<D> cell;
  Mat<D> inverse_h;
  TALUS_HD void operator()(std::size_t i) const {
    const Vec<D> s = inverse_h * position[i];
    Vec<D, i32> periods{};
    for (int k = 0; k < D; ++k)
      if (cell.periodic[k]) {
        periods[k] = i32(clamp(std::floor(s[k]), Real(-image_limit), Real(image_limit)));  // the caller has looked
      }
    offset[i] = periods;
    wrapped[i] = position[i] - cell.translation(periods);
  }
};

// The grid of the bodies as they lie now, and where each was found.
template <int D>
struct Sorted {
  GridView<D> grid;
  Column<Vec<D>> wrapped;
  Column<Vec<D, i32>> offset;
  Column<u32> cell_start;
  std::size_t uids = 0;
  Real largest_radius = 0, least_radius = 0, skin = 0;  // m, radius scale included
  Real wall_reach = 0;                                  // m, virtual overlaps act so far from a wall
  bool too_far = false;                                 // a body has left the cell by more periods than keys can count
};

// Puts bodies into spatial order; walls stay behind them. The skin is that of the options, or more; on top of it comes
// the reach, a share of two radii.
template <class Exec, int D>
Sorted<D> sort_bodies(const Model<D>& model, State<D>& state, Real least_skin = 0, Real reach = 0) {
  const exec::Stage timed("sort");
  Bodies<D>& b = state.bodies;
  const Globals<D>& g = state.globals;
  const std::size_t grains = state.grains();
  const Mat<D> inverse_h = inverse(g.cell.h);
  const auto extents = Exec::template reduce<Extents<D>>(
      grains, MeasureExtents<D>{b.position.span(), b.radius.span(), b.uid.span(), inverse_h});
  const auto classes =
      Exec::template reduce<Classes>(grains, CountClasses{b.radius.span(), extents.most, extents.least});
  const Real usual = grains == 0 ? 0 : model.options.skin * extents.sum / Real(grains) * g.radius_scale;
  const Real skin = max(usual, least_skin) + 2 * reach * g.radius_scale * extents.most;
  const exec::Memory& memory = Exec::memory();
  Sorted<D> out{plan_grid<D>(g.cell, grains, extents, classes, g.radius_scale, skin),
                Column<Vec<D>>(grains, memory),
                Column<Vec<D, i32>>(grains, memory),
                Column<u32>(0, memory),
                extents.uids,
                g.radius_scale * extents.most,
                g.radius_scale * extents.least,
                skin};
  for (int k = 0; k < D; ++k)
    if (g.cell.periodic[k] && !(max(-extents.low[k], extents.high[k]) < image_limit / 2)) out.too_far = true;
  for (const auto& wall : model.walls) out.uids = max(out.uids, std::size_t(wall.uid) + 1);
  Exec::for_each(grains, Wrap<D>{b.position.span(), out.wrapped.span(), out.offset.span(), g.cell, inverse_h});
  Column<u64> keys(grains, memory);
  Column<u32> order(0, memory);
  const auto reorder = [&] {
    Bodies<D>::visit(b, [&](const About&, auto& column) { permute<Exec>(column, order); });
    permute<Exec>(out.wrapped, order);
    permute<Exec>(out.offset, order);
  };
  if (model.options.random_rebuilds > 0) {  // tests: any order of bodies must give the same bits
    Rng rng{model.options.random_rebuild_seed, u64(g.step), 0};
    Column<u64> random(grains);
    for (auto& r : random) r = rng.bits();
    random.move_to(memory);
    Exec::sort_order(random.span(), order);
    reorder();
  }
  out.grid.position = out.wrapped.span();
  out.grid.radius = b.radius.span();
  Exec::for_each(grains, NumberCells<D>{out.grid, keys.span()});
  Exec::sort_order(keys.span(), order);
  reorder();
  permute<Exec>(keys, order);
  out.cell_start.resize_unset(std::size_t(cells_of(out.grid)) + 1);
  Exec::for_each(grains + 1, FillStarts{keys.span(), out.cell_start.span()});
  out.grid.position = out.wrapped.span();
  out.grid.radius = b.radius.span();
  out.grid.start = out.cell_start.span();
  return out;
}

// Pairs of one law that are closer than their radii and the skin, and whose first-found body is i. Counted first, then filled in.
template <int D>
struct FindPairs {
  GridView<D> grid;
  PairView pairs;
  Span<const u32> uid, material, shape;
  Span<const Vec<D>> position;  // unwrapped
  Span<const Shape<D>> shapes;
  Span<const Quat> orientation;  // of all bodies; none where none is kept
  Span<const Real> inverse_mass;
  Span<const Closing> closing;  // of all bodies; empty: no wall closes in
  Span<const Vec<D, i32>> offset;
  u32 law, bodies;
  Real wall_reach;  // m, on top of the skin
  Span<u32> start;  // counts on the first pass, first row of each body on the second
  bool fill;
  Span<RowKey> key;
  Span<u32> body_a, body_b, params;

  TALUS_HD void add(u32 i, u32 j, const Vec<D, i32>& periods, u32 slot, u32& next) const {
    if (fill) {
      // periods: of j's image seen from i. Seen from j they are the opposite.
      const bool straight = uid[i] <= uid[j];
      Vec<D, i32> m = periods;
      if (!straight)
        for (int k = 0; k < D; ++k) m[k] = -m[k];
      key[next] = RowKey::between(straight ? uid[i] : uid[j], straight ? uid[j] : uid[i], m);
      body_a[next] = straight ? i : j;
      body_b[next] = straight ? j : i;
      if (params.size > 0) params[next] = pairs.params[slot];
    }
    ++next;
  }

  // Two bodies that cannot be moved have no finite reduced mass.
  TALUS_HD bool can_push(u32 i, u32 j) const { return inverse_mass[i] > 0 || inverse_mass[j] > 0; }

  // In the wall's own frame.
  TALUS_HD Vec<D> from_wall(u32 i, u32 w) const {
    const Vec<D> way = position[i] - position[w];
    if constexpr (D == 3)
      if (orientation.size > 0) return orientation[w].turned_back(way);
    return way;
  }

  TALUS_HD void operator()(std::size_t n) const {
    const u32 i = u32(n);
    u32 next = fill ? start[i] : 0;
    visit_near(grid, i, [&](u32 j, const Vec<D, i32>& image, const Vec<D>&) {
      const u32 slot = pairs.slot(material[i], material[j]);
      if (law != any_law && pairs.law[slot] != law) return;
      if (!can_push(i, j)) return;
      Vec<D, i32> periods = image;
      for (int k = 0; k < D; ++k) periods[k] += offset[i][k] - offset[j][k];
      add(i, j, periods, slot, next);
    });
    const Real reach = grid.radius_scale * grid.radius[i] + grid.skin + wall_reach;
    for (u32 w = grid.balls; w < bodies; ++w) {
      const u32 slot = pairs.slot(material[i], material[w]);
      if (law != any_law && pairs.law[slot] != law) continue;
      if (!can_push(i, w)) continue;
      const Real way = closing.size > 0 ? closing[w].way : Real(0);
      if (shapes[shape[w]].wall.is_within(from_wall(i, w), reach + way)) add(i, w, {}, slot, next);
    }
    if (!fill) start[i] = next;
  }
};

// The first pass; for the second, `fill` and the columns after it are set.
template <int D>
FindPairs<D> count_pairs(const Model<D>& model, const State<D>& state, const Sorted<D>& sorted, u32 law,
                         Span<u32> start) {
  const Bodies<D>& b = state.bodies;
  return {.grid = sorted.grid,
          .pairs = model.pair_view(),
          .uid = b.uid.span(),
          .material = b.material.span(),
          .shape = b.shape.span(),
          .position = b.position.span(),
          .shapes = model.shapes.span(),
          .orientation = b.orientation.span(),
          .inverse_mass = b.inverse_mass.span(),
          .closing = b.closing.span(),
          .offset = sorted.offset.span(),
          .law = law,
          .bodies = u32(b.size()),
          .wall_reach = sorted.wall_reach,
          .start = start,
          .fill = false,
          .key = {},
          .body_a = {},
          .body_b = {},
          .params = {}};
}

}  // namespace talus
