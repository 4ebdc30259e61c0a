#pragma once
// Channels of particles of a continuum: their energy ledger.
#include <talus/lab/energy_channels.hpp>

namespace talus::lab {

template <int D>
ChannelGroup<D> particle_ledger_channels() {
  using E = measure::Energy;
  return {[](const Experiment<D>&) -> Channels<D> {
            return {ledger_entry<D>("kinetic", "held now: kinetic energy", &E::kinetic),
                    ledger_entry<D>("compression_energy", "held now by compression", &E::elastic_normal),
                    ledger_entry<D>("viscous_work", "taken by viscosity, artificial or not", &E::viscous),
                    ledger_entry<D>("wall_work", "put in by walls; by walls at rest what their discrete pressure does", &E::boundary),
                    ledger_entry<D>("diffusion_work", "put in by diffusion of density; negative: taken", &E::model),
                    ledger_entry<D>("gravity_work", "put in by gravity", &E::gravity),
                    ledger_entry<D>("initial_energy", "held at step 0", &E::initial),
                    {"residual", "J", "energy-balance error: work put in − energy dissipated − energy held", energy_residual<D>},
                    {"energy_residual_rel",
                     "1",
                     "residual over the largest of |boundary|, |gravity| and |growth| work, and over what is held if that is more",
                     [](const Observation<D>& s) {
                       const E& e = s.energy();
                       const Real through = std::max({std::abs(e.boundary), std::abs(e.gravity), e.initial, e.held()});
                       return through > 0 ? energy_residual(s) / through : 0;
                     },
                     {Reduce::last, "energy_residual_rel", {"energy-balance error at the end, over the larger of work put in and energy held", "energy-balance error", "", FigureGroup::quality}},
                     "energy"}};
          },
          "particles, dynamics.ledger", [](const Experiment<D>& x) { return x.model.options.ledger && !has_grains(x); }};
}

}  // namespace talus::lab
