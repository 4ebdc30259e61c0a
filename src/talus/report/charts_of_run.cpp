#include <talus/report/charts_of_run.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include <talus/report/units.hpp>

namespace talus::report {
namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

struct Quantity {
  std::string column, name;
  bool percent = false;
  bool main = false;  // the one to show when there are several runs; otherwise the first that is there
};

enum class Over { shear, run };  // rows of the shear stages, or all

using Rows = std::vector<std::size_t>;

struct Part {  // rows that make one curve
  std::string stage;
  Rows rows;
};

// Strains start from zero in every stage, so each shear stage is a curve of its own.
std::vector<Part> parts_of(const RunData& run, Over over) {
  const SeriesColumn* stage = run.series.find("stage");
  std::vector<Part> out;
  if (over == Over::shear && stage && !run.shear_stages.empty()) {
    for (const int wanted : run.shear_stages) {
      Part part;
      if (wanted >= 0 && static_cast<std::size_t>(wanted) < run.stages.size()) part.stage = run.stages[static_cast<std::size_t>(wanted)];
      for (std::size_t i = 0; i < run.series.rows; ++i)
        if (stage->values[i] == wanted) part.rows.push_back(i);
      if (!part.rows.empty()) out.push_back(std::move(part));
    }
    return out;
  }
  Part all;
  for (std::size_t i = 0; i < run.series.rows; ++i) all.rows.push_back(i);
  out.push_back(std::move(all));
  return out;
}

bool varies(const std::vector<double>& values) {
  const auto first = std::find_if(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
  return std::any_of(first, values.end(), [&](double v) { return std::isfinite(v) && v != *first; });
}

std::vector<double> pick(const SeriesColumn& column, const Rows& rows) {
  std::vector<double> out;
  out.reserve(rows.size());
  for (const std::size_t i : rows) out.push_back(column.values[i]);
  return out;
}

class Builder {
 public:
  explicit Builder(const std::vector<Ensemble>& ensembles) : ensembles_(ensembles) {
    for (const Ensemble& e : ensembles)
      for (const RunData* run : e.runs) runs_.push_back(run);
    const auto spans = [](const RunData* run) {
      const SeriesColumn* time = run->series.find("time");
      return time && varies(time->values);
    };
    time_ = std::all_of(runs_.begin(), runs_.end(), spans) ? Quantity{"time", "Time"} : Quantity{"step", "Step"};
  }

  // With one run, every y; with several, one: more would be a tangle.
  void add(Chart chart, const Quantity& x, const std::vector<Quantity>& ys, Over over, const std::vector<Quantity>& targets = {}) {
    std::vector<Quantity> shown;
    for (const Quantity& y : ys) {
      seen_.insert(y.column);
      if (!has(y.column) || (ys.size() > 1 && is_zero(y.column))) continue;
      if (runs_.size() > 1 && !shown.empty() && !y.main) continue;
      if (runs_.size() > 1) shown.clear();
      shown.push_back(y);
    }
    if (shown.empty() || !has(x.column)) return;
    const Scale x_scale = scale_of({x}, over), y_scale = scale_of(shown, over);

    int colour = 0;
    for (const Quantity& y : shown) {
      for (const Ensemble& e : ensembles_) add_ensemble(chart, e, x, y, over, x_scale, y_scale, colour, shown.size() > 1);
      if (runs_.size() == 1)
        for (const Quantity& t : targets)
          if (t.name == y.name && has(t.column)) {
            seen_.insert(t.column);
            for (Curve& c : curves_of(*runs_[0], x, t, over, x_scale, y_scale, chart)) {
              c.label = "target " + y.name;
              c.colour = colour - 1;
              chart.reference.push_back(std::move(c));
            }
          }
    }
    std::erase_if(chart.curves, [](const Curve& c) { return !varies(c.x); });
    if (chart.curves.empty()) return;

    chart.x_label = axis_label(x.name, x_scale);
    if (chart.y_label.empty()) chart.y_label = shown[0].name;
    else if (runs_.size() > 1) chart.y_label += ", " + shown[0].name;
    chart.y_label = axis_label(chart.y_label, y_scale);
    if (over == Over::run && runs_.size() == 1) chart.marks = stage_marks(*runs_[0], x, x_scale);
    charts_.push_back(std::move(chart));
  }

  void add_sizes() {
    Chart chart{"Grading curve", "Grain diameter (mm)", "Passing by mass (%)", {}, {}, "", true, false, {}, "Grains and contacts"};
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
        if (run->sizes) {
          chart.curves.push_back(scaled(*run->sizes, runs_.size() == 1 ? "sample" : run->label));
          chart.curves.back().colour = colour;
          if (run != e.runs[0]) chart.curves.back().faint = true;
        }
      ++colour;
      if (e.runs[0]->target_sizes && e.runs[0]->sizes)
        chart.reference.push_back(scaled(*e.runs[0]->target_sizes, runs_.size() == 1 ? "asked for by the scene" : "asked for, " + e.label));
    }
    if (!chart.curves.empty()) charts_.push_back(std::move(chart));
  }

  void see(const std::string& column) { seen_.insert(column); }

  void add_unknown() {
    for (const RunData* run : runs_)
      for (const SeriesColumn& column : run->series.columns) {
        if (seen_.contains(column.name)) continue;
        if (!varies(column.values)) {
          seen_.insert(column.name);
          continue;
        }
        add(Chart{.title = column.name, .x_label = {}, .y_label = {}, .curves = {}, .reference = {}, .note = {}, .marks = {},
                  .group = "Further probes"},
            time_, {{column.name, column.name}}, Over::run);
      }
  }

  const Quantity& time() const { return time_; }
  bool has(const std::string& column) const {
    return std::any_of(runs_.begin(), runs_.end(), [&](const RunData* r) { return r->series.find(column) != nullptr; });
  }
  bool moves(const std::string& column, Over over) const {
    return std::any_of(runs_.begin(), runs_.end(), [&](const RunData* run) {
      const SeriesColumn* c = run->series.find(column);
      const auto parts = parts_of(*run, over);
      return c && std::any_of(parts.begin(), parts.end(), [&](const Part& p) { return largest(pick(*c, p.rows)) > 1e-9; });
    });
  }
  std::vector<Chart> take() { return std::move(charts_); }

 private:
  bool is_zero(const std::string& column) const {
    return std::all_of(runs_.begin(), runs_.end(), [&](const RunData* r) {
      const SeriesColumn* c = r->series.find(column);
      return !c || largest(c->values) == 0;
    });
  }

  Scale scale_of(const std::vector<Quantity>& quantities, Over over) const {
    if (quantities[0].percent) return {100, "%"};
    double size = 0;
    std::string unit;
    for (const RunData* run : runs_)
      for (const Quantity& q : quantities)
        if (const SeriesColumn* column = run->series.find(q.column)) {
          unit = column->unit;
          for (const Part& part : parts_of(*run, over)) size = std::max(size, largest(pick(*column, part.rows)));
        }
    return pick_scale(unit, size);
  }

  static std::vector<Curve> curves_of(const RunData& run, const Quantity& x, const Quantity& y, Over over, const Scale& x_scale,
                                      const Scale& y_scale, const Chart& chart) {
    const SeriesColumn *xs = run.series.find(x.column), *ys = run.series.find(y.column);
    std::vector<Curve> out;
    if (!xs || !ys) return out;
    for (const Part& part : parts_of(run, over)) {
      Curve c;
      c.label = part.stage;
      c.x = pick(*xs, part.rows);
      c.y = pick(*ys, part.rows);
      for (double& v : c.x) v = chart.log_x && !(v > 0) ? gap : v * x_scale.factor;
      for (double& v : c.y) v = chart.log_y && !(v > 0) ? gap : v * y_scale.factor;
      if (std::any_of(c.y.begin(), c.y.end(), [](double v) { return std::isfinite(v); })) out.push_back(std::move(c));
    }
    return out;
  }

  void add_ensemble(Chart& chart, const Ensemble& e, const Quantity& x, const Quantity& y, Over over, const Scale& x_scale,
                    const Scale& y_scale, int& colour, bool several_ys) const {
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
        mean.label = fmt::format("{}mean of {} ± standard deviation", ensembles_.size() > 1 ? e.label + ", " : "", curves.size());
        mean.colour = own;
      }
      // Without a mean the first replicate stands for its ensemble in the legend.
      else if (e.runs.size() > 1 && ensembles_.size() > 1)
        for (std::size_t k = 0; k < curves.size(); ++k) curves[k].label = k ? curves[k].label : e.label, curves[k].faint = k > 0;
      else if (e.runs.size() > 1)
        for (std::size_t k = 0; k < curves.size(); ++k) curves[k].colour = static_cast<int>(k);
      std::move(curves.begin(), curves.end(), std::back_inserter(chart.curves));
      if (!mean.x.empty()) chart.curves.push_back(std::move(mean));
    }
  }

  static std::vector<Mark> stage_marks(const RunData& run, const Quantity& x, const Scale& scale) {
    const SeriesColumn *stage = run.series.find("stage"), *xs = run.series.find(x.column);
    std::vector<Mark> out;
    if (!stage || !xs) return out;
    double last = gap;
    for (std::size_t i = 0; i < run.series.rows; ++i) {
      const double now = stage->values[i];
      if (!std::isfinite(now) || now == last) continue;
      last = now;
      const auto index = static_cast<std::size_t>(std::max(0.0, now));
      // A stage begins where the one before ended: at its last row.
      const std::size_t row = i > 0 ? i - 1 : 0;
      out.push_back({xs->values[row] * scale.factor, index < run.stages.size() ? run.stages[index] : fmt::format("stage {}", index)});
    }
    if (out.size() < 2) out.clear();
    return out;
  }

  const std::vector<Ensemble>& ensembles_;
  std::vector<const RunData*> runs_;
  Quantity time_;
  std::set<std::string> seen_{"step", "time", "stage", "hash", "particle_steps_per_s"};
  std::vector<Chart> charts_;
};

