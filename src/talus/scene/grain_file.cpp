#include <talus/scene/grain_file.hpp>

#include <algorithm>
#include <array>

#include <talus/core/csv.hpp>
#include <talus/core/input_error.hpp>
#include <talus/scene/common.hpp>
#include <talus/scene/read_motion.hpp>

namespace talus::scene {
namespace {

template <int D>
using Places = std::vector<sampling::Ball<D>>;

template <int D>
Places<D> read_balls(const CsvTable& csv, u32 material) {
  std::vector<std::string> known{"diameter", "radius"};
  for (int k = 0; k < D; ++k) known.emplace_back(1, axis_names[k]);
  for (const std::string& name : motion_columns<D>()) known.push_back(name);
  csv.need_known(known);
  csv.need_one_of("diameter", "radius");
  Places<D> balls(csv.rows());
  const bool by_radius = csv.has("radius");
  const auto& size = csv.values(by_radius ? "radius" : "diameter", dim::length);
  for (std::size_t i = 0; i < balls.size(); ++i) {
    balls[i].radius = by_radius ? size[i] : size[i] / 2;
    balls[i].material = material;
    if (!(balls[i].radius > 0))
      throw InputError(csv.file, csv.lines[i], by_radius ? "radius" : "diameter", "grain sizes must be positive", "");
  }
  for (int k = 0; k < D; ++k) {
    const auto& x = csv.values(std::string(1, axis_names[k]), dim::length);
    for (std::size_t i = 0; i < balls.size(); ++i) balls[i].position[k] = x[i];
  }
  read_motion(csv, balls);
  return balls;
}

template <int D>
void check_cell(const CsvTable& csv, const Places<D>& balls, const Cell<D>& cell) {
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (int k = 0; k < D; ++k) {
      if (2 * balls[i].radius > cell.h(k, k))
        throw InputError(csv.file, csv.lines[i], csv.has("radius") ? "radius" : "diameter",
                         std::string("this grain is larger than the cell, which is ") + std::to_string(cell.h(k, k)) +
                             " m along " + axis_names[k],
                         "give the unit of each column in the header, as in 'x [mm]', or enlarge cell.size");
      if (!cell.periodic[k] && (balls[i].position[k] < 0 || balls[i].position[k] > cell.h(k, k)))
        throw InputError(csv.file, csv.lines[i], std::string(1, axis_names[k]), "this grain lies outside the cell",
                         "the cell reaches from 0 to cell.size");
    }
}

// One grain with two entries: the same place, or nearly. In order of places only few come into question.
template <int D>
void check_twice(const CsvTable& csv, const Places<D>& balls) {
  std::vector<std::size_t> order(balls.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto place = [&](std::size_t i) {
    std::array<Real, D> at;
    for (int k = 0; k < D; ++k) at[std::size_t(k)] = balls[i].position[k];
    return at;
  };
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return place(i) < place(j) || (place(i) == place(j) && i < j); });
  for (std::size_t p = 0; p + 1 < order.size(); ++p)
    if (place(order[p]) == place(order[p + 1]))
      throw InputError(csv.file, csv.lines[order[p + 1]], "x",
                       "this grain has the same place as the one in line " + std::to_string(csv.lines[order[p]]),
                       "remove one of them");
  for (std::size_t p = 0; p < order.size(); ++p)
    for (std::size_t q = p + 1; q < order.size(); ++q) {
      const auto i = std::min(order[p], order[q]), j = std::max(order[p], order[q]);
      const Vec<D> apart = balls[order[q]].position - balls[order[p]].position;
      if (apart[0] > balls[order[p]].radius) break;
      if (dot(apart, apart) < 0.25 * balls[i].radius * balls[j].radius)
        throw InputError(csv.file, csv.lines[j], "x",
                         "this grain has nearly the same place as the one in line " + std::to_string(csv.lines[i]),
                         "remove one of them");
    }
}

}  // namespace

template <int D>
std::vector<sampling::Ball<D>> place_from_file(Input& place, u32 material, const Cell<D>& cell) {
  const std::string text = place.file(
      "file", "CSV with columns x, y(, z), diameter or radius, and optionally vx, vy(, vz) and the spin: wx, wy, wz, in the "
              "plane spin and turn");
  const std::string name = place.text("file", std::nullopt, "CSV of positions");
  const CsvTable csv = parse_csv(text, name);
  const Places<D> balls = read_balls<D>(csv, material);
  check_cell(csv, balls, cell);
  check_twice(csv, balls);
  return balls;
}

template std::vector<sampling::Ball<2>> place_from_file(Input&, u32, const Cell<2>&);
template std::vector<sampling::Ball<3>> place_from_file(Input&, u32, const Cell<3>&);

}  // namespace talus::scene
