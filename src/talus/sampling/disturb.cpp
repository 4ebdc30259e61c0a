#include <talus/sampling/disturb.hpp>

#include <cmath>

#include <talus/core/rng.hpp>
#include <talus/sampling/assemble.hpp>

namespace talus::sampling {
namespace {

// Uniform over all directions: a point of the ball of radius 1, put on its surface. Square roots alone: the same bits everywhere.
template <int D>
Vec<D> random_direction(Rng& rng) {
  while (true) {
    Vec<D> v;
    for (int k = 0; k < D; ++k) v[k] = rng.uniform(-1, 1);
    if (const Real square = dot(v, v); square <= 1 && square > 1e-6) return (1 / std::sqrt(square)) * v;
  }
}

}  // namespace

template <int D>
State<D> disturb(State<D> sample, const Model<D>& model, const Disturbance& by, u64 seed) {
  Bodies<D>& b = sample.bodies;
  for (std::size_t i = 0; i < sample.grains(); ++i) {
    Rng sizes{seed, 0xd15b + (u64(b.uid[i]) << 20), 0}, motion{seed, 0x5beed + (u64(b.uid[i]) << 20), 0};
    if (by.diameters > 0) set_radius(model, b, i, b.radius[i] * (1 + sizes.uniform(-by.diameters, by.diameters)));
    if (by.speed > 0) b.velocity[i] += by.speed * random_direction<D>(motion);
  }
  if (by.diameters > 0)
    State<D>::visit_tables(sample, [](const AboutTable&, auto& table) {
      if constexpr (requires { table.shift; }) table.shift.assign(table.shift.size(), 0);
    });
  return sample;
}

template State<2> disturb(State<2>, const Model<2>&, const Disturbance&, u64);
template State<3> disturb(State<3>, const Model<3>&, const Disturbance&, u64);

}  // namespace talus::sampling
