#include <talus/report/chart_builder.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <talus/lab/channels.hpp>
#include <talus/report/text.hpp>

namespace talus::report {
namespace {


using Rows = std::vector<std::size_t>;

struct Part {  // rows that make one curve
  std::string stage;
  Rows rows;
};

// The row that a chart of these begins with; 0: all rows.
std::size_t first_row(const RunData& run, Over over, std::string_view x) {
  const SeriesColumn *stage = run.series.find("stage"), *xs = run.series.find(x);
  if (!stage || !xs || (over != Over::last_stage && over != Over::after_first)) return 0;
  const auto& number = stage->values;
  if (over == Over::last_stage) return static_cast<std::size_t>(std::find(number.begin(), number.end(), number.back()) - number.begin());
  std::size_t i = 0;
  while (i < number.size() && !std::isfinite(xs->values[i])) ++i;
  while (i + 1 < number.size() && number[i + 1] == number[i]) ++i;
  return i < number.size() ? i : 0;
}

// Strains start from zero in every stage, so each shear stage is a curve of its own.
std::vector<Part> parts_of(const RunData& run, Over over, std::string_view x) {
  const SeriesColumn* stage = run.series.find("stage");
  std::vector<Part> out;
  if (over == Over::shear && stage && !run.shear_stages.empty()) {
    for (const int wanted : run.shear_stages) {
      Part part;
      if (wanted >= 0 && static_cast<std::size_t>(wanted) < run.stages.size())
        part.stage = run.stages[static_cast<std::size_t>(wanted)];
      for (std::size_t i = 0; i < run.series.rows; ++i)
        if (stage->values[i] == wanted) part.rows.push_back(i);
      if (!part.rows.empty()) out.push_back(std::move(part));
    }
    return out;
  }
  if (over == Over::shear && !run.stages.empty()) return out;  // its stages are known, and none shears
  Part all;
  if (const std::size_t first = first_row(run, over, x); first > 0) {
    for (std::size_t i = first; i < run.series.rows; ++i) all.rows.push_back(i);
    out.push_back(std::move(all));
    return out;
  }
  const bool splits = stage && !run.shear_stages.empty() && (over == Over::preparation || over == Over::test);
  for (std::size_t i = 0; i < run.series.rows; ++i)
    if (!splits || (stage->values[i] < run.shear_stages[0]) == (over == Over::preparation)) all.rows.push_back(i);
  out.push_back(std::move(all));
  return out;
}

bool has_preparation(const RunData& run) {
  const SeriesColumn* stage = run.series.find("stage");
  return stage && !run.shear_stages.empty() && stage->values.front() < run.shear_stages[0] && stage->values.back() >= run.shear_stages[0];
}

std::vector<double> pick(const SeriesColumn& column, const Rows& rows) {
  std::vector<double> out;
  out.reserve(rows.size());
  for (const std::size_t i : rows) out.push_back(column.values[i]);
  return out;
}

std::vector<Curve> curves_of(const RunData& run, const Quantity& x, const Quantity& y, Over over, const Scale& x_scale,
                             const Scale& y_scale, const Chart& chart) {
  const SeriesColumn *xs = run.series.find(x.column), *ys = run.series.find(y.column);
  std::vector<Curve> out;
  if (!xs || !ys) return out;
  for (const Part& part : parts_of(run, over, x.column)) {
    Curve c;
    c.label = part.stage;
    Rows rows = part.rows;  // a row without a place on the axis is not drawn, and does not stretch the other
    std::erase_if(rows, [&](std::size_t row) { return !std::isfinite(xs->values[row]); });
    c.x = pick(*xs, rows);
    c.y = pick(*ys, rows);
    if (y.from_zero)
      for (const double first = c.y.empty() ? 0 : c.y.front(); double& v : c.y) v -= first;
    for (double& v : c.x) v = chart.log_x && !(v > 0) ? Curve::gap : v * x_scale.factor;
    for (double& v : c.y) v = chart.log_y && !(v > 0) ? Curve::gap : v * y_scale.factor;
    if (std::any_of(c.y.begin(), c.y.end(), [](double v) { return std::isfinite(v); })) out.push_back(std::move(c));
  }
  return out;
}

std::vector<Mark> stage_marks(const RunData& run, const Quantity& x, const Scale& scale, Over over) {
  const SeriesColumn *stage = run.series.find("stage"), *xs = run.series.find(x.column);
  std::vector<Mark> out;
  if (!stage || !xs) return out;
  double last = Curve::gap;
  const std::vector<Part> parts = parts_of(run, over, x.column);
  for (const std::size_t i : parts.front().rows) {
    const double now = stage->values[i];
    if (!std::isfinite(now) || now == last) continue;
    last = now;
    const auto index = static_cast<std::size_t>(std::max(0.0, now));
    // A stage begins where the one before ended: at its last row.
    const std::size_t row = i > 0 ? i - 1 : 0;
    out.push_back({xs->values[row] * scale.factor,
                   index < run.stages.size() ? run.stages[index] : fmt::format("stage {}", index)});
  }
  if (out.size() < 2) out.clear();
  return out;
}

double value_at(const Curve& c, double x) {
  const auto right = std::lower_bound(c.x.begin(), c.x.end(), x);
  if (right == c.x.begin()) return c.y.front();
  if (right == c.x.end()) return c.y.back();
  const auto k = static_cast<std::size_t>(right - c.x.begin());
  const double t = (x - c.x[k - 1]) / (c.x[k] - c.x[k - 1]);
  return t >= 1 ? c.y[k] : c.y[k - 1] + t * (c.y[k] - c.y[k - 1]);
}

}  // namespace

ChartBuilder::ChartBuilder(const std::vector<Ensemble>& ensembles) : ensembles_(ensembles) {
  for (const Ensemble& e : ensembles)
    for (const RunData* run : e.runs) runs_.push_back(run);
  const auto spans = [](const RunData* run) {
    const SeriesColumn* time = run->series.find("time");
    return time && varies(time->values);
  };
  time_ = std::all_of(runs_.begin(), runs_.end(), spans) ? Quantity{"time", "Time"} : Quantity{"step", "Step"};
}

void ChartBuilder::add(Chart chart, const Quantity& x, const std::vector<Quantity>& ys, Over over,
                       const std::vector<Quantity>& targets) {
  const bool splits = std::all_of(runs_.begin(), runs_.end(), [](const RunData* r) { return has_preparation(*r); });
  if (splits && over == Over::preparation) chart.panel = "Preparation";
  if (splits && over == Over::run && x.column == time_.column)
    add_over_run(std::move(chart), x, ys, targets);
  else
    add_panel(std::move(chart), x, ys, over, targets);
}

void ChartBuilder::add_over_run(Chart chart, const Quantity& x, const std::vector<Quantity>& ys, const std::vector<Quantity>& targets) {
  chart.panel = "Preparation";
  add_panel(chart, x, ys, Over::preparation, targets);
  chart.panel = "Test";
  add_panel(std::move(chart), test_axis_.value_or(x), ys, test_axis_ ? Over::shear : Over::test, targets);
}

void ChartBuilder::set_test_axis(const Quantity& strain) {
  const auto suits = [&](const RunData* run) {
    const auto parts = parts_of(*run, Over::shear, {});
    const SeriesColumn* column = run->series.find(strain.column);
    if (parts.size() != 1 || !column) return false;
    const std::vector<double> values = pick(*column, parts[0].rows);
    return varies(values) && std::is_sorted(values.begin(), values.end());
  };
  if (std::all_of(runs_.begin(), runs_.end(), suits)) test_axis_ = strain;
}

// Those of the quantities that are there; of several runs one.
std::vector<Quantity> ChartBuilder::shown_of(const std::vector<Quantity>& ys) {
  std::vector<Quantity> shown;
  for (const Quantity& y : ys) {
    seen_.insert(y.column);
    if (!has(y.column) || (ys.size() > 1 && is_zero(y.column))) continue;
    if (runs_.size() > 1 && !shown.empty() && !y.main) continue;
    if (runs_.size() > 1) shown.clear();
    shown.push_back(y);
  }
  return shown;
}

void ChartBuilder::add_panel(Chart chart, const Quantity& x, const std::vector<Quantity>& ys, Over over,
                             const std::vector<Quantity>& targets) {
  const std::vector<Quantity> shown = shown_of(ys);
  if (shown.empty() || !has(x.column)) return;
  const Scale x_scale = scale_of({x}, x, over), y_scale = scale_of(shown, x, over);

  int colour = 0;
  for (const Quantity& y : shown) {
    for (const Ensemble& e : ensembles_) add_ensemble(chart, e, x, y, over, x_scale, y_scale, colour, shown.size() > 1);
    if (runs_.size() == 1)
      for (const Quantity& t : targets)
        if (t.name == y.name && has(t.column)) {
          seen_.insert(t.column);
          for (Curve& c : curves_of(*runs_[0], x, t, over, x_scale, y_scale, chart)) {
            c.label = t.legend.empty() ? "target " + y.name : t.legend;
            c.colour = colour - 1;
            chart.reference.push_back(std::move(c));
          }
        }
  }
  std::erase_if(chart.curves, [&](const Curve& c) { return !varies(c.x) || (shown[0].from_zero && !varies(c.y)); });
  // A quantity that never changes is no curve; its value is a figure.
  if (std::none_of(chart.curves.begin(), chart.curves.end(), [](const Curve& c) { return varies(c.y); })) return;

  seen_.insert(x.column);
  if (chart.note.empty() && ys.size() == 1)
    if (const lab::ChannelInfo* channel = lab::find_channel(ys[0].column)) chart.note = sentence(channel->meaning);
  chart.x_label = axis_label(x.name, x_scale);
  if (chart.y_label.empty())
    chart.y_label = shown[0].name;
  else if (runs_.size() > 1)
    chart.y_label += ", " + shown[0].name;
  chart.y_label = axis_label(chart.y_label, y_scale);
  if (over != Over::shear && runs_.size() == 1) chart.marks = stage_marks(*runs_[0], x, x_scale, over);
  charts_.push_back(std::move(chart));
}

void ChartBuilder::add_sizes() {
  Chart chart{"Grading curve",      "Grain diameter (mm)", "Passing by mass (%)", {}, {}, "", true, false, {},
              "Grains and contacts"};
  const auto scaled = [](const SizeCurve& sizes, std::string label) {
    Curve c;
    c.label = std::move(label);
    for (const double d : sizes.diameter) c.x.push_back(1e3 * d);
    for (const double p : sizes.passing) c.y.push_back(100 * p);
    return c;
  };
  int colour = 0;
  for (const Ensemble& e : ensembles_) {
    for (const RunData* run : e.runs)
      if (run->sizes && varies(run->sizes->diameter)) {
        chart.curves.push_back(scaled(*run->sizes, runs_.size() == 1 ? "sample" : run->label));
        chart.curves.back().colour = colour;
        if (run != e.runs[0]) chart.curves.back().faint = true;
      }
    ++colour;
    if (e.runs[0]->target_sizes && !chart.curves.empty())
      chart.reference.push_back(
          scaled(*e.runs[0]->target_sizes, runs_.size() == 1 ? "asked for by the scene" : "asked for, " + e.label));
  }
  if (!chart.curves.empty()) charts_.push_back(std::move(chart));
}

void ChartBuilder::add_unknown() {
  for (const RunData* run : runs_)
    for (const SeriesColumn& column : run->series.columns) {
      if (seen_.contains(column.name)) continue;
      if (!varies(column.values)) {
        seen_.insert(column.name);
        continue;
      }
      add(Chart{.title = column.name,
                .x_label = {},
                .y_label = {},
                .curves = {},
                .reference = {},
                .note = {},
                .marks = {},
                .group = "Further probes"},
          time_, {{column.name, column.name}}, Over::run);
    }
}

bool ChartBuilder::has(const std::string& column) const {
  return std::any_of(runs_.begin(), runs_.end(), [&](const RunData* r) { return r->series.find(column) != nullptr; });
}

bool ChartBuilder::moves(const std::string& column, Over over) const {
  return std::any_of(runs_.begin(), runs_.end(), [&](const RunData* run) {
    const SeriesColumn* c = run->series.find(column);
    const auto parts = parts_of(*run, over, {});
    return c &&
           std::any_of(parts.begin(), parts.end(), [&](const Part& p) { return largest(pick(*c, p.rows)) > 1e-9; });
  });
}

bool ChartBuilder::is_zero(const std::string& column) const {
  return std::all_of(runs_.begin(), runs_.end(), [&](const RunData* r) {
    const SeriesColumn* c = r->series.find(column);
    return !c || largest(c->values) == 0;
  });
}

Scale ChartBuilder::scale_of(const std::vector<Quantity>& quantities, const Quantity& x, Over over) const {
  if (quantities[0].percent) return {100, "%"};
  double size = 0;
  std::string unit;
  for (const RunData* run : runs_)
    for (const Quantity& q : quantities)
      if (const SeriesColumn* column = run->series.find(q.column)) {
        unit = column->unit;
        for (const Part& part : parts_of(*run, over, x.column)) {
          Rows rows = part.rows;
          if (const SeriesColumn* xs = run->series.find(x.column))
            std::erase_if(rows, [&](std::size_t row) { return !std::isfinite(xs->values[row]); });
          if (rows.empty()) continue;
          std::vector<double> values = pick(*column, rows);
          if (q.from_zero)
            for (const double first = values.front(); double& v : values) v -= first;
          size = std::max(size, largest(values));
        }
      }
  return pick_scale(unit, size);
}

void ChartBuilder::add_ensemble(Chart& chart, const Ensemble& e, const Quantity& x, const Quantity& y, Over over,
                                const Scale& x_scale, const Scale& y_scale, int& colour, bool several_ys) const {
  const int own = colour++;
  std::vector<std::vector<Curve>> stages;  // stages[s]: the curves of all runs in shear stage s
  for (const RunData* run : e.runs) {
    std::vector<Curve> curves = curves_of(*run, x, y, over, x_scale, y_scale, chart);
    const bool several_stages = curves.size() > 1;
    for (std::size_t s = 0; s < curves.size(); ++s) {
      Curve& c = curves[s];
      std::vector<std::string> words;
      if (runs_.size() > 1) words.push_back(e.runs.size() > 1 ? run->label : e.label);
      if (several_ys) words.push_back(y.name);
      if (several_stages) words.push_back(c.label);
      if (words.empty()) words.push_back(y.name);
      c.label = fmt::format("{}", fmt::join(words, ", "));
      c.colour = own + static_cast<int>(s) * (several_stages && runs_.size() == 1 && !several_ys);
      if (stages.size() <= s) stages.emplace_back();
      stages[s].push_back(std::move(c));
    }
  }
  for (auto& curves : stages) {
    Curve mean;
    const auto rises = [](const Curve& c) { return std::is_sorted(c.x.begin(), c.x.end()); };
    if (curves.size() > 1 && over == Over::shear && x.percent && std::all_of(curves.begin(), curves.end(), rises))
      mean = mean_curve(curves);
    if (!mean.x.empty()) {
      for (Curve& c : curves) c.faint = true;
      mean.label =
          fmt::format("{}mean of {} ± standard deviation", ensembles_.size() > 1 ? e.label + ", " : "", curves.size());
      mean.colour = own;
    }
    // Without a mean the first replicate stands for its ensemble in the legend.
    else if (e.runs.size() > 1 && ensembles_.size() > 1)
      for (std::size_t k = 0; k < curves.size(); ++k)
        curves[k].label = k ? curves[k].label : e.label, curves[k].faint = k > 0;
    else if (e.runs.size() > 1)
      for (std::size_t k = 0; k < curves.size(); ++k) curves[k].colour = static_cast<int>(k);
    std::move(curves.begin(), curves.end(), std::back_inserter(chart.curves));
    if (!mean.x.empty()) chart.curves.push_back(std::move(mean));
  }
}

Curve mean_curve(const std::vector<Curve>& curves, std::size_t points) {
  double begin = -std::numeric_limits<double>::infinity(), end = -begin;
  for (const Curve& c : curves) {
    if (c.x.size() < 2) return {};
    begin = std::max(begin, c.x.front());
    end = std::min(end, c.x.back());
  }
  Curve out;
  if (curves.size() < 2 || !(end > begin)) return out;
  for (std::size_t k = 0; k < points; ++k) {
    const double x = begin + (end - begin) * double(k) / double(points - 1);
    double sum = 0, squares = 0;
    for (const Curve& c : curves) sum += value_at(c, x);
    const double mean = sum / double(curves.size());
    for (const Curve& c : curves) squares += (value_at(c, x) - mean) * (value_at(c, x) - mean);
    const double deviation = std::sqrt(squares / double(curves.size() - 1));
    out.x.push_back(x);
    out.y.push_back(mean);
    out.low.push_back(mean - deviation);
    out.high.push_back(mean + deviation);
  }
  return out;
}

}  // namespace talus::report
