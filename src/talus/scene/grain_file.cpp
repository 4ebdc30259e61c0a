#include <talus/scene/grain_file.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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

// Grains in the order of the bins of a grid that they lie in: a column of bins along the last axis is one stretch of the list.
template <int D>
class Bins {
 public:
  using Bin = std::array<i64, D>;
  explicit Bins(const Places<D>& balls) : balls_(balls) {
    Real sum = 0;
    for (const auto& b : balls) sum += b.radius;
    edge_ = 0.5 * sum / Real(balls.size());
    for (std::size_t i = 0; i < balls.size(); ++i) entries_.push_back({bin_of(balls[i].position), i});
    std::sort(entries_.begin(), entries_.end());
  }
  // Calls f(j) for all that may be closer to i than `reach`.
  template <class F>
  void for_each_near(std::size_t i, Real reach, F&& f) const {
    const i64 wide = i64(std::min(std::ceil(reach / edge_), Real(1000)));
    const Bin at = bin_of(balls_[i].position);
    for (i64 dx = -wide; dx <= wide; ++dx)
      for (i64 dy = D == 3 ? -wide : 0; dy <= (D == 3 ? wide : 0); ++dy) {
        Bin low = at;
        low[0] += dx;
        if (D == 3) low[1] += dy;
        Bin high = low;
        low[D - 1] -= wide;
        high[D - 1] += wide;
        for (auto e = std::lower_bound(entries_.begin(), entries_.end(), Entry{low, 0}); e != entries_.end() && e->first <= high; ++e)
          f(e->second);
      }
  }

 private:
  using Entry = std::pair<Bin, std::size_t>;
  Bin bin_of(const Vec<D>& x) const {
    Bin bin;
    for (int k = 0; k < D; ++k) bin[std::size_t(k)] = i64(std::clamp(std::floor(x[k] / edge_), Real(-1e15), Real(1e15)));
    return bin;
  }
  const Places<D>& balls_;
  Real edge_;
  std::vector<Entry> entries_;
};

// One grain with two entries: the same place, or nearly. The larger of two looks for the smaller.
template <int D>
void check_twice(const CsvTable& csv, const Places<D>& balls) {
  const Bins<D> bins(balls);
  for (std::size_t i = 0; i < balls.size(); ++i)
    bins.for_each_near(i, 0.5 * balls[i].radius, [&](std::size_t j) {
      if (i == j || balls[j].radius > balls[i].radius) return;
      const Vec<D> apart = balls[i].position - balls[j].position;
      const Real squared = dot(apart, apart);
      if (!(squared < 0.25 * balls[i].radius * balls[j].radius)) return;
      throw InputError(csv.file, csv.lines[std::max(i, j)], "x",
                       std::string(squared > 0 ? "this grain has nearly the same place as the one in line "
                                               : "this grain has the same place as the one in line ") +
                           std::to_string(csv.lines[std::min(i, j)]),
                       "remove one of them");
    });
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
