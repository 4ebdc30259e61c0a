#include <talus/scene/read_sample.hpp>

#include <cmath>

#include <talus/core/csv.hpp>
#include <talus/core/input_error.hpp>
#include <talus/geometry/shape_table.hpp>
#include <talus/scene/common.hpp>
#include <talus/scene/read_motion.hpp>
#include <talus/state/remove.hpp>

namespace talus::scene {
namespace {

// sqrt(inertia / mass): of the shape alone. 0 where rotation is inhibited.
template <int D>
Real gyration_of(const Bodies<D>& b, std::size_t i) {
  return b.inverse_inertia[i] > 0 ? std::sqrt(1 / (b.inverse_inertia[i] * b.mass[i])) : 0;
}

// Nobody sees how a disc is turned.
template <int D>
bool all_discs(const lab::Experiment<D>& x) {
  for (std::size_t i = 0; i < x.state.grains(); ++i)
    if (!is_round(x.model.outlines, x.model.shapes[x.state.bodies.shape[i]])) return false;
  return true;
}

// Velocities and spins of grains where the table has them; all others start at rest.
template <int D>
void take_motion(const CsvTable& csv, lab::Experiment<D>& x) {
  std::vector<sampling::Ball<D>> rows(csv.rows());
  read_motion(csv, rows);
  const auto& uid = csv.values("uid", dim::none);
  Bodies<D>& b = x.state.bodies;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto i = std::size_t(uid[r]);
    const bool is_grain = i < x.state.grains();  // walls move as they are driven
    b.velocity[i] = is_grain ? rows[r].velocity : Vec<D>{};
    b.spin[i] = is_grain && x.model.options.rotation ? rows[r].spin : Spin<D>{};
  }
}

}  // namespace

template <int D>
void read_sample(Input& scene, lab::Experiment<D>& x) {
  if (!scene.has("sample")) return;
  const auto in = scene.table("sample", true, "grains and walls where another run left them");
  for (int k = 0; k < D; ++k)
    if (x.state.globals.cell.periodic[k])
      in->fail("file", "places alone do not tell how a periodic cell was deformed",
               "hand over samples between walls: set cell.periodic to 0");
  const std::string text =
      in->file("file", "CSV that 'talus sample' wrote: uid, radius, gyration, x, y(, z), in the plane turn; with vx, vy(, vz), and "
                       "spin or wx, wy, wz, bodies start with these");
  const std::string name = in->text("file", std::nullopt, "CSV of places");
  const CsvTable csv = parse_csv(text, name);
  Bodies<D>& b = x.state.bodies;  // just assembled: indices are uids
  const std::size_t grains = x.state.grains();
  std::vector<int> line(b.size(), 0);
  const auto &uid = csv.values("uid", dim::none), &radius = csv.values("radius", dim::length),
             &gyration = csv.values("gyration", dim::length);
  std::vector<std::string> known{"uid", "radius", "gyration"};
  for (int k = 0; k < D; ++k) known.emplace_back(1, axis_names[k]);
  for (const std::string& column : motion_columns<D>()) known.push_back(column);
  csv.need_known(known);
  const auto fail = [&](std::size_t r, const char* column, const std::string& reason, const std::string& hint) {
    throw InputError(name, csv.lines[r], column, reason, hint);
  };
  const bool turned = D == 2 && !b.turn.empty() && (csv.has("turn") || !all_discs(x));
  const std::string same = "both scenes must make the same grains: the same seed, number, sizes, shapes and walls";
  for (std::size_t r = 0; r < csv.rows(); ++r) {
    if (!(uid[r] >= 0 && uid[r] < Real(b.size()) && uid[r] == std::floor(uid[r])))
      fail(r, "uid", "this scene has no such body: its uids go from 0 to " + std::to_string(b.size() - 1), same);
    const auto i = std::size_t(uid[r]);
    if (line[i] != 0) fail(r, "uid", "this body has a place already, in line " + std::to_string(line[i]), "remove one");
    line[i] = csv.lines[r];
    if (radius[r] != b.radius[i])
      fail(r, "radius",
           "body " + std::to_string(i) + " of this scene has a radius of " + std::to_string(b.radius[i]) + " m", same);
    if (const Real mine = gyration_of(b, i); mine > 0 && gyration[r] > 0 && std::abs(gyration[r] - mine) > 1e-9 * mine)
      fail(r, "gyration",
           "body " + std::to_string(i) + " of this scene has another shape: a radius of gyration of " +
               std::to_string(mine) + " m",
           same);
    for (int k = 0; k < D; ++k) b.position[i][k] = csv.values(std::string(1, axis_names[k]), dim::length)[r];
    if constexpr (D == 2)
      if (turned) b.turn[i].x = csv.values("turn", dim::angle)[r];
  }
  take_motion(csv, x);
  std::vector<bool> gone(grains);
  std::size_t left = 0;
  for (std::size_t i = 0; i < grains; ++i) {
    gone[i] = line[i] == 0;
    left += gone[i] ? 0 : 1;
  }
  if (left == 0) in->fail("file", "none of its bodies is a grain of this scene", same);
  for (std::size_t w = grains; w < b.size(); ++w)
    if (line[w] == 0) in->fail("file", "the wall '" + x.model.walls[w - grains].name + "' is not in it", same);
  remove_grains(x.state, gone);
  x.state.globals.removed_kinetic = 0;  // those grains never were in this sample
}

template void read_sample(Input&, lab::Experiment<2>&);
template void read_sample(Input&, lab::Experiment<3>&);

}  // namespace talus::scene
