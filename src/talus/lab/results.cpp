#include <talus/lab/results.hpp>

#include <algorithm>
#include <cmath>

namespace talus::lab {

namespace {

constexpr const char* missing = "the series has fewer than four rows of this stage";

struct Part {  // rows of one stage
  std::vector<std::size_t> rows;
  const SeriesData& series;
  Real at(const std::string& name, std::size_t k) const { return series.at(name)[rows[k]]; }
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

}  // namespace

Figures shear_figures(const SeriesData& series, int stage) {
  const Part part = rows_of(series, stage);
  const std::size_t n = part.rows.size();
  Figures out;
  const auto add = [&](const char* name, std::optional<Real> value, const char* unit, const char* definition) {
    const bool known = value && std::isfinite(*value);
    out.push_back({name, known ? value : std::nullopt, unit, definition, known ? "" : missing});
  };
  const bool simple = n > 0 && series.count("tau") &&
                      std::abs(part.at("shear_strain", n - 1)) > std::abs(part.at("axial_strain", n - 1));
  const bool some = n >= 4 && series.count("q") && !simple;
  if (simple) {  // simple shear: the shear stress over the plane across the axis
    Real most = 0, sum = 0, normal = 0;
    std::size_t count = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const Real tau = std::abs(part.at("tau", k));
      most = std::max(most, tau);
      if (part.at("shear_strain", k) < part.at("shear_strain", n - 1) / 2) continue;
      sum += tau;
      normal += part.at("sigma_n", k);
      ++count;
    }
    add("tau_max", most, "Pa", "largest shear stress on the plane across the axis");
    add("tau_plateau", sum / Real(count), "Pa", "its mean over the second half of the shear strain");
    add("phi_plateau_deg", std::atan(sum / normal) * 180 / pi, "deg",
        "atan(tau / normal stress) over the second half of the shear strain");
    add("shear_strain_final", part.at("shear_strain", n - 1), "1", "tilt of the cell at the end");
  }
  // Peak: largest mean of q over a window of 1 % axial strain. Plateau: mean of q over the second half of the strain.
  std::optional<Real> peak, plateau, phi_peak, phi_plateau, strain_at_peak;
  if (some) {
    const Real end = part.at("axial_strain", n - 1);
    const Real window = std::min(0.01, end / 4);
    for (std::size_t i = 0, j = 0; i < n; ++i) {
      while (j < n && part.at("axial_strain", j) <= part.at("axial_strain", i) + window) ++j;
      if (j == n && part.at("axial_strain", n - 1) < part.at("axial_strain", i) + 0.9 * window) break;
      Real sum = 0, lateral = 0, axial = 0;
      for (std::size_t k = i; k < j; ++k) {
        sum += part.at("q", k);
        lateral += part.at("sigma_lateral", k);
        axial += part.at("sigma_n", k);
      }
      const Real mean = sum / Real(j - i);
      if (!peak || mean > *peak) {
        peak = mean;
        phi_peak = friction_angle(axial, lateral);
        strain_at_peak = part.at("axial_strain", i) + window / 2;
      }
    }
    Real sum = 0, lateral = 0, axial = 0;
    std::size_t count = 0;
    for (std::size_t k = 0; k < n; ++k)
      if (part.at("axial_strain", k) >= end / 2) {
        sum += part.at("q", k);
        lateral += part.at("sigma_lateral", k);
        axial += part.at("sigma_n", k);
        ++count;
      }
    plateau = sum / Real(count);
    phi_plateau = friction_angle(axial, lateral);
  }
  if (!simple) {
    add("q_peak", peak, "Pa", "largest mean of q = axial - lateral stress over a window of 1 % axial strain");
    add("q_plateau", plateau, "Pa", "mean of q over the second half of the axial strain");
    add("phi_peak_deg", phi_peak, "deg",
        "asin((s1 - s3) / (s1 + s3)) over the window of q_peak, s1 along the axis, s3 the stress held across it");
    add("phi_plateau_deg", phi_plateau, "deg",
        "asin((s1 - s3) / (s1 + s3)) over the second half of the axial strain, s3 the stress held across the axis");
    add("axial_strain_at_peak", strain_at_peak, "1", "middle of the window of q_peak");
  }
  const auto first = [&](const char* name) {
    return n > 0 && series.count(name) ? std::optional<Real>(part.at(name, 0)) : std::nullopt;
  };
  const auto last = [&](const char* name) {
    return n > 0 && series.count(name) ? std::optional<Real>(part.at(name, n - 1)) : std::nullopt;
  };
  const auto most = [&](const char* name) {
    std::optional<Real> m;
    for (std::size_t k = 0; k < n && series.count(name); ++k) m = std::max(m.value_or(-HUGE_VAL), part.at(name, k));
    return m;
  };
  add("porosity0", first("porosity"), "1", "porosity of the whole sample before shear");
  add("porosity_ball0", first("porosity_ball"), "1", "porosity of the measurement ball before shear");
  add("Z0", first("Z"), "1", "2 contacts / grains before shear, rattlers counted");
  add("Z_mechanical0", first("Z_mechanical"), "1", "mean contacts of grains that carry force, before shear");
  add("axial_strain_final", last("axial_strain"), "1", "logarithmic axial strain at the end, compression positive");
  add("eps_v_final", last("volumetric_strain"), "1", "logarithmic volumetric strain at the end, compression positive");
  add("inertial_number_max", most("inertial_number"), "1", "largest I = rate D50 sqrt(density / p) during shear");
  std::optional<Real> residual;
  if (n > 1 && series.count("residual")) {
    const Real work = part.at("boundary_work", n - 1) - part.at("boundary_work", 0);
    residual = std::abs(part.at("residual", n - 1) - part.at("residual", 0)) / std::abs(work);
  }
  add("energy_residual_rel", residual, "1",
      "what the energy ledger misses during shear, over the boundary work of shear");
  std::erase_if(out, [&](const Figure& f) { return f.name == "porosity_ball0" && !series.count("porosity_ball"); });
  return out;
}

}  // namespace talus::lab
