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

// Rings and layers of the maps inside a cylinder.
struct RingCount {
  int rings = 0, layers = 0;
};
RingCount rings_of(const RunData& run) {
  RingCount n;
  while (run.series.find(fmt::format("ring_n_{}_00", n.rings))) ++n.rings;
  while (run.series.find(fmt::format("ring_n_0_{:02}", n.layers))) ++n.layers;
  return n;
}

constexpr const char* ring_parts[][3] = {{"n", "Porosity on rings", "Porosity"},
                                         {"sigma_r", "Radial stress on rings", "Radial stress"},
                                         {"sigma_theta", "Hoop stress on rings", "Hoop stress"},
                                         {"sigma_z", "Vertical stress on rings", "Vertical stress"}};

// One chart for each part, one curve for each layer.
std::vector<Chart> charts_of_rings(const RunData& run, const std::string& label) {
  const RingCount n = rings_of(run);
  std::vector<Chart> out;
  if (n.rings == 0) return out;
  const auto at = [&](const char* part, int ring, int layer) { return last_of(run, fmt::format("ring_{}_{}_{:02}", part, ring, layer)); };
  const Scale radius = pick_scale("m", at("radius", n.rings - 1, 0));
  double heaviest = 0;
  for (int ring = 0; ring < n.rings; ++ring)
    if (const double s = at("sigma_z", ring, n.layers - 1); std::isfinite(s)) heaviest = std::max(heaviest, s);
  const Scale stress = pick_scale("Pa", heaviest);
  for (const auto& [part, title, axis] : ring_parts) {
    Chart c;
    c.group = "Rings";
    c.title = label.empty() ? title : fmt::format("{}, {}", title, label);
    c.note = "Mean over rings about the axis of the cylinder, at the end of the run; one curve for each layer, from the top down.";
    c.x_label = axis_label("Distance from the axis", radius);
    const bool is_porosity = std::string(part) == "n";
    c.y_label = is_porosity ? axis : axis_label(axis, stress);
    for (int layer = 0; layer < n.layers; ++layer) {
      std::vector<double> x, y;
      for (int ring = 0; ring < n.rings; ++ring) {
        x.push_back(at("radius", ring, layer));
        y.push_back(at(part, ring, layer));
      }
      c.curves.push_back(curve(fmt::format("layer {}", layer + 1), x, y, radius.factor, is_porosity ? 1 : stress.factor));
      c.curves.back().colour = layer;
    }
    out.push_back(std::move(c));
  }
  return out;
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
  Chart of_porosity = chart("Porosity over depth", "Each grain counts with the part of its volume in the row.", depth);
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
  std::vector<Chart> out{of_stress, of_porosity};
  for (const Ensemble& e : ensembles)
    for (const RunData* run : e.runs)
      for (Chart& c : charts_of_rings(*run, runs.size() > 1 ? (e.runs.size() > 1 ? run->label : e.label) : "")) out.push_back(std::move(c));
  return out;
}

std::vector<std::string> columns_of_profile(const std::vector<Ensemble>& ensembles) {
  std::vector<std::string> out{"unit_weight"};
  int rows = 0;
  for (const Ensemble& e : ensembles)
    for (const RunData* run : e.runs) rows = std::max(rows, rows_of(*run));
  for (const Ensemble& e : ensembles)
    for (const RunData* run : e.runs) {
      const RingCount n = rings_of(*run);
      for (int ring = 0; ring < n.rings; ++ring)
        for (int layer = 0; layer < n.layers; ++layer)
          for (const char* part : {"radius", "n", "sigma_r", "sigma_theta", "sigma_z"}) out.push_back(fmt::format("ring_{}_{}_{:02}", part, ring, layer));
    }
  for (int r = 0; r < rows; ++r)
    for (const char* name : {"depth", "n", "sigma_v", "sigma_h"}) out.push_back(fmt::format("{}_{:02}", name, r));
  return out;
}

}  // namespace talus::report
