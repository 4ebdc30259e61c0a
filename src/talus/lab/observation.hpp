#pragma once
// What stages, probes and the progress line look at. Everything costly is measured once, and only when asked for.
#include <optional>
#include <string>
#include <vector>

#include <talus/core/figure.hpp>
#include <talus/lab/engine.hpp>
#include <talus/measure/averages.hpp>
#include <talus/measure/energy.hpp>
#include <talus/measure/porosity.hpp>
#include <talus/stages/walls.hpp>

namespace talus::lab {

template <int D>
class Observation {
 public:
  // Bodies and rows of the state may still be on a device: they are fetched when a measure needs them.
  Observation(const Model<D>& m, State<D>& s, Engine<D>& engine) : model(m), state(s), state_(s), engine_(engine) {}

  const Model<D>& model;
  const State<D>& state;

  const ContactList<D>& contacts() const {
    if (!contacts_) {
      engine_.fetch(state_);
      contacts_ = engine_.contacts(model, state);
    }
    return *contacts_;
  }
  const Mat<D>& stress() const {  // Pa, compression positive
    if (!stress_) stress_ = measure::stress(contacts(), sample_volume(model, state));
    return *stress_;
  }
  Real unbalanced() const {
    if (!unbalanced_) unbalanced_ = measure::unbalanced(state, contacts(), weight_per_mass(model, state));
    return *unbalanced_;
  }
  const measure::Energy& energy() const {
    if (!energy_) energy_ = measure::energy(state, contacts());
    return *energy_;
  }
  // Largest error of a held stress, relative to the servo's reference; 0 when none is held.
  Real servo_error() const {
    Real worst = 0;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        if (model.cell.holds_stress(i, j))
          worst = std::max(worst, std::abs(stress()(i, j) - model.cell.target(i, j)) / model.cell.reference);
    if (!model.walls.empty()) engine_.fetch(state_);
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
      const auto& d = model.drives[w];
      if (!d.is_loaded()) continue;
      const Real force = push_on_wall(model, state, w);
      const Real goal = d.load(wall_area(model, state, w));
      worst = std::max(worst, std::abs(force - goal) / std::abs(goal));
    }
    return worst;
  }
  // Logarithmic strain of the cell's edge k since the stage began, compression positive.
  Real strain(int k) const { return -std::log(state.globals.cell.h(k, k) / state.globals.stage.start_h(k, k)); }
  // Shear strain of the stage: tilt of edge j along i over its height.
  Real tilt(int i, int j) const {
    return state.globals.cell.h(i, j) / state.globals.cell.h(j, j) -
           state.globals.stage.start_h(i, j) / state.globals.stage.start_h(j, j);
  }
  Real volumetric_strain() const {
    return -std::log(determinant(state.globals.cell.h) / determinant(state.globals.stage.start_h));
  }
  i64 stage_steps() const { return state.globals.step - state.globals.stage.first_step; }
  Real stage_time() const { return state.globals.time - state.globals.stage.start_time; }

 private:
  State<D>& state_;
  Engine<D>& engine_;
  mutable std::optional<ContactList<D>> contacts_;
  mutable std::optional<Mat<D>> stress_;
  mutable std::optional<Real> unbalanced_;
  mutable std::optional<measure::Energy> energy_;
};

}  // namespace talus::lab
