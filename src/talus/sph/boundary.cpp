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

template <int D>
Surface<D> surface_at(const Vec<D>& x, std::size_t w, const Model<D>& model, const State<D>& state) {
  return wall_shape(model, state, w).at(x - state.bodies.position[state.grains() + w]);
}

// Is the place behind one of the walls before this one?
template <int D>
bool is_taken(const Vec<D>& x, std::size_t wall, const Model<D>& model, const State<D>& state) {
  for (std::size_t w = 0; w < wall; ++w)
    if (surface_at(x, w, model, state).gap < 0) return true;
  return false;
}

// What takes from a vector its part along the normals of all walls behind which a place lies; all of it where nothing slips.
template <int D>
Sym3 held_part(const Vec<D>& x, bool slips, const Model<D>& model, const State<D>& state) {
  if (!slips) return ball(1);
  std::vector<Vec3> across;
  for (std::size_t w = 0; w < model.walls.size(); ++w) {
    const Surface<D> s = surface_at(x, w, model, state);
    if (!(s.gap < 0)) continue;
    Vec3 n{};
    for (int k = 0; k < D; ++k) n[k] = s.normal[k];
    for (const Vec3& other : across) n = reject(n, other);
    if (length(n) > 1e-6) across.push_back((1 / length(n)) * n);
  }
  Sym3 part;
  for (const Vec3& n : across) part = part + Sym3{n.x * n.x, n.y * n.y, n.z * n.z, n.y * n.z, n.x * n.z, n.x * n.y};
  return part;
}

// Lays the boundary particles of one wall.
template <int D>
class Layer {
 public:
  Layer(std::size_t w, const Options<D>& o, const Model<D>& model, const State<D>& state, Boundary<D>& out)
      : w_(w), o_(o), model_(model), state_(state), out_(out), wall_(state.bodies.position[state.grains() + w]), cell_(state.globals.cell) {}

  void lay() const {
    const WallShape<D>& shape = wall_shape(model_, state_, w_);
    if (shape.is_flat() && shape.axis() >= 0) return along_axes(shape);
    if (shape.is_flat()) return tilted(shape.direction());
    if constexpr (D == 3)
      if (shape.name() == WallCylinder<3>::name) return rings(shape.turns_about(), shape.at({}).gap);
    cut();
  }

 private:
  i64 layers() const { return i64(std::ceil(o_.support - 1e-9)); }

