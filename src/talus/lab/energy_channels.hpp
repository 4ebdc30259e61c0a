#pragma once
// Channels of the energy ledger. Each entry is measured on its own; the residual is what does not add up.
#include <algorithm>
#include <cmath>

#include <talus/lab/experiment.hpp>

namespace talus::lab {

// The ledger starts from nothing held: a fresh sample's initial energy is entered as given by the runner. J
template <int D>
Real energy_residual(const Observation<D>& seen) {
  return measure::residual(seen.energy(), {});
}

template <int D>
Real energy_residual_rel(const Observation<D>& seen) {
  const measure::Energy& e = seen.energy();
  const Real through = std::max({std::abs(e.boundary), std::abs(e.gravity), std::abs(e.growth), std::abs(e.initial)});
  return through > 0 ? energy_residual(seen) / through : 0;
}

template <int D>
Channel<D> ledger_entry(std::string name, std::string meaning, Real measure::Energy::*entry) {
  return {std::move(name), "J", std::move(meaning), [entry](const Observation<D>& s) { return s.energy().*entry; }};
}

template <int D>
ChannelGroup<D> ledger_channels() {
  using E = measure::Energy;
  return {[](const Experiment<D>&) -> Channels<D> {
            return {ledger_entry<D>("kinetic", "held now: kinetic energy of fluctuations, spins included", &E::kinetic),
                    ledger_entry<D>("elastic_normal", "held now by contacts along their normals", &E::elastic_normal),
                    ledger_entry<D>("elastic_shear", "held now across normals; rolling springs count as shear",
                                    &E::elastic_shear),
                    ledger_entry<D>("friction_work", "dissipated by sliding and rolling", &E::friction),
                    ledger_entry<D>("viscous_work", "dissipated by dashpots", &E::viscous),
                    ledger_entry<D>(
                        "stiffness_work",
                        "lost because a spring changed its stiffness under load or opened loaded, or its wall or "
                        "grain was taken away; negative: created",
                        &E::stiffness),
                    ledger_entry<D>("local_damping_work", "dissipated by local damping", &E::local_damping),
                    ledger_entry<D>("removed_kinetic", "removed by stages that stop all motion", &E::removed_kinetic),
                    ledger_entry<D>("boundary_work", "put in by the cell and by moving walls", &E::boundary),
                    ledger_entry<D>("gravity_work", "put in by gravity", &E::gravity),
                    ledger_entry<D>("growth_work", "put in by growing radii", &E::growth),
                    ledger_entry<D>("initial_energy", "held at step 0", &E::initial),
                    {"residual", "J", "energy-balance error: work put in − energy dissipated − energy held", energy_residual<D>},
                    {"energy_residual_rel",
                     "1",
                     "residual over the largest of |boundary|, |gravity| and |growth| work and the energy held at step 0; 0 when all are zero",
                     energy_residual_rel<D>,
                     {},
                     "energy"}};
          },
          "grains, dynamics.ledger", [](const Experiment<D>& x) { return x.model.options.ledger && has_grains(x); }};
}

template <int D>
ChannelGroup<D> model_work_channels() {
  return {[](const Experiment<D>&) -> Channels<D> {
            return {ledger_entry<D>("model_work",
                                    "put in by a multi-contact model that is not conservative; negative: taken",
                                    &measure::Energy::model)};
          },
          "dynamics.ledger and multi_contact",
          [](const Experiment<D>& x) { return x.model.options.ledger && x.model.multi_contact.acts(); }};
}

}  // namespace talus::lab
