#include <talus/report/lights_of_run.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include <talus/report/units.hpp>

namespace talus::report {
namespace {

enum class Where { everywhere, shear, stage_ends, end };

struct Condition {
  const char *name, *column;
  Where where;
  double good, warn;  // upper bounds
  bool percent;
  const char* rule;
};

// Sources: quasi-static below I = 1e-3 (GDR MiDi, Eur. Phys. J. E 14, 2004); the other bounds are habits of the field,
// stated so that a reader may disagree.
constexpr Condition conditions[] = {
    {"Inertial number", "inertial_number", Where::shear, 1e-3, 1e-2, false,
     "Largest value while shearing. Quasi-static up to 10⁻³, rate effects begin above, inertial from 10⁻²."},
    {"Overlap", "max_overlap", Where::everywhere, 0.02, 0.05, true,
     "Largest overlap over radius, all stages. Good up to 2 %, doubtful up to 5 %: contacts are taken to be small."},
    {"Unbalanced force", "unbalanced", Where::stage_ends, 1e-2, 5e-2, false,
     "Worst ratio at the end of a stage. In equilibrium up to 0.01, doubtful up to 0.05."},
    {"Servo error", "servo_error", Where::shear, 0.01, 0.05, true,
     "Largest deviation of a controlled stress from its target while shearing. Good up to 1 %, doubtful up to 5 %."},
    {"Energy residual", "energy_residual_rel", Where::end, 1e-3, 1e-2, true,
     "What the energy ledger misses at the end, relative to the work put in (boundary, gravity or growth). Good up to 0.1 %, doubtful up to 1 %."},
};

bool looks_at(const RunData& run, Where where, std::size_t row) {
  const SeriesColumn* stage = run.series.find("stage");
  const bool last = row + 1 == run.series.rows;
  switch (where) {
    case Where::everywhere: return true;
    case Where::end: return last;
    case Where::stage_ends: return last || (stage && stage->values[row] != stage->values[row + 1]);
    case Where::shear: break;
  }
  if (run.shear_stages.empty() || !stage) return true;
  return std::any_of(run.shear_stages.begin(), run.shear_stages.end(), [&](int s) { return stage->values[row] == s; });
}

// Largest absolute value on the rows in question.
std::optional<double> worst(const RunData& run, const Condition& c) {
  const SeriesColumn* column = run.series.find(c.column);
  std::optional<double> out;
  if (!column) return out;
  for (std::size_t i = 0; i < run.series.rows; ++i)
    if (std::isfinite(column->values[i]) && looks_at(run, c.where, i)) out = std::max(out.value_or(0), std::abs(column->values[i]));
  return out;
}

Light::Level level(double value, const Condition& c) {
  if (value <= c.good) return Light::Level::good;
  return value <= c.warn ? Light::Level::warn : Light::Level::bad;
}

}  // namespace

std::vector<Light> lights_of_runs(const std::vector<Ensemble>& ensembles) {
  std::vector<const RunData*> runs;
  for (const Ensemble& e : ensembles) runs.insert(runs.end(), e.runs.begin(), e.runs.end());

  std::vector<Light> out;
  for (const RunData* run : runs)
    if (!run->summary.status.empty() && run->summary.status != "done")
      out.push_back({runs.size() > 1 ? "End of " + run->label : "End of the run", Light::Level::bad, run->summary.status,
                     "A run is done when its last stage met its stop rule."});

  for (const Condition& c : conditions) {
    std::optional<double> value;
    const RunData* culprit = nullptr;
    for (const RunData* run : runs)
      if (const auto mine = worst(*run, c); mine && (!value || *mine > *value)) {
        value = mine;
        culprit = run;
      }
    Light light{c.name, Light::Level::unknown, "not measured", c.rule};
    if (value) {
      light.level = level(*value, c);
      light.value = c.percent ? format_number(100 * *value, 2) + " %" : format_number(*value, 2);
      if (runs.size() > 1) light.value += fmt::format(" ({})", culprit->label);
    }
    out.push_back(std::move(light));
  }
  return out;
}

}  // namespace talus::report
