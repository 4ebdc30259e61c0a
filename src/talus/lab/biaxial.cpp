#include <talus/lab/biaxial.hpp>

#include <algorithm>
#include <cmath>

#include <talus/lab/membrane_stages.hpp>
#include <talus/lab/series_rows.hpp>
#include <talus/measure/shear_band.hpp>

namespace talus::lab {

std::vector<Real> smoothed(const std::vector<Real>& strain, const std::vector<Real>& values, Real window) {
  std::vector<Real> out(values.size());
  for (std::size_t i = 0, from = 0, to = 0; i < values.size(); ++i) {
    while (strain[from] < strain[i] - window / 2) ++from;
    while (to < values.size() && strain[to] <= strain[i] + window / 2) ++to;
    Real sum = 0;
    for (std::size_t k = from; k < to; ++k) sum += values[k];
    out[i] = sum / Real(to - from);
  }
  return out;
}

std::optional<Real> slope_at(const std::vector<Real>& strain, const std::vector<Real>& values, Real at, Real window) {
  Real n = 0, x = 0, y = 0;
  const auto each = [&](auto&& f) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::abs(strain[i] - at) <= window / 2) f(strain[i], values[i]);
  };
  each([&](Real a, Real b) { n += 1, x += a, y += b; });
  if (n < 3) return std::nullopt;
  Real above = 0, below = 0;
  each([&](Real a, Real b) {
    above += (a - x / n) * (b - y / n);
    below += (a - x / n) * (a - x / n);
  });
  return below > 0 ? std::optional(above / below) : std::nullopt;
}

