#include <talus/report/sweep_page.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <talus/core/input_error.hpp>
#include <talus/io/atomic_file.hpp>
#include <talus/report/charts_of_run.hpp>
#include <talus/report/significance.hpp>
#include <talus/report/units.hpp>
#include <talus/report/write_report.hpp>

namespace talus::report {
namespace {

struct Point {
  const SweepPoint* asked;
  Ensemble runs;
};

std::string words(const SweepPage& page, const std::vector<std::string>& values, std::size_t without) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (k != without) out.push_back(page.axes[k].name + " " + values[k]);
  return fmt::format("{}", fmt::join(out, ", "));
}

// Points that differ along one axis only, by the words of the others. In the order of the sweep.
std::vector<std::pair<std::string, std::vector<const Point*>>> rows_along(const SweepPage& page, const std::vector<Point>& points, std::size_t axis) {
  std::vector<std::pair<std::string, std::vector<const Point*>>> out;
  for (const Point& p : points) {
    const std::string others = words(page, p.asked->values, axis);
    const auto found = std::find_if(out.begin(), out.end(), [&](const auto& row) { return row.first == others; });
    if (found == out.end())
      out.push_back({others, {&p}});
    else
      found->second.push_back(&p);
  }
  return out;
}

// The response of the sample, a chart for each row of the other parameters: the curves of one chart differ in one parameter.
void add_curves(Report& report, const SweepPage& page, const std::vector<Point>& points, std::size_t axis) {
  constexpr std::size_t most_rows = 6, most_charts = 2;
  const auto rows = rows_along(page, points, axis);
  for (std::size_t r = 0; r < std::min(rows.size(), most_rows); ++r) {
    if (rows[r].second.size() < 2) continue;
    std::vector<Ensemble> ensembles;
    for (const Point* p : rows[r].second) {
      const auto& values = p->asked->values;
      ensembles.push_back({page.axes[axis].name + " " + values[axis], p->runs.runs});
    }
    std::vector<Chart> charts = charts_of_runs(ensembles);
    const std::string first = charts.empty() ? "" : charts.front().group;
    std::size_t shown = 0;
    for (Chart& chart : charts) {
      if (chart.group != first || shown == most_charts) continue;
      ++shown;
      for (Curve& c : chart.curves)
        if (const std::size_t at = c.label.find(", mean of"); at != std::string::npos) c.label.resize(at);
      chart.title += rows[r].first.empty() ? "" : ": " + rows[r].first;
      chart.group = "Curves by " + page.axes[axis].name;
      report.charts.push_back(std::move(chart));
    }
  }
}

std::vector<double> values_of(const Point& p, const std::string& figure) {
  std::vector<double> out;
  for (const RunData* run : p.runs.runs)
    if (const Figure* f = run->summary.figure(figure); f && f->value && std::isfinite(*f->value)) out.push_back(*f->value);
  return out;
}

std::optional<Chart> figure_chart(const SweepPage& page, const std::vector<Point>& points, std::size_t axis, const FigureRow& figure, const std::string& unit) {
  const std::string& name = figure.name;
  std::string title = figure.definition.title.empty() ? name : figure.definition.title;
  if (title[0] >= 'a' && title[0] <= 'z') title[0] = char(title[0] - 'a' + 'A');
  const SweepAxis& a = page.axes[axis];
  const Scale x_scale = pick_scale(a.unit, largest(a.numbers));
  double size = 0;
  for (const Point& p : points) size = std::max(size, largest(values_of(p, name)));
  const Scale y_scale = pick_scale(unit, size);
  Chart chart;
  chart.title = title;
  chart.group = "Figures against " + a.name;
  chart.x_label = axis_label(a.name, x_scale);
  chart.y_label = axis_label(title, y_scale);
  bool varies = false;
  std::optional<double> first;
  for (const auto& [others, row] : rows_along(page, points, axis)) {
    Curve c;
    c.label = others.empty() ? title : others;
    std::vector<std::pair<double, const Point*>> ordered;
    for (const Point* p : row) {
      const auto at = std::size_t(std::find(a.values.begin(), a.values.end(), p->asked->values[axis]) - a.values.begin());
      ordered.emplace_back(a.numbers[at], p);
    }
    std::sort(ordered.begin(), ordered.end(), [](const auto& l, const auto& r) { return l.first < r.first; });
    for (const auto& [x, p] : ordered) {
      const Spread s = spread_of(values_of(*p, name));
      if (s.count == 0) continue;
      varies = varies || (first && s.mean != *first);
      if (!first) first = s.mean;
      c.x.push_back(x * x_scale.factor);
      c.y.push_back(s.mean * y_scale.factor);
      c.low.push_back((s.mean - s.deviation) * y_scale.factor);
      c.high.push_back((s.mean + s.deviation) * y_scale.factor);
    }
    if (c.x.size() > 1) chart.curves.push_back(std::move(c));
  }
  if (!varies || chart.curves.empty()) return std::nullopt;
  return chart;
}

void add_figure_charts(Report& report, const SweepPage& page, const std::vector<Point>& points, std::size_t axis) {
  if (page.axes[axis].numbers.empty()) return;  // words have no place on an axis; the table tells them
  for (const FigureRow& row : report.figures) {
    std::string unit;
    for (const Point& p : points)
      for (const RunData* run : p.runs.runs)
        if (const Figure* f = run->summary.figure(row.name)) unit = f->unit;
    if (unit.empty() || row.definition.group == FigureGroup::run) continue;
    if (auto chart = figure_chart(page, points, axis, row, unit)) report.charts.push_back(std::move(*chart));
  }
}

}  // namespace

