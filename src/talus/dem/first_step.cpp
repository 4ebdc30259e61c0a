#include <talus/dem/first_step.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace talus::dem {

template <int D>
StartLimit start_limit(const Model<D>& model, const State<D>& state) {
  StartLimit best{HUGE_VAL, "no grains"};
  std::vector<Real> smallest(model.materials.size(), HUGE_VAL);
  // What a push at the farthest point of a grain moves.
  std::vector<Real> lightest(model.materials.size(), HUGE_VAL);
  const Bodies<D>& bodies = state.bodies;
  for (std::size_t i = 0; i < state.grains(); ++i) {
    const u32 m = bodies.material[i];
    smallest[m] = std::min(smallest[m], bodies.radius[i]);
    lightest[m] = std::min(
        lightest[m], 1 / (bodies.inverse_mass[i] + bodies.radius[i] * bodies.radius[i] * bodies.inverse_inertia[i]));
  }
  const auto offer = [&](Real dt, std::string reason) {
    if (dt < best.dt) best = {dt, std::move(reason)};
  };
  for (u32 a = 0; a < model.materials.size(); ++a) {
    if (smallest[a] == HUGE_VAL) continue;
    const Material& m = model.materials[a];
    const Real density = m.density * model.options.density_scale;
    for (u32 b = 0; b < model.materials.size(); ++b) {
      const u32 slot = a * model.pairs.materials + b;
      for_each_law([&]<std::size_t L>() {
        using Law = std::tuple_element_t<L, Laws<D>>;
        if (model.pairs.law[slot] != L) return;
        if constexpr (std::is_same_v<Law, Linear<D>> || std::is_same_v<Law, Rolling<Linear<D>>>) {
          const auto& p = std::get<L>(model.pairs.constants.of)[model.pairs.params[slot]];
          const Real mass = model.has_polygons()
                                ? lightest[a]
                                : density * (D == 2 && !model.options.spheres_in_plane ? ball_volume<2>(smallest[a])
                                                                                       : ball_volume<3>(smallest[a]));
          // A grain with 12 such contacts: w^2 <= 24 k / m.
          offer(2 / std::sqrt(24 * Law::stiffness(p, {}) / mass),
                "linear contact " + m.name + " - " + model.materials[b].name);
        } else {
          offer(pi * smallest[a] * std::sqrt(density / m.shear_modulus()) / (0.1631 * m.poisson + 0.8766),
                "Rayleigh wave through the smallest grain of " + m.name);
        }
      });
    }
  }
  return best;
}

template StartLimit start_limit(const Model<2>&, const State<2>&);
template StartLimit start_limit(const Model<3>&, const State<3>&);

}  // namespace talus::dem
