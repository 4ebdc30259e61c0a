#include <talus/report/charts_of_profile.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace talus::report {
namespace {

// The last row of the series in which a column has a number.
double last_of(const RunData& run, const std::string& column) {
  const SeriesColumn* c = run.series.find(column);
  if (!c) return NAN;
  for (std::size_t r = c->values.size(); r-- > 0;)
    if (std::isfinite(c->values[r])) return c->values[r];
  return NAN;
}

int rows_of(const RunData& run) {
  int rows = 0;
  while (run.series.find(fmt::format("depth_{:02}", rows))) ++rows;
  return rows;
}

struct Profile {
  std::string label;
  double unit_weight = 0, k0 = 0;
  std::vector<double> depth, porosity, vertical, horizontal;
};

std::vector<Profile> profiles(const std::vector<Ensemble>& ensembles) {
  std::vector<Profile> out;
  for (const Ensemble& e : ensembles)
    for (const RunData* run : e.runs) {
      Profile p{e.runs.size() > 1 ? run->label : e.label, last_of(*run, "unit_weight"), std::atof(setting_of(*run, "analysis", "k0").c_str()), {}, {}, {}, {}};
      for (int r = 0; r < rows_of(*run); ++r) {
        const auto at = [&](const char* name) { return last_of(*run, fmt::format("{}_{:02}", name, r)); };
        p.depth.push_back(at("depth"));
        p.porosity.push_back(at("n"));
        p.vertical.push_back(at("sigma_v"));
        p.horizontal.push_back(at("sigma_h"));
      }
      if (!p.depth.empty()) out.push_back(std::move(p));
    }
  return out;
}

Chart chart(const char* title, const char* note, const Scale& depth) {
  Chart c;
  c.group = "Profiles";
  c.title = title;
  c.note = note;
  c.x_label = axis_label("Depth", depth);
  return c;
}

Curve curve(const std::string& label, const std::vector<double>& x, const std::vector<double>& y, double xs, double ys) {
  Curve c;
  c.label = label;
  for (std::size_t k = 0; k < x.size(); ++k) {
    c.x.push_back(xs * x[k]);
    c.y.push_back(std::isfinite(y[k]) ? ys * y[k] : Curve::gap);
  }
  return c;
}

}  // namespace

std::vector<Chart> charts_of_profile(const std::vector<Ensemble>& ensembles) {
  const std::vector<Profile> runs = profiles(ensembles);
  if (runs.empty()) return {};
  double deepest = 0, heaviest = 0;
  for (const Profile& p : runs) {
    deepest = std::max(deepest, p.depth.back());
    for (const auto* stress : {&p.vertical, &p.horizontal})
      for (const double s : *stress)
        if (std::isfinite(s)) heaviest = std::max(heaviest, s);
  }
  const Scale depth = pick_scale("m", deepest), stress = pick_scale("Pa", heaviest);
  Chart of_stress = chart("Stress over depth", "In the middle of the width, at the end of the run. Dashed: the weight above, and k0 times it.", depth);
  of_stress.y_label = axis_label("Stress", stress);
  Chart of_porosity = chart("Porosity over depth", "Grains by the part of their volume in each row.", depth);
  of_porosity.y_label = "Porosity";
  int colour = 0;
  for (const Profile& p : runs) {
    const std::string run = runs.size() > 1 ? p.label + ", " : "";
    const auto add = [&](const char* what, const std::vector<double>& y, double per_metre) {
      of_stress.curves.push_back(curve(run + what, p.depth, y, depth.factor, stress.factor));
      of_stress.curves.back().colour = colour;
      if (per_metre > 0) {
        const double bottom = p.depth.back() + p.depth.front();
        of_stress.reference.push_back(curve(run + what + ", of the weight", {0, bottom}, {0, per_metre * bottom}, depth.factor, stress.factor));
        of_stress.reference.back().colour = colour;
      }
      ++colour;
    };
    add("vertical", p.vertical, p.unit_weight);
    add("horizontal", p.horizontal, p.k0 * p.unit_weight);
    of_porosity.curves.push_back(curve(runs.size() > 1 ? p.label : "Porosity", p.depth, p.porosity, depth.factor, 1));
  }
  return {of_stress, of_porosity};
}

std::vector<std::string> columns_of_profile(const std::vector<Ensemble>& ensembles) {
  std::vector<std::string> out{"unit_weight"};
  int rows = 0;
  for (const Ensemble& e : ensembles)
    for (const RunData* run : e.runs) rows = std::max(rows, rows_of(*run));
  for (int r = 0; r < rows; ++r)
    for (const char* name : {"depth", "n", "sigma_v", "sigma_h"}) out.push_back(fmt::format("{}_{:02}", name, r));
  return out;
}

}  // namespace talus::report