Chart titled(std::string group, std::string title, std::string y_label = {}, std::string note = {}, bool log_y = false) {
  Chart chart;
  chart.group = std::move(group);
  chart.title = std::move(title);
  chart.y_label = std::move(y_label);
  chart.note = std::move(note);
  chart.log_y = log_y;
  return chart;
}

constexpr const char* mechanical_note =
    "Z counts all grains; the mechanical number leaves out grains with fewer than two contacts.";

void add_shear(Builder& b) {
  const std::string group = "Response to shear";
  const Quantity axial{"axial_strain", "Axial strain", true}, tilt{"shear_strain", "Shear strain", true};
  const bool is_tilted = !b.moves(axial.column, Over::shear) && b.moves(tilt.column, Over::shear);
  const Quantity strain = is_tilted ? tilt : axial;
  for (const Quantity& x : {axial, tilt}) b.see(x.column);
  const std::vector<Quantity> q{{"q", "Deviator stress q"}};

  if (is_tilted)
    b.add(titled(group, "Shear stress", "Shear stress"), strain,
          {{"sigma_xz", "σ xz"}, {"sigma_yz", "σ yz"}, {"sigma_xy", "σ xy"}}, Over::shear);
  else
    b.add(titled(group, "Deviator stress"), strain, q, Over::shear);
  b.add(titled(group, "Volumetric strain", "", "Compression is positive: the curve falls where the sample dilates."), strain,
        {{"volumetric_strain", "Volumetric strain", true}}, Over::shear);
  if (!is_tilted) b.add(titled(group, "Stress path"), {"p", "Mean stress p"}, q, Over::shear);
  b.add(titled(group, "Porosity", "Porosity"), strain, {{"porosity", "whole sample"}, {"porosity_ball", "measurement ball"}}, Over::shear);
  b.add(titled(group, "Coordination number", "Contacts per grain", b.has("Z_mechanical") ? mechanical_note : ""), strain,
        {{"Z", "Z"}, {"Z_mechanical", "Z mechanical"}}, Over::shear);
  b.add(titled(group, "Fabric", "Fabric tensor", "Mean of n ⊗ n over the contacts; equal components are isotropic."), strain,
        {{"fabric_xx", "xx"}, {"fabric_yy", "yy"}, {"fabric_zz", "zz", false, true}}, Over::shear);
}

