#include <talus/simulation/fit_target.hpp>

#include <algorithm>
#include <cmath>

#include <talus/core/csv.hpp>
#include <talus/core/input_error.hpp>
#include <talus/core/nearest.hpp>
#include <talus/io/summary.hpp>
#include <talus/io/text_file.hpp>
#include <talus/lab/fit.hpp>
#include <talus/report/run_data.hpp>

namespace talus::simulation {

namespace fs = std::filesystem;

Curve read_curve(const std::string& file, const std::string& x, const std::string& y) {
  const CsvTable table = parse_csv(read_text(file), file);
  const auto column = [&](const std::string& name) {
    for (const auto& c : table.columns)
      if (c.name == name) return c.values;
    std::vector<std::string> names;
    for (const auto& c : table.columns) names.push_back(c.name);
    const auto meant = nearest(name, names);
    throw InputError(file, table.header_line, name, "there is no such column",
                     meant ? "did you mean '" + *meant + "'?" : "");
  };
  return {column(x), column(y)};
}

Curve curve_of_run(const fs::path& run, const std::string& x_name, const std::string& y_name) {
  const auto table = report::parse_series(read_text(run / "series.csv"), (run / "series.csv").string());
  const auto* x = table.find(x_name);
  const auto* y = table.find(y_name);
  if (!x || !y) {
    std::vector<std::string> names;
    for (const auto& c : table.columns) names.push_back(c.name);
    const std::string missing = x ? y_name : x_name;
    const auto meant = nearest(missing, names);
    throw InputError("", 0, "--curve", "the series of the run has no column '" + missing + "'",
                     meant ? "did you mean '" + *meant + "'?" : "");
  }
  const auto* settled = table.find("settled");
  const auto* loading = table.find("loading");
  std::vector<std::pair<Real, Real>> points;
  for (std::size_t r = 0; r < table.rows; ++r)
    if ((!settled || settled->values[r] == 1) && (!loading || loading->values[r] == 1))
      points.emplace_back(x->values[r], y->values[r]);
  std::sort(points.begin(), points.end());
  Curve out;
  for (std::size_t k = 0; k < points.size();) {
    std::size_t end = k;
    Real sum = 0;
    const Real width = 1e-6 * (points.back().first - points.front().first);
    for (; end < points.size() && points[end].first - points[k].first <= width; ++end) sum += points[end].second;
    out.x.push_back(points[k].first);
    out.y.push_back(sum / Real(end - k));
    k = end;
  }
  return out;
}

std::vector<Real> mismatch(const Curve& run, const Curve& measured) {
  Real scale = 0;
  for (const Real y : measured.y) scale = std::max(scale, std::abs(y));
  std::vector<Real> out;
  for (std::size_t k = 0; k < measured.x.size(); ++k)
    out.push_back((lab::interpolate(run.x, run.y, measured.x[k]) - measured.y[k]) / scale);
  return out;
}

std::vector<Real> mismatch(const fs::path& run, const std::vector<std::pair<std::string, Real>>& figures) {
  const Summary s = read_summary(run / "summary.json");
  std::vector<Real> out;
  for (const auto& [name, value] : figures) {
    const Figure* f = s.figure(name);
    if (!f || !f->value) {
      std::vector<std::string> names;
      for (const auto& g : s.figures) names.push_back(g.name);
      const auto meant = nearest(name, names);
      throw InputError("", 0, "--figure", "the run has no figure '" + name + "'" + (f ? ": " + f->reason : ""),
                       meant && !f ? "did you mean '" + *meant + "'?" : "");
    }
    out.push_back((*f->value - value) / (value != 0 ? std::abs(value) : 1));
  }
  return out;
}

}  // namespace talus::simulation
