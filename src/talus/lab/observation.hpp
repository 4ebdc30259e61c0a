#pragma once
// What stages, probes and the progress line look at. Everything costly is measured once, and only when asked for.
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <talus/measure/averages.hpp>
#include <talus/measure/chains.hpp>
#include <talus/measure/energy.hpp>
#include <talus/measure/porosity.hpp>
#include <talus/method/method.hpp>
#include <talus/stages/walls.hpp>

namespace talus::lab {

template <int D>
class Observation {
 public:
  // Bodies and rows of the state may still be on a device: they are fetched when a measure needs them.
  Observation(const Model<D>& m, State<D>& s, Method<D>& method, int along = D - 1, const SinceRow& shown = {})
      : model(m), state(s), axis(along), since_row(shown), state_(s), method_(method) {}

  const Model<D>& model;
  const State<D>& state;
  const int axis;            // direction that q and the axial strain of the running stage refer to
  const SinceRow since_row;  // what steps have shown
  bool ends_part = false;  // of the stage: it is the last look at it

  const ContactList<D>& contacts() const {
    return kept(contacts_, [&] {
      method_.fetch(state_);
      return method_.contacts(model, state);
    });
  }
  const Rays& rays() const requires(D == 2) {
    return kept(rays_, [&] { return cast_rays(model, state); });
  }
  // What the walls span, with the mean width inside a membrane where one acts.
  WallView<D> box() const {
    method_.fetch(state_);  // walls may have moved on a device
    Real sleeve = 0;
    if constexpr (D == 2)
      if (model.membrane.stress > 0) sleeve = rays().width();
    return wall_view(model, state, sleeve);
  }
  const Mat<D>& stress() const {  // Pa, compression positive
    return kept(stress_, [&] { return measure::stress(contacts(), box().volume()); });
  }
  Real pressure() const { return trace(stress()) / D; }
  Real porosity() const {
    return kept(porosity_, [&] { return measure::porosity(model, state, box()); });
  }
  const measure::Coordination& coordination() const {
    return kept(coordination_, [&] { return measure::coordination(state, contacts()); });
  }
  const Mat<D>& fabric() const {
    return kept(fabric_, [&] { return measure::fabric(state, contacts()); });
  }
  const measure::ForceStatistics& forces() const {
    return kept(forces_, [&] { return measure::forces(contacts()); });
  }
  const measure::ForceChains& chains() const requires(D == 2) {
    return kept(chains_, [&] { return measure::force_chains(model, state, contacts()); });
  }
  Real unbalanced() const {
    return kept(unbalanced_, [&] { return measure::unbalanced(state, contacts(), weight_per_mass(model, state)); });
  }
  const measure::Energy& energy() const {
    return kept(energy_, [&] { return measure::energy(state, contacts()); });
  }
  // What somebody else measures once per look, and several channels read. The owner's address tells it from others.
  template <class Measure>
  const auto& once(const void* owner, Measure&& measured) const {
    using Value = decltype(measured());
    for (const auto& [whose, value] : others_)
      if (whose == owner) return *static_cast<const Value*>(value.get());
    const auto value = std::make_shared<const Value>(measured());
    others_.emplace_back(owner, value);
    return *value;
  }
  // Largest error of a held stress, relative to the servo's reference; 0 when none is held.
  Real servo_error() const {
    Real worst = 0;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        if (model.cell.holds_stress(i, j))
          worst = std::max(worst, std::abs(stress()(i, j) - model.cell.target(i, j)) / model.cell.reference);
    if (!model.walls.empty()) method_.fetch(state_);
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
      const auto& d = model.drives[w];
      if (!d.is_loaded()) continue;
      const Real goal = d.load(box().area(w));
      if (!(goal > 0)) continue;  // a facet that no longer lies between the platens
      worst = std::max(worst, std::abs(push_on_wall(model, state, w) - goal) / std::abs(goal));
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
  template <class T, class Measure>
  static const T& kept(std::optional<T>& place, Measure&& measured) {
    if (!place) place.emplace(measured());
    return *place;
  }

  State<D>& state_;
  Method<D>& method_;
  mutable std::optional<ContactList<D>> contacts_;
  mutable std::optional<Rays> rays_;
  mutable std::optional<Mat<D>> stress_, fabric_;
  mutable std::optional<Real> porosity_, unbalanced_;
  mutable std::optional<measure::Coordination> coordination_;
  mutable std::optional<measure::ForceStatistics> forces_;
  mutable std::optional<measure::ForceChains> chains_;
  mutable std::optional<measure::Energy> energy_;
  mutable std::vector<std::pair<const void*, std::shared_ptr<const void>>> others_;
};

}  // namespace talus::lab
