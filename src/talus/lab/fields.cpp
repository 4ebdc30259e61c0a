#include <talus/lab/fields.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <talus/lab/series_rows.hpp>

namespace talus::lab {

Real ClampedPlate::deflection() const {
  const Real plane = young / (1 - poisson * poisson), shear = young / (2 * (1 + poisson));
  const Real bending = load * std::pow(span, 4) / (384 * plane * std::pow(thickness, 3) / 12);
  return bending + load * span * span / (8 * shear * thickness * 5 / 6);
}

Real Bench::critical_height() const { return weight > 0 ? Real(3.83) * cohesion / weight * std::tan(pi / 4 + friction / 2) : 0; }

namespace {

class PlateAnalysis final : public Analysis<2> {
 public:
  explicit PlateAnalysis(const ClampedPlate& plate) : plate_(plate) {}
  std::string_view kind() const override { return "plate"; }
  Channels<2> channels() const override {
    return {{"plate_sinks", "m", "mean deflection of the particles of the plate within a twentieth of the span around its middle, since they were laid", [this](const Observation<2>& s) {
               const auto& p = s.state.particles;
               Real low = HUGE_VAL, high = -HUGE_VAL;
               for (std::size_t i = 0; i < p.size(); ++i)
                 if (p.body[i] == plate_.body) low = std::min(low, p.origin[i].x), high = std::max(high, p.origin[i].x);
               std::vector<std::pair<u32, Real>> ways;  // by uid: one order of sums
               for (std::size_t i = 0; i < p.size(); ++i)
                 if (p.body[i] == plate_.body && std::abs(p.origin[i].x - (low + high) / 2) < plate_.span / 20) ways.emplace_back(p.uid[i], p.origin[i].y - p.position[i].y);
               std::sort(ways.begin(), ways.end());
               Real sum = 0;
               for (const auto& [uid, way] : ways) sum += way;
               return ways.empty() ? 0 : sum / Real(ways.size());
             }}};
  }
  Figures figures(const SeriesData& series) const override {
    const std::vector<Real> sinks = rows_of_column(series, "plate_sinks");
    std::optional<Real> mean, swing;
    if (const std::size_t half = sinks.size() / 2; sinks.size() > 9) {
      mean = std::accumulate(sinks.begin() + i64(half), sinks.end(), Real(0)) / Real(sinks.size() - half);
      const auto [low, high] = std::minmax_element(sinks.begin() + i64(half), sinks.end());
      swing = (*high - *low) / 2;
    }
    Figures out;
    add_known(out, "deflection", mean, "m", {"deflection of the plate's middle, mean over the second half of the rows", "deflection of the plate", "w"});
    add_known(out, "deflection_swing", swing, "m", {"half the amplitude that is left in these rows", "remaining oscillation of the plate", "", FigureGroup::quality});
    add_known(out, "deflection_exact", plate_.deflection(), "m", {"after Timoshenko, of a clamped plate in plane strain under the liquid's and its own weight", "deflection by Timoshenko", "w_T"});
    add_known(out, "error", mean ? std::optional(std::abs(*mean / plate_.deflection() - 1)) : std::nullopt, "1", {"|deflection/deflection_exact − 1|", "error of the deflection"});
    add_known(out, "tolerance", 0.1, "1", {"tolerance of the error", "allowed error"});
    return out;
  }

 private:
  ClampedPlate plate_;
};

template <int D>
class BenchAnalysis final : public Analysis<D> {
 public:
  explicit BenchAnalysis(const Bench& bench) : bench_(bench) {}
  std::string_view kind() const override { return "landslide"; }
  Channels<D> channels() const override {
    using Seen = Observation<D>;
    return {{"toe", "m", "distance within which 99.5 % of the particles lie along x, and half a spacing, less the length of the bench",
             [this](const Seen& s) {
               std::vector<Real> far;
               for (const Vec<D>& x : s.state.particles.position) far.push_back(x[0]);
               if (far.empty()) return Real(0);
               const std::size_t at = std::min(far.size() - 1, std::size_t(0.995 * Real(far.size())));
               std::nth_element(far.begin(), far.begin() + i64(at), far.end());
               return far[at] + bench_.spacing / 2 - bench_.length;
             }},
            {"top", "m", "highest particle, and half a spacing",
             [this](const Seen& s) {
               Real most = 0;
               for (const Vec<D>& x : s.state.particles.position) most = std::max(most, x[D - 1]);
               return most + bench_.spacing / 2;
             }},
            {"sheared_share", "1", "share of the particles whose plastic strain is above 0.2",
             [](const Seen& s) {
               const auto& strain = s.state.particles.plastic_strain;
               std::size_t count = 0;
               for (const Real e : strain) count += e > 0.2;
               return strain.empty() ? 0 : Real(count) / Real(strain.size());
             }},
            {"speed_max", "m/s", "speed of the fastest particle", [](const Seen& s) {
               Real most = 0;
               for (const Vec<D>& v : s.state.particles.velocity) most = std::max(most, length(v));
               return most;
             }}};
  }
  Figures figures(const SeriesData& series) const override {
    const auto toe = last_of(rows_of_column(series, "toe"));
    Figures out;
    add_known(out, "runout_over_height", toe ? std::optional(*toe / bench_.height) : std::nullopt, "1", {"displacement of the toe along x at the end, over the height of the bench", "displacement of the toe over the height"});
    add_known(out, "top_over_height", last_of(rows_of_column(series, "top")) ? std::optional(*last_of(rows_of_column(series, "top")) / bench_.height) : std::nullopt, "1", {"height at the end over that at the start", "height at the end over that at the start"});
    add_known(out, "sheared_share", last_of(rows_of_column(series, "sheared_share")), "1", {"share of the particles whose plastic strain is above 0.2 at the end: the band, and what slid over it", "sheared share of the soil"});
    add_known(out, "critical_height", bench_.critical_height(), "m", {"height from which an upright face fails: 3.83 c/gamma tan(45 deg + phi/2)", "critical height", "H_c"});
    add_known(out, "height_over_critical", bench_.critical_height() > 0 ? std::optional(bench_.height / bench_.critical_height()) : std::nullopt, "1", {"height of the bench over the critical one", "height over the critical height", "H/H_c"});
    add_known(out, "speed_final", last_of(rows_of_column(series, "speed_max")), "m/s", {"speed of the fastest particle at the end", "speed at the end", "v_end", FigureGroup::quality});
    return out;
  }

 private:
  Bench bench_;
};

}  // namespace

std::unique_ptr<Analysis<2>> plate_analysis(const ClampedPlate& plate) { return std::make_unique<PlateAnalysis>(plate); }
template <int D>
std::unique_ptr<Analysis<D>> bench_analysis(const Bench& bench) {
  return std::make_unique<BenchAnalysis<D>>(bench);
}
template std::unique_ptr<Analysis<2>> bench_analysis(const Bench&);
template std::unique_ptr<Analysis<3>> bench_analysis(const Bench&);

}  // namespace talus::lab