namespace {

constexpr Real smoothing = 0.001;     // of strain, for peaks
constexpr Real slope_window = 0.005;  // of strain, for the rate of dilation

struct RveFigure {
  const char *name, *unit;
  Definition definition;
};
const RveFigure rve_figures[] = {
    {"e_rve", "1",
     {"void ratio at the end in a circle of a tenth of the sample around the place where grains turned most", "void ratio where grains turned most", "e_rve", FigureGroup::sample}},
    {"rve_x", "m", {"its centre", "place of that circle, x", "x_rve", FigureGroup::sample}},
    {"rve_y", "m", {"its centre", "place of that circle, y", "y_rve", FigureGroup::sample}},
    {"rve_radius", "m", {"its radius", "radius of that circle", "r_rve", FigureGroup::sample}}};

Real angle(Real axial, Real lateral) { return std::asin((axial - lateral) / (axial + lateral)) * 180 / pi; }

Real per_force(const Observation<2>& seen) { return 1 / (seen.rays().width() * seen.model.options.thickness); }

Real axial_stress(const Observation<2>& seen) {
  return per_force(seen) * seen.state.bodies.force[seen.state.grains() + seen.model.membrane.cap].y;
}

Real lateral_stress(const Observation<2>& seen) {
  const Bodies<2>& b = seen.state.bodies;
  std::vector<std::pair<u32, Real>> pushes;  // by uid: where bodies lie in memory leaves no trace in the sum
  for (std::size_t i = 0; i < seen.state.grains(); ++i)
    if (const Real push = b.applied[i].x; push != 0) pushes.emplace_back(b.uid[i], std::abs(push));
  std::sort(pushes.begin(), pushes.end());
  Real pushed = 0;  // N, of both sides
  for (const auto& [uid, push] : pushes) pushed += push;
  return 0.5 * pushed / (seen.rays().height() * seen.model.options.thickness);
}

PressMemory start(const Observation<2>& seen) { return recall<PressMemory>(seen.state); }
bool shears(const Observation<2>& seen) { return start(seen).area > 0 && start(seen).height > 0; }

// ---- figures -----------------------------------------------------------------------------------------------------------

constexpr const char* no_shear = "the sample was not sheared";

// A column, of the rows of the shear stage.
std::vector<Real> of_shear(const SeriesData& series, const char* name) {
  std::vector<Real> out;
  const auto it = series.find(name), strain = series.find("eps_a");
  if (it == series.end() || strain == series.end()) return out;
  for (std::size_t k = 0; k < std::min(it->second.size(), strain->second.size()); ++k)
    if (std::isfinite(strain->second[k])) out.push_back(it->second[k]);
  return out;
}

void add_figure(Figures& out, const char* name, std::optional<Real> value, const char* unit, Definition definition,
                const char* reason = no_shear) {
  add_known(out, name, value, unit, definition, reason);
}

std::optional<Real> most(const std::vector<Real>& v) {
  return v.empty() ? std::nullopt : std::optional(*std::max_element(v.begin(), v.end()));
}
std::optional<Real> least(const std::vector<Real>& v) {
  return v.empty() ? std::nullopt : std::optional(*std::min_element(v.begin(), v.end()));
}
std::optional<Real> first(const std::vector<Real>& v) { return v.empty() ? std::nullopt : std::optional(v.front()); }

// Where the angle of friction is largest: the angle, deg, and the axial strain.
struct Peak {
  std::optional<Real> angle, strain;
};
Peak peak_of(const std::vector<Real>& strain, const std::vector<Real>& axial, const std::vector<Real>& lateral) {
  Peak peak;
  if (strain.size() <= 3) return peak;
  const auto s1 = smoothed(strain, axial, smoothing), s2 = smoothed(strain, lateral, smoothing);
  for (std::size_t k = 0; k < strain.size(); ++k)
    if (const Real phi = angle(s1[k], s2[k]); std::isfinite(phi) && (!peak.angle || phi > *peak.angle))
      peak = {phi, strain[k]};
  return peak;
}

void add_strength(const SeriesData& series, Figures& out) {
  const auto strain = of_shear(series, "eps_a"), axial = of_shear(series, "sigma1"),
             lateral = of_shear(series, "sigma2");
  const Peak peak = peak_of(strain, axial, lateral);
  std::optional<Real> critical;
  Real sum1 = 0, sum2 = 0;
  int count = 0;
  for (std::size_t k = 0; k < strain.size(); ++k)
    if (strain[k] >= 0.10 && strain[k] <= 0.15) sum1 += axial[k], sum2 += lateral[k], ++count;
  if (strain.size() > 3 && count > 0 && strain.back() > 0.149) critical = angle(sum1, sum2);
  add_figure(out, "phi_peak_deg", peak.angle, "deg",
      {"largest asin((s1 - s2) / (s1 + s2)) of stresses averaged over 0.1 % of strain", "peak friction angle", "φ_p"});
  add_figure(out, "strain_at_peak", peak.strain, "1", {"axial strain there", "axial strain at the peak", "ε_a,p"});
  add_figure(out, "phi_crit_deg", critical, "deg", {"the same of stresses averaged over axial strains from 10 to 15 %", "critical friction angle", "φ_cs"},
      "the strain did not reach 15 %");
}

// Void ratio, change of area, and its rate over the axial strain.
void add_dilation(const SeriesData& series, Figures& out) {
  const auto strain = of_shear(series, "eps_a"), volume = of_shear(series, "eps_v"),
             voids = of_shear(series, "void_ratio");
  const std::size_t n = strain.size();
  const Peak peak = peak_of(strain, of_shear(series, "sigma1"), of_shear(series, "sigma2"));
  std::optional<Real> at_peak, largest, at_largest;
  if (peak.strain) at_peak = slope_at(strain, volume, *peak.strain, slope_window);
  if (at_peak) at_peak = -*at_peak;
  for (std::size_t k = 0; k < n && n > 3; ++k) {
    if (strain[k] < strain[0] + slope_window / 2 || strain[k] > strain[n - 1] - slope_window / 2) continue;
    if (const auto rate = slope_at(strain, volume, strain[k], slope_window); rate && (!largest || -*rate > *largest)) {
      largest = -*rate;
      at_largest = strain[k];
    }
  }
  add_figure(out, "e0", first(voids), "1", {"void ratio of the whole sample before shear", "void ratio before shear", "e_0", FigureGroup::sample});
  add_figure(out, "e_end", last_of(voids), "1", {"void ratio of the whole sample at the end", "void ratio at the end", "e_end", FigureGroup::sample});
  add_figure(out, "eps_v_final", last_of(volume), "1", {"change of area over the area before shear, compression positive", "volumetric strain at the end", "ε_v,end"});
  add_figure(out, "dilation_rate_peak", at_peak, "1", {"-d eps_v / d eps_a at the peak, over 0.5 % of strain", "dilation rate at the peak", "D_p"});
  const char* too_short = "the strain did not reach 0.5 %";
  add_figure(out, "dilation_rate_max", largest, "1", {"the largest -d eps_v / d eps_a over 0.5 % of strain", "largest dilation rate", "D_max"}, too_short);
  add_figure(out, "strain_at_dilation_max", at_largest, "1", {"axial strain there", "axial strain at the largest dilation rate", "ε_a,D"}, too_short);
}

// Was the test slow, stiff and closed?
void add_validity(const SeriesData& series, Figures& out) {
  const std::size_t n = of_shear(series, "eps_a").size();
  add_figure(out, "inertial_number_max", most(of_shear(series, "inertial_number")), "1",
      {"largest I = rate D50 sqrt(density / p) during shear", "largest inertial number", "I_max", FigureGroup::quality});
  const auto overlap = most(of_shear(series, "max_overlap"));
  add_figure(out, "penetration_max_rel", overlap ? std::optional(*overlap / 2) : overlap, "1",
      {"largest overlap over the diameter of the smaller grain, during shear", "largest overlap during shear", "δ_max/d", FigureGroup::quality});
  add_figure(out, "ray_force_ratio", least(of_shear(series, "ray_force_ratio")), "1",
      {"least share of the membrane's force that met a grain, during shear", "share of the membrane that pushes grains", "", FigureGroup::quality});
  std::optional<Real> missing, mismatch;
  const auto residual = of_shear(series, "residual"), work = of_shear(series, "boundary_work");
  if (n > 1 && residual.size() == n && work.size() == n)
    missing = std::abs(residual[n - 1] - residual[0]) / std::abs(work[n - 1] - work[0]);
  add_figure(out, "energy_balance_rel", missing, "1", {"energy-balance error during shear, over the work put in", "energy-balance error", "", FigureGroup::quality});
  Real sum_cap = 0, sum_base = 0;
  for (const Real v : of_shear(series, "sigma1")) sum_cap += v;
  for (const Real v : of_shear(series, "sigma1_base")) sum_base += v;
  if (n > 0 && sum_cap > 0) mismatch = std::abs(sum_cap - sum_base) / sum_cap;
  add_figure(out, "platen_force_mismatch", mismatch, "1",
      {"difference of the platens' mean forces during shear over that of the cap", "difference of the platen forces", "", FigureGroup::quality});
}

class BiaxialAnalysis final : public Analysis<2> {
 public:
  std::string_view kind() const override { return "biaxial"; }

