#include <talus/measure/grid.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <talus/measure/averages.hpp>
#include <talus/measure/porosity.hpp>

namespace talus::measure {
namespace {

template <int D>
std::vector<u32> in_order_of_uids(const State<D>& state) {
  std::vector<u32> order(state.grains());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](u32 i, u32 j) { return state.bodies.uid[i] < state.bodies.uid[j]; });
  return order;
}

// Which box along an axis a coordinate lies in; outside the grid: below 0, or the number of boxes.
template <int D>
i32 box_along(const Grid<D>& grid, int k, Real x) {
  const Real share = (x - grid.box.low[k]) / (grid.box.high[k] - grid.box.low[k]);
  return i32(std::clamp(std::floor(share * Real(grid.count[k])), Real(-1), Real(grid.count[k])));
}

// Calls f(place of a box) for all boxes from the first to the last.
template <int D, class F>
void each_box(const Vec<D, i32>& first, const Vec<D, i32>& last, F&& f) {
  Vec<D, i32> at = first;
  while (true) {
    f(at);
    int k = 0;
    for (; k < D; ++k) {
      if (++at[k] <= last[k]) break;
      at[k] = first[k];
    }
    if (k == D) return;
  }
}

}  // namespace

template <int D>
Vec<D, i32> Grid<D>::place(std::size_t index) const {
  Vec<D, i32> at;
  for (int k = 0; k < D; ++k) {
    at[k] = i32(index % std::size_t(count[k]));
    index /= std::size_t(count[k]);
  }
  return at;
}

template <int D>
Box<D> Grid<D>::at(const Vec<D, i32>& place) const {
  Box<D> out;
  for (int k = 0; k < D; ++k) {
    const Real width = (box.high[k] - box.low[k]) / Real(count[k]);
    out.low[k] = box.low[k] + Real(place[k]) * width;
    out.high[k] = box.low[k] + Real(place[k] + 1) * width;
  }
  return out;
}

template <int D>
std::vector<Real> porosities(const Model<D>&, const State<D>& state, const Grid<D>& grid) {
  std::vector<Real> solid(grid.size(), 0);
  for (const u32 i : in_order_of_uids(state)) {
    const Vec<D>& x = state.bodies.position[i];
    const Real r = state.globals.radius_scale * state.bodies.radius[i];
    Vec<D, i32> first, last;
    bool meets = true;
    for (int k = 0; k < D; ++k) {
      first[k] = std::max(box_along(grid, k, x[k] - r), 0);
      last[k] = std::min(box_along(grid, k, x[k] + r), grid.count[k] - 1);
      meets = meets && first[k] <= last[k];
    }
    if (meets)
      each_box<D>(first, last, [&](const Vec<D, i32>& at) { solid[grid.index(at)] += volume_inside(grid.at(at), x, r); });
  }
  Real volume = 1;
  for (int k = 0; k < D; ++k) volume *= (grid.box.high[k] - grid.box.low[k]) / Real(grid.count[k]);
  for (Real& s : solid) s = 1 - s / volume;
  return solid;
}

template <int D>
std::vector<Mat<D>> stresses(const Model<D>& model, const State<D>& state, const ContactList<D>& contacts, const Grid<D>& grid,
                             const std::vector<Real>& porosity) {
  const std::vector<Mat<D>> of_grain = grain_stresses(model, state, contacts);
  std::vector<Mat<D>> sum(grid.size());
  std::vector<Real> volume(grid.size(), 0);
  for (const u32 i : in_order_of_uids(state)) {
    if (!(state.bodies.inverse_mass[i] > 0)) continue;
    Vec<D, i32> at;
    bool inside = true;
    for (int k = 0; k < D; ++k) {
      at[k] = box_along(grid, k, state.bodies.position[i][k]);
      inside = inside && at[k] >= 0 && at[k] < grid.count[k];
    }
    if (!inside) continue;
    const Real v = grain_volume(model, state, i);
    sum[grid.index(at)] += v * of_grain[i];
    volume[grid.index(at)] += v;
  }
  for (std::size_t b = 0; b < sum.size(); ++b) sum[b] = (volume[b] > 0 ? (1 - porosity[b]) / volume[b] : NAN) * sum[b];
  return sum;
}

#define TALUS_INSTANTIATE(D)                                                                                  \
  template struct Grid<D>;                                                                                    \
  template std::vector<Real> porosities(const Model<D>&, const State<D>&, const Grid<D>&);                    \
  template std::vector<Mat<D>> stresses(const Model<D>&, const State<D>&, const ContactList<D>&, const Grid<D>&, \
                                        const std::vector<Real>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::measure
