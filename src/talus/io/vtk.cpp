#include <talus/io/vtk.hpp>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string_view>

#include <talus/core/input_error.hpp>
#include <talus/core/scalars.hpp>
#include <talus/geometry/shape_table.hpp>
#include <talus/io/file_error.hpp>
#include <talus/io/series.hpp>
#include <talus/io/text_file.hpp>
#include <talus/io/vtp_file.hpp>
#include <talus/measure/averages.hpp>

namespace talus {
namespace {

namespace fs = std::filesystem;

Vec3 in_space(const Vec<3>& v) { return v; }
Vec3 in_space(const Vec<2>& v) { return {v.x, v.y, 0}; }
Vec3 in_space(const Vec<1>& v) { return {0, 0, v.x}; }  // what rotates in the plane points out of it

template <class T>
constexpr bool is_vector = false;
template <int N>
constexpr bool is_vector<Vec<N>> = true;

// One body column as an array of the picture: vectors have three components there, records as many as they have numbers.
template <class T>
void add_column(VtpFile& file, const About& about, const Column<T>& column, const std::vector<std::size_t>& order) {
  constexpr std::size_t components = is_vector<T> ? 3 : scalar_count<T>;
  std::vector<scalar_of<T>> values;
  values.reserve(order.size() * components);
  for (const std::size_t i : order) {
    if constexpr (is_vector<T>) {
      const Vec3 v = in_space(column[i]);
      values.insert(values.end(), {v.x, v.y, v.z});
    } else {
      const auto* scalars = reinterpret_cast<const scalar_of<T>*>(&column[i]);
      values.insert(values.end(), scalars, scalars + components);
    }
  }
  file.point_data(std::string(about.name), values, components);
}

// The position inside the periodic cell; open directions stay as they are.
template <int D>
Vec<D> wrap(const Cell<D>& cell, const Mat<D>& inverse_h, const Vec<D>& position) {
  Vec<D> periods = inverse_h * position;
  for (int k = 0; k < D; ++k) periods[k] = cell.periodic[k] ? std::floor(periods[k]) : 0;
  return position - cell.h * periods;
}

std::vector<std::size_t> by_uid(const Column<u32>& uid, std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return uid[i] < uid[j]; });
  return order;
}

std::string step_digits(i64 step) {
  const std::string digits = std::to_string(step);
  return std::string(digits.size() < 12 ? 12 - digits.size() : 0, '0') + digits;
}

// What stands between the quotes of name="..." in a line of XML.
std::string_view attribute(std::string_view line, std::string_view name) {
  const std::string mark = " " + std::string(name) + "=\"";
  const std::size_t start = line.find(mark);
  if (start == std::string_view::npos) return {};
  line.remove_prefix(start + mark.size());
  return line.substr(0, line.find('"'));
}

}  // namespace

