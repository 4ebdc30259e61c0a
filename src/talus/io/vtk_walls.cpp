// Walls as they are drawn around a sample. A plane is cut off by the sample's bounds. Any other shape is found by its own answer to
// points (WallShape::at): a grid on the bounds is moved to the nearest points of the wall.
#include <algorithm>
#include <array>
#include <cmath>

#include <talus/io/vtk.hpp>
#include <talus/io/vtp_file.hpp>
#include <talus/measure/averages.hpp>
#include <talus/stages/walls.hpp>

namespace talus {
namespace {

constexpr int divisions = 12;  // of each edge of the bounds, for walls that are not flat

template <int D>
struct Bounds {
  Vec<D> low, high;
  void take(const Vec<D>& x, Real reach = 0) {
    for (int k = 0; k < D; ++k) {
      low[k] = std::min(low[k], x[k] - reach);
      high[k] = std::max(high[k], x[k] + reach);
    }
  }
  Vec<D> middle() const { return Real(0.5) * (low + high); }
  Real size() const { return length(high - low); }
};

template <int D>
using Facets = std::vector<std::vector<Vec<D>>>;  // corners; in the plane two each

template <int D>
const WallShape<D>& shape_of(const Moment<D>& seen, std::size_t wall) {
  return seen.model.shapes[seen.state.bodies.shape[seen.state.grains() + wall]].wall;
}
template <int D>
const Vec<D>& position_of(const Moment<D>& seen, std::size_t wall) {
  return seen.state.bodies.position[seen.state.grains() + wall];
}

// Of the periodic cell and of what moves, and as far as flat walls are that face it: a lid above the grains is drawn, one that was taken away is not.
template <int D>
Bounds<D> bounds_of(const Moment<D>& seen) {
  const State<D>& s = seen.state;
  const Mat<D> inverse_h = inverse(s.globals.cell.h);
  const bool has_units = s.units() > 0;
  Bounds<D> b;
  for (int k = 0; k < D; ++k) b.low[k] = has_units ? HUGE_VAL : 0, b.high[k] = has_units ? -HUGE_VAL : s.globals.cell.h(k, k);
  for (std::size_t i = 0; i < s.grains(); ++i)
    b.take(wrap(s.globals.cell, inverse_h, s.bodies.position[i]), s.globals.radius_scale * s.bodies.radius[i]);
  for (std::size_t i = 0; i < s.particles.size(); ++i) b.take(wrap(s.globals.cell, inverse_h, s.particles.position[i]));
  for (int k = 0; k < D; ++k)
    if (s.globals.cell.periodic[k]) b.take({}), b.take(s.globals.cell.edge(k));
  const Bounds<D> sample = b;
  for (std::size_t w = 0; w < seen.model.walls.size(); ++w) {
    const Vec<D> n = shape_of(seen, w).direction();
    const Vec<D> foot = sample.middle() - dot(sample.middle() - position_of(seen, w), n) * n;
    if (shape_of(seen, w).is_flat() && length(foot - sample.middle()) < Real(1.5) * sample.size()) b.take(foot);
  }
  const Real margin = Real(0.01) * b.size();  // so that a wall on a face is inside
  b.take(b.low, margin);
  b.take(b.high, margin);
  return b;
}

// What is left of a polygon on the side of a face of the bounds where x[k] is larger (way = 1) or smaller (way = -1) than `at`.
template <int D>
std::vector<Vec<D>> cut(const std::vector<Vec<D>>& corners, int k, Real at, Real way) {
  std::vector<Vec<D>> left;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec<D>&p = corners[i], &q = corners[(i + 1) % corners.size()];
    const Real d = way * (p[k] - at), e = way * (q[k] - at);
    if (d >= 0) left.push_back(p);
    if ((d >= 0) != (e >= 0)) left.push_back(p + (d / (d - e)) * (q - p));
  }
  return left;
}

template <int D>
Facets<D> plane_in(const Bounds<D>& bounds, const Vec<D>& position, const Vec<D>& normal) {
  const Vec<D> foot = bounds.middle() - dot(bounds.middle() - position, normal) * normal;
  int least = 0;  // the axis that the plane is least across
  for (int k = 1; k < D; ++k)
    if (std::abs(normal[k]) < std::abs(normal[least])) least = k;
  Vec<D> along{};
  along[least] = 1;
  along = reject(along, normal);
  along = (2 * bounds.size() / length(along)) * along;
  std::vector<Vec<D>> corners{foot - along, foot + along};
  if constexpr (D == 3) {
    const Vec3 other = cross(normal, along);
    corners = {foot - along - other, foot + along - other, foot + along + other, foot - along + other};
  }
  for (int k = 0; k < D; ++k) {
    corners = cut(corners, k, bounds.low[k], Real(1));
    corners = cut(corners, k, bounds.high[k], Real(-1));
  }
  if constexpr (D == 2)
    if (corners.size() > 2) corners.resize(2);
  return corners.size() < D ? Facets<D>{} : Facets<D>{corners};
}

// A grid on the faces of the bounds, moved to the wall. What is pressed together on the way has no area and is left out.
// `way`: m, that the surface has moved along its normal.
Facets<3> surface_in(const Bounds<3>& bounds, const Vec3& position, const WallShape<3>& shape, Real way) {
  Facets<3> out;
  const Vec3 size = bounds.high - bounds.low;
  const auto moved = [&](Vec3 x) {
    const Surface<3> s = shape.at(x - position);
    if (!(s.gap < Real(1e50))) return Vec3{NAN, NAN, NAN};  // not before this facet: what has such a corner is left out
    return x - (s.gap - way) * s.normal;
  };
  for (int side = 0; side < 6; ++side) {
    const int k = side / 2, u = (k + 1) % 3, v = (k + 2) % 3;
    const auto corner = [&](int i, int j) {
      Vec3 x = side % 2 == 0 ? bounds.low : bounds.high;
      x[u] = bounds.low[u] + size[u] * Real(i) / divisions;
      x[v] = bounds.low[v] + size[v] * Real(j) / divisions;
      return moved(x);
    };
    const Real whole = size[u] * size[v] / (divisions * divisions);
    for (int i = 0; i < divisions; ++i)
      for (int j = 0; j < divisions; ++j) {
        const std::vector<Vec3> f{corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)};
        // What closes the bounds above and below the wall is none of it: its facets lie across.
        const Vec3 across = cross(f[2] - f[0], f[3] - f[1]), normal = shape.at(Real(0.25) * (f[0] + f[1] + f[2] + f[3]) - position).normal;
        if (length(across) > Real(0.01) * whole && std::abs(dot(across, normal)) > Real(0.5) * length(across)) out.push_back(f);
      }
  }
  return out;
}
Facets<2> surface_in(const Bounds<2>&, const Vec2&, const WallShape<2>&, Real) { return {}; }  // the plane has flat walls only

}  // namespace

