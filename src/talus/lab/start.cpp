#include <talus/lab/start.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <talus/impulse/step.hpp>

namespace talus::lab {

template <int D>
FirstStep<D> first_step(const Model<D>& model, const State<D>& state) {
  FirstStep<D> best{HUGE_VAL, "no grains"};
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
  best.dt *= model.options.dt_safety;
  return best;
}

template <int D>
StartOverlap deepest_at_start(const Model<D>& model, State<D> state) {
  StartOverlap out;
  if constexpr (D == 2) {
    impulse::Scratch scratch;
    out.meets_itself = impulse::look(model, state, scratch).status & own_image;
    for (std::size_t k = 0; k < scratch.patches.size(); ++k)
      if (const Real share = impulse::relative_overlap(state, scratch.patches[k]); share > out.share)
        out = {share, scratch.patch_key[k].a, scratch.patch_key[k].b};
  }
  return out;
}

template FirstStep<2> first_step(const Model<2>&, const State<2>&);
template FirstStep<3> first_step(const Model<3>&, const State<3>&);
template StartOverlap deepest_at_start(const Model<2>&, State<2>);
template StartOverlap deepest_at_start(const Model<3>&, State<3>);

}  // namespace talus::lab