namespace {

// All columns of use of a table as a picture, its first `count` rows as vertices.
template <int D, class Table>
VtpFile vertices_of(const Table& table, std::size_t count, const State<D>& state) {
  const std::vector<std::size_t> order = by_uid(table.uid, count);
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

}  // namespace

template <int D>
void write_grains_vtp(const fs::path& path, const State<D>& state) {
  const Bodies<D>& bodies = state.bodies;
  VtpFile file = vertices_of(bodies, state.grains(), state);
  std::vector<Real> radii;
  for (const std::size_t i : by_uid(bodies.uid, state.grains())) radii.push_back(state.globals.radius_scale * bodies.radius[i]);
  file.point_data("radius", radii);
  file.write(path);
}

template <int D>
void write_particles_vtp(const fs::path& path, const State<D>& state) {
  vertices_of(state.particles, state.particles.size(), state).write(path);
}

void write_outlines_vtp(const fs::path& path, const Model<2>& model, const State<2>& state) {
  const Bodies<2>& b = state.bodies;
  const Mat<2> inverse_h = inverse(state.globals.cell.h);
  const Real scale = state.globals.radius_scale;
  const std::vector<std::size_t> order = by_uid(state.bodies.uid, state.grains());
  std::vector<Vec3> points;
  std::vector<i64> ends;
  std::vector<Real> velocity, spin, turn, radius;
  std::vector<u32> uid, material;
  for (const std::size_t i : order) {
    const Shape<2>& shape = model.shapes[b.shape[i]];
    const Vec2 centre = wrap(state.globals.cell, inverse_h, b.position[i]);
    const Real angle = b.turn.empty() ? 0 : b.turn[i].x;
    for (u32 part = 0; part < shape.parts; ++part) {  // one polygon for each part, all with the values of the grain
      const PolygonView grain = outline_of(model.outlines, shape, b.radius[i], part);
      for (const Vec2& p : drawn_outline(grain, angle)) points.push_back(in_space(centre + scale * p));
      ends.push_back(static_cast<i64>(points.size()));
      uid.push_back(b.uid[i]);
      material.push_back(b.material[i]);
      radius.push_back(scale * b.radius[i]);
      velocity.insert(velocity.end(), {b.velocity[i].x, b.velocity[i].y, 0});
      spin.push_back(b.spin[i].x);
      turn.push_back(angle);
    }
  }
  VtpFile file(std::move(points), state.globals.time);
  file.polygons(ends);
  file.cell_data("uid", uid);
  file.cell_data("material", material);
  file.cell_data("radius", radius);
  file.cell_data("velocity", velocity, 3);
  file.cell_data("spin", spin);
  file.cell_data("turn", turn);
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
    lines.push_back({in_space(from), in_space(to), dot(c.force, c.normal), length(reject(c.force, c.normal)), c.overlap,
                     static_cast<int>(c.law)});
  }
  return lines;
}

void write_contacts_vtp(const fs::path& path, const std::vector<ContactLine>& contacts, Real time) {
  std::vector<Vec3> points;
  std::vector<i64> ends;
  std::vector<Real> normal_force, shear_force, overlap;
  std::vector<i32> law;
  for (const ContactLine& c : contacts) {
    ends.push_back(static_cast<i64>(points.size()));
    ends.push_back(static_cast<i64>(points.size()) + 1);
    points.push_back(c.from);
    points.push_back(c.to);
    normal_force.push_back(c.normal_force);
    shear_force.push_back(c.shear_force);
    overlap.push_back(c.overlap);
    law.push_back(c.law);
  }
  VtpFile file(std::move(points), time);
  file.lines(ends);
  file.cell_data("normal_force", normal_force);
  file.cell_data("shear_force", shear_force);
  file.cell_data("overlap", overlap);
  file.cell_data("law", law);
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

// ---- collections -----------------------------------------------------------------------------------------------------

PvdFile PvdFile::resume(const fs::path& path, Real time) {
  PvdFile pvd(path);
  std::error_code error;
  if (!fs::exists(path, error)) return pvd;
  const std::string text = read_text(path);
  std::string_view rest = text;
  int number = 0;
  for (std::size_t end; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1)) {
    const std::string_view line = rest.substr(0, end);
    ++number;
    if (line.find("<DataSet") == std::string_view::npos) continue;
    const std::string_view stamp = attribute(line, "timestep"), file = attribute(line, "file");
    Real at = 0;
    const auto [stop, status] = std::from_chars(stamp.data(), stamp.data() + stamp.size(), at);
    if (status != std::errc{} || stop != stamp.data() + stamp.size() || file.empty())
      throw InputError(path.string(), number, "", "is not a collection that Talus wrote", "move the file away");
    if (at <= time) pvd.entries_.push_back({at, std::string(file)});
  }
  return pvd;
}

void PvdFile::add(Real time, const std::string& file) {
  entries_.push_back({time, file});
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  "
      "<Collection>\n";
  for (const Entry& e : entries_)
    text += "    <DataSet timestep=\"" + shortest(e.time) + "\" group=\"\" part=\"0\" file=\"" + e.file + "\"/>\n";
  write_text_atomic(path_, text + "  </Collection>\n</VTKFile>\n");
}

