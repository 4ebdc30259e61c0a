#include <talus/report/charts_of_cycles.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include <talus/lab/cycle_analysis.hpp>
#include <talus/report/units.hpp>

namespace talus::report {
namespace {

double number_of(const RunData& run, std::string_view table, std::string_view key, double fallback) {
  const std::string text = setting_of(run, table, key);
  return text.empty() ? fallback : std::atof(text.c_str());
}
measure::ForceClasses classes_of(const RunData& run) {
  measure::ForceClasses c;
  c.low = number_of(run, "analysis", "force_low", c.low);
  c.high = number_of(run, "analysis", "force_high", c.high);
  return c;
}

using Levels = std::vector<lab::CycleLevel>;

Levels levels_of(const RunData& run) {
  SeriesData series;
  for (const SeriesColumn& column : run.series.columns) series[column.name] = column.values;
  return lab::cycle_levels(series, i64(number_of(run, "analysis", "dropped", 0)), classes_of(run).count);
}

struct Cycled {
  std::string label;
  Levels levels;
  measure::ForceClasses classes;
};
std::vector<Cycled> cycled(const std::vector<Ensemble>& ensembles) {
  std::vector<Cycled> out;
  for (const Ensemble& e : ensembles)
    for (const RunData* run : e.runs)
      if (Levels levels = levels_of(*run); !levels.empty())
        out.push_back({e.runs.size() > 1 ? run->label : e.label, std::move(levels), classes_of(*run)});
  return out;
}

double highest(const Cycled& run, double lab::CycleLevel::*what) {
  double most = 0;
  for (const auto& l : run.levels) most = std::max(most, l.*what);
  return most;
}

// The level of a direction whose travel is nearest.
const lab::CycleLevel* level_at(const Levels& levels, bool loading, double travel) {
  const lab::CycleLevel* best = nullptr;
  for (const auto& l : levels)
    if (l.loading == loading && (!best || std::abs(l.travel - travel) < std::abs(best->travel - travel))) best = &l;
  return best;
}

struct Axis {
  std::string name, unit;
  double size = 0;
};

Chart chart_of_cycles(const std::string& title, const std::string& note) {
  Chart c;
  c.group = "Cycles of compression";
  c.title = title;
  c.note = note;
  return c;
}

// One run: loading and unloading apart, with a band where the spread over cycles is known. Several: one loop for each.
template <class X, class Y, class Spread>
Chart loops(const std::vector<Cycled>& runs, const std::string& title, const std::string& note, Axis x, Axis y,
            X&& x_of, Y&& y_of, Spread&& spread) {
  for (const Cycled& run : runs)
    for (const auto& l : run.levels) x.size = std::max(x.size, x_of(l)), y.size = std::max(y.size, y_of(l));
  const Scale xs = pick_scale(x.unit, x.size), ys = pick_scale(y.unit, y.size);
  Chart chart = chart_of_cycles(title, note);
  chart.x_label = axis_label(x.name, xs);
  chart.y_label = axis_label(y.name, ys);
  int colour = 0;
  for (const Cycled& run : runs) {
    Curve curves[2];
    for (const auto& l : run.levels) {
      Curve& c = curves[runs.size() == 1 && !l.loading];
      c.x.push_back(xs.factor * x_of(l));
      c.y.push_back(ys.factor * y_of(l));
      if (runs.size() > 1 || !(spread(l) > 0)) continue;
      c.low.push_back(ys.factor * (y_of(l) - spread(l)));
      c.high.push_back(ys.factor * (y_of(l) + spread(l)));
    }
    for (const bool up : {false, true}) {
      Curve& c = curves[up];
      if (c.x.empty()) continue;
      if (c.low.size() != c.x.size()) c.low.clear(), c.high.clear();
      c.label = runs.size() > 1 ? run.label : up ? "unloading" : "loading";
      c.colour = colour++;
      if (up)  // from the left to the right
        for (auto* v : {&c.x, &c.y, &c.low, &c.high}) std::reverse(v->begin(), v->end());
      chart.curves.push_back(std::move(c));
    }
  }
  return chart;
}

// Density of f over its mean, from the counts by class; empty classes are gaps.
Curve distribution(const lab::CycleLevel& l, const measure::ForceClasses& classes) {
  Curve c;
  double total = 0;
  for (const double n : l.counts) total += n;
  if (!(total > 0) || !(l.mean_force > 0)) return c;
  int first = 0, last = classes.count - 1;
  while (first < last && !(l.counts[std::size_t(first)] > 0)) ++first;
  while (last > first && !(l.counts[std::size_t(last)] > 0)) --last;
  for (int k = std::max(first, 1); k <= last; ++k) {  // the first class holds all that is weaker
    const double low = classes.edge(k), high = classes.edge(k + 1), n = l.counts[std::size_t(k)];
    c.x.push_back(std::sqrt(low * high) / l.mean_force);
    c.y.push_back(n > 0 ? n / total / (high - low) * l.mean_force : Curve::gap);
  }
  return c;
}

Chart distributions(const std::vector<Cycled>& runs) {
  Chart chart = chart_of_cycles("Distribution of contact forces",
                       "Figure 4 of Brodu et al. 2015: contacts between grains, forces over their mean, mean over the "
                       "cycles that count.");
  chart.x_label = "f / <f>";
  chart.y_label = "P(f / <f>)";
  chart.log_x = chart.log_y = true;
  const auto add = [&](const Cycled& run, const lab::CycleLevel* l, const std::string& label) {
    if (!l) return;
    Curve c = distribution(*l, run.classes);
    c.label = label;
    if (c.x.size() > 2) chart.curves.push_back(std::move(c));
  };
  const auto way = [](const lab::CycleLevel* l) { return format_quantity(l->travel, "m"); };
  for (const Cycled& run : runs) {
    const double most = highest(run, &lab::CycleLevel::travel);
    if (runs.size() > 1) {  // the paper's 18 of 30 mm
      const auto* l = level_at(run.levels, false, 0.6 * most);
      if (l) add(run, l, run.label + ", unloading, " + way(l));
      continue;
    }
    for (const double share : {0.3, 0.6, 1.0}) {
      const auto* l = level_at(run.levels, true, share * most);
      if (l) add(run, l, "loading, " + way(l));
    }
    if (const auto* l = level_at(run.levels, false, 0.6 * most)) add(run, l, "unloading, " + way(l));
  }
  return chart;
}

}  // namespace

std::vector<Chart> charts_of_cycles(const std::vector<Ensemble>& ensembles) {
  const std::vector<Cycled> runs = cycled(ensembles);
  std::vector<Chart> out;
  if (runs.empty()) return out;
  using Level = lab::CycleLevel;
  int cycles = 0;
  for (const auto& l : runs[0].levels) cycles = std::max(cycles, l.cycles);
  const std::string mean = cycles == 1 ? "one cycle."
                                       : fmt::format("mean of {} cycles{}.", cycles,
                                                     runs.size() == 1 ? ", band of one standard deviation" : "");
  const auto travel = [](const Level& l) { return l.travel; };
  const auto none = [](const Level&) { return 0.0; };
  const Axis way{"Travel of the platen", "m"}, force{"Force on the platen", "N"};
  out.push_back(loops(
      runs, "Force on the platen", "Figure 3 of Brodu et al. 2015: " + mean, way, force, travel,
      [](const Level& l) { return l.force; }, [](const Level& l) { return l.force_deviation; }));
  out.push_back(distributions(runs));
  out.push_back(loops(
      runs, "Contacts per grain",
      "Figure 5: contacts stronger than the threshold of the analysis, those with walls too.", way,
      {"Contacts per grain", "1"}, travel, [](const Level& l) { return l.z; }, none));
  out.push_back(loops(
      runs, "Scaling of the force",
      "Figure 6: by Eq. (2) of Brodu et al. 2015 the force on the platen is proportional to the product of contacts per grain, solid "
      "fraction, mean branch and mean force.",
      {"<Z><φ><b><f>", "N m"}, force, [](const Level& l) { return l.z * l.phi * l.branch * l.mean_force; },
      [](const Level& l) { return l.force; }, none));
  out.push_back(loops(
      runs, "Solid fraction", "More than one mean diameter away from walls.", way, {"Solid fraction", "1"}, travel,
      [](const Level& l) { return l.phi; }, none));
  std::erase_if(out, [](const Chart& c) { return c.curves.empty(); });
  return out;
}

std::vector<FigureRow> table_of_cycles(const std::vector<Ensemble>& ensembles) {
  std::vector<FigureRow> rows;
  if (ensembles.size() < 2) return rows;
  const auto is_reference = [](const Ensemble& e) {
    return setting_of(*e.runs[0], "multi_contact", "model") == "multi-contact" && !levels_of(*e.runs[0]).empty();
  };
  const auto found = std::find_if(ensembles.begin(), ensembles.end(), is_reference);
  if (found == ensembles.end()) return rows;
  const std::string against = fmt::format(" against the run {} in the place of an experiment", found->runs[0]->label);
  rows = {{"Rtop", {}, "force at the highest level, over that of the reference;" + against},
          {"errf", {}, "root mean square of the difference of forces on the platen over all levels;" + against},
          {"errZ", {}, "root mean square of the difference of contacts per grain, with the best threshold;" + against},
          {"bhat",
           {},
           "-log of the mean over levels of the integral of sqrt(P Q), P and Q distributions of forces;" + against},
          {"tau", {}, "that threshold for weak forces;" + against}};
  const Levels reference = levels_of(*found->runs[0]);
  const double threshold = number_of(*found->runs[0], "analysis", "threshold", 4e-3);
  for (const Ensemble& e : ensembles) {
    const Levels levels = levels_of(*e.runs[0]);
    if (levels.empty()) {
      for (FigureRow& row : rows) row.values.push_back(std::string(not_reached));
      continue;
    }
    const auto c = lab::compare_cycles(levels, reference, classes_of(*found->runs[0]), threshold);
    rows[0].values.push_back(format_number(c.rtop));
    rows[1].values.push_back(format_quantity(c.errf, "N"));
    rows[2].values.push_back(format_number(c.errz));
    rows[3].values.push_back(format_number(c.bhat));
    rows[4].values.push_back(format_quantity(c.tau, "N"));
  }
  return rows;
}

}  // namespace talus::report
