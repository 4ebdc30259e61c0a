#include <talus/lab/dam_break.hpp>

#include <algorithm>
#include <cmath>

#include <talus/lab/series_rows.hpp>

namespace talus::lab {
namespace {

// Linear between rows; nothing beyond them.
std::optional<Real> value_at(const std::vector<Real>& x, const std::vector<Real>& y, Real where) {
  for (std::size_t k = 1; k < std::min(x.size(), y.size()); ++k)
    if (x[k - 1] <= where && where <= x[k])
      return x[k] > x[k - 1] ? y[k - 1] + (y[k] - y[k - 1]) * (where - x[k - 1]) / (x[k] - x[k - 1]) : y[k];
  return std::nullopt;
}

class DamBreakAnalysis final : public Analysis<2> {
 public:
  explicit DamBreakAnalysis(const DamBreak& dam) : dam_(dam) {}
  std::string_view kind() const override { return "dam-break"; }

  Channels<2> channels() const override {
    using Seen = Observation<2>;
    return {{"front", "1", "position of the front (foremost particle plus half a spacing), over the width of the column",
             [this](const Seen& s) { return extent(s, 0) / dam_.width; }},
            {"column_height", "1", "height of the column (highest particle plus half a spacing), over its width",
             [this](const Seen& s) { return extent(s, 1) / dam_.width; }},
            {"dam_time", "1", "t √(2g/a), a the width of the column",
             [this](const Seen& s) { return s.state.globals.time * std::sqrt(2 * dam_.gravity / dam_.width); }}};
  }

  Figures figures(const SeriesData& series) const override {
    const auto time = rows_if_any(series, "dam_time"), front = rows_if_any(series, "front");
    const char* short_of = "the run ends before the last measurement";
    Figures out;
    add_known(out, "error", front_error(time, front, 0.2), "1",
        {"largest relative error of the front against Martin and Moyce 1952, after the best shift of time up to 0.2", "error of the front"}, short_of);
    add_known(out, "tolerance", 0.1, "1", {"tolerance of the error", "allowed error"}, "");
    const auto early = value_at(time, front, 2.0), late = value_at(time, front, 4.03);
    const Real measured = (4.94 - 2.29) / (4.03 - 2.0);
    add_known(out, "slope_error", early && late ? std::optional((*late - *early) / (4.03 - 2.0) / measured - 1) : std::nullopt, "1",
        {"speed of the front from T = 2 to 4.03 over the measured one, minus 1", "error of the front speed"}, short_of);
    Real fastest = 0;
    for (std::size_t k = 10; k < std::min(time.size(), front.size()); k += 10)
      if (time[k] < 4.03 && time[k] > time[k - 10])
        fastest = std::max(fastest, (front[k] - front[k - 10]) / (time[k] - time[k - 10]));
    add_known(out, "front_speed_over_ritter", fastest / 2, "1",
        {"fastest front over ten rows up to T = 4.03, over Ritter's bound 2 sqrt(2 a g)", "front speed over Ritter's bound"}, "");
    return out;
  }

 private:
  Real extent(const Observation<2>& seen, int k) const {
    Real most = 0;
    for (const Vec2& x : seen.state.particles.position) most = std::max(most, x[k]);
    return most + dam_.spacing / 2;
  }
  DamBreak dam_;
};

class HydrostaticAnalysis final : public Analysis<2> {
 public:
  explicit HydrostaticAnalysis(const Hydrostatic& tank) : tank_(tank) {}
  std::string_view kind() const override { return "hydrostatic"; }
  Channels<2> channels() const override {
    using Seen = Observation<2>;
    return {{"pressure_error", "1", "root mean square of p − ρ0 g depth over that of ρ0 g depth, the top two rows left out",
             [this](const Seen& s) { return error(s); }},
            {"mean_height", "m", "mean height of all particles",
             [](const Seen& s) {
               Real sum = 0;
               for (const Vec2& x : s.state.particles.position) sum += x.y;
               return sum / Real(std::max<std::size_t>(1, s.state.particles.size()));
             }},
            {"speed_max", "m/s", "speed of the fastest particle", [](const Seen& s) {
               Real most = 0;
               for (const Vec2& v : s.state.particles.velocity) most = std::max(most, length(v));
               return most;
             }}};
  }
  Figures figures(const SeriesData& series) const override {
    const auto error = rows_if_any(series, "pressure_error"), height = rows_if_any(series, "mean_height"), speed = rows_if_any(series, "speed_max");
    const char* no_rows = "no row was written";
    Figures out;
    add_known(out, "error", last_of(error), "1", {"of the pressure at the end: root mean square over that of rho0 g depth", "error of the pressure"}, no_rows);
    add_known(out, "tolerance", 0.02, "1", {"tolerance of the error", "allowed error"}, "");
    add_known(out, "speed_final", last_of(speed), "m/s", {"speed of the fastest particle at the end", "largest speed at the end", "v_max", FigureGroup::quality}, no_rows);
    add_known(out, "height_drift_over_spacing",
        height.empty() ? std::nullopt : std::optional((height.back() - height.front()) / tank_.spacing), "1",
        {"change of the mean height of particles over their spacing", "change of the mean height", "", FigureGroup::quality}, no_rows);
    return out;
  }

 private:
  Real error(const Observation<2>& seen) const {
    const auto& p = seen.state.particles;
    Real squares = 0, all = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const Real depth = tank_.surface - p.position[i].y, exact = tank_.density * tank_.gravity * depth;
      if (depth < 2 * tank_.spacing) continue;
      squares += (p.pressure[i] - exact) * (p.pressure[i] - exact);
      all += exact * exact;
    }
    return all > 0 ? std::sqrt(squares / all) : 0;
  }
  Hydrostatic tank_;
};

}  // namespace

const std::vector<FrontPoint>& martin_moyce() {
  static const std::vector<FrontPoint> points{{0.83, 1.22}, {1.22, 1.47}, {2.00, 2.29}, {2.55, 3.00}, {3.35, 4.13}, {4.03, 4.94}};
  return points;
}

std::optional<Real> front_error(const std::vector<Real>& time, const std::vector<Real>& place, Real most) {
  std::optional<Real> least;
  for (int n = -20; n <= 20; ++n) {
    const Real shift = most * n / 20;
    std::optional<Real> worst = 0.0;
    for (const FrontPoint& p : martin_moyce()) {
      const auto here = value_at(time, place, p.time + shift);
      worst = here && worst ? std::optional(std::max(*worst, std::abs(*here / p.place - 1))) : std::nullopt;
    }
    if (worst && (!least || *worst < *least)) least = worst;
  }
  return least;
}

std::unique_ptr<Analysis<2>> dam_break_analysis(const DamBreak& dam) { return std::make_unique<DamBreakAnalysis>(dam); }
std::unique_ptr<Analysis<2>> hydrostatic_analysis(const Hydrostatic& tank) { return std::make_unique<HydrostaticAnalysis>(tank); }

}  // namespace talus::lab
