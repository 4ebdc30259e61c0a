#include <talus/lab/wall_tests.hpp>

#include <algorithm>
#include <cmath>

#include <talus/lab/series_rows.hpp>

namespace talus::lab {

namespace {

// A step of loading: the last row of a stage in which the lid held a stress.
struct LoadStep {
  Real stress, void_ratio, k0;  // Pa, of the lid; 1; horizontal over vertical stress
};

std::vector<LoadStep> steps_of(const SeriesData& series) {
  const auto column = [&](const char* name) { return rows_of_column(series, name); };
  const std::vector<Real> stage = column("stage"), stress = column("sigma_v"), e = column("e"), k0 = column("K0");
  std::vector<LoadStep> out;
  for (std::size_t k = 0; k < stage.size(); ++k)
    if ((k + 1 == stage.size() || stage[k + 1] != stage[k]) && std::isfinite(stress[k]) && stress[k] > 0) out.push_back({stress[k], e[k], k0[k]});
  return out;
}

// Of two steps: stress over strain, the strain over the height of the first; change of e by decade.
Real constrained_modulus(const LoadStep& a, const LoadStep& b) { return (b.stress - a.stress) * (1 + a.void_ratio) / (a.void_ratio - b.void_ratio); }
Real index_of(const LoadStep& a, const LoadStep& b) { return (a.void_ratio - b.void_ratio) / std::log10(b.stress / a.stress); }

template <int D>
class OedometerAnalysis final : public Analysis<D> {
 public:
  explicit OedometerAnalysis(const OedometerSettings& settings) : s_(settings) {}
  std::string_view kind() const override { return "oedometer"; }

  Channels<D> channels() const override {
    using Seen = Observation<D>;
    return {{"e", "1", "void ratio n/(1 − n), n the porosity", [](const Seen& s) { return s.porosity() / (1 - s.porosity()); }},
            {"sigma_v", "Pa", "stress on the lid; nan in stages in which it holds none",
             [this](const Seen& s) {
               return s.model.drives[s_.lid].is_loaded() ? measure::wall_stress(s.model, s.state, s_.lid, s.box()) : NAN;
             }},
            {"K0", "1", "mean of the normal stresses across the axis of the lid over that along it; nan without stress",
             [this](const Seen& s) {
               Real across = 0;
               for (int k = 0; k < D; ++k)
                 if (k != s_.axis) across += s.stress()(k, k) / (D - 1);
               const Real along = s.stress()(s_.axis, s_.axis);
               return along > 0 ? across / along : NAN;
             }}};
  }

  Figures figures(const SeriesData& series) const override {
    const std::vector<LoadStep> steps = steps_of(series);
    const auto larger = [](const LoadStep& a, const LoadStep& b) { return a.stress < b.stress; };
    const std::size_t top = std::size_t(std::max_element(steps.begin(), steps.end(), larger) - steps.begin());
    const bool loads = !steps.empty() && top > 0, unloads = !steps.empty() && top + 1 < steps.size();
    const auto if_known = [](bool known, auto&& value) { return known ? std::optional<Real>(value()) : std::nullopt; };
    const char *none = "the lid held no stress", *no_two = "the lid held fewer than two rising stresses", *no_back = "the sample was not unloaded";
    Figures out;
    add_known(out, "sigma_v_max", if_known(!steps.empty(), [&] { return steps[top].stress; }), "Pa", {"largest stress on the lid at the end of a stage", "largest vertical stress", "σ_v"}, none);
    add_known(out, "void_ratio_start", if_known(!steps.empty(), [&] { return steps.front().void_ratio; }), "1", {"void ratio under the first stress", "void ratio under the first stress", "e_0", FigureGroup::sample}, none);
    add_known(out, "void_ratio_max_stress", if_known(!steps.empty(), [&] { return steps[top].void_ratio; }), "1", {"void ratio under the largest stress", "void ratio under the largest stress", "e_max"}, none);
    add_known(out, "void_ratio_end", if_known(!steps.empty(), [&] { return steps.back().void_ratio; }), "1", {"void ratio at the end", "void ratio at the end", "e_end"}, none);
    add_known(out, "compression_index", if_known(loads, [&] { return index_of(steps[top - 1], steps[top]); }), "1",
               {"Cc: fall of the void ratio over the change of log10 of the stress, last step of loading", "compression index", "C_c"}, no_two);
    add_known(out, "swelling_index", if_known(unloads, [&] { return index_of(steps.back(), steps[top]); }), "1",
               {"Cs: rise of the void ratio over the fall of log10 of the stress, from the largest stress to the end of unloading", "swelling index", "C_s"}, no_back);
    add_known(out, "constrained_modulus", if_known(loads, [&] { return constrained_modulus(steps[top - 1], steps[top]); }), "Pa",
               {"change of stress over strain, last step of loading", "constrained modulus, last step of loading", "M"}, no_two);
    add_known(out, "constrained_modulus_first", if_known(loads, [&] { return constrained_modulus(steps[0], steps[1]); }), "Pa",
               {"change of stress over strain, first step of loading", "constrained modulus, first step of loading", "M_1"}, no_two);
    add_known(out, "constrained_modulus_unloading", if_known(unloads, [&] { return constrained_modulus(steps[top], steps[top + 1]); }), "Pa",
               {"change of stress over strain, first step of unloading", "constrained modulus in unloading", "M_u"}, no_back);
    add_known(out, "K0_loading", if_known(!steps.empty(), [&] { return steps[top].k0; }), "1", {"horizontal over vertical stress under the largest stress", "earth pressure coefficient at rest", "K_0"}, none);
    add_known(out, "K0_unloaded", if_known(unloads, [&] { return steps.back().k0; }), "1", {"horizontal over vertical stress at the end of unloading", "earth pressure coefficient after unloading", "K_0u"}, no_back);
    return out;
  }