  Channels<2> channels() const override {
    const auto while_membrane_acts = [](Real (*value)(const Observation<2>&)) {
      return [value](const Observation<2>& seen) { return seen.model.membrane.stress > 0 ? value(seen) : NAN; };
    };
    const auto add = [&](const char* name, const char* unit, const char* meaning,
                         Real (*value)(const Observation<2>&)) {
      return Channel<2>{name, unit, meaning, while_membrane_acts(value)};
    };
    using Seen = Observation<2>;
    return {
        add("sigma1", "Pa", "force on the cap, along y, over mean width and thickness", &axial_stress),
        add("sigma1_base", "Pa", "force on the base, along y, over mean width and thickness",
            [](const Seen& s) {
              return -per_force(s) * s.state.bodies.force[s.state.grains() + s.model.membrane.base].y;
            }),
        add("sigma2", "Pa", "force of the membrane, mean of both sides, over height and thickness", &lateral_stress),
        add("phi_m", "deg", "asin((σ1 − σ2)/(σ1 + σ2)) of the row, σ1 by the cap",
            [](const Seen& s) { return angle(axial_stress(s), lateral_stress(s)); }),
        add("eps_a", "1",
            "(h0 − h)/h0 from the start of a press stage with membrane = true, h from base to cap; nan elsewhere",
            [](const Seen& s) { return shears(s) ? 1 - s.rays().height() / start(s).height : NAN; }),
        add("eps_v", "1", "(A0 − A)/A0 there, A = Σ over rays of (right − left) × spacing; nan elsewhere",
            [](const Seen& s) { return shears(s) ? 1 - s.rays().area() / start(s).area : NAN; }),
        add("void_ratio", "1", "area A between the two sides over that of the grains, less one",
            [](const Seen& s) { return measure::void_ratio(s.model, s.state, s.rays()); }),
        add("mean_width", "m", "A/h", [](const Seen& s) { return s.rays().width(); }),
        add("ray_force_ratio", "1", "share of the rays that met a grain: the others push nothing",
            [](const Seen& s) { return s.rays().share_hit(); })};
  }

  Figures figures(const SeriesData& series) const override {
    Figures out;
    add_strength(series, out);
    add_dilation(series, out);
    // Measured by stage_end where shear came to an end, or the run was stopped in it.
    const bool sheared = !of_shear(series, "eps_a").empty();
    for (const RveFigure& f : rve_figures)
      add_figure(out, f.name, std::nullopt, f.unit, f.definition, sheared ? "shear did not come to its end" : no_shear);
    add_validity(series, out);
    return out;
  }

  void stage_end(const Observation<2>& seen, bool shear, Figures& out) const override {
    if (!shear || !(seen.model.membrane.stress > 0)) return;
    const Rays& rays = seen.rays();
    const Circle rve = measure::rve_of(seen.state, rays);
    const bool found = rve.radius > 0;
    const Real values[] = {found ? measure::void_ratio_in(seen.model, seen.state, rve) : 0, rve.centre.x, rve.centre.y,
                           rve.radius};
    for (std::size_t k = 0; k < std::size(rve_figures); ++k) {
      const RveFigure& f = rve_figures[k];
      out.push_back({f.name, found ? std::optional(values[k]) : std::nullopt, f.unit, f.definition,
                     found ? "" : "no circle of a tenth of the sample fits into it"});
    }
  }
};

}  // namespace

std::unique_ptr<Analysis<2>> biaxial_analysis() { return std::make_unique<BiaxialAnalysis>(); }

}  // namespace talus::lab
