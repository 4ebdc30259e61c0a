#include <talus/lab/row.hpp>

#include <algorithm>
#include <cmath>

#include <talus/measure/chains.hpp>
#include <talus/measure/conditions.hpp>

namespace talus::lab {

template <int D>
Real energy_residual(const Observation<D>& seen) {
  // The ledger starts from nothing held: a fresh sample's initial energy is booked as given by the runner.
  return measure::residual(seen.energy(), {});
}

template <int D>
Row row_of(const Experiment<D>& x, const Observation<D>& seen, const SinceRow& since) {
  const Model<D>& model = seen.model;
  const State<D>& s = seen.state;
  const Globals<D>& g = s.globals;
  const Stage<D>& stage = *x.stages[std::size_t(g.stage.index)];
  const Mat<D>& stress = seen.stress();
  const int n = stage.axis;
  Real lateral = 0, held = 0;
  int axes_held = 0;
  for (int k = 0; k < D; ++k) {
    if (k == n) continue;
    lateral += stress(k, k) / (D - 1);
    held += model.cell.holds_stress(k, k) ? stress(k, k) : 0;
    axes_held += model.cell.holds_stress(k, k);
  }
  const auto z = measure::coordination(s, seen.contacts());
  const auto f = measure::forces(seen.contacts());
  const Mat<D> fabric = measure::fabric(s, seen.contacts());
  Row r{{"step", "1", Real(g.step)},
        {"time", "s", g.time},
        {"stage", "1", Real(g.stage.index)},
        {"dt", "s", g.dt},
        {"axial_strain", "1", seen.strain(n)},
        {"volumetric_strain", "1", seen.volumetric_strain()},
        {"shear_strain", "1", seen.tilt((n + 1) % D, n)},
        {"q", "Pa", stress(n, n) - lateral},
        {"p", "Pa", trace(stress) / D},
        {"tau", "Pa", stress((n + 1) % D, n)},
        {"sigma_n", "Pa", stress(n, n)},
        {"sigma_lateral", "Pa", axes_held > 0 ? held / axes_held : lateral}};
  const char axes[] = "xyz";
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) r.push_back({std::string("sigma_") + axes[i] + axes[j], "Pa", stress(i, j)});
  for (std::size_t w = 0; w < model.walls.size(); ++w) {
    r.push_back({"wall_" + model.walls[w].name + "_force", "N", push_on_wall(model, s, w)});
    r.push_back({"wall_" + model.walls[w].name + "_stress", "Pa", measure::wall_stress(model, s, w)});
    r.push_back({"wall_" + model.walls[w].name + "_position", "m", wall_position(model, s, w)});
  }
  r.push_back({"porosity", "1", measure::porosity(model, s)});
  if (x.cadence.porosity_ball > 0) {
    Vec<D> middle;
    for (int k = 0; k < D; ++k) middle[k] = 0.5;
    Real smallest = HUGE_VAL;
    for (int k = 0; k < D; ++k) smallest = std::min(smallest, g.cell.width(k, inverse(g.cell.h)));
    r.push_back({"porosity_ball", "1",
                 measure::porosity_in_ball(model, s, g.cell.h * middle, 0.5 * x.cadence.porosity_ball * smallest)});
  }
  r.push_back({"Z", "1", z.all});
  r.push_back({"Z_mechanical", "1", z.mechanical});
  r.push_back({"rattlers", "1", z.rattlers});
  for (int i = 0; i < D; ++i) r.push_back({std::string("fabric_") + axes[i] + axes[i], "1", fabric(i, i)});
  r.push_back({"force_mean", "N", f.mean});
  r.push_back({"force_deviation", "N", f.deviation});
  r.push_back({"force_max", "N", f.most});
  r.push_back({"mobilised_friction", "1", f.mobilised});
  if constexpr (D == 2)
    if (x.cadence.chains) {
      const measure::ForceChains chains = measure::force_chains(model, s, seen.contacts());
      r.push_back({"chains", "1", Real(chains.count())});
      r.push_back({"chain_length", "1", chains.mean_length()});
      r.push_back({"chain_share", "1", chains.share()});
    }
  r.push_back({"unbalanced", "1", seen.unbalanced()});
  r.push_back({"max_overlap", "1", since.overlap});
  r.push_back({"inertial_number", "1", measure::inertial_number(model, s, stress)});
  r.push_back({"servo_error", "1", seen.servo_error()});
  r.push_back({"servo_limited", "1", Real(g.servo_limited)});
  if (model.bulge.acts()) r.push_back({"contraction", "1", since.contraction});
  if constexpr (D == 2)
    if (model.method == Method::impulse) {
      r.push_back({"solver_residual", "1", since.residual});
      r.push_back({"state_residual", "1", measure::contact_residual(s)});
      r.push_back({"solver_sweeps", "1", since.steps > 0 ? Real(since.sweeps) / Real(since.steps) : 0});
      r.push_back({"solver_capped", "1", Real(since.capped)});
    }
  if (x.analysis) x.analysis->add_channels(seen, r);
  if (model.options.ledger) {
    const auto& e = seen.energy();
    const Real residual = energy_residual(seen);
    const Real through = std::max({std::abs(e.boundary), std::abs(e.gravity), std::abs(e.growth)});
    r.insert(r.end(), {{"kinetic", "J", e.kinetic},
                       {"elastic_normal", "J", e.elastic_normal},
                       {"elastic_shear", "J", e.elastic_shear},
                       {"friction_work", "J", e.friction},
                       {"viscous_work", "J", e.viscous},
                       {"stiffness_work", "J", e.stiffness},
                       {"local_damping_work", "J", e.local_damping},
                       {"removed_kinetic", "J", e.removed_kinetic},
                       {"boundary_work", "J", e.boundary},
                       {"gravity_work", "J", e.gravity},
                       {"growth_work", "J", e.growth},
                       {"initial_energy", "J", e.initial},
                       {"residual", "J", residual},
                       {"energy_residual_rel", "1", through > 0 ? residual / through : 0}});
    if (model.bulge.acts()) r.push_back({"model_work", "J", e.model});
  }
  return r;
}

template <int D>
Progress progress_of(const Experiment<D>& x, const Observation<D>& seen, Real overlap) {
  const Model<D>& model = seen.model;
  const Globals<D>& g = seen.state.globals;
  const auto index = std::size_t(g.stage.index);
  Progress p;
  p.stage = x.stages[index]->name;
  p.stage_index = index;
  p.stages = x.stages.size();
  p.stage_share = std::clamp(x.stages[index]->progress(seen), 0.0, 1.0);
  p.step = g.step;
  p.time = g.time;
  p.dt = g.dt;
  p.grains = seen.state.grains();
  for (int k = D - 1; k >= 0; --k)
    if (model.cell.holds_stress(k, k)) {
      p.stress = seen.stress()(k, k);
      p.target = model.cell.target(k, k);
      break;
    }
  if (p.target == 0) p.stress = trace(seen.stress()) / D;
  p.unbalanced = seen.unbalanced();
  p.overlap = overlap;
  if (model.options.ledger) {
    const auto& e = seen.energy();
    const Real through = std::max({std::abs(e.boundary), std::abs(e.gravity), std::abs(e.growth)});
    p.energy_residual = through > 0 ? energy_residual(seen) / through : 0;
  }
  return p;
}

#define TALUS_INSTANTIATE(D)                                                               \
  template Real energy_residual(const Observation<D>&);                                    \
  template Row row_of(const Experiment<D>&, const Observation<D>&, const SinceRow&); \
  template Progress progress_of(const Experiment<D>&, const Observation<D>&, Real);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::lab
