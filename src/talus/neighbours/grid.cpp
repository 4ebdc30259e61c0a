#include <talus/neighbours/grid.hpp>

#include <algorithm>

namespace talus {

template <int D>
GridView<D> plan_grid(const Cell<D>& cell, std::size_t balls, const Extents<D>& extents, const Classes& classes,
                      Real radius_scale, Real skin) {
  GridView<D> g;
  g.cell = cell;
  g.inverse_h = inverse(cell.h);
  g.skin = skin;
  g.radius_scale = radius_scale;
  g.balls = u32(balls);
  for (int k = 0; k < D; ++k) {
    g.base[k] = 0;
    g.inverse_extent[k] = 1;
    g.width[k] = cell.width(k, g.inverse_h);
    if (cell.periodic[k] || balls == 0) continue;
    g.base[k] = extents.low[k];
    g.inverse_extent[k] = 1 / std::max(extents.high[k] - extents.low[k], Real(1e-12));
  }
  u32 cells = 0;
  for (int c = max_levels - 1; c >= 0; --c) {
    if (classes.count[c] == 0) continue;
    GridLevel<D>& l = g.level[g.levels++];
    l.radius = radius_scale * classes.largest[c];
    l.first = cells;
    const Real edge = 2 * l.radius + skin;
    Real total = 1;
    for (int k = 0; k < D; ++k) {
      l.cells[k] = std::max(1, int(std::min(g.width[k] / g.inverse_extent[k] / edge, Real(1 << 20))));
      total *= l.cells[k];
    }
    // A sparse level does not get more cells than a few per ball.
    const Real allowed = 4.0 * Real(classes.count[c]) + 64;
    if (total > allowed) {
      const Real shrink = std::pow(allowed / total, Real(1) / D);
      for (int k = 0; k < D; ++k) l.cells[k] = std::max(1, int(l.cells[k] * shrink));
    }
    u32 product = 1;
    for (int k = 0; k < D; ++k) {
      product *= u32(l.cells[k]);
      const i32 columns = (l.cells[k] + 11) / 12;
      l.column[k] = (l.cells[k] + columns - 1) / columns;
    }
    cells += product;
  }
  return g;
}

template <int D>
u32 cells_of(const GridView<D>& grid) {
  if (grid.levels == 0) return 0;
  const GridLevel<D>& last = grid.level[grid.levels - 1];
  u32 product = 1;
  for (int k = 0; k < D; ++k) product *= u32(last.cells[k]);
  return last.first + product;
}

template GridView<2> plan_grid(const Cell<2>&, std::size_t, const Extents<2>&, const Classes&, Real, Real);
template GridView<3> plan_grid(const Cell<3>&, std::size_t, const Extents<3>&, const Classes&, Real, Real);
template u32 cells_of(const GridView<2>&);
template u32 cells_of(const GridView<3>&);

}  // namespace talus
