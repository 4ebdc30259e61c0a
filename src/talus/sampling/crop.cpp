#include <talus/sampling/crop.hpp>

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <talus/state/remove.hpp>

namespace talus::sampling {
namespace {

constexpr Real slack = 1e-9;  // rounding of a box that is as large as its sample

// Half the extent of a box along the edges, as fractions of them.
template <int D>
Vec<D> half_extent(const Cell<D>& cell, const Vec<D>& size) {
  const Mat<D> inverse_h = inverse(cell.h);
  Vec<D> half;
  for (int k = 0; k < D; ++k)
    for (int j = 0; j < D; ++j) half[k] += std::abs(inverse_h(k, j)) * size[j] / 2;
  return half;
}

template <int D>
void drop(State<D>& sample, const std::vector<bool>& gone) {
  const Real removed = sample.globals.removed_kinetic;
  remove_grains(sample, gone);
  sample.globals.removed_kinetic = removed;  // those grains never were in this sample
}

}  // namespace

template <int D>
Vec<D, i32> copies_to_fill(const Cell<D>& cell, const Vec<D>& size) {
  const Vec<D> half = half_extent(cell, size);
  Vec<D, i32> along;
  for (int k = 0; k < D; ++k) along[k] = size[k] > 0 ? std::max(i32(std::ceil(2 * half[k] - slack)), 1) : 1;
  return along;
}

template <int D>
std::string flaw_of_box(const Cell<D>& cell, const Vec<D>& size) {
  constexpr const char* axes = "xyz";
  for (int k = 0; k < D; ++k) {
    if (!(size[k] > 0)) continue;
    if (cell.periodic[k]) return fmt::format("the sample repeats along {}, where it is to be cut", axes[k]);
    for (int j = 0; j < D; ++j)
      if (!(size[j] > 0) && cell.h(k, j) != 0)
        return fmt::format("the sample tilts along {}, where it is to be cut, but is not cut along {}", axes[k], axes[j]);
  }
  const Vec<D> half = half_extent(cell, size);
  for (int k = 0; k < D; ++k)
    if (size[k] > 0 && 2 * half[k] > 1 + slack)
      return fmt::format("the box of {:.4g} m along {} does not lie inside the sample", size[k], axes[k]);
  return "";
}

template <int D>
State<D> crop(State<D> sample, const Vec<D>& size) {
  Cell<D>& cell = sample.globals.cell;
  Vec<D> low{};
  for (int k = 0; k < D; ++k) {
    Real middle = 0;
    for (int j = 0; j < D; ++j) middle += cell.h(k, j) / 2;
    if (size[k] > 0) low[k] = middle - size[k] / 2;
  }
  Bodies<D>& b = sample.bodies;
  std::vector<bool> gone(sample.grains());
  for (std::size_t w = gone.size(); w < b.size(); ++w) b.position[w] -= low;
  for (std::size_t i = 0; i < gone.size(); ++i) {
    b.position[i] -= low;
    for (int k = 0; k < D; ++k)
      gone[i] = gone[i] || (size[k] > 0 && !(b.position[i][k] >= 0 && b.position[i][k] < size[k]));
  }
  for (int k = 0; k < D; ++k) {
    if (!(size[k] > 0)) continue;
    for (int i = 0; i < D; ++i) cell.h(i, k) = i == k ? size[k] : 0;
  }
  drop(sample, gone);
  return sample;
}

template <int D>
State<D> crop(State<D> sample, const WallShape<D>& wall, const Vec<D>& position) {
  std::vector<bool> gone(sample.grains());
  for (std::size_t i = 0; i < gone.size(); ++i) gone[i] = !(wall.at(sample.bodies.position[i] - position).gap > 0);
  drop(sample, gone);
  return sample;
}

template <int D>
State<D> hold(State<D> sample, const HeldLayer<D>& layer) {
  Bodies<D>& b = sample.bodies;
  std::vector<bool> is_held(b.size());
  for (std::size_t i = 0; i < sample.grains(); ++i) {
    for (int k = 0; k < D; ++k) is_held[i] = is_held[i] || layer.reaches(sample.globals.cell, b.position[i], k);
    if (!is_held[i]) continue;
    b.inverse_mass[i] = b.inverse_inertia[i] = 0;
    b.velocity[i] = {};
    b.spin[i] = {};
  }
  for (std::size_t i = sample.grains(); i < b.size(); ++i) is_held[i] = !(b.inverse_mass[i] > 0);
  const std::vector<u32> index = index_by_uid(b);
  State<D>::visit_tables(sample, [&](const AboutTable&, auto& table) {
    if constexpr (requires { table.key; }) {
      std::vector<bool> keep(table.size());
      for (std::size_t r = 0; r < keep.size(); ++r) keep[r] = !is_held[index[table.key[r].a]] || !is_held[index[table.key[r].b]];
      table.keep_if([&](std::size_t r) { return keep[r]; });
    }
  });
  return sample;
}

#define TALUS_INSTANTIATE(D)                                                 \
  template Vec<D, i32> copies_to_fill(const Cell<D>&, const Vec<D>&);        \
  template std::string flaw_of_box(const Cell<D>&, const Vec<D>&);           \
  template State<D> crop(State<D>, const Vec<D>&);                           \
  template State<D> crop(State<D>, const WallShape<D>&, const Vec<D>&);      \
  template State<D> hold(State<D>, const HeldLayer<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::sampling
