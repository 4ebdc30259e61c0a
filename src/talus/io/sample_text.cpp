#include <talus/io/sample_text.hpp>

#include <algorithm>
#include <cmath>

#include <talus/core/input_error.hpp>
#include <talus/io/grain_values.hpp>
#include <talus/io/series.hpp>

namespace talus {
namespace {

template <class... T>
std::string joined(char between, const T&... values) {
  std::string text;
  ((text += (text.empty() ? "" : std::string(1, between)) + shortest(values)), ...);
  return text;
}

[[noreturn]] void refuse_sample(const SampleWishes& wishes, const std::string& reason, const std::string& hint) {
  throw InputError(wishes.from, 0, "", reason, hint);
}

Real density_of(const SampleWishes& wishes, u32 material) {
  if (material < wishes.densities.size()) return wishes.densities[material];
  refuse_sample(wishes, "the checkpoint does not tell the density of material " + std::to_string(material), "run its scene again");
}

template <int D>
std::string motion_of(const Bodies<D>& b, std::size_t i, char between) {
  std::string text;
  for (int k = 0; k < D; ++k) text += between + shortest(b.velocity[i][k]);
  for (int k = 0; k < Spin<D>::size; ++k) text += between + shortest(b.spin[i][k]);
  return text;
}
template <int D>
std::string_view motion_names() {
  return D == 2 ? ",vx [m/s],vy [m/s],spin [1/s]" : ",vx [m/s],vy [m/s],vz [m/s],wx [1/s],wy [1/s],wz [1/s]";
}

void need_spheres(const State<3>& state, const SampleWishes& wishes) {
  if (state.grains() == 0) refuse_sample(wishes, "the run has no grains", "particles of a liquid are in vtk/particles.pvd");
  if (!state.bodies.orientation.empty()) refuse_sample(wishes, "the grains are hulls, the format holds spheres", "write CSV: --format csv");
}

}  // namespace

template <int D>
bool is_periodic(const Cell<D>& cell) {
  for (int k = 0; k < D; ++k)
    if (cell.periodic[k]) return true;
  return false;
}

template <int D>
std::string places_csv(const State<D>& state, const SampleWishes& wishes) {
  if (is_periodic(state.globals.cell))
    refuse_sample(wishes, "places alone do not tell how a periodic cell was deformed", "hand over samples between walls");
  if (state.globals.radius_scale != 1)
    refuse_sample(wishes, "the grains of this run have grown: their radii are no longer those of the scene",
                  "hand over a sample whose stages do not scale radii");
  const Bodies<D>& b = state.bodies;
  const bool turns = D == 2 && !b.turn.empty();
  std::string text = std::string("uid,radius [m],gyration [m],x [m],y [m]") + (D == 3 ? ",z [m]" : "") + (turns ? ",turn [rad]" : "");
  if (wishes.motion) text += motion_names<D>();
  text += "\n";
  for (std::size_t i = 0; i < b.size(); ++i) {  // in order of uids: a checkpoint is
    const Real inertia = b.inverse_inertia[i] > 0 ? 1 / b.inverse_inertia[i] : 0;
    text += std::to_string(b.uid[i]) + "," + shortest(b.radius[i]) + "," + shortest(inertia > 0 ? std::sqrt(inertia / b.mass[i]) : 0);
    for (int k = 0; k < D; ++k) text += "," + shortest(b.position[i][k]);
    if (turns) text += "," + shortest(b.turn[i].x);
    if (wishes.motion) text += motion_of(b, i, ',');
    text += "\n";
  }
  return text;
}

template <int D>
std::string cell_csv(const State<D>& state, const SampleWishes& wishes) {
  const Bodies<D>& b = state.bodies;
  const Cell<D>& cell = state.globals.cell;
  const Mat<D> inverse_h = inverse(cell.h);
  const bool turns = D == 2 && !b.turn.empty(), lies = D == 3 && !b.orientation.empty();
  std::string text = "# periodic along edges:";
  for (int k = 0; k < D; ++k) text += cell.periodic[k] ? std::string(" ") + "abc"[k] : "";
  text += "\n";
  for (int k = 0; k < D; ++k) {
    text += std::string("# edge ") + "abc"[k] + " [m]:";
    for (int i = 0; i < D; ++i) text += " " + shortest(cell.h(i, k));
    text += "\n";
  }
  text += std::string("uid,material,density [kg/m3],radius [m],x [m],y [m]") + (D == 3 ? ",z [m]" : "") + (turns ? ",turn [rad]" : "") +
          (lies ? ",qw,qx,qy,qz" : "");
  if (wishes.motion) text += motion_names<D>();
  text += "\n";
  for (std::size_t i = 0; i < state.grains(); ++i) {
    text += std::to_string(b.uid[i]) + "," + std::to_string(b.material[i]) + "," +
            joined(',', density_of(wishes, b.material[i]), state.globals.radius_scale * b.radius[i]);
    const Vec<D> x = wrap(cell, inverse_h, b.position[i]);
    for (int k = 0; k < D; ++k) text += "," + shortest(x[k]);
    if (turns) text += "," + shortest(b.turn[i].x);
    if (lies) text += "," + joined(',', b.orientation[i].w, b.orientation[i].x, b.orientation[i].y, b.orientation[i].z);
    if (wishes.motion) text += motion_of(b, i, ',');
    text += "\n";
  }
  return text;
}

// ---- LAMMPS ------------------------------------------------------------------------------------------------------------

namespace {

// The box of a LAMMPS data file: edges (lx, 0, 0), (xy, ly, 0), (xz, yz, lz) from `low`, in axes turned by `turn`.
struct Box {
  Mat3 edges, turn = Mat3::identity();
  Vec3 low{};
  bool is_turned = false;
  bool is_tilted() const { return edges(0, 1) != 0 || edges(0, 2) != 0 || edges(1, 2) != 0; }
};

// The cell, along open edges as far as grains reach.
Box box_around(const State<3>& state) {
  const Cell<3>& cell = state.globals.cell;
  const Mat3 inverse_h = inverse(cell.h);
  Vec3 low{}, high{1, 1, 1};
  for (int k = 0; k < 3; ++k) {
    if (cell.periodic[k]) continue;
    low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
    for (std::size_t i = 0; i < state.grains(); ++i) {
      const Real at = (inverse_h * state.bodies.position[i])[k];
      const Real reach = state.globals.radius_scale * state.bodies.radius[i] / cell.width(k, inverse_h);
      low[k] = std::min(low[k], at - reach);
      high[k] = std::max(high[k], at + reach);
    }
  }
  Box box;
  box.low = cell.h * low;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) box.edges(i, k) = (high[k] - low[k]) * cell.h(i, k);
  return box;
}

// Turned so that the first edge lies along x and the second in the xy plane.
void turn_upright(Box& box) {
  const Mat3 e = box.edges;
  const auto edge = [&](int k) { return Vec3{e(0, k), e(1, k), e(2, k)}; };
  if (e(1, 0) == 0 && e(2, 0) == 0 && e(2, 1) == 0 && e(0, 0) > 0 && e(1, 1) > 0) return;
  const Vec3 x = (1 / length(edge(0))) * edge(0), normal = cross(edge(0), edge(1)), z = (1 / length(normal)) * normal, y = cross(z, x);
  for (int k = 0; k < 3; ++k) box.turn(0, k) = x[k], box.turn(1, k) = y[k], box.turn(2, k) = z[k];
  box.edges = {{{length(edge(0)), dot(x, edge(1)), dot(x, edge(2))}, {0, dot(y, edge(1)), dot(y, edge(2))}, {0, 0, dot(z, edge(2))}}};
  box.low = box.turn * box.low;
  box.is_turned = true;
}

// The same lattice with other edges: whole periods are taken off the second and third.
void straighten(Box& box, const Vec<3, i32>& periodic) {
  const auto take_off = [&](int edge, int other) {
    if (!periodic[other]) return;
    const Real whole = std::round(box.edges(other, edge) / box.edges(other, other));
    for (int i = 0; i <= other; ++i) box.edges(i, edge) -= whole * box.edges(i, other);
  };
  take_off(1, 0);
  take_off(2, 1);
  take_off(2, 0);
}

std::string header_of(const State<3>& state, const Box& box, std::size_t types) {
  const Cell<3>& cell = state.globals.cell;
  std::string boundary;
  for (int k = 0; k < 3; ++k) boundary += cell.periodic[k] ? " p" : " f";
  std::string text = "Talus sample: units si, atom_style sphere, boundary" + boundary + "; id = uid + 1, type = material + 1\n";
  if (box.is_turned) {
    text += "# turned: these axes in those of the sample are";
    for (int i = 0; i < 3; ++i) text += " (" + joined(' ', box.turn(i, 0), box.turn(i, 1), box.turn(i, 2)) + ")";
    text += "\n";
  }
  text += "\n" + std::to_string(state.grains()) + " atoms\n" + std::to_string(types) + " atom types\n\n";
  for (int k = 0; k < 3; ++k) {
    const std::string axis(1, "xyz"[k]);
    text += joined(' ', box.low[k], box.low[k] + box.edges(k, k)) + " " + axis + "lo " + axis + "hi\n";
  }
  if (box.is_tilted()) text += joined(' ', box.edges(0, 1), box.edges(0, 2), box.edges(1, 2)) + " xy xz yz\n";
  return text;
}

}  // namespace

