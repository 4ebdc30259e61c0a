#include <talus/sph/boundary.hpp>

#include <algorithm>
#include <cmath>

#include <talus/exec/host.hpp>
#include <talus/exec/whole_columns.hpp>
#include <talus/sph/lists.hpp>
#include <talus/stages/walls.hpp>

namespace talus::sph {
namespace {

// Rows of one wall along one axis: number and step, and the first of them.
struct Rows {
  i64 first = 0, end = 0;
  Real start = 0, step = 0;  // m
};

// Across the wall: outwards from its surface. Along it: over the cell, and as far beyond its open ends as the kernel reaches.
template <int D>
Rows rows_along(int k, int axis, int faces, const Options<D>& o, const Cell<D>& cell, const Vec<D>& wall) {
  const i64 layers = i64(std::ceil(o.support - 1e-9));
  if (k == axis) return {0, layers, wall[k], -faces * o.spacing};
  const i64 across = std::max<i64>(1, i64(std::llround(cell.h(k, k) / o.spacing)));
  const i64 more = cell.periodic[k] ? 0 : layers;
  return {-more, across + more, 0, cell.h(k, k) / Real(across)};
}

// Is the place behind one of the walls before this one?
template <int D>
bool is_taken(const Vec<D>& x, std::size_t wall, const Model<D>& model, const State<D>& state) {
  for (std::size_t w = 0; w < wall; ++w)
    if (dot(x - state.bodies.position[state.grains() + w], into_sample(model, state, w)) < 0) return true;
  return false;
}

// Axes of the walls behind which a place lies, or all of them.
template <int D>
u32 held_axes(const Vec<D>& x, bool slips, const Model<D>& model, const State<D>& state) {
  if (!slips) return sticky + (1u << D) - 1;
  u32 axes = 0;
  for (std::size_t w = 0; w < model.walls.size(); ++w)
    if (dot(x - state.bodies.position[state.grains() + w], into_sample(model, state, w)) < 0) axes |= 1u << wall_shape(model, state, w).axis();
  return axes;
}

template <int D>
void add_wall(std::size_t w, const Options<D>& o, const Model<D>& model, const State<D>& state, Boundary<D>& out) {
  const WallShape<D>& shape = wall_shape(model, state, w);
  const int axis = shape.axis();
  Rows rows[D];
  Real volume = 1;
  Vec<D, i64> at;
  for (int k = 0; k < D; ++k) {
    rows[k] = rows_along<D>(k, axis, shape.faces_along(axis), o, state.globals.cell, state.bodies.position[state.grains() + w]);
    volume *= std::abs(rows[k].step);
    at[k] = rows[k].first;
  }
  while (at[D - 1] < rows[D - 1].end) {
    Vec<D> x;
    for (int k = 0; k < D; ++k) x[k] = rows[k].start + (Real(at[k]) + Real(0.5)) * rows[k].step;
    if (!is_taken(x, w, model, state)) {
      out.position.push_back(x);
      out.wall.push_back(u32(w));
      out.holds.push_back(held_axes(x, o.slips(model.walls[w].name), model, state));
      out.volume.push_back(volume);
    }
    for (int k = 0; ++at[k] == rows[k].end && k + 1 < D; ++k) at[k] = rows[k].first;
  }
}

}  // namespace

template <int D>
void make_boundary(const Options<D>& o, const Model<D>& model, const State<D>& state, Boundary<D>& out) {
  for (auto* column : {&out.wall, &out.holds}) column->clear();
  out.position.clear();
  out.volume.clear();
  for (std::size_t w = 0; w < model.walls.size(); ++w) add_wall(w, o, model, state, out);
  const Column<u32> order = spatial_order(state.globals.cell, std::as_const(out.position).span(), o.spacing);
  permute<exec::Host>(out.position, order);
  permute<exec::Host>(out.wall, order);
  permute<exec::Host>(out.holds, order);
  permute<exec::Host>(out.volume, order);
  out.pressure.assign(out.size(), 0);
  out.deviator.assign(o.has_solids() ? out.size() : 0, {});
  out.velocity.assign(out.size(), {});
  out.force.assign(out.size(), {});
}

template void make_boundary(const Options<2>&, const Model<2>&, const State<2>&, Boundary<2>&);
template void make_boundary(const Options<3>&, const Model<3>&, const State<3>&, Boundary<3>&);

}  // namespace talus::sph
