#pragma once
// Whole columns filled and put into another order, by any back end.
#include <talus/exec/column.hpp>

namespace talus {

template <class T>
struct Fill {
  Span<T> to;
  T value;
  TALUS_HD void operator()(std::size_t i) const { to[i] = value; }
};
template <class Exec, class T>
void fill(Column<T>& column, std::size_t n, const T& value) {
  column.resize_unset(n);
  Exec::for_each(n, Fill<T>{column.span(), value});
}

template <class T>
struct Permute {
  Span<const T> from;
  Span<T> to;
  Span<const u32> order;
  TALUS_HD void operator()(std::size_t i) const { to[i] = from[i < order.size ? order[i] : i]; }  // walls stay
};
// Element order[i] goes to place i.
template <class Exec, class T>
void permute(Column<T>& column, const Column<u32>& order) {
  if (column.empty()) return;
  Column<T> sorted(column.size(), Exec::memory());
  Exec::for_each(column.size(), Permute<T>{column.span(), sorted.span(), order.span()});
  column.swap(sorted);
}

}  // namespace talus
