#pragma once
// Places in the order of the cells of a grid, to find those that are near.
#include <cmath>

#include <talus/exec/host.hpp>
#include <talus/exec/whole_columns.hpp>
#include <talus/neighbours/grid.hpp>

namespace talus::sph {

template <int D>
struct Sites {
  Column<Vec<D>> position;  // m, wrapped into the cell
  Column<Real> radius;      // m, half the reach
  Column<u32> who;          // number of the place, as given
  Column<u32> start;
  GridView<D> grid;
};

template <int D>
Vec<D> wrapped(const Vec<D>& x, const Cell<D>& cell, const Mat<D>& inverse_h) {
  const Vec<D> s = inverse_h * x;
  Vec<D, i32> periods{};
  for (int k = 0; k < D; ++k)
    if (cell.periodic[k]) periods[k] = i32(std::floor(s[k]));
  return x - cell.translation(periods);
}

// `place(n)`: m, of number n of `count`.
template <int D, class Place>
Sites<D> sort_sites(const Cell<D>& cell, std::size_t count, Real reach, Place&& place) {
  using exec::Host;
  const Mat<D> inverse_h = inverse(cell.h);
  Sites<D> s;
  s.position.resize_unset(count);
  s.radius.assign(count, reach / 2);
  s.who.resize_unset(count);
  Host::for_each(count, [&](std::size_t i) {
    s.position[i] = wrapped(place(i), cell, inverse_h);
    s.who[i] = u32(i);
  });
  const auto extents =
      Host::reduce<Extents<D>>(count, MeasureExtents<D>{s.position.span(), s.radius.span(), s.who.span(), inverse_h});
  const auto classes = Host::reduce<Classes>(count, CountClasses{s.radius.span(), extents.most, extents.least});
  s.grid = plan_grid<D>(cell, count, extents, classes, 1, 0);
  s.grid.position = s.position.span();
  s.grid.radius = s.radius.span();
  Column<u64> keys(count);
  Host::for_each(count, NumberCells<D>{s.grid, keys.span()});
  Column<u32> order;
  Host::sort_order(keys.span(), order);
  permute<Host>(s.position, order);
  permute<Host>(s.who, order);
  permute<Host>(keys, order);
  s.start.resize_unset(std::size_t(cells_of(s.grid)) + 1);
  Host::for_each(count + 1, FillStarts{keys.span(), s.start.span()});
  s.grid.position = s.position.span();
  s.grid.start = s.start.span();
  return s;
}

}  // namespace talus::sph