void add_stages(Builder& b) {
  const std::string group = "Through the stages";
  const Quantity& time = b.time();
  b.add(titled(group, "Stress", "Stress", "Compression is positive."), time,
        {{"sigma_xx", "σ xx"}, {"sigma_yy", "σ yy"}, {"sigma_zz", "σ zz", false, true}}, Over::run,
        {{"target_xx", "σ xx"}, {"target_yy", "σ yy"}, {"target_zz", "σ zz"}});
  b.add(titled(group, "Shear stress", "Stress"), time, {{"sigma_xy", "σ xy"}, {"sigma_xz", "σ xz", false, true}, {"sigma_yz", "σ yz"}},
        Over::run);
  for (const char* ji : {"yx", "zx", "zy"}) b.see(std::string("sigma_") + ji);  // equal to the ones above at rest
  b.add(titled(group, "Porosity", "Porosity"), time, {{"porosity", "whole sample"}, {"porosity_ball", "measurement ball"}}, Over::run);
  b.add(titled(group, "Coordination number", "Contacts per grain"), time, {{"Z", "Z"}, {"Z_mechanical", "Z mechanical"}}, Over::run);
}

void add_grains(Builder& b) {
  const std::string group = "Grains and contacts";
  const Quantity& time = b.time();
  b.add_sizes();
  b.add(titled(group, "Contact force", "Normal force"), time,
        {{"force_mean", "mean"}, {"force_deviation", "standard deviation"}, {"force_max", "largest"}}, Over::run);
  b.add(titled(group, "Grains without support", "", "Share of grains with fewer than two contacts."), time,
        {{"rattlers", "Rattlers", true}}, Over::run);
  b.add(titled(group, "Mobilised friction", "", "Mean of tangential over normal force."), time,
        {{"mobilised_friction", "Mobilised friction"}}, Over::run);
}

