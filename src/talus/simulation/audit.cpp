#include <talus/simulation/audit.hpp>

#include <algorithm>
#include <cmath>

#include <talus/exec/processor_time.hpp>
#include <talus/exec/timers.hpp>
#include <talus/lab/pictures.hpp>
#include <talus/measure/averages.hpp>
#include <talus/measure/porosity.hpp>

namespace talus::simulation {

namespace {

// Moves grains that lie apart towards the middle of their bounding box until they fill it as a packing does: some overlap, all are in contact.
template <int D>
void push_together(const Model<D>& model, State<D>& state) {
  Vec<D> low = state.bodies.position[0], high = low;
  for (std::size_t i = 0; i < state.grains(); ++i)
    for (int k = 0; k < D; ++k) {
      low[k] = std::min(low[k], state.bodies.position[i][k]);
      high[k] = std::max(high[k], state.bodies.position[i][k]);
    }
  Real volume = 1;
  for (int k = 0; k < D; ++k) volume *= high[k] - low[k];
  const Real packed = 0.85;  // volume of grains over volume
  const Real shrink = volume > 0 ? std::pow(measure::solid_volume(model, state) / (packed * volume), 1.0 / D) : 1;
  for (std::size_t i = 0; i < state.grains() && shrink < 1; ++i)
    state.bodies.position[i] = 0.5 * (low + high) + shrink * (state.bodies.position[i] - 0.5 * (low + high));
}

// Grain-steps per second of this machine on this scene: a few steps of a copy of the sample, thrown away; the first one, which
// finds neighbours, does not count. Processor time of this thread, which works or spins as long as the others do: with other work on the
// machine a third of a second of wall time says little. Grains that lie apart now will be packed when the test is made: where that changes
// the cost of a step, the copy is pushed together.
template <int D>
double measured_rate(const lab::Experiment<D>& x, bool together = false) {
  Model<D> model = x.model;
  State<D> state = x.state;
  state.globals.dt = x.method->trial_dt(x.dt_start);
  model.options.overlap_limit = 1e300;
  const auto method = x.method->fresh();
  if (together) push_together(model, state);
  if (together) method->sweep_as_packed(state);
  method->prepare(model, state);
  method->advance(model, state, 1);
  if (!together && method->contacts(model, state).size() < state.units() / 2 && method->fresh()->sweep_as_packed(state)) return measured_rate(x, true);
  i64 steps = 0;
  const double start = exec::now(), worked = exec::processor_time();
  while (exec::processor_time() - worked < 0.3 && exec::now() - start < 3 && steps < 2000) {
    method->advance(model, state, 1);
    ++steps;
  }
  return double(steps) * double(x.state.units()) / (exec::processor_time() - worked);
}

// The largest stress along an edge that a cell holds, Pa.
template <int D>
Real held_by(const CellDrive<D>& cell) {
  Real most = 0;
  for (int k = 0; k < D; ++k)
    if (cell.holds_stress(k, k)) most = std::max(most, cell.target(k, k));
  return most;
}

template <int D>
Pressure pressure_of(const lab::Experiment<D>& x) {
  Pressure p;
  Model<D> model = x.model;
  for (const auto& stage : x.stages) {
    stage->plan(model, x.state);
    p.highest = std::max(p.highest, held_by(model.cell));
    for (const auto& [wall, drive] : stage->walls)
      if (drive.holds_stress()) p.highest = std::max(p.highest, drive.target);
  }
  for (const auto& drive : x.model.drives)
    if (drive.holds_stress()) p.highest = std::max(p.highest, drive.target);
  bool hertz = false, others = false;  // rigid grains have no law
  for (const u32 law : x.model.pairs.law)
    if (law != no_law) (law_names()[law].starts_with("hertz") ? hertz : others) = true;
  hertz = hertz && !others;
  if (!(p.highest > 0) || !hertz) return p;
  const Material& m = x.model.materials[x.state.bodies.material[0]];
  p.stiffness = m.young / (1 - m.poisson * m.poisson) / p.highest;
  // Hertz: p ~ (phi Z / (pi d^2)) F, F = (2/3) E* sqrt(R/2) delta^1.5 with E* = E / (2 (1 - nu^2)) and Z phi ~ 3.
  p.overlap = std::pow(pi / 3 * 4 * 1.5 * std::sqrt(2.0) * 2 / *p.stiffness, 2.0 / 3.0);
  p.exceeds_limit = p.overlap > x.model.options.overlap_limit;
  return p;
}

template <int D>
std::vector<StagePlan> stages_of(const lab::Experiment<D>& x, Real d50) {
  std::vector<StagePlan> out;
  Model<D> model = x.model;
  for (const auto& stage : x.stages) {
    stage->plan(model, x.state);
    StagePlan plan;
    plan.name = stage->name;
    plan.has_steps = stage->traits.has_steps;
    if (plan.has_steps) plan.steps = stage->expected_steps(x.model, x.state);
    Real rate = model.cell.rate_max;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        if (!model.cell.holds_stress(i, j)) rate = std::max(rate, std::abs(model.cell.target(i, j)));
    if (const Real held = held_by(model.cell); rate > 0 && held > 0) {
      plan.rate = rate;
      plan.inertial_number = rate * d50 * std::sqrt(measure::mean_density(x.model, x.state) / held);
    }
    out.push_back(plan);
  }
  return out;
}

// Bytes in memory, on disk, and pictures.
template <int D>
void add_sizes(const lab::Experiment<D>& x, SceneAudit& a) {
  const lab::Cadence& c = x.cadence;
  if (c.vtk) a.pictures = 1 + double(x.stages.size()) + (c.vtk_every > 0 ? a.steps / double(c.vtk_every) : double(c.vtk_frames));
  if (a.particles > 0) {  // columns of the state, records, some 25 partners in the plane and 60 in space
    const double columns = 12 + 8.0 * (3 * D + 3) + (x.model.options.ledger ? 8.0 * (5 + 2 * D) : 0), partners = D == 2 ? 120 : 320;
    a.memory = double(a.particles) * (2 * columns + 8.0 * (2 * D + 6) + partners) + 20e6;
    a.disk = double(a.particles) * 2 * columns + a.pictures * lab::picture_bytes(x) + a.steps / double(x.cadence.probe_every) * 500 + 1e6;
    return;
  }
  const double grains = double(a.grains), rows = grains * 6;
  const bool ledger = x.model.options.ledger;
  const double body = 4 * 3 + 8.0 * (D * 3 + 2 * (D == 2 ? 1 : 3) + 4) + (ledger ? 48 : 0);
  const double row = 16 + 8 + 8.0 * (D + 1) + 12 + 8.0 * (2 * D + 2 * (D == 2 ? 1 : 3)) + (ledger ? 32 + 8 * D : 0) + 8;
  a.memory = 2 * grains * body + rows * row + 20e6;
  const double checkpoint = grains * body + grains * 3 * (24 + 8.0 * (D + 1));
  a.disk = 2 * checkpoint + a.pictures * lab::picture_bytes(x) + a.steps / double(x.cadence.probe_every) * 800 + 1e6;
}

}  // namespace

template <int D>
SceneAudit audit_of(scene::Scene<D>& scene) {
  scene.experiment.state.globals.dt = scene.experiment.dt_start;
  const lab::Experiment<D>& x = scene.experiment;
  SceneAudit a;
  a.grains = x.state.grains();
  a.walls = x.model.walls.size();
  a.d50 = measure::median_diameter(x.state);
  a.particles = x.state.particles.size();
  if (!scene.diameters.empty())
    a.size_ratio = *std::max_element(scene.diameters.begin(), scene.diameters.end()) /
                   *std::min_element(scene.diameters.begin(), scene.diameters.end());
  for (int k = 0; k < D; ++k) a.edges.push_back(x.state.globals.cell.h(k, k));
  a.porosity = measure::porosity(x.model, x.state);
  a.first_step = x.method->first_step(x.model, x.state);
  a.pressure = pressure_of(x);
  a.stages = stages_of(x, a.d50);
  for (const auto& stage : a.stages) {
    a.steps += stage.steps;
    a.open_ended = a.open_ended || (stage.has_steps && stage.steps == 0);
  }
  a.density_scale = x.model.options.density_scale;
  add_sizes(x, a);
  if (a.steps > 0) a.rate = measured_rate(x);
  a.remark = x.method->cost_remark();
  return a;
}

template SceneAudit audit_of(scene::Scene<2>&);
template SceneAudit audit_of(scene::Scene<3>&);

}  // namespace talus::simulation