VtkFolder::VtkFolder(const fs::path& folder)
    : folder_(folder),
      grains_(folder / "grains.pvd"),
      contacts_(folder / "contacts.pvd"),
      cell_(folder / "cell.pvd"),
      outlines_(folder / "outlines.pvd"),
      walls_(folder / "walls.pvd"),
      particles_(folder / "particles.pvd") {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FileError(folder, "the folder cannot be made: " + error.message());
}

VtkFolder VtkFolder::resume(const fs::path& folder, Real time) {
  VtkFolder vtk(folder);
  for (PvdFile* pvd : {&vtk.grains_, &vtk.contacts_, &vtk.cell_, &vtk.outlines_, &vtk.walls_, &vtk.particles_})
    *pvd = PvdFile::resume(pvd->path(), time);
  return vtk;
}

template <int D>
void VtkFolder::write(const State<D>& state, const std::vector<ContactLine>& contacts) {
  const Real time = state.globals.time;
  const std::string ending = "-" + step_digits(state.globals.step) + ".vtp";
  write_cell_vtp(folder_ / ("cell" + ending), state.globals.cell, time);
  if (state.particles.size() > 0) {
    write_particles_vtp(folder_ / ("particles" + ending), state);
    particles_.add(time, "particles" + ending);
    cell_.add(time, "cell" + ending);
    return;
  }
  write_grains_vtp(folder_ / ("grains" + ending), state);
  write_contacts_vtp(folder_ / ("contacts" + ending), contacts, time);
  grains_.add(time, "grains" + ending);
  contacts_.add(time, "contacts" + ending);
  cell_.add(time, "cell" + ending);
}

void VtkFolder::write_outlines(const Model<2>& model, const State<2>& state) {
  const std::string name = "outlines-" + step_digits(state.globals.step) + ".vtp";
  write_outlines_vtp(folder_ / name, model, state);
  outlines_.add(state.globals.time, name);
}

template <int D>
void VtkFolder::write_walls(const State<D>& state, const ContactList<D>& contacts) {
  std::vector<Vec3> points;
  std::vector<u32> uid;
  std::vector<Real> force, moment, velocity;
  const auto add = [](std::vector<Real>& to, const Vec3& v) { to.insert(to.end(), {v.x, v.y, v.z}); };
  for (std::size_t w = 0; w < state.walls; ++w) {
    const std::size_t i = state.grains() + w;
    const measure::WallLoad<D> load = measure::wall_load(state, contacts, w);
    points.push_back(in_space(state.bodies.position[i]));
    uid.push_back(state.bodies.uid[i]);
    add(force, in_space(load.force));
    add(moment, in_space(load.moment));
    add(velocity, in_space(state.bodies.velocity[i]));
  }
  const std::string name = "walls-" + step_digits(state.globals.step) + ".vtp";
  VtpFile file(std::move(points), state.globals.time);
  file.vertices();
  file.point_data("uid", uid);
  file.point_data("force", force, 3);
  file.point_data("moment", moment, 3);
  file.point_data("velocity", velocity, 3);
  file.write(folder_ / name);
  walls_.add(state.globals.time, name);
}

template void write_grains_vtp(const fs::path&, const State<2>&);
template void write_grains_vtp(const fs::path&, const State<3>&);
template void write_particles_vtp(const fs::path&, const State<2>&);
template void write_particles_vtp(const fs::path&, const State<3>&);
template std::vector<ContactLine> contact_lines(const State<2>&, const ContactList<2>&);
template std::vector<ContactLine> contact_lines(const State<3>&, const ContactList<3>&);
template void write_cell_vtp(const fs::path&, const Cell<2>&, Real);
template void write_cell_vtp(const fs::path&, const Cell<3>&, Real);
template void VtkFolder::write_walls(const State<2>&, const ContactList<2>&);
template void VtkFolder::write_walls(const State<3>&, const ContactList<3>&);
template void VtkFolder::write(const State<2>&, const std::vector<ContactLine>&);
template void VtkFolder::write(const State<3>&, const std::vector<ContactLine>&);

}  // namespace talus
