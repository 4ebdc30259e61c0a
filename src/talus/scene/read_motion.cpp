#include <talus/scene/read_motion.hpp>

#include <algorithm>
#include <cmath>

#include <talus/core/rng.hpp>
#include <talus/scene/common.hpp>

namespace talus::scene {
namespace {

constexpr Dimension temperature_unit{0, 2, -2};  // m^2/s^2

std::vector<std::string> spin_columns(int dimension) {
  return dimension == 2 ? std::vector<std::string>{"spin"} : std::vector<std::string>{"wx", "wy", "wz"};
}

// As many numbers for each grain; empty: the list is left out.
std::vector<Real> read_list(Input& place, const char* key, const Dimension& dimension, std::size_t grains, std::size_t each,
                            const char* about) {
  auto list = place.numbers(key, dimension, Range::any(), 0, std::vector<Real>{}, about);
  if (!list.empty() && list.size() != grains * each)
    place.fail(key, "there must be an entry for each grain", std::to_string(grains * each) + " numbers are needed");
  return list;
}

// A number of a normal distribution of variance 1.
Real drawn(Rng& rng) {
  const Real u = 1 - rng.uniform(), v = rng.uniform();  // u > 0
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * pi * v);
}

}  // namespace

template <int D>
std::vector<std::string> motion_columns() {
  std::vector<std::string> names;
  for (int k = 0; k < D; ++k) names.push_back(std::string("v") + axis_names[k]);
  for (const std::string& name : spin_columns(D)) names.push_back(name);
  if (D == 2) names.emplace_back("turn");
  return names;
}

template <int D>
void read_motion(const CsvTable& csv, std::vector<sampling::Ball<D>>& balls) {
  const auto each = [&](const std::string& name, const Dimension& dimension, auto&& put) {
    if (!csv.has(name)) return;
    const auto& values = csv.values(name, dimension);
    for (std::size_t i = 0; i < balls.size(); ++i) put(balls[i], values[i]);
  };
  for (int k = 0; k < D; ++k)
    each(std::string("v") + axis_names[k], dim::speed, [k](sampling::Ball<D>& b, Real v) { b.velocity[k] = v; });
  const auto spins = spin_columns(D);
  for (int k = 0; k < Spin<D>::size; ++k)
    each(spins[std::size_t(k)], dim::spin, [k](sampling::Ball<D>& b, Real w) { b.spin[k] = w; });
  if (D == 2) each("turn", dim::angle, [](sampling::Ball<D>& b, Real angle) { b.turn = angle; });
}

template <int D>
void read_motion(Input& place, std::vector<sampling::Ball<D>>& balls) {
  constexpr std::size_t axes = Spin<D>::size;
  const auto velocities = read_list(place, "velocities", dim::speed, balls.size(), D,
                                    "vx, vy(, vz) of each grain in turn; left out: at rest");
  for (std::size_t i = 0; i < velocities.size(); ++i) balls[i / D].velocity[int(i % D)] = velocities[i];
  const auto spins = read_list(place, "spins", dim::spin, balls.size(), axes,
                               "spin of each grain in turn, in space wx, wy, wz; left out: none");
  for (std::size_t i = 0; i < spins.size(); ++i) balls[i / axes].spin[int(i % axes)] = spins[i];
  if (D == 3) return;
  const auto turns = read_list(place, "turns", dim::angle, balls.size(), 1,
                               "orientation of each grain in turn; left out: at random where it can be seen");
  for (std::size_t i = 0; i < turns.size(); ++i) balls[i].turn = turns[i];
}

template <int D>
void check_motion(const Input& scene, const std::vector<sampling::Ball<D>>& balls, bool rotation, bool turns) {
  for (const auto& b : balls) {
    if (!rotation && dot(b.spin, b.spin) > 0)
      scene.fail("dynamics", "rotation is inhibited, but grains start with a spin", "set dynamics.rotation = \"free\"");
    if (b.turn && !turns)
      scene.fail("grains", "all grains are round, so their orientation has no effect", "leave the orientations out");
  }
}

template <int D>
void read_temperature(Input& group, State<D>& state, u32 first, std::size_t count, u64 seed) {
  const Real temperature =
      group.number("granular_temperature", temperature_unit, Range::not_negative(), 0.0,
                   "granular temperature: mass-weighted mean square of a velocity component, drawn at random; 0: at rest");
  if (temperature == 0) return;
  Bodies<D>& b = state.bodies;
  std::vector<std::size_t> grains;
  for (std::size_t i = 0; i < state.grains(); ++i)
    if (b.uid[i] >= first && b.uid[i] - first < count) grains.push_back(i);
  std::sort(grains.begin(), grains.end(), [&](auto i, auto j) { return b.uid[i] < b.uid[j]; });
  if (grains.size() < 2)
    group.fail("granular_temperature", "a single grain has no temperature", "state its velocity instead");
  Rng rng{seed, 0x7e39e4, 0};
  Vec<D> momentum{};
  Real mass = 0;
  for (const std::size_t i : grains) {
    if (dot(b.velocity[i], b.velocity[i]) > 0)
      group.fail("granular_temperature", "the velocities are stated already", "keep one of the two");
    for (int k = 0; k < D; ++k) b.velocity[i][k] = drawn(rng);
    momentum += b.mass[i] * b.velocity[i];
    mass += b.mass[i];
  }
  Real twice_energy = 0;
  for (const std::size_t i : grains) {
    b.velocity[i] = b.velocity[i] - (1 / mass) * momentum;
    twice_energy += b.mass[i] * dot(b.velocity[i], b.velocity[i]);
  }
  const Real scale = std::sqrt(D * mass * temperature / twice_energy);
  for (const std::size_t i : grains) b.velocity[i] = scale * b.velocity[i];
}

#define TALUS_INSTANTIATE(D)                                                                     \
  template std::vector<std::string> motion_columns<D>();                                         \
  template void read_motion(const CsvTable&, std::vector<sampling::Ball<D>>&);                   \
  template void read_motion(Input&, std::vector<sampling::Ball<D>>&);                            \
  template void check_motion(const Input&, const std::vector<sampling::Ball<D>>&, bool, bool);   \
  template void read_temperature(Input&, State<D>&, u32, std::size_t, u64);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::scene