void write_sweep_page(const SweepPage& page, const std::filesystem::path& out) {
  std::vector<std::filesystem::path> folders;
  for (const SweepPoint& p : page.points) folders.insert(folders.end(), p.folders.begin(), p.folders.end());
  if (folders.empty()) {
    const std::string first = page.missing.empty() ? "" : page.missing.front().first + ": " + page.missing.front().second;
    throw InputError(out.parent_path().string(), 0, "", "no run of the sweep is done", first);
  }
  std::vector<RunData> runs;
  for (const auto& folder : folders) {
    runs.push_back(read_run(folder, WithPictures::no));
    runs.back().label = (folder.parent_path().filename() / folder.filename()).string();
  }
  std::vector<Point> points;
  std::vector<Ensemble> ensembles;
  std::size_t next = 0;
  for (const SweepPoint& p : page.points) {
    if (p.folders.empty()) continue;
    Ensemble e{words(page, p.values, page.axes.size()), {}};
    for (std::size_t k = 0; k < p.folders.size(); ++k) e.runs.push_back(&runs[next++]);
    points.push_back({&p, e});
    ensembles.push_back(std::move(e));
  }
  Report report = report_of_ensembles(runs, ensembles);
  std::vector<std::string> names;
  for (const SweepAxis& a : page.axes) names.push_back(a.name);
  report.title = fmt::format("{}: sweep over {}", runs[0].summary.title.empty() ? runs[0].label : runs[0].summary.title, fmt::join(names, " and "));
  report.subtitle = fmt::format("{} runs done, {} combinations; bands are mean ± standard deviation over the seeds", runs.size(), page.points.size());
  for (const auto& [run, why] : page.missing) report.lights.insert(report.lights.begin(), {"Missing: " + run, Light::Level::bad, why, "All runs of a sweep should be done.", "Look at its folder; talus resume continues the sweep."});
  if (constexpr std::size_t most = 8; runs.size() > most) report.tables.clear();  // the page would be too large
  report.charts.clear();
  for (std::size_t axis = 0; axis < page.axes.size(); ++axis) add_curves(report, page, points, axis);
  for (std::size_t axis = 0; axis < page.axes.size(); ++axis) add_figure_charts(report, page, points, axis);
  write_text_atomic(out, render_html(report));
}

}  // namespace talus::report
