#pragma once
// Cell grids for the search of close pairs of balls: one grid per size class (each class spans a factor of two in
// radius), so that a size ratio of 10 or 100 does not make every small ball look at every other in a large cell.
// A ball looks into its own class and all larger ones; a pair is found once, from the smaller class.
//
// The grid counts in fractions of the cell, so sheared boxes need no special care, and it walks through unwrapped cell
// numbers: a number outside the box is a periodic image. A box narrower than the reach simply yields several images.
#include <talus/exec/column.hpp>
#include <talus/geometry/cell.hpp>

namespace talus {

inline constexpr int max_levels = 12;

template <int D>
struct GridLevel {
  Real radius = 0;      // m, largest in this class, radius scale included
  Vec<D, i32> cells{};  // number of cells along each edge
  u32 first = 0;        // number of its first cell in the common count of all levels

  Vec<D, i32> column{};  // cells across a column

  // Cells are counted in columns along the last edge, at most 12 by 12 cells across, slice by slice: neighbours have
  // numbers close to each other whatever the size of the sample, so what belongs to them is in the cache together.
  TALUS_HD u32 number(const Vec<D, i32>& c) const {
    Vec<D, i32> corner{}, width{}, local{};
    for (int k = 0; k + 1 < D; ++k) {
      corner[k] = c[k] / column[k] * column[k];
      width[k] = min(column[k], cells[k] - corner[k]);
      local[k] = c[k] - corner[k];
    }
    const i32 last = c[D - 1], length = cells[D - 1];
    if constexpr (D == 2) {
      return first + u32(corner[0]) * u32(length) + u32(last) * u32(width[0]) + u32(local[0]);
    } else {
      const u32 before = (u32(corner[1]) * u32(cells[0]) + u32(corner[0]) * u32(width[1])) * u32(length);
      return first + before + (u32(last) * u32(width[1]) + u32(local[1])) * u32(width[0]) + u32(local[0]);
    }
  }
};

// What kernels take.
template <int D>
struct GridView {
  Cell<D> cell;
  Mat<D> inverse_h;
  Vec<D> base, inverse_extent;  // fractional range the grid covers: all of it along periodic edges
  Vec<D> width;                 // m, face to face
  Real skin = 0;                // m
  Real radius_scale = 1;
  int levels = 0;
  GridLevel<D> level[max_levels];
  u32 balls = 0;
  Span<const Vec<D>> position;
  Span<const Real> radius;
  Span<const u32> start;  // first ball of each cell, one more at the end; balls are stored in cell order

