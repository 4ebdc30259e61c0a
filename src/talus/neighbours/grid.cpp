#include <talus/neighbours/grid.hpp>

#include <algorithm>

namespace talus {

namespace {

template <int D>
struct Number {  // a ball's cell number
  GridView<D> grid;
  Span<u64> keys;
  void operator()(std::size_t i) const {
    const int n = grid.level_of(grid.radius_scale * grid.radius[i]);
    keys[i] = grid.cell_of(grid.level[n], grid.fraction(grid.position[i]));
  }
};

}  // namespace

template <int D>
GridView<D> plan_grid(const Cell<D>& cell, Span<const Vec<D>> position, Span<const Real> radius, std::size_t balls,
                      Real radius_scale, Real skin, Column<u64>& keys) {
  GridView<D> g;
  g.cell = cell;
  g.inverse_h = inverse(cell.h);
  g.skin = skin;
  g.radius_scale = radius_scale;
  g.balls = u32(balls);
  g.position = position;
  g.radius = radius;
  for (int k = 0; k < D; ++k) {
    g.base[k] = 0;
    g.inverse_extent[k] = 1;
    g.width[k] = cell.width(k, g.inverse_h);
    if (cell.periodic[k] || balls == 0) continue;
    Real low = 1e300, high = -1e300;
    for (std::size_t i = 0; i < balls; ++i) {
      const Real s = (g.inverse_h * position[i])[k];
      low = std::min(low, s);
      high = std::max(high, s);
    }
    const Real extent = std::max(high - low, Real(1e-12));
    g.base[k] = low;
    g.inverse_extent[k] = 1 / extent;
  }

  // Size classes from the largest down, each half of the one above; empty ones are left out.
  Real most = 0, least = 1e300;
  for (std::size_t i = 0; i < balls; ++i) {
    most = std::max(most, radius_scale * radius[i]);
    least = std::min(least, radius_scale * radius[i]);
  }
  Real top[max_levels] = {}, largest[max_levels] = {};
  std::size_t count[max_levels] = {};
  int classes = 1;
  top[0] = most;
  while (classes < max_levels && top[classes - 1] / 2 >= least) {
    top[classes] = top[classes - 1] / 2;
    ++classes;
  }
  for (std::size_t i = 0; i < balls; ++i) {
    const Real r = radius_scale * radius[i];
    int c = 0;
    while (c + 1 < classes && r <= top[c + 1]) ++c;
    ++count[c];
    largest[c] = std::max(largest[c], r);
  }
  u32 cells = 0;
  for (int c = classes - 1; c >= 0; --c) {
    if (count[c] == 0) continue;
    GridLevel<D>& l = g.level[g.levels++];
    l.radius = largest[c];
    l.first = cells;
    const Real edge = 2 * l.radius + skin;
    Real total = 1;
    for (int k = 0; k < D; ++k) {
      l.cells[k] = std::max(1, int(std::min(g.width[k] / g.inverse_extent[k] / edge, Real(1 << 20))));
      total *= l.cells[k];
    }
    // A sparse level does not get more cells than a few per ball.
    const Real allowed = 4.0 * Real(count[c]) + 64;
    if (total > allowed) {
      const Real shrink = std::pow(allowed / total, Real(1) / D);
      for (int k = 0; k < D; ++k) l.cells[k] = std::max(1, int(l.cells[k] * shrink));
    }
    u32 product = 1;
    for (int k = 0; k < D; ++k) product *= u32(l.cells[k]);
    cells += product;
  }
  keys.resize(balls);
  exec::Host::for_each(balls, Number<D>{g, keys.span()});
  return g;
}

template <int D>
void fill_starts(GridView<D>& grid, Span<const u64> sorted_keys, Column<u32>& start) {
  u32 cells = 0;
  for (int n = 0; n < grid.levels; ++n) {
    u32 product = 1;
    for (int k = 0; k < D; ++k) product *= u32(grid.level[n].cells[k]);
    cells = grid.level[n].first + product;
  }
  start.resize(std::size_t(cells) + 1);
  u32 next = 0;
  for (std::size_t i = 0; i < sorted_keys.size; ++i)
    while (next <= sorted_keys[i]) start[next++] = u32(i);
  while (next <= cells) start[next++] = u32(sorted_keys.size);
  grid.start = start.span();
}

template GridView<2> plan_grid(const Cell<2>&, Span<const Vec<2>>, Span<const Real>, std::size_t, Real, Real,
                               Column<u64>&);
template GridView<3> plan_grid(const Cell<3>&, Span<const Vec<3>>, Span<const Real>, std::size_t, Real, Real,
                               Column<u64>&);
template void fill_starts(GridView<2>&, Span<const u64>, Column<u32>&);
template void fill_starts(GridView<3>&, Span<const u64>, Column<u32>&);

}  // namespace talus