template <int D>
std::vector<WallPiece<D>> wall_pieces(const Moment<D>& seen) {
  const Bounds<D> bounds = bounds_of(seen);
  std::vector<WallPiece<D>> out;
  for (std::size_t w = 0; w < seen.model.walls.size(); ++w) {
    const WallShape<D>& shape = shape_of(seen, w);
    const Vec<D>& position = position_of(seen, w);
    for (auto& facet : shape.is_flat() ? plane_in(bounds, position, shape.direction()) : surface_in(bounds, position, shape, closing_of(seen.state, w).way)) {
      Vec<D> middle{};
      for (const Vec<D>& corner : facet) middle += Real(1) / Real(facet.size()) * corner;
      out.push_back({w, std::move(facet), shape.at(middle - position).normal});
    }
  }
  return out;
}

template <int D>
void write_walls_vtp(const std::filesystem::path& path, const Moment<D>& seen) {
  std::vector<Vec3> points;
  std::vector<i64> corners, ends;
  std::vector<u32> uid;
  std::vector<Real> force, moment, velocity;
  std::vector<measure::WallLoad<D>> loads;
  for (std::size_t w = 0; w < seen.model.walls.size(); ++w) loads.push_back(measure::wall_load(seen.state, seen.contacts, w));
  for (const WallPiece<D>& piece : wall_pieces(seen)) {
    for (const Vec<D>& corner : piece.corners) {
      corners.push_back(i64(points.size()));
      points.push_back(in_space(corner));
    }
    ends.push_back(i64(corners.size()));
    uid.push_back(seen.model.walls[piece.wall].uid);
    append(force, in_space(loads[piece.wall].force));
    append(moment, in_space(loads[piece.wall].moment));
    append(velocity, in_space(seen.state.bodies.velocity[seen.state.grains() + piece.wall]));
  }
  VtpFile file(std::move(points), seen.state.globals.time);
  if constexpr (D == 2)
    file.lines(corners);
  else
    file.polygons(corners, ends);
  file.cell_data("uid", uid);
  file.cell_data("force", force, 3);
  file.cell_data("moment", moment, 3);
  file.cell_data("velocity", velocity, 3);
  file.write(path);
}

template std::vector<WallPiece<2>> wall_pieces(const Moment<2>&);
template std::vector<WallPiece<3>> wall_pieces(const Moment<3>&);
template void write_walls_vtp(const std::filesystem::path&, const Moment<2>&);
template void write_walls_vtp(const std::filesystem::path&, const Moment<3>&);

}  // namespace talus
