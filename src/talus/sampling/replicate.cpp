#include <talus/sampling/replicate.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

namespace talus::sampling {
namespace {

// ---- the grid ----------------------------------------------------------------------------------------------------------

// Bits between the grid of a cell and the last bit of its largest coordinate: domains of 16 cells along an edge, and samples
// made of such samples, need no coarser one. More would move a contact of a cell of 15 diameters by over 1e-12 of its length.
constexpr int reserve = 6;

struct Extent {
  Real cell = 0, domain = 0;  // m: largest coordinate of the cell, and of the sample made of it
};

template <int D>
Extent extent_of(const State<D>& cell, const Replicas<D>& replicas) {
  Real farthest = 0;
  for (std::size_t i = 0; i < cell.bodies.size(); ++i)
    for (int k = 0; k < D; ++k) farthest = max(farthest, std::abs(cell.bodies.position[i][k]));
  Real once = 0, copied = 0;
  for (int i = 0; i < D; ++i) {
    Real sum = 0, all = 0;
    for (int k = 0; k < D; ++k) {
      sum += std::abs(cell.globals.cell.h(i, k));
      all += std::abs(cell.globals.cell.h(i, k)) * Real(replicas.along[k]);
    }
    once = max(once, sum);
    copied = max(copied, all);
  }
  return {max(farthest, once), farthest + copied};
}

// Of the last bit of numbers below x.
int last_bit(Real x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return exponent - std::numeric_limits<Real>::digits;
}

Real rounded_down(Real x, int exponent) { return std::ldexp(std::floor(std::ldexp(x, -exponent)), exponent); }

template <int D, class F>
void each_coordinate(State<D>& state, F&& f) {
  for (std::size_t i = 0; i < state.bodies.size(); ++i)
    for (int k = 0; k < D; ++k) f(state.bodies.position[i][k]);
  for (int i = 0; i < D; ++i)
    for (int k = 0; k < D; ++k) f(state.globals.cell.h(i, k));
}

// A sample that lies on a grid on which all sums are exact is left as it is: a replica of a replica is the direct one.
template <int D>
void round_to_grid(State<D>& cell, const Replicas<D>& replicas) {
  const Extent extent = extent_of(cell, replicas);
  const int coarsest = last_bit(4 * extent.domain);  // a - b - translation stays below four domains
  bool is_on_grid = true;
  each_coordinate(cell, [&](Real& x) { is_on_grid = is_on_grid && rounded_down(x, coarsest) == x; });
  if (is_on_grid) return;
  const int grid = std::max(last_bit(extent.cell) + reserve, coarsest);
  each_coordinate(cell, [&](Real& x) { x = rounded_down(x, grid); });
}

// ---- places ------------------------------------------------------------------------------------------------------------

// Numbers of a copy along the edges.
template <int D>
Vec<D, i32> place_of(i64 copy, const Replicas<D>& replicas) {
  Vec<D, i32> at;
  for (int k = 0; k < D; ++k) {
    at[k] = i32(copy % replicas.along[k]);
    copy /= replicas.along[k];
  }
  return at;
}
template <int D>
i64 copy_at(const Vec<D, i32>& at, const Replicas<D>& replicas) {
  i64 copy = 0;
  for (int k = D - 1; k >= 0; --k) copy = copy * replicas.along[k] + at[k];
  return copy;
}

// The contact of one copy; false when it went through a face that opens.
template <int D>
bool copy_key(RowKey& key, const Vec<D, i32>& at, u32 first_wall, const Replicas<D>& replicas) {
  const auto copies = u32(replicas.count());
  const u32 a = key.a * copies + u32(copy_at(at, replicas));
  if (key.b >= first_wall) {
    key.a = a;
    key.b *= copies;
    return true;
  }
  Vec<D, i32> other;
  for (int k = 0; k < D; ++k) {
    const i32 n = replicas.along[k], to = at[k] + key.period[k];
    const i32 across = to >= 0 ? to / n : -((n - 1 - to) / n);  // rounded down
    if (across != 0 && replicas.open[k]) return false;
    other[k] = to - across * n;
    key.period[k] = i16(across);
  }
  key.a = a;
  key.b = key.b * copies + u32(copy_at(other, replicas));
  return true;
}

template <int D>
u32 first_wall_of(const State<D>& state) {
  u32 first = std::numeric_limits<u32>::max();
  for (std::size_t i = state.grains(); i < state.bodies.size(); ++i) first = std::min(first, state.bodies.uid[i]);
  return first;
}

// Grains into the box along edges that open; the images of their contacts follow.
template <int D>
void wrap_open_edges(State<D>& cell, const Replicas<D>& replicas) {
  const Mat<D> inverse_h = inverse(cell.globals.cell.h);
  Bodies<D>& b = cell.bodies;
  std::vector<Vec<D, i32>> taken(b.size());  // periods
  for (std::size_t i = 0; i < cell.grains(); ++i) {
    const Vec<D> s = inverse_h * b.position[i];
    for (int k = 0; k < D; ++k)
      if (replicas.open[k] && cell.globals.cell.periodic[k]) taken[i][k] = i32(std::floor(s[k]));
    b.position[i] -= cell.globals.cell.translation(taken[i]);
  }
  const std::vector<u32> index = index_by_uid(b);
  State<D>::visit_tables(cell, [&](const AboutTable&, auto& table) {
    if constexpr (requires { table.key; })
      for (RowKey& key : table.key)
        for (int k = 0; k < D && index[key.b] < cell.grains(); ++k)  // a wall has no images
          key.period[k] = i16(key.period[k] + taken[index[key.b]][k] - taken[index[key.a]][k]);
  });
}

// ---- tables ------------------------------------------------------------------------------------------------------------

template <int D>
Bodies<D> copy_bodies(const State<D>& cell, const Replicas<D>& replicas) {
  const auto copies = std::size_t(replicas.count());
  const std::size_t grains = cell.grains(), all = copies * grains + cell.walls;
  Bodies<D> out;
  visit_both(out, cell.bodies, [&](const About&, auto& column, const auto& from) {
    if (from.empty()) return;
    column.resize_unset(all);
    for (std::size_t c = 0; c < copies; ++c)
      for (std::size_t i = 0; i < grains; ++i) column[c * grains + i] = from[i];
    for (std::size_t w = 0; w < cell.walls; ++w) column[copies * grains + w] = from[grains + w];
  });
  for (std::size_t c = 0; c < copies; ++c) {
    const Vec<D> offset = cell.globals.cell.translation(place_of(i64(c), replicas));
    for (std::size_t i = c * grains; i < (c + 1) * grains; ++i) {
      out.uid[i] = out.uid[i] * u32(copies) + u32(c);
      out.position[i] += offset;
    }
  }
  for (std::size_t i = copies * grains; i < all; ++i) out.uid[i] *= u32(copies);
  return out;
}

template <int D, class Table>
Table copy_rows(Table rows, u32 first_wall, const Replicas<D>& replicas) {
  rows.drop_forgotten();
  Table out;
  std::vector<std::size_t> from;
  for (i64 c = 0; c < replicas.count(); ++c) {
    const Vec<D, i32> at = place_of(c, replicas);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      RowKey key = rows.key[r];
      if (!copy_key(key, at, first_wall, replicas)) continue;
      out.key.push_back(key);
      from.push_back(r);
    }
  }
  visit_both(out, rows, [&]<class T>(const About&, Column<T>& column, const Column<T>& old) {
    if constexpr (!std::is_same_v<T, RowKey>)
      if (!old.empty()) {
        column.resize_unset(from.size());
        for (std::size_t r = 0; r < from.size(); ++r) column[r] = old[from[r]];
      }
  });
  return out;
}

template <int D>
void enlarge(Globals<D>& g, const Replicas<D>& replicas) {
  const auto copies = Real(replicas.count());
  for (int k = 0; k < D; ++k) {
    for (int i = 0; i < D; ++i) {
      g.cell.h(i, k) *= Real(replicas.along[k]);
      g.stage.start_h(i, k) *= Real(replicas.along[k]);
    }
    if (replicas.open[k]) g.cell.periodic[k] = 0;
  }
  g.virial = copies * g.virial;
  g.boundary_work *= copies;
  g.removed_kinetic *= copies;
  g.initial_energy *= copies;
}

}  // namespace