std::string lammps_data(const State<3>& state, const SampleWishes& wishes) {
  need_spheres(state, wishes);
  const Bodies<3>& b = state.bodies;
  Box box = box_around(state);
  turn_upright(box);
  straighten(box, state.globals.cell.periodic);
  Cell<3> cell = state.globals.cell;
  cell.h = box.edges;
  const Mat3 inverse_h = inverse(cell.h);
  std::string atoms = "\nAtoms\n\n", motion = "\nVelocities\n\n";
  std::size_t types = wishes.densities.size();
  for (std::size_t i = 0; i < state.grains(); ++i) {
    const Vec3 x = box.low + wrap(cell, inverse_h, box.turn * b.position[i] - box.low);
    const Vec3 v = box.turn * b.velocity[i], w = box.turn * b.spin[i];
    const std::string id = std::to_string(u64(b.uid[i]) + 1);
    atoms += id + " " + std::to_string(b.material[i] + 1) + " " +
             joined(' ', 2 * state.globals.radius_scale * b.radius[i], density_of(wishes, b.material[i]), x.x, x.y, x.z) + "\n";
    if (wishes.motion) motion += id + " " + joined(' ', v.x, v.y, v.z, w.x, w.y, w.z) + "\n";
  }
  return header_of(state, box, types) + atoms + (wishes.motion ? motion : "");
}

