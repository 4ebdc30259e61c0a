// talus check: what a scene means, without running it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <talus/app/commands.hpp>
#include <talus/simulation/find_scene.hpp>
#include <talus/simulation/loaded_scene.hpp>
#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/lab/runner.hpp>
#include <talus/measure/averages.hpp>
#include <talus/measure/porosity.hpp>

namespace talus::app {

using namespace simulation;

namespace {

// Grain-steps per second of this machine on this scene: a few steps of a copy of the sample, thrown away.
template <int D>
double measured_rate(const lab::Experiment<D>& x) {
  lab::Experiment<D> copy;
  copy.model = x.model;
  copy.state = x.state;
  copy.state.globals.dt = x.method->trial_dt(x.dt_start);
  copy.model.options.overlap_limit = 1e300;
  const auto method = x.method->fresh();
  method->prepare(copy.model, copy.state);
  i64 steps = 0;
  const double start = exec::now();
  while (exec::now() - start < 0.3 && steps < 2000) {
    method->advance(copy.model, copy.state, 1);
    ++steps;
  }
  return double(steps) * double(x.state.grains()) / (exec::now() - start);
}

// Largest pressure that a stage asks for, Pa.
template <int D>
Real highest_pressure(const lab::Experiment<D>& x) {
  Real most = 0;
  Model<D> model = x.model;
  for (const auto& stage : x.stages) {
    stage->plan(model, x.state);
    for (int k = 0; k < D; ++k)
      if (model.cell.holds_stress(k, k)) most = std::max(most, model.cell.target(k, k));
    for (const auto& [wall, drive] : stage->walls)
      if (drive.holds_stress()) most = std::max(most, drive.target);
  }
  for (const auto& drive : x.model.drives)
    if (drive.holds_stress()) most = std::max(most, drive.target);
  return most;
}

template <int D>
int check(LoadedScene& loaded, const RunRequest& request) {
  auto scene = build_scene<D>(loaded, request.device);
  auto& x = scene.experiment;
  x.state.globals.dt = x.dt_start;
  fmt::print("{}\n", loaded.input->resolved());
  fmt::print("# ---- parameters (--set name=value) ----\n");
  for (const auto& p : loaded.input->parameters())
    fmt::print("#   {:<16} = {:<14} {}{}{}\n", p.name, p.value, p.about, p.allowed.empty() ? "" : "; " + p.allowed,
               p.is_set ? " (set)" : "");

  const double grains = double(x.state.grains());
  const Real d50 = measure::median_diameter(x.state);
  fmt::print("# ---- audit ----\n");
  fmt::print("#   grains            {} in {} D; D50 {:.4g} mm, largest/smallest {:.2f}\n", x.state.grains(), D,
             d50 * 1e3,
             *std::max_element(scene.diameters.begin(), scene.diameters.end()) /
                 *std::min_element(scene.diameters.begin(), scene.diameters.end()));
  fmt::print("#   walls             {}\n", x.model.walls.size());
  fmt::print("#   cell              ");
  for (int k = 0; k < D; ++k) fmt::print("{}{:.4g}", k ? " x " : "", x.state.globals.cell.h(k, k) * 1e3);
  fmt::print(" mm, porosity at full size {:.4f}\n", measure::porosity(x.model, x.state));
  const FirstStep first = x.method->first_step(x.model, x.state);
  if (first.share > 0)
    fmt::print("#   time step         {}{:.4g} s{} {:.2g} of the limit by: {}\n",
               first.automatic ? "automatic, starts at " : "", first.dt, first.automatic ? " =" : ",", first.share,
               first.reason);
  else
    fmt::print("#   time step         {:.4g} s; {}\n", first.dt, first.reason);

  const Real pressure = highest_pressure(x);
  const Material& m = x.model.materials[x.state.bodies.material[0]];
  bool hertz = true;
  for (const u32 law : x.model.pairs.law) hertz = hertz && (law == no_law || law_names()[law].starts_with("hertz"));
  if (pressure > 0 && !hertz) fmt::print("#   highest pressure  {:.4g} kPa\n", pressure / 1e3);
  if (pressure > 0 && hertz) {
    const Real stiffness = m.young / (1 - m.poisson * m.poisson) / pressure;
    // Hertz: p ~ (phi Z / (pi d^2)) F, F = (2/3) E* sqrt(R/2) delta^1.5 with E* = E / (2 (1 - nu^2)) and Z phi ~ 3.
    const Real overlap = std::pow(pi / 3 * 4 * 1.5 * std::sqrt(2.0) * 2 / stiffness, 2.0 / 3.0);
    fmt::print(
        "#   highest pressure  {:.4g} kPa; stiffness number E/((1-nu^2) p) = {:.3g}; expected overlap {:.2g} of a "
        "radius\n",
        pressure / 1e3, stiffness, overlap);
    if (overlap > x.model.options.overlap_limit)
      fmt::print("#   WARNING           the expected overlap is above dynamics.overlap_limit\n");
  }
  double known = 0;
  bool open_ended = false;
  Model<D> model = x.model;
  for (const auto& stage : x.stages) {
    stage->plan(model, x.state);
    const double steps = stage->is_static() ? 0 : stage->expected_steps(x.model, x.state);
    known += steps;
    open_ended = open_ended || (steps == 0 && !stage->is_static());
    Real rate = model.cell.rate_max;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        if (!model.cell.holds_stress(i, j)) rate = std::max(rate, std::abs(model.cell.target(i, j)));
    std::string inertia;
    Real held = 0;
    for (int k = 0; k < D; ++k)
      if (model.cell.holds_stress(k, k)) held = std::max(held, model.cell.target(k, k));
    if (rate > 0 && held > 0)
      inertia = fmt::format("; rate {:.4g} 1/s, inertial number {:.2g}", rate,
                            rate * d50 * std::sqrt(measure::mean_density(x.model, x.state) / held));
    fmt::print("#   stage             {:<14} {}{}\n", stage->name,
               steps > 0            ? fmt::format("about {:.0f} steps", steps)
               : stage->is_static() ? "no steps"
                                    : "until its stop rule",
               inertia);
  }
  if (x.model.options.density_scale != 1)
    fmt::print("#   density scaling   inertia x {:.4g}: the inertial numbers above contain it\n",
               x.model.options.density_scale);
  const double rows = grains * 6;
  const double body_bytes = 4 * 3 + 8.0 * (D * 3 + 2 * (D == 2 ? 1 : 3) + 4) + (x.model.options.ledger ? 48 : 0);
  const double row_bytes = 16 + 8 + 8.0 * (D + 1) + 12 + 8.0 * (2 * D + 2 * (D == 2 ? 1 : 3)) +
                           (x.model.options.ledger ? 32 + 8 * D : 0) + 8;
  fmt::print("#   memory            about {:.0f} MB\n", (2 * grains * body_bytes + rows * row_bytes) / 1e6 + 20);
  const double check_bytes = grains * body_bytes + grains * 3 * (24 + 8.0 * (D + 1));
  const double pictures =
      x.cadence.vtk ? double(x.stages.size()) + (x.cadence.vtk_every > 0 ? known / double(x.cadence.vtk_every) : 0) : 0;
  fmt::print("#   disk              about {:.1f} MB: 2 checkpoints, {:.0f} pictures, series\n",
             (2 * check_bytes + pictures * grains * 260 + known / double(x.cadence.probe_every) * 800) / 1e6 + 1,
             pictures);
  if (known > 0) {
    const double rate = measured_rate(x);
    fmt::print(
        "#   wall time         about {} on {} threads for {:.3g} steps ({:.2f} M grain-steps/s on the sample as "
        "placed){}\n",
        duration(known * grains / rate), exec::threads(), known, rate / 1e6,
        std::string(open_ended ? ", plus the stages with a stop rule" : "") + std::string(x.method->cost_remark()));
  } else {
    fmt::print("#   wall time         set by stop rules\n");
  }
  return 0;
}

}  // namespace

int check_scene(const RunRequest& request) {
  if (request.threads > 0) exec::set_threads(request.threads);
  const auto path = find_scene(request.scene);
  LoadedScene loaded = load_scene(path, request.settings, path.parent_path());
  return loaded.heading.dimension == 2 ? check<2>(loaded, request) : check<3>(loaded, request);
}

}  // namespace talus::app