template <int D>
std::string flaw_of(const State<D>& cell, const Replicas<D>& replicas) {
  constexpr const char* axes = "xyz";
  const Cell<D>& box = cell.globals.cell;
  const Mat<D> inverse_h = inverse(box.h);
  if (cell.grains() < 2) return "the cell has fewer than two grains";
  Real largest = 0;
  u32 last = 0;
  for (std::size_t i = 0; i < cell.bodies.size(); ++i) {
    largest = max(largest, 2 * cell.globals.radius_scale * cell.bodies.radius[i]);
    last = std::max(last, cell.bodies.uid[i]);
  }
  for (int k = 0; k < D; ++k) {
    if (replicas.along[k] > 1 && !box.periodic[k])
      return fmt::format("the cell does not repeat along {}: there is one copy along it", axes[k]);
    // A narrower cell has pairs that touch twice, and the two contacts of a copy would be summed in another order.
    if (const Real width = box.width(k, inverse_h); replicas.along[k] > 1 && !(width > 2 * largest))
      return fmt::format("the cell is {:.4g} m wide along {}, less than two of its largest grains ({:.4g} m)", width, axes[k],
                         largest);
  }
  if ((Real(last) + 1) * Real(replicas.count()) > 4e9)
    return fmt::format("{} copies of a cell with grain {} are more grains than can be numbered", replicas.count(), last);
  return "";
}

