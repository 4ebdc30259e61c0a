#include <talus/io/vtk.hpp>

#include <talus/core/scalars.hpp>
#include <talus/geometry/shape_table.hpp>
#include <talus/io/vtp_file.hpp>

namespace talus {
namespace {

namespace fs = std::filesystem;
using Order = std::vector<std::size_t>;

template <class T>
constexpr bool is_vector = false;
template <int N>
constexpr bool is_vector<Vec<N>> = true;

// One body column as an array of the picture: vectors have three components there, records as many as they have numbers.
template <class T>
void add_column(VtpFile& file, const About& about, const Column<T>& column, const Order& order) {
  constexpr std::size_t components = is_vector<T> ? 3 : scalar_count<T>;
  std::vector<scalar_of<T>> values;
  values.reserve(order.size() * components);
  for (const std::size_t i : order) {
    if constexpr (is_vector<T>) {
      append(values, in_space(column[i]));
    } else {
      const auto* scalars = reinterpret_cast<const scalar_of<T>*>(&column[i]);
      values.insert(values.end(), scalars, scalars + components);
    }
  }
  file.point_data(std::string(about.name), values, components);
}

// All columns of use of a table as a picture, its rows in an order as vertices.
template <int D, class Table>
VtpFile vertices_of(const Table& table, const Order& order, const State<D>& state) {
  const Mat<D> inverse_h = inverse(state.globals.cell.h);
  std::vector<Vec3> points;
  points.reserve(order.size());
  for (const std::size_t i : order) points.push_back(in_space(wrap(state.globals.cell, inverse_h, table.position[i])));
  VtpFile file(std::move(points), state.globals.time);
  file.vertices();
  Table::visit(table, [&](const About& about, const auto& column) {
    const bool is_of_use = about.name != "position" && !about.name.starts_with("inverse_") && !column.empty();
    if (is_of_use && about.name != "radius") add_column(file, about, column, order);
  });
  return file;
}

// The polygons that show the shapes of grains, and what each of them shows.
struct Pieces {
  std::vector<Vec3> points;
  std::vector<i64> corners, ends;   // numbers of points, one polygon after the other; where each of them ends
  std::vector<std::size_t> grain;   // of each polygon, its place in the order of uids
};

void add_shape(Pieces& pieces, const Moment<2>& seen, std::size_t i, const Vec2& centre, std::size_t place) {
  const Bodies<2>& b = seen.state.bodies;
  const Shape<2>& shape = seen.model.shapes[b.shape[i]];
  for (u32 part = 0; part < shape.parts; ++part) {
    const PolygonView grain = outline_of(seen.model.outlines, shape, b.radius[i], part);
    for (const Vec2& p : drawn_outline(grain, b.turn.empty() ? 0 : b.turn[i].x)) {
      pieces.corners.push_back(i64(pieces.points.size()));
      pieces.points.push_back(in_space(centre + seen.state.globals.radius_scale * p));
    }
    pieces.ends.push_back(i64(pieces.corners.size()));
    pieces.grain.push_back(place);
  }
}

void add_shape(Pieces& pieces, const Moment<3>& seen, std::size_t i, const Vec3& centre, std::size_t place) {
  const Bodies<3>& b = seen.state.bodies;
  const Shape<3>& shape = seen.model.shapes[b.shape[i]];
  if (shape.kind != ShapeKind::hull) return;
  const Hull& hull = seen.model.hulls[shape.outline];
  const PlacedHull at(hull, seen.state.globals.radius_scale * b.radius[i] / hull.reach, b.orientation[i], centre);
  const auto first = i64(pieces.points.size());
  for (const Vec3& corner : at.view().corners) pieces.points.push_back(corner);
  for (std::size_t f = 0; f < hull.faces(); ++f) {
    for (u32 k = hull.face_start[f]; k < hull.face_start[f + 1]; ++k) pieces.corners.push_back(first + i64(hull.face_corner[k]));
    pieces.ends.push_back(i64(pieces.corners.size()));
    pieces.grain.push_back(place);
  }
}

// `components` numbers of each grain as those of its polygons.
template <class T>
void add_of_grains(VtpFile& file, const std::string& name, const std::vector<T>& of_grains, const Pieces& pieces, std::size_t components = 1) {
  if (of_grains.empty()) return;
  std::vector<T> values;
  for (const std::size_t g : pieces.grain)
    for (std::size_t c = 0; c < components; ++c) values.push_back(of_grains[g * components + c]);
  file.cell_data(name, values, components);
}

}  // namespace

template <int D>
void write_grains_vtp(const fs::path& path, const Moment<D>& seen) {
  const Bodies<D>& bodies = seen.state.bodies;
  const Order order = by_uid(bodies.uid, seen.state.grains());
  VtpFile file = vertices_of(bodies, order, seen.state);
  std::vector<Real> radii;
  for (const std::size_t i : order) radii.push_back(seen.state.globals.radius_scale * bodies.radius[i]);
  file.point_data("radius", radii);
  const GrainValues values = grain_values(seen, order);
  file.point_data("coordination", values.coordination);
  file.point_data("mean_stress", values.mean_stress);
  file.point_data("displacement", values.displacement, 3);
  if (!values.rotation.empty()) file.point_data("rotation", values.rotation, 3);
  file.write(path);
}

template <int D>
void write_particles_vtp(const fs::path& path, const State<D>& state) {
  vertices_of(state.particles, by_uid(state.particles.uid, state.particles.size()), state).write(path);
}

template <int D>
void write_outlines_vtp(const fs::path& path, const Moment<D>& seen) {
  const Bodies<D>& b = seen.state.bodies;
  const Mat<D> inverse_h = inverse(seen.state.globals.cell.h);
  const Order order = by_uid(b.uid, seen.state.grains());
  Pieces pieces;
  std::vector<Real> velocity, spin, turn, radius;
  std::vector<u32> uid, material;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::size_t i = order[place];
    add_shape(pieces, seen, i, wrap(seen.state.globals.cell, inverse_h, b.position[i]), place);
    uid.push_back(b.uid[i]);
    material.push_back(b.material[i]);
    radius.push_back(seen.state.globals.radius_scale * b.radius[i]);
    append(velocity, in_space(b.velocity[i]));
    if constexpr (D == 2) {
      spin.push_back(b.spin[i].x);
      turn.push_back(b.turn.empty() ? 0 : b.turn[i].x);
    } else {
      append(spin, b.spin[i]);
    }
  }
  VtpFile file(std::move(pieces.points), seen.state.globals.time);
  file.polygons(pieces.corners, pieces.ends);
  add_of_grains(file, "uid", uid, pieces);
  add_of_grains(file, "material", material, pieces);
  add_of_grains(file, "radius", radius, pieces);
  add_of_grains(file, "velocity", velocity, pieces, 3);
  add_of_grains(file, "spin", spin, pieces, D == 2 ? 1 : 3);
  add_of_grains(file, "turn", turn, pieces);
  const GrainValues values = grain_values(seen, order);
  add_of_grains(file, "coordination", values.coordination, pieces);
  add_of_grains(file, "mean_stress", values.mean_stress, pieces);
  add_of_grains(file, "displacement", values.displacement, pieces, 3);
  add_of_grains(file, "rotation", values.rotation, pieces, 3);
  file.write(path);
}

