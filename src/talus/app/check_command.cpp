// talus check: what a scene means, without running it.
#include <fmt/format.h>

#include <talus/app/commands.hpp>
#include <talus/exec/host.hpp>
#include <talus/scene/requested_keys.hpp>
#include <talus/simulation/audit.hpp>
#include <talus/simulation/find_scene.hpp>
#include <talus/simulation/parents.hpp>

namespace talus::app {

using namespace simulation;

namespace {

void print_sample(const SceneAudit& a) {
  if (a.particles > 0)
    fmt::print("#   particles         {} in {} D\n", a.particles, a.edges.size());
  else
    fmt::print("#   grains            {} in {} D; D50 {:.4g} mm, largest/smallest {:.2f}\n", a.grains, a.edges.size(),
             a.d50 * 1e3, a.size_ratio);
  fmt::print("#   walls             {}\n", a.walls);
  fmt::print("#   cell              ");
  for (std::size_t k = 0; k < a.edges.size(); ++k) fmt::print("{}{:.4g}", k ? " x " : "", a.edges[k] * 1e3);
  if (a.particles > 0)
    fmt::print(" mm\n");
  else
    fmt::print(" mm, porosity at full size {:.4f}\n", a.porosity);
  const FirstStep& first = a.first_step;
  if (first.share > 0)
    fmt::print("#   time step         {}{:.4g} s{} {:.2g} of the limit by: {}\n",
               first.automatic ? "automatic, starts at " : "", first.dt, first.automatic ? " =" : ",", first.share,
               first.reason);
  else
    fmt::print("#   time step         {:.4g} s; {}\n", first.dt, first.reason);
  if (first.rebound_error > 0)
    fmt::print("#   restitution       rebounds from dashpots are within about {:.2g} % of it{}\n", 100 * first.rebound_error,
               first.automatic ? " (dynamics.restitution_error)" : " at the speeds of the start, with this step");
  if (first.changes_elastic)
    fmt::print("#   elastic energy    a step that changes lets it drift, by 1 % in 1e5 steps; a fixed dynamics.time_step keeps it to 1e-5\n");
}

void print_pressure(const Pressure& p) {
  if (!(p.highest > 0)) return;
  fmt::print("#   highest pressure  {:.4g} kPa", p.highest / 1e3);
  if (p.stiffness)
    fmt::print("; stiffness number E/((1-nu^2) p) = {:.3g}; expected overlap {:.2g} of a radius", *p.stiffness,
               p.overlap);
  fmt::print("\n");
  if (p.exceeds_limit) fmt::print("#   WARNING           the expected overlap is above dynamics.overlap_limit\n");
}

void print_stages(const SceneAudit& a) {
  for (const auto& stage : a.stages)
    fmt::print("#   stage             {:<14} {}{}\n", stage.name,
               stage.steps > 0    ? fmt::format("about {:.0f} steps", stage.steps)
               : !stage.has_steps ? "no steps"
                                  : "until its stop rule",
               stage.rate > 0
                   ? fmt::format("; rate {:.4g} 1/s, inertial number {:.2g}", stage.rate, stage.inertial_number)
                   : "");
  if (a.density_scale != 1)
    fmt::print("#   density scaling   inertia x {:.4g}: the inertial numbers above contain it\n", a.density_scale);
}

void print_cost(const SceneAudit& a) {
  fmt::print("#   memory            about {:.0f} MB\n", a.memory / 1e6);
  fmt::print("#   disk              about {:.1f} MB: 2 checkpoints, {:.0f} pictures, series\n", a.disk / 1e6,
             a.pictures);
  if (a.rate > 0)
    fmt::print(
        "#   wall time         about {} on {} threads for {:.3g} steps ({:.2f} M {}-steps/s on the sample as "
        "placed){}{}\n",
        duration(a.steps * double(a.grains + a.particles) / a.rate), exec::threads(), a.steps, a.rate / 1e6, a.particles > 0 ? "particle" : "grain",
        a.open_ended ? ", plus the stages with a stop rule" : "", a.remark);
  else
    fmt::print("#   wall time         set by stop rules\n");
}

// tools/key_reference reads this.
void print_keys(const LoadedScene& loaded) {
  for (const DeclaredKey& k : declared_keys(loaded.input->requested()))
    fmt::print("{}\t{}\t{}\t{}\t{}\t{}\n", k.table, k.kind, k.key, accepted(k.request),
               k.request.is_required ? "required" : k.request.fallback.value_or("optional"), k.request.about);
}

template <int D>
void check(LoadedScene& loaded, const RunRequest& request) {
  auto scene = build_scene<D>(loaded, request.device, parents_as_placed<D>(loaded, {request.device, "", ""}));
  for (const std::string& note : loaded.input->notes()) print_note(note);
  if (request.keys) return print_keys(loaded);
  fmt::print("{}\n", loaded.input->resolved());
  fmt::print("# ---- parameters (--set name=value) ----\n");
  for (const auto& p : loaded.input->parameters())
    fmt::print("#   {:<16} = {:<14} {}{}{}\n", p.name, p.value, p.about, p.allowed.empty() ? "" : "; " + p.allowed,
               p.is_set ? " (set)" : "");
  const SceneAudit a = audit_of(scene);
  fmt::print("# ---- audit ----\n");
  print_sample(a);
  print_pressure(a.pressure);
  print_stages(a);
  print_cost(a);
}

}  // namespace

int check_scene(const RunRequest& request) {
  if (request.threads > 0) exec::set_threads(request.threads);
  const auto path = find_scene(request.scene);
  LoadedScene loaded = load_scene(path, request.settings, path.parent_path());
  loaded.heading.dimension == 2 ? check<2>(loaded, request) : check<3>(loaded, request);
  return 0;
}

}  // namespace talus::app
