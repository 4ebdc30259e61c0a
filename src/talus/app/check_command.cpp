// talus check: what a scene means, without running it.
#include <fmt/format.h>

#include <talus/app/commands.hpp>
#include <talus/app/show_command.hpp>
#include <talus/exec/host.hpp>
#include <talus/scene/requested_keys.hpp>
#include <talus/simulation/audit.hpp>
#include <talus/simulation/find_scene.hpp>
#include <talus/simulation/parents.hpp>

namespace talus::app {

using namespace simulation;

namespace {

void add_sample(std::string& text, const SceneAudit& a) {
  if (a.particles > 0)
    text += fmt::format("  particles         {} in {} D\n", a.particles, a.edges.size());
  else
    text += fmt::format("  grains            {} in {} D; D50 {:.4g} mm, largest/smallest {:.2f}\n", a.grains, a.edges.size(),
             a.d50 * 1e3, a.size_ratio);
  text += fmt::format("  walls             {}\n", a.walls);
  text += fmt::format("  cell              ");
  for (std::size_t k = 0; k < a.edges.size(); ++k) text += fmt::format("{}{:.4g}", k ? " x " : "", a.edges[k] * 1e3);
  if (a.particles > 0)
    text += " mm\n";
  else
    text += fmt::format(" mm, porosity at full size {:.4f}\n", a.porosity);
  const FirstStep& first = a.first_step;
  if (first.share > 0)
    text += fmt::format("  time step         {}{:.4g} s{} {:.2g} of the limit by: {}\n",
               first.automatic ? "automatic, starts at " : "", first.dt, first.automatic ? " =" : ",", first.share,
               first.reason);
  else
    text += fmt::format("  time step         {:.4g} s; {}\n", first.dt, first.reason);
  if (first.rebound_error > 0)
    text += fmt::format("  restitution       rebounds from dashpots are within about {:.2g} % of it{}\n", 100 * first.rebound_error,
               first.automatic ? " (dynamics.restitution_error)" : " at the speeds of the start, with this step");
  if (first.changes_elastic)
    text += fmt::format("  elastic energy    a step that changes lets it drift, by 1 % in 1e5 steps; a fixed dynamics.time_step keeps it to 1e-5\n");
}

void add_pressure(std::string& text, const Pressure& p) {
  if (!(p.highest > 0)) return;
  text += fmt::format("  highest pressure  {:.4g} kPa", p.highest / 1e3);
  if (p.stiffness)
    text += fmt::format("; stiffness number E/((1-nu^2) p) = {:.3g}; expected overlap {:.2g} of a radius", *p.stiffness,
               p.overlap);
  text += "\n";
  if (p.exceeds_limit) text += fmt::format("  WARNING           the expected overlap is above dynamics.overlap_limit\n");
}

void add_stages(std::string& text, const SceneAudit& a) {
  for (const auto& stage : a.stages)
    text += fmt::format("  stage             {:<14} {}{}\n", stage.name,
               stage.steps > 0    ? fmt::format("about {:.0f} steps", stage.steps)
               : !stage.has_steps ? "no steps"
                                  : "until its stop rule",
               stage.rate > 0
                   ? fmt::format("; rate {:.4g} 1/s, inertial number {:.2g}", stage.rate, stage.inertial_number)
                   : "");
  if (a.density_scale != 1)
    text += fmt::format("  density scaling   inertia x {:.4g}: the inertial numbers above contain it\n", a.density_scale);
}

void add_cost(std::string& text, const SceneAudit& a) {
  text += fmt::format("  memory            about {:.0f} MB\n", a.memory / 1e6);
  text += fmt::format("  disk              about {:.1f} MB: 2 checkpoints, {:.0f} pictures, series\n", a.disk / 1e6,
             a.pictures);
  if (a.rate > 0)
    text += fmt::format(
        "  wall time         about {} on {} thread{} for {:.3g} steps ({:.2g} M {}-steps/s by the sample as "
        "placed, with the cores to itself){}{}\n",
        duration(a.steps * double(a.grains + a.particles) / a.rate), exec::threads(), exec::threads() == 1 ? "" : "s", a.steps, a.rate / 1e6, a.particles > 0 ? "particle" : "grain",
        a.open_ended ? ", plus the stages with a stop rule" : "", a.remark);
  else
    text += fmt::format("  wall time         set by stop rules\n");
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
  const SceneAudit a = audit_of(scene);
  std::string text;
  add_sample(text, a);
  add_pressure(text, a.pressure);
  add_stages(text, a);
  add_cost(text, a);
  text += "\nparameters (--set name=value)\n" + told_parameters(*loaded.input);
  if (!request.full) {
    fmt::print("{}: {}\n{}\nevery key with its value: talus check {} --full\n", loaded.path.stem().string(), loaded.heading.title, text, request.scene);
    return;
  }
  // What is printed is a scene.
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) fmt::print("# {}\n", text.substr(at, end - at));
  fmt::print("\n{}", loaded.input->resolved());
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
