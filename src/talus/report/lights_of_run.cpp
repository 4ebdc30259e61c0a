#include <talus/report/lights_of_run.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include <talus/lab/channels.hpp>
#include <talus/report/units.hpp>

namespace talus::report {
namespace {

// Which rows a condition looks at. A run that tells its stages but has none that shears is not a shear test.
enum class Where {
  shear,            // rows of the shear stages; does not apply to a run without
  shear_or_all,     // the same, but all rows of a run without, except those of a sample that grows
  around_shear,     // where a shear stage begins and ends; the end of a run without
  share_of_steps,   // sum of the column over all steps
  energy_of_shear,  // the ledger over the shear stages; over all of a run without
  lack_in_shear,    // what the column lacks to 1, in rows of the shear stages
};

// Grains whose contacts feel one another may be pressed further than others before the law of contact is off. A continuum has none.
enum class Contacts { any, some, apart, feel_one_another, none };

struct Condition {
  const char *name, *column, *rule, *remedy;
  double good, warn;  // upper bounds
  Where where;
  bool percent;
  Contacts contacts = Contacts::any;
  bool warn_is_bad = false;  // at `warn` itself
  // A column shown beside, with bounds of its own; it alone is held against the bounds above where the first is missing.
  const char* beside = nullptr;
  double beside_good = 0, beside_warn = 0;
};

// The bounds are habits of the field, stated on the page so that a reader may disagree.
constexpr Condition conditions[] = {
    {"Inertial number", "inertial_number",
     "Largest value while shearing. Quasi-static up to 10⁻³, rate effects begin above, inertial from 10⁻².",
     "Shear slower: a smaller inertial_number, rate or speed of the stage.", 1e-3, 1e-2, Where::shear, false, Contacts::some},
    {"Overlap", "overlap_99",
     "Overlap over radius that 99 % of the contacts stay below while shearing (in a test without shear: once the grains have grown): good up "
     "to 2 %, doubtful up to 5 %. The largest of any contact in any step stands beside it: good up to 10 %, doubtful up to 20 %.",
     "Use stiffer grains (young or shear_modulus of the material) or less stress; let grains grow or fall more slowly.", 0.02, 0.05,
     Where::shear_or_all, true, Contacts::apart, false, "max_overlap", 0.1, 0.2},
    {"Overlap", "max_overlap",
     "Largest overlap over radius of grains whose contacts feel one another. Good up to 10 %, doubtful up to 20 %: beyond, Hertz' law "
     "itself is an extrapolation.",
     "Press less, or use stiffer grains.", 0.1, 0.2, Where::shear_or_all, true, Contacts::feel_one_another},
    {"Unbalanced force", "unbalanced",
     "Worst ratio where shear begins and ends (in a test without shear: at the end). In equilibrium up to 0.01, doubtful up to 0.05.",
     "Give the stage before the test a smaller `unbalanced`, or add a settle or relax stage at the end; if it is large at the end of "
     "shear, shear slower.",
     1e-2, 5e-2, Where::around_shear, false, Contacts::some},
    {"Servo error", "servo_error",
     "Largest deviation of a controlled stress from its target while shearing. Good up to 1 %, doubtful up to 5 %.",
     "Shear slower, let the servo move faster (servo_speed, speed_max), or take more grains: a small sample fluctuates.", 0.01, 0.05,
     Where::shear, true, Contacts::some},
    {"Residual of the contact solver", "solver_residual",
     "Largest residual while shearing (in a test without shear: in any step), over the mean normal impulse. Good up to 10⁻³, doubtful up to 10⁻².",
     "Raise impulse.max_sweeps, or shorten impulse.time_step; lower impulse.tolerance where it is above 10⁻³.", 1e-3, 1e-2, Where::shear_or_all, false},
    {"Steps not converged", "solver_capped",
     "Share of all steps that the contact solver did not finish. Good up to 1 %, doubtful below 5 %.",
     "Raise impulse.max_sweeps, or shorten impulse.time_step.", 0.01, 0.05, Where::share_of_steps, true, Contacts::any, true},
    {"Membrane", "ray_force_ratio",
     "Largest share of the membrane's force that met no grain while shearing. Good up to 1 %, doubtful up to 5 %.",
     "Raise rays_per_diameter of the membrane, or end the test at a smaller strain.", 0.01, 0.05, Where::lack_in_shear, true},
    {"Contraction", "contraction",
     "Largest factor by which errors of forces change from pass to pass in a multi-contact model. Good up to 0.95; from 1 on forces grow "
     "without bound and the run stops.",
     "Press less, or use another multi_contact model.", 0.95, 1, Where::shear_or_all, false},
    {"Compression", "compression",
     "Largest compression of a particle. Good up to 1 %, doubtful up to 3 %: a body that should hardly compress does.",
     "Liquid or soil: raise sound_speed. Elastic solid: it is soft, and linear elasticity is doubtful at this strain.", 0.01, 0.03, Where::shear_or_all, true, Contacts::none},
    {"Speed over that of sound", "mach", "Largest of any particle in any step. Good up to 0.15, doubtful up to 0.3.", "Raise sound_speed of the liquid or soil.",
     0.15, 0.3, Where::shear_or_all, false, Contacts::none},
    {"Particles behind walls", "wall_crossings", "Largest number in any step. Good: none; doubtful: up to 10.",
     "Use smaller particles or a higher sound_speed.", 0, 10, Where::shear_or_all, false, Contacts::none},
    {"Momentum", "momentum_drift_rel", "Change of momentum that gravity and walls do not explain, over all momenta and weight times time. Good up to 10⁻⁹, doubtful up to 10⁻⁶.",
     "Momentum is conserved up to rounding: please open an issue with the scene.", 1e-9, 1e-6, Where::shear_or_all, false, Contacts::none},
    {"Energy residual", "energy_residual_rel",
     "Energy-balance error in all, over the work put in or the energy held. Good up to 1 %, doubtful up to 5 %.",
     "Shorten the step: a smaller time_step.", 0.01, 0.05, Where::energy_of_shear, true, Contacts::none},
    {"Energy residual", "energy_residual_rel",
     "Energy-balance error while shearing, over the boundary work of shear (without shear: in all, over the work put in). Good up to 0.1 %, "
     "doubtful up to 1 %.",
     "Shorten the step: a smaller dynamics.time_step_safety or time_step.", 1e-3, 1e-2, Where::energy_of_shear, true, Contacts::some},
};

// Does only a run of some method, model or analysis have the column? One that a key of the scene switches off is missed.
bool may_be_absent(const Condition& c) {
  const lab::ChannelInfo* channel = lab::find_channel(c.column);
  if (!channel || channel->needs == "grains") return false;  // whom a condition concerns is asked before
  return !channel->needs.empty() && channel->needs.find('.') == std::string::npos;
}

// Elements do not move: they are deformed along a path that the scene states, however far.
bool is_element_test(const RunData& run) {
  return run.series.find("element_strain") || run.series.find("element_shear");
}

bool concerns(const Condition& c, const RunData& run) {
  const bool continuum = run.series.find("compression") != nullptr;
  if (c.column == std::string_view("compression") && is_element_test(run)) return false;
  if (c.contacts == Contacts::any) return true;
  if (continuum || c.contacts == Contacts::none) return continuum && c.contacts == Contacts::none;
  return c.contacts == Contacts::some ||
         (c.contacts == Contacts::feel_one_another) == (run.series.find("contraction") != nullptr);
}

bool is_other_test(const RunData& run) { return !run.stages.empty() && run.shear_stages.empty(); }

bool is_shear(const RunData& run, double stage) {
  return std::any_of(run.shear_stages.begin(), run.shear_stages.end(), [&](int s) { return stage == s; });
}

// Grains that grow are pressed far into one another, and let go before anything is measured: stages of kind grow, and a relax after them.
std::vector<bool> stages_that_make_the_sample(const RunData& run) {
  std::vector<bool> out;
  for (int k = 0; k < static_cast<int>(run.stages.size()); ++k) {
    const std::string kind = setting_of_stage(run, k, "kind");
    out.push_back(kind == "grow" || (kind == "relax" && k > 0 && setting_of_stage(run, k - 1, "kind") == "grow"));
  }
  return out;
}

bool looks_at(const RunData& run, const SeriesColumn* stage, const std::vector<bool>& making, Where where, std::size_t row) {
  const bool last = row + 1 == run.series.rows;
  const bool knows_shear = stage && !run.shear_stages.empty();
  if (where == Where::energy_of_shear) return last;
  if (where == Where::around_shear) {
    if (!knows_shear) return last;
    const double now = stage->values[row], next = last ? -1 : stage->values[row + 1];
    return now != next && (is_shear(run, now) || is_shear(run, next));
  }
  if (knows_shear) return is_shear(run, stage->values[row]);
  if (last || !stage || !(stage->values[row] >= 0)) return true;
  const auto k = static_cast<std::size_t>(stage->values[row]);
  return k >= making.size() || !making[k];
}

// Largest share of the boundary work of a shear stage that is missing at its end; as lab's figure of the same name.
std::optional<double> energy_over_shear(const RunData& run) {
  const SeriesColumn *stage = run.series.find("stage"), *residual = run.series.find("residual");
  const SeriesColumn* work = run.series.find("boundary_work");
  std::optional<double> out;
  if (!stage || !residual || !work) return out;
  for (const int shear : run.shear_stages) {
    std::optional<std::size_t> first, end;
    for (std::size_t i = 0; i < run.series.rows; ++i)
      if (stage->values[i] == shear) {
        if (!first) first = i;
        end = i;
      }
    if (!first || *first == *end) continue;
    const double missing = std::abs(residual->values[*end] - residual->values[*first]);
    const double done = std::abs(work->values[*end] - work->values[*first]);
    if (done > 0 && std::isfinite(missing)) out = std::max(out.value_or(0), missing / done);
  }
  return out;
}

// Largest absolute value on the rows in question.
std::optional<double> worst(const RunData& run, const Condition& c, const char* of) {
  if (c.where == Where::energy_of_shear)
    if (const auto of_shear = energy_over_shear(run)) return of_shear;
  const SeriesColumn *column = run.series.find(of), *stage = run.series.find("stage");
  std::optional<double> out;
  if (!column) return out;
  if (c.where == Where::share_of_steps) {
    const SeriesColumn* step = run.series.find("step");
    if (!step || run.series.rows == 0 || !(step->values.back() > 0)) return out;
    return std::accumulate(column->values.begin(), column->values.end(), 0.0) / step->values.back();
  }
  const std::vector<bool> making = stages_that_make_the_sample(run);
  for (std::size_t i = 0; i < run.series.rows; ++i)
    if (std::isfinite(column->values[i]) && looks_at(run, stage, making, c.where, i))
      out = std::max(out.value_or(0),
                     c.where == Where::lack_in_shear ? 1 - column->values[i] : std::abs(column->values[i]));
  return out;
}

Light::Level level(double value, double good, double warn, bool warn_is_bad) {
  if (value <= good) return Light::Level::good;
  return value < warn || (value == warn && !warn_is_bad) ? Light::Level::warn : Light::Level::bad;
}

// One condition on one run.
struct Judged {
  double value = 0;
  std::optional<double> beside;
  Light::Level level = Light::Level::unknown;
  const RunData* run = nullptr;
  bool is_worse_than(const Judged& other) const { return level != other.level ? level > other.level : value > other.value; }
};

std::optional<Judged> judged(const Condition& c, const RunData& run) {
  if (!concerns(c, run)) return std::nullopt;
  const auto beside = c.beside ? worst(run, c, c.beside) : std::nullopt;
  auto value = worst(run, c, c.column);
  const bool is_alone = !value && beside;
  if (is_alone) value = beside;
  if (!value) return std::nullopt;
  Judged out{*value, is_alone ? std::nullopt : beside, level(*value, c.good, c.warn, c.warn_is_bad), &run};
  if (out.beside) out.level = std::max(out.level, level(*out.beside, c.beside_good, c.beside_warn, false));
  return out;
}

// Rigid grains overlap where the solver lets them.
std::string remedy_of(const Condition& c, const RunData& run) {
  if (c.contacts != Contacts::apart || !run.series.find("solver_residual")) return c.remedy;
  return "Raise impulse.max_sweeps, shorten impulse.time_step, or let the grains fall and be pressed more slowly.";
}

std::string words(double value, const Condition& c) {
  return c.percent ? format_number(100 * value, 3) + " %" : format_number(value, 2);
}

}  // namespace

std::vector<Light> lights_of_runs(const std::vector<Ensemble>& ensembles) {
  std::vector<const RunData*> runs;
  for (const Ensemble& e : ensembles) runs.insert(runs.end(), e.runs.begin(), e.runs.end());

  std::vector<Light> out;
  for (const RunData* run : runs)
    if (!run->summary.status.empty() && run->summary.status != "done")
      out.push_back({runs.size() > 1 ? "End of " + run->label : "End of the run",
                     run->summary.status.starts_with("failed") ? Light::Level::bad : Light::Level::warn,
                     run->summary.status, "A run is done when its last stage met its stop rule.",
                     run->summary.status.starts_with("failed") ? "Change what the message names, and run the scene again." : "Continue it: talus resume FOLDER."});

  const bool are_other_tests =
      std::all_of(runs.begin(), runs.end(), [](const RunData* run) { return is_other_test(*run); });
  for (const Condition& c : conditions) {
    if ((c.where == Where::shear || c.where == Where::lack_in_shear) && are_other_tests) continue;
    if (std::none_of(runs.begin(), runs.end(), [&](const RunData* run) { return concerns(c, *run); })) continue;
    std::optional<Judged> most;
    for (const RunData* run : runs)
      if (const auto mine = judged(c, *run); mine && (!most || mine->is_worse_than(*most))) most = mine;
    Light light{c.name, Light::Level::unknown, "not measured", c.rule, ""};
    if (!most && may_be_absent(c)) continue;
    if (most) {
      light.level = most->level;
      // A grain in flight is not in equilibrium and need not be: only a shear test can fail here.
      if (c.where == Where::around_shear && are_other_tests && light.level != Light::Level::good)
        light.level = Light::Level::unknown;
      if (light.level == Light::Level::warn || light.level == Light::Level::bad) light.remedy = remedy_of(c, *most->run);
      light.value = words(most->value, c);
      if (most->beside) light.value += fmt::format(", largest {}", words(*most->beside, c));
      if (runs.size() > 1) light.value += fmt::format(" ({})", most->run->label);
    }
    out.push_back(std::move(light));
  }
  return out;
}

}  // namespace talus::report