  TALUS_HD int level_of(Real r) const {
    int l = levels - 1;
    while (l > 0 && r <= level[l - 1].radius) --l;
    return l;
  }
  TALUS_HD Vec<D> fraction(const Vec<D>& x) const {
    Vec<D> s = inverse_h * x;
    for (int k = 0; k < D; ++k) s[k] = (s[k] - base[k]) * inverse_extent[k];
    return s;
  }
  TALUS_HD u32 cell_of(const GridLevel<D>& l, const Vec<D>& s) const {
    Vec<D, i32> c;
    for (int k = 0; k < D; ++k) c[k] = clamp(i32(std::floor(s[k] * Real(l.cells[k]))), 0, l.cells[k] - 1);
    return l.number(c);
  }
};

// Calls run(image, first, last) for stretches of balls of one level, all of one image, that together hold all within reach of a
// point. `s`: its fraction.
template <int D, class Run>
TALUS_HD void each_run(const GridView<D>& g, const GridLevel<D>& l, const Vec<D>& s, Real reach, Run&& run) {
  Vec<D, i32> low, high;
  for (int k = 0; k < D; ++k) {
    // A millionth of a cell on either side covers rounding of a ball that sits on a cell's face.
    const Real half = reach / g.width[k] * g.inverse_extent[k];
    low[k] = i32(std::floor((s[k] - half) * Real(l.cells[k]) - 1e-6));
    high[k] = i32(std::floor((s[k] + half) * Real(l.cells[k]) + 1e-6));
    if (!g.cell.periodic[k]) {
      low[k] = clamp(low[k], 0, l.cells[k] - 1);
      high[k] = clamp(high[k], 0, l.cells[k] - 1);
    }
  }
  Vec<D, i32> c = low;
  while (true) {
    // Cells along the first edge, as many as lie in one period and one column: their numbers follow one another.
    Vec<D, i32> image{}, inside = c;
    for (int k = 0; k < D; ++k)
      if (c[k] < 0 || c[k] >= l.cells[k]) {
        image[k] = c[k] >= 0 ? c[k] / l.cells[k] : -((-c[k] - 1) / l.cells[k]) - 1;
        inside[k] -= image[k] * l.cells[k];
      }
    const i32 left_in_column = l.column[0] - inside[0] % l.column[0];
    const i32 cells = min(min(left_in_column, l.cells[0] - inside[0]), high[0] - c[0] + 1);
    const u32 number = l.number(inside);
    run(image, g.start[number], g.start[number + u32(cells)]);
    c[0] += cells;
    int k = 0;
    while (k < D && c[k] > high[k]) {
      c[k] = low[k];
      if (++k < D) ++c[k];
    }
    if (k == D) break;
  }
}

// Calls visit(j, image, branch) for every ball j > i (or j == i seen through an image) closer than the two radii plus
// the skin; branch = position of i minus position of that image of j.
template <int D, class Visit>
TALUS_HD void visit_near(const GridView<D>& g, u32 i, Visit&& visit) {
  const Vec<D> x = g.position[i];
  const Real r = g.radius_scale * g.radius[i];
  const Vec<D> s = g.fraction(x);
  for (int n = g.level_of(r); n < g.levels; ++n) {
    const GridLevel<D>& l = g.level[n];
    each_run(g, l, s, r + l.radius + g.skin, [&](const Vec<D, i32>& image, u32 first, u32 end) TALUS_INLINED {
      if (end <= i) return;                 // balls before i have found it
      bool moved = false, forward = false;  // is this an image, and the positive one of a +/- pair?
      for (int k = 0; k < D && !moved; ++k)
        if (image[k] != 0) {
          moved = true;
          forward = image[k] > 0;
        }
      const Vec<D> from = moved ? x - g.cell.translation(image) : x;
      for (u32 j = max(first, forward ? i : i + 1); j < end; ++j) {
        const Vec<D> branch = from - g.position[j];
        const Real limit = r + g.radius_scale * g.radius[j] + g.skin;
        if (dot(branch, branch) < limit * limit) visit(j, image, branch);
      }
    });
  }
}

// Calls visit(j) for every ball within a distance of a point, images included, in no useful order.
template <int D, class Visit>
TALUS_HD void visit_around(const GridView<D>& g, const Vec<D>& x, Real reach, Visit&& visit) {
  const Vec<D> s = g.fraction(x);
  for (int n = 0; n < g.levels; ++n)
    each_run(g, g.level[n], s, reach, [&](const Vec<D, i32>& image, u32 first, u32 end) TALUS_INLINED {
      const Vec<D> from = x - g.cell.translation(image);
      for (u32 j = first; j < end; ++j) {
        const Vec<D> branch = from - g.position[j];
        if (dot(branch, branch) < reach * reach) visit(j);
      }
    });
}

// What a grid must know of its balls: the first look.
template <int D>
struct Extents {
  Real least = 1e300, most = 0, sum = 0;        // m, radii at scale 1; the sum only sets the skin
  Vec<D> low = all(1e300), high = all(-1e300);  // fractions of the cell
  u64 uids = 0;                                 // one more than the largest uid
  TALUS_HD void join(const Extents& other) {
    least = min(least, other.least);
    most = max(most, other.most);
    sum += other.sum;
    for (int k = 0; k < D; ++k) {
      low[k] = min(low[k], other.low[k]);
      high[k] = max(high[k], other.high[k]);
    }
    uids = max(uids, other.uids);
  }
  TALUS_HD static Vec<D> all(Real x) {
    Vec<D> v;
    for (int k = 0; k < D; ++k) v[k] = x;
    return v;
  }
};

template <int D>
struct MeasureExtents {
  Span<const Vec<D>> position;  // unwrapped: along a periodic edge the grid covers the whole cell
  Span<const Real> radius;
  Span<const u32> uid;
  Mat<D> inverse_h;
  TALUS_HD Extents<D> operator()(std::size_t i) const {
    const Vec<D> s = inverse_h * position[i];
    return {radius[i], radius[i], radius[i], s, s, u64(uid[i]) + 1};
  }
};

// The second look: how many balls each class holds and the largest of them. Class c holds radii up to most / 2^c.
struct Classes {
  u32 count[max_levels] = {};
  Real largest[max_levels] = {};
  TALUS_HD void join(const Classes& other) {
    for (int c = 0; c < max_levels; ++c) {
      count[c] += other.count[c];
      largest[c] = max(largest[c], other.largest[c]);
    }
  }
};

struct CountClasses {
  Span<const Real> radius;
  Real most, least;
  TALUS_HD Classes operator()(std::size_t i) const {
    const Real r = radius[i];
    int c = 0;
    for (Real top = most / 2; c + 1 < max_levels && top >= least && r <= top; top /= 2) ++c;
    Classes one;
    one.count[c] = 1;
    one.largest[c] = r;
    return one;
  }
};

// Lays out levels and cells. The caller sets `position`, `radius` and `start` once the balls lie in order of their keys.
template <int D>
GridView<D> plan_grid(const Cell<D>& cell, std::size_t balls, const Extents<D>& extents, const Classes& classes,
                      Real radius_scale, Real skin);

template <int D>
u32 cells_of(const GridView<D>& grid);

// A ball's cell number: what balls are sorted by.
template <int D>
struct NumberCells {
  GridView<D> grid;
  Span<u64> keys;
  TALUS_HD void operator()(std::size_t i) const {
    const int n = grid.level_of(grid.radius_scale * grid.radius[i]);
    keys[i] = grid.cell_of(grid.level[n], grid.fraction(grid.position[i]));
  }
};

// First element of each bin, once the elements are sorted; each element writes for the empty bins before it. An element's
// bin is its key without the lowest `shift` bits.
struct FillStarts {
  Span<const u64> keys;
  Span<u32> start;  // one more than bins
  int shift = 0;
  TALUS_HD void operator()(std::size_t i) const {
    const std::size_t low = i == 0 ? 0 : (keys[i - 1] >> shift) + 1;
    const std::size_t high = i == keys.size ? start.size : (keys[i] >> shift) + 1;
    for (std::size_t c = low; c < high; ++c) start[c] = u32(i);
  }
};

}  // namespace talus