template <int D>
std::vector<ContactLine> contact_lines(const State<D>& state, const ContactList<D>& contacts) {
  const Cell<D>& cell = state.globals.cell;
  const Mat<D> inverse_h = inverse(cell.h);
  std::vector<ContactLine> lines;
  lines.reserve(contacts.size());
  for (const ContactSample<D>& c : contacts) {
    // A wall has no centre: its end of the line is the other body's place plus the branch.
    const bool a_is_grain = c.a < state.grains();
    const Vec<D> from = wrap(cell, inverse_h, state.bodies.position[a_is_grain ? c.a : c.b]);
    const Vec<D> to = a_is_grain ? from - c.branch : from + c.branch;
    lines.push_back({in_space(from), in_space(to), dot(c.force, c.normal), length(reject(c.force, c.normal)), c.overlap, static_cast<int>(c.law),
                     state.bodies.uid[c.a], state.bodies.uid[c.b], in_space(c.normal), in_space(c.force)});
  }
  return lines;
}

void write_contacts_vtp(const fs::path& path, const std::vector<ContactLine>& contacts, Real time) {
  std::vector<Vec3> points;
  std::vector<i64> ends;
  std::vector<Real> normal_force, shear_force, overlap;
  std::vector<i32> law;
  std::vector<u32> a, b;
  std::vector<float> normal, force, normal_force_at, shear_force_at;
  for (const ContactLine& c : contacts) {
    for (const Vec3& end : {c.from, c.to}) {
      ends.push_back(static_cast<i64>(points.size()));
      points.push_back(end);
      normal_force_at.push_back(float(c.normal_force));
      shear_force_at.push_back(float(c.shear_force));
    }
    normal_force.push_back(c.normal_force);
    shear_force.push_back(c.shear_force);
    overlap.push_back(c.overlap);
    law.push_back(c.law);
    a.push_back(c.a);
    b.push_back(c.b);
    append(normal, c.normal);
    append(force, c.force);
  }
  VtpFile file(std::move(points), time);
  file.lines(ends);
  file.point_data("normal_force", normal_force_at);
  file.point_data("shear_force", shear_force_at);
  file.cell_data("normal_force", normal_force);
  file.cell_data("shear_force", shear_force);
  file.cell_data("overlap", overlap);
  file.cell_data("law", law);
  file.cell_data("uid_a", a);
  file.cell_data("uid_b", b);
  file.cell_data("normal", normal, 3);
  file.cell_data("force", force, 3);
  file.write(path);
}

template <int D>
void write_cell_vtp(const fs::path& path, const Cell<D>& cell, Real time) {
  // Corner number c lies at edge k times bit k of c; an edge joins corners that differ in one bit.
  std::vector<Vec3> corners;
  std::vector<i64> ends;
  for (int c = 0; c < (1 << D); ++c) {
    Vec<D, i32> at;
    for (int k = 0; k < D; ++k) {
      at[k] = c >> k & 1;
      if (at[k] == 0) ends.insert(ends.end(), {c, c | 1 << k});
    }
    corners.push_back(in_space(cell.translation(at)));
  }
  VtpFile file(std::move(corners), time);
  file.lines(ends);
  file.write(path);
}

#define TALUS_VTK(D)                                                                                    \
  template void write_grains_vtp(const fs::path&, const Moment<D>&);                                    \
  template void write_outlines_vtp(const fs::path&, const Moment<D>&);                                  \
  template void write_particles_vtp(const fs::path&, const State<D>&);                                  \
  template std::vector<ContactLine> contact_lines(const State<D>&, const ContactList<D>&);              \
  template void write_cell_vtp(const fs::path&, const Cell<D>&, Real);
TALUS_VTK(2)
TALUS_VTK(3)
#undef TALUS_VTK

}  // namespace talus