template <int D>
State<D> replicate(const State<D>& cell, const Replicas<D>& replicas) {
  if (!replicas.changes(cell.globals.cell)) return cell;
  State<D> out = cell;
  round_to_grid(out, replicas);
  wrap_open_edges(out, replicas);
  const u32 first_wall = first_wall_of(cell);
  Bodies<D> bodies = copy_bodies(out, replicas);
  State<D>::visit_tables(out, [&](const AboutTable&, auto& table) {
    if constexpr (requires { table.key; }) table = copy_rows(table, first_wall, replicas);
  });
  out.bodies = std::move(bodies);
  enlarge(out.globals, replicas);
  return out;
}

template <int D>
Real branch_error(const State<D>& cell, const State<D>& sample, const Replicas<D>& replicas) {
  const std::vector<u32> in_cell = index_by_uid(cell.bodies), in_sample = index_by_uid(sample.bodies);
  const u32 first_wall = first_wall_of(cell);
  const auto branch = [](const State<D>& s, const std::vector<u32>& index, const RowKey& key) {
    return s.bodies.position[index[key.a]] - s.bodies.position[index[key.b]] -
           s.globals.cell.translation(key.template image<D>());
  };
  Real most = 0;
  State<D>::visit_tables(cell, [&](const AboutTable&, const auto& table) {
    if constexpr (requires { table.key; })
      for (std::size_t r = 0; r < table.size(); ++r) {
        if (!table.remembers(r) || table.key[r].b >= first_wall) continue;
        const Vec<D> once = branch(cell, in_cell, table.key[r]);
        for (i64 c = 0; c < replicas.count(); ++c) {
          RowKey key = table.key[r];
          if (copy_key(key, place_of(c, replicas), first_wall, replicas))
            most = max(most, length(branch(sample, in_sample, key) - once) / length(once));
        }
      }
  });
  return most;
}

#define TALUS_INSTANTIATE(D)                                             \
  template std::string flaw_of(const State<D>&, const Replicas<D>&);     \
  template State<D> replicate(const State<D>&, const Replicas<D>&);      \
  template Real branch_error(const State<D>&, const State<D>&, const Replicas<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::sampling