// ---- Yade --------------------------------------------------------------------------------------------------------------

std::string yade_text(const State<3>& state, const SampleWishes& wishes) {
  need_spheres(state, wishes);
  if (wishes.motion) refuse_sample(wishes, "Yade's text has no place for velocities", "leave --motion out, or write --format lammps");
  const Cell<3>& cell = state.globals.cell;
  const int edges = cell.periodic[0] + cell.periodic[1] + cell.periodic[2];
  if (edges == 1 || edges == 2)
    refuse_sample(wishes, "the sample repeats along some edges only, a cell of Yade along all or none", "write --format lammps");
  const Mat3& h = cell.h;
  bool is_upright = true;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) is_upright = is_upright && (i == k ? h(i, k) > 0 : h(i, k) == 0);
  std::string text;
  if (edges == 3 && is_upright) text = "##PERIODIC:: " + joined(' ', h(0, 0), h(1, 1), h(2, 2)) + "\n";
  if (edges == 3 && !is_upright)
    text = "# cell.hSize, row by row: " + joined(' ', h(0, 0), h(0, 1), h(0, 2), h(1, 0), h(1, 1), h(1, 2), h(2, 0), h(2, 1), h(2, 2)) + "\n";
  const Mat3 inverse_h = inverse(h);
  for (std::size_t i = 0; i < state.grains(); ++i) {
    const Vec3 x = wrap(cell, inverse_h, state.bodies.position[i]);
    text += joined(' ', x.x, x.y, x.z, state.globals.radius_scale * state.bodies.radius[i]) + "\n";
  }
  return text;
}

#define TALUS_SAMPLE(D)                                                        \
  template bool is_periodic(const Cell<D>&);                                   \
  template std::string places_csv(const State<D>&, const SampleWishes&);       \
  template std::string cell_csv(const State<D>&, const SampleWishes&);
TALUS_SAMPLE(2)
TALUS_SAMPLE(3)
#undef TALUS_SAMPLE

}  // namespace talus