  void add(const Vec<D>& x, Real volume) const {
    const Real more = Real(layers()) * o_.spacing;
    for (int k = 0; k < D; ++k)
      if (x[k] < (cell_.periodic[k] ? 0 : -more) || x[k] > cell_.h(k, k) + (cell_.periodic[k] ? 0 : more)) return;
    if (is_taken(x, w_, model_, state_)) return;
    const bool slips = o_.slips(model_.walls[w_].name);
    out_.position.push_back(x);
    out_.wall.push_back(u32(w_));
    out_.holds.push_back(held_part(x, slips, model_, state_));
    out_.sticks.push_back(slips ? 0 : 1);
    out_.volume.push_back(volume);
  }
  void along_axes(const WallShape<D>& shape) const {
    Rows rows[D];
    Real volume = 1;
    Vec<D, i64> at;
    for (int k = 0; k < D; ++k) {
      rows[k] = rows_along<D>(k, shape.axis(), shape.faces_along(shape.axis()), o_, cell_, wall_);
      volume *= std::abs(rows[k].step);
      at[k] = rows[k].first;
    }
    while (at[D - 1] < rows[D - 1].end) {
      Vec<D> x;
      for (int k = 0; k < D; ++k) x[k] = rows[k].start + (Real(at[k]) + Real(0.5)) * rows[k].step;
      add(x, volume);
      for (int k = 0; ++at[k] == rows[k].end && k + 1 < D; ++k) at[k] = rows[k].first;
    }
  }
  // How far the cell, and as much beyond it as the kernel reaches, extends along a direction from the wall: rows of one spacing.
  std::pair<i64, i64> rows_across_cell(const Vec<D>& way) const {
    Real low = 0, high = 0;
    for (int k = 0; k < D; ++k) {
      const Real more = Real(layers()) * o_.spacing, a = way[k] * (-more - wall_[k]), b = way[k] * (cell_.h(k, k) + more - wall_[k]);
      low += std::min(a, b);
      high += std::max(a, b);
    }
    return {i64(std::floor(low / o_.spacing)), i64(std::ceil(high / o_.spacing))};
  }
  void tilted(const Vec<D>& normal) const {
    std::vector<Vec<D>> ways;
    for (int k = 0; k < D && ways.size() + 1 < D; ++k) {
      Vec<D> way{};
      way[k] = 1;
      way = reject(way, normal);
      for (const Vec<D>& other : ways) way = reject(way, other);
      if (length(way) > 0.5) ways.push_back((1 / length(way)) * way);
    }
    const auto [first, last] = rows_across_cell(ways[0]);
    const auto [second, end] = D == 3 ? rows_across_cell(ways.back()) : std::pair<i64, i64>{0, 1};
    for (i64 layer = 0; layer < layers(); ++layer)
      for (i64 b = second; b < end; ++b)
        for (i64 a = first; a < last; ++a) {
          Vec<D> x = wall_ - ((Real(layer) + Real(0.5)) * o_.spacing) * normal + ((Real(a) + Real(0.5)) * o_.spacing) * ways[0];
          if (D == 3) x += ((Real(b) + Real(0.5)) * o_.spacing) * ways.back();
          add(x, std::pow(o_.spacing, D));
        }
  }
  void rings(const Vec<D>& axis, Real radius) const {
    Vec<D> one{}, two = axis;
    one[std::abs(axis[0]) < Real(0.9) ? 0 : 1] = 1;
    one = reject(one, axis);
    one = (1 / length(one)) * one;
    if constexpr (D == 3) two = cross(axis, one);
    const auto [first, last] = rows_across_cell(axis);
    for (i64 layer = 0; layer < layers(); ++layer) {
      const Real r = radius + (Real(layer) + Real(0.5)) * o_.spacing;
      const i64 around = std::max<i64>(3, i64(std::llround(2 * pi * r / o_.spacing)));
      for (i64 a = first; a < last; ++a)
        for (i64 n = 0; n < around; ++n) {
          const Real turn = 2 * pi * Real(n) / Real(around);
          add(wall_ + ((Real(a) + Real(0.5)) * o_.spacing) * axis + (r * std::cos(turn)) * one + (r * std::sin(turn)) * two,
              2 * pi * r / Real(around) * o_.spacing * o_.spacing);
        }
    }
  }
  // Of any other shape: what a lattice has behind its surface.
  void cut() const {
    Vec<D, i64> from, to, at;
    for (int k = 0; k < D; ++k) {
      from[k] = at[k] = cell_.periodic[k] ? 0 : -layers();
      to[k] = i64(std::ceil(cell_.h(k, k) / o_.spacing)) + (cell_.periodic[k] ? 0 : layers());
    }
    while (at[D - 1] < to[D - 1]) {
      Vec<D> x;
      for (int k = 0; k < D; ++k) x[k] = (Real(at[k]) + Real(0.5)) * o_.spacing;
      const Real gap = surface_at(x, w_, model_, state_).gap;
      if (gap < 0 && gap > -Real(layers()) * o_.spacing) add(x, std::pow(o_.spacing, D));
      for (int k = 0; ++at[k] == to[k] && k + 1 < D; ++k) at[k] = from[k];
    }
  }

  std::size_t w_;
  const Options<D>& o_;
  const Model<D>& model_;
  const State<D>& state_;
  Boundary<D>& out_;
  Vec<D> wall_;
  const Cell<D>& cell_;
};

}  // namespace

template <int D>
void make_boundary(const Options<D>& o, const Model<D>& model, const State<D>& state, Boundary<D>& out) {
  for (auto* column : {&out.wall, &out.sticks}) column->clear();
  out.position.clear();
  out.holds.clear();
  out.volume.clear();
  for (std::size_t w = 0; w < model.walls.size(); ++w) Layer<D>(w, o, model, state, out).lay();
  const Column<u32> order = spatial_order(state.globals.cell, std::as_const(out.position).span(), o.spacing);
  permute<exec::Host>(out.position, order);
  permute<exec::Host>(out.wall, order);
  permute<exec::Host>(out.holds, order);
  permute<exec::Host>(out.sticks, order);
  permute<exec::Host>(out.volume, order);
  out.pressure.assign(out.size(), 0);
  out.deviator.assign(o.has_solids() ? out.size() : 0, {});
  out.velocity.assign(out.size(), {});
  out.force.assign(out.size(), {});
}

template void make_boundary(const Options<2>&, const Model<2>&, const State<2>&, Boundary<2>&);
template void make_boundary(const Options<3>&, const Model<3>&, const State<3>&, Boundary<3>&);

}  // namespace talus::sph