void add_checks(Builder& b) {
  const std::string group = "Quality of the computation";
  const Quantity& time = b.time();
  b.add(titled(group, "Unbalanced force", "", "Resultant forces on the grains relative to their contact forces.", true), time,
        {{"unbalanced", "Unbalanced force ratio"}}, Over::run);
  b.add(titled(group, "Inertial number", "", "Below 10⁻³ the response hardly depends on the rate.", true), time,
        {{"inertial_number", "Inertial number I"}}, Over::run);
  b.add(titled(group, "Largest overlap", "", "Relative to the radius."), time, {{"max_overlap", "Largest overlap / R", true}}, Over::run);
  b.add(titled(group, "Servo error", "", "Difference of a controlled stress from its target, relative to the target.", true), time,
        {{"servo_error", "Servo error"}}, Over::run);
  b.add(titled(group, "Time step"), time, {{"dt", "Time step"}}, Over::run);
}

void add_energy(Builder& b) {
  const std::string group = "Energy";
  const Quantity& time = b.time();
  b.add(titled(group, "Work done and energy dissipated", "Energy since the start",
               "Each entry is measured on its own; none is a remainder of the others."),
        time,
        {{"boundary_work", "boundary work"},
         {"gravity_work", "gravity"},
         {"growth_work", "growth of grains"},
         {"initial_energy", "held at the start"},
         {"friction_work", "friction"},
         {"viscous_work", "viscous damping"},
         {"local_damping_work", "local damping"},
         {"stiffness_work", "change of stiffness"},
         {"removed_kinetic", "motion taken out"}},
        Over::run);
  b.add(titled(group, "Energy held, and what the ledger misses", "Energy"), time,
        {{"kinetic", "kinetic"}, {"elastic_normal", "elastic, normal", false, true}, {"elastic_shear", "elastic, shear"},
         {"residual", "residual of the ledger"}},
        Over::run);
  b.add(titled(group, "Residual of the energy ledger", "", "Relative to the largest of boundary, gravity and growth work."), time,
        {{"energy_residual_rel", "Relative residual", true}}, Over::run);
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

std::vector<Chart> charts_of_runs(const std::vector<Ensemble>& ensembles) {
  Builder b(ensembles);
  add_shear(b);
  add_stages(b);
  add_grains(b);
  add_energy(b);
  add_checks(b);
  for (const char* ij : {"xy", "xz", "yz"}) b.see(std::string("fabric_") + ij);
  b.add_unknown();
  return b.take();
}

}  // namespace talus::report
