#include <talus/lab/results.hpp>

#include <algorithm>
#include <cmath>

#include <talus/lab/series_rows.hpp>

namespace talus::lab {

namespace {

constexpr const char* too_few_rows = "the series has fewer than four rows of this stage";

struct Part {  // rows of one stage
  std::vector<std::size_t> rows;
  const SeriesData& series;
  std::size_t size() const { return rows.size(); }
  bool has(const char* name) const { return !rows.empty() && series.count(name); }
  Real at(const std::string& name, std::size_t k) const { return series.at(name)[rows[k]]; }
  Real last(const std::string& name) const { return at(name, rows.size() - 1); }
};

Part rows_of(const SeriesData& series, int stage) {
  Part p{{}, series};
  const auto it = series.find("stage");
  if (it == series.end()) return p;
  for (std::size_t i = 0; i < it->second.size(); ++i)
    if (int(it->second[i]) == stage) p.rows.push_back(i);
  return p;
}

Real friction_angle(Real axial, Real lateral) { return std::asin((axial - lateral) / (axial + lateral)) * 180 / pi; }

void add(Figures& out, const char* name, std::optional<Real> value, const char* unit, Definition definition) {
  add_known(out, name, value, unit, definition, too_few_rows);
}

// Simple shear: the shear stress over the plane across the axis.
void add_simple_shear(const Part& part, Figures& out) {
  Real most = 0, sum = 0, normal = 0;
  std::size_t count = 0;
  for (std::size_t k = 0; k < part.size(); ++k) {
    const Real tau = std::abs(part.at("tau", k));
    most = std::max(most, tau);
    if (part.at("shear_strain", k) < part.last("shear_strain") / 2) continue;
    sum += tau;
    normal += part.at("sigma_n", k);
    ++count;
  }
  add(out, "tau_max", most, "Pa", {"largest shear stress on the plane across the axis", "peak shear stress", "τ_max"});
  add(out, "tau_plateau", sum / Real(count), "Pa", {"its mean over the second half of the shear strain", "critical shear stress", "τ_cs"});
  add(out, "phi_plateau_deg", std::atan(sum / normal) * 180 / pi, "deg",
      {"atan(tau / normal stress) over the second half of the shear strain", "critical friction angle", "φ_cs"});
  add(out, "shear_strain_final", part.last("shear_strain"), "1", {"tilt of the cell at the end", "shear strain at the end", "γ_end", FigureGroup::sample});
}

struct Strength {
  Real q, phi;  // mean over rows, Pa; angle of friction, deg
};
Strength strength_of(const Part& part, std::size_t first, std::size_t end) {
  Real sum = 0, lateral = 0, axial = 0;
  for (std::size_t k = first; k < end; ++k) {
    sum += part.at("q", k);
    lateral += part.at("sigma_lateral", k);
    axial += part.at("sigma_n", k);
  }
  return {sum / Real(end - first), friction_angle(axial, lateral)};
}

// Peak: largest mean of q over a window of 1 % axial strain. Plateau: mean of q over the second half of the strain.
void add_compression(const Part& part, Figures& out) {
  const std::size_t n = part.size();
  std::optional<Real> peak, plateau, phi_peak, phi_plateau, strain_at_peak;
  if (n >= 4 && part.has("q")) {
    const Real end = part.last("axial_strain");
    const Real window = std::min(0.01, end / 4);
    for (std::size_t i = 0, j = 0; i < n; ++i) {
      while (j < n && part.at("axial_strain", j) <= part.at("axial_strain", i) + window) ++j;
      if (j == n && end < part.at("axial_strain", i) + 0.9 * window) break;
      const Strength here = strength_of(part, i, j);
      if (peak && !(here.q > *peak)) continue;
      peak = here.q;
      phi_peak = here.phi;
      strain_at_peak = part.at("axial_strain", i) + window / 2;
    }
    Part half{{}, part.series};
    for (std::size_t k = 0; k < n; ++k)
      if (part.at("axial_strain", k) >= end / 2) half.rows.push_back(part.rows[k]);
    const Strength late = strength_of(half, 0, half.size());
    plateau = late.q;
    phi_plateau = late.phi;
  }
  add(out, "q_peak", peak, "Pa", {"largest mean of q = axial - lateral stress over a window of 1 % axial strain", "peak deviator stress", "q_max"});
  add(out, "q_plateau", plateau, "Pa", {"mean of q over the second half of the axial strain", "critical deviator stress", "q_cs"});
  add(out, "phi_peak_deg", phi_peak, "deg",
      {"asin((s1 - s3) / (s1 + s3)) over the window of q_peak, s1 along the axis, s3 the stress held across it", "peak friction angle", "φ_p"});
  add(out, "phi_plateau_deg", phi_plateau, "deg",
      {"asin((s1 - s3) / (s1 + s3)) over the second half of the axial strain, s3 the stress held across the axis", "critical friction angle", "φ_cs"});
  add(out, "axial_strain_at_peak", strain_at_peak, "1", {"middle of the window of q_peak", "axial strain at the peak", "ε_a,p"});
}

// Energy-balance error during the stage, over the work put in.
std::optional<Real> energy_missing(const Part& part) {
  if (part.size() < 2 || !part.has("residual")) return std::nullopt;
  const Real work = part.last("boundary_work") - part.at("boundary_work", 0);
  return std::abs(part.last("residual") - part.at("residual", 0)) / std::abs(work);
}

}  // namespace

Figures shear_figures(const SeriesData& series, int stage) {
  const Part part = rows_of(series, stage);
  Figures out;
  if (part.has("tau") && std::abs(part.last("shear_strain")) > std::abs(part.last("axial_strain")))
    add_simple_shear(part, out);
  else
    add_compression(part, out);
  const auto first = [&](const char* name) {
    return part.has(name) ? std::optional<Real>(part.at(name, 0)) : std::nullopt;
  };
  const auto last = [&](const char* name) {
    return part.has(name) ? std::optional<Real>(part.last(name)) : std::nullopt;
  };
  std::optional<Real> fastest;
  for (std::size_t k = 0; k < part.size() && part.has("inertial_number"); ++k)
    fastest = std::max(fastest.value_or(-HUGE_VAL), part.at("inertial_number", k));
  add(out, "porosity0", first("porosity"), "1", {"porosity of the whole sample before shear", "porosity before shear", "n_0", FigureGroup::sample});
  if (series.count("porosity_ball"))
    add(out, "porosity_ball0", first("porosity_ball"), "1", {"porosity of the measurement ball before shear", "porosity before shear, inner ball", "n_0,ball", FigureGroup::sample});
  add(out, "Z0", first("Z"), "1", {"2 contacts / grains before shear, rattlers counted", "coordination number before shear", "Z_0", FigureGroup::sample});
  add(out, "Z_mechanical0", first("Z_mechanical"), "1", {"mean contacts of grains that carry force, before shear", "mechanical coordination number before shear", "Z_m,0", FigureGroup::sample});
  add(out, "axial_strain_final", last("axial_strain"), "1",
      {"logarithmic axial strain at the end, compression positive", "axial strain at the end", "ε_a,end", FigureGroup::sample});
  add(out, "eps_v_final", last("volumetric_strain"), "1",
      {"logarithmic volumetric strain at the end, compression positive", "volumetric strain at the end", "ε_v,end"});
  add(out, "inertial_number_max", fastest, "1", {"largest I = rate D50 sqrt(density / p) during shear", "largest inertial number", "I_max", FigureGroup::quality});
  add(out, "energy_residual_rel", energy_missing(part), "1",
      {"energy-balance error during shear, over the boundary work of shear", "energy-balance error", "", FigureGroup::quality});
  return out;
}

}  // namespace talus::lab