 private:
  OedometerSettings s_;
};

template <int D>
class DirectShearAnalysis final : public Analysis<D> {
 public:
  explicit DirectShearAnalysis(const DirectShearSettings<D>& settings) : s_(settings) {}
  std::string_view kind() const override { return "direct-shear"; }

  Channels<D> channels() const override {
    using Seen = Observation<D>;
    return {{"shear_displacement", "m", "displacement of the moving half of the box since the scene began",
             [this](const Seen& s) {
               s.box();  // walls may have moved on a device
               return dot(s.state.bodies.position[s.state.grains() + s_.moved.front()], s_.way) - s_.from;
             }},
            {"shear_stress", "Pa", "force of the sample on the walls of the moving half, against their motion, over the area of the lid",
             [this](const Seen& s) {
               Real force = 0;
               s.box();
               for (const std::size_t w : s_.moved) force -= dot(s.state.bodies.force[s.state.grains() + w], s_.way);
               return force / s.box().area(s_.lid);
             }},
            {"normal_stress", "Pa", "normal stress on the lid", [this](const Seen& s) { return measure::wall_stress(s.model, s.state, s_.lid, s.box()); }},
            {"lid_rise", "m", "position of the lid, positive out of the sample: its change is the dilation", [this](const Seen& s) { return -wall_position(s.model, s.state, s_.lid); }}};
  }

  Figures figures(const SeriesData& series) const override {
    const auto column = [&](const char* name) { return rows_of_stage(series, name, s_.stage); };
    const std::vector<Real> u = column("shear_displacement"), tau = column("shear_stress"), sigma = column("normal_stress"), rise = column("lid_rise");
    const char* missing = "fewer than ten rows were written while the box was sheared";
    std::optional<Real> phi_peak, phi_end, tau_peak, at_peak, psi, rises;
    if (u.size() >= 10 && u.back() > u.front()) {
      const Real way = u.back() - u.front();
      for (std::size_t i = 0, j = 0; i < u.size() && u[i] + way / 20 <= u.back(); ++i) {
        while (j + 1 < u.size() && u[j] < u[i] + way / 20) ++j;
        const Real ratio = mean(tau, i, j + 1) / mean(sigma, i, j + 1);
        if (phi_peak && !(ratio > std::tan(*phi_peak))) continue;
        phi_peak = std::atan(ratio);
        tau_peak = mean(tau, i, j + 1);
        at_peak = u[i] + way / 40 - u.front();
      }
      std::size_t late = 0;
      while (u[late] < u.back() - way / 5) ++late;
      phi_end = std::atan(mean(tau, late, u.size()) / mean(sigma, late, u.size()));
      for (std::size_t i = 0, j = 0; i < u.size() && u[i] + way / 10 <= u.back(); ++i) {
        while (j + 1 < u.size() && u[j] < u[i] + way / 10) ++j;
        psi = std::max(psi.value_or(-HUGE_VAL), std::atan((rise[j] - rise[i]) / (u[j] - u[i])));
      }
      rises = rise.back() - rise.front();
    }
    const auto degrees = [](std::optional<Real> angle) { return angle ? std::optional(*angle * 180 / pi) : angle; };
    const auto in_mm = [](std::optional<Real> m) { return m ? std::optional(1e3 * *m) : m; };
    Figures out;
    add_known(out, "tau_peak", tau_peak, "Pa", {"shear stress where shear over normal stress is largest, mean over a twentieth of the displacement", "peak shear stress", "τ_max"}, missing);
    add_known(out, "phi_peak_deg", degrees(phi_peak), "deg", {"atan(shear stress / normal stress) at the peak", "peak friction angle", "φ_peak"}, missing);
    add_known(out, "displacement_at_peak_mm", in_mm(at_peak), "mm", {"shear displacement at the peak", "shear displacement at the peak", "u_peak"}, missing);
    add_known(out, "phi_end_deg", degrees(phi_end), "deg", {"atan(mean shear stress / mean normal stress) over the last fifth of the displacement", "friction angle at the end", "φ_end"}, missing);
    add_known(out, "dilation_angle_deg", degrees(psi), "deg", {"atan(rise of the lid / shear displacement), the largest over a tenth of the displacement", "largest dilation angle", "ψ_max"}, missing);
    add_known(out, "dilation_mm", in_mm(rises), "mm", {"rise of the lid from the start of shear to its end; negative: the sample contracts", "rise of the lid during shear", "Δh"}, missing);
    return out;
  }

 private:
  static Real mean(const std::vector<Real>& v, std::size_t first, std::size_t end) {
    Real sum = 0;
    for (std::size_t k = first; k < end; ++k) sum += v[k];
    return sum / Real(end - first);
  }
  DirectShearSettings<D> s_;
};

}  // namespace

template <int D>
std::unique_ptr<Analysis<D>> oedometer_analysis(const OedometerSettings& settings) {
  return std::make_unique<OedometerAnalysis<D>>(settings);
}
template <int D>
std::unique_ptr<Analysis<D>> direct_shear_analysis(const DirectShearSettings<D>& settings) {
  return std::make_unique<DirectShearAnalysis<D>>(settings);
}

#define TALUS_INSTANTIATE(D)                                                               \
  template std::unique_ptr<Analysis<D>> oedometer_analysis<D>(const OedometerSettings&);   \
  template std::unique_ptr<Analysis<D>> direct_shear_analysis(const DirectShearSettings<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::lab
