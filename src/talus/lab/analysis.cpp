#include <talus/lab/analysis.hpp>

#include <algorithm>
#include <cmath>

#include <talus/lab/series_rows.hpp>

namespace talus::lab {

Real RowePack::ratio_at(Real strain) const {
  const Real sixty = pi / 3;
  const Real steepest = phi_mu + std::asin(std::sin(sixty) * (1 - strain));
  return steepest < pi / 2 - 1e-9 ? std::tan(sixty) * std::tan(steepest) : NAN;
}

Real rowe_limit(Real phi_mu, int inclined, int rolling) {
  const Real sixty = pi / 3;
  return std::tan(sixty) * ((inclined - rolling) * std::tan(sixty + phi_mu) + rolling * std::tan(sixty)) / inclined;
}

namespace {

class RoweAnalysis final : public Analysis<2> {
 public:
  explicit RoweAnalysis(const RowePack& pack) : pack_(pack) {}
  std::string_view kind() const override { return "rowe"; }

  Channels<2> channels() const override {
    using Seen = Observation<2>;
    return {
        {"rowe_strain", "1", "travel of the upper platen since the start, over the pitch of rows",
         [this](const Seen& s) { return strain(s); }},
        {"ratio", "1",
         "stress on the lower platen over σ2; a platen has the width d/2 for each inclined contact of a gap between "
         "rows",
         [this](const Seen& s) { return per_force(s) * -s.state.bodies.force[s.state.grains() + pack_.bottom].y; }},
        {"ratio_top", "1", "the same for the upper platen",
         [this](const Seen& s) { return per_force(s) * s.state.bodies.force[s.state.grains() + pack_.top].y; }},
        {"ratio_theory", "1",
         "Rowe, one interface that slides: tan 60° tan(φ_μ + β), sin β = sin 60° (1 − rowe_strain); nan from φ_μ + β "
         "= 90° on, where it does not slide",
         [this](const Seen& s) { return pack_.ratio_at(strain(s)); }},
        {"platen_speed", "m/s", "downward speed of the upper platen",
         [this](const Seen& s) { return -s.state.bodies.velocity[s.state.grains() + pack_.top].y; }}};
  }

  Figures figures(const SeriesData& series) const override {
    Figures out;
    const auto add = [&](const char* name, std::optional<Real> value, Definition definition, const char* reason) {
      add_known(out, name, value, "1", definition, reason);
    };
    const auto column = [&](const char* name) { return rows_if_any(series, name); };
    const auto strain = column("rowe_strain"), ratio = column("ratio"), top = column("ratio_top"),
               speed = column("platen_speed"), overlap = column("max_overlap");
    const std::size_t n = std::min({strain.size(), ratio.size(), top.size(), speed.size(), overlap.size()});
    const Real full = speed.empty() ? 0 : *std::max_element(speed.begin(), speed.end());
    std::optional<Real> peak, crossing, mismatch, deepest;
    Real squares = 0;
    int compared = 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (!(full > 0) || speed[k] < full * (1 - 1e-9)) continue;  // held, or still speeding up
      peak = std::max(peak.value_or(0), ratio[k]);
      if (ratio[k] > 0) mismatch = std::max(mismatch.value_or(0), std::abs(top[k] - ratio[k]) / ratio[k]);
      deepest = std::max(deepest.value_or(0), overlap[k] / 2);  // of a diameter
      if (!crossing && ratio[k] < 1 && k > 0 && ratio[k - 1] >= 1)
        crossing = strain[k - 1] + (strain[k] - strain[k - 1]) * (ratio[k - 1] - 1) / (ratio[k - 1] - ratio[k]);
      if (const Real rowe = pack_.ratio_at(strain[k]); strain[k] >= 0.02 && strain[k] <= 0.55 && std::isfinite(rowe)) {
        const Real error = ratio[k] / rowe - 1;
        squares += error * error;
        ++compared;
      }
    }
    const Real at_start = pack_.ratio_at(0);
    const std::optional<Real> theory = std::isfinite(at_start) ? std::optional(at_start) : std::nullopt;
    const std::optional<Real> limit = theory && pack_.limit > 0 ? std::optional(pack_.limit) : std::nullopt;
    const char* still = "the platen did not reach its full speed";
    const char* locks = "discs do not slide past one another at a friction angle of 30 degrees and above";
    const char* no_theory = theory ? still : locks;
    const char* no_limit = theory ? "no closed form for this layout with free rotation" : locks;
    add("ratio_peak", peak,
        {"largest ratio of vertical to horizontal stress at the lower platen after the velocity ramp", "peak stress ratio", "R_max"}, still);
    add("ratio_theory_peak", theory, {"Rowe: tan 60 tan(60 + phi_mu)", "Rowe's peak stress ratio", "R_Rowe"}, locks);
    add("ratio_peak_over_theory", peak && theory ? std::optional(*peak / *theory) : std::nullopt,
        {"ratio_peak over ratio_theory_peak", "peak stress ratio over Rowe", "R_max/R_Rowe"}, no_theory);
    add("ratio_limit", limit, {"exact limit load of this layout, with or without rotation", "exact limit of the stress ratio", "R_lim"}, no_limit);
    add("ratio_peak_over_limit", peak && limit ? std::optional(*peak / *limit) : std::nullopt,
        {"ratio_peak over ratio_limit", "peak stress ratio over the limit", "R_max/R_lim"}, limit ? still : no_limit);
    const auto angle = [](Real r) { return std::asin((r - 1) / (r + 1)); };
    add("angle_peak_over_theory", peak && theory ? std::optional(angle(*peak) / angle(*theory)) : std::nullopt,
        {"the same for angles of friction, asin((ratio - 1) / (ratio + 1))", "peak friction angle over Rowe", "φ_p/φ_Rowe"}, no_theory);
    add("rms_error_to_055", compared > 0 ? std::optional(std::sqrt(squares / compared)) : std::nullopt,
        {"root mean square of ratio / theory - 1 over strains from 0.02 to 0.55", "mean deviation from Rowe"},
        theory ? "no rows at these strains" : locks);
    add("crossing_strain", crossing, {"travel of the platen, over the pitch of rows, at which the ratio falls below 1", "strain at stress ratio 1"},
        "the ratio did not fall below 1");
    add("platen_force_mismatch", mismatch,
        {"largest difference of the forces on the platens over the lower one, at full speed", "difference of the platen forces", "", FigureGroup::quality}, still);
    add("max_penetration_rel", deepest, {"largest overlap over the diameter, at full speed", "largest overlap at full speed", "δ_max/d", FigureGroup::quality}, still);
    return out;
  }

 private:
  Real strain(const Observation<2>& seen) const {
    return (pack_.top_start - seen.state.bodies.position[seen.state.grains() + pack_.top].y) / pack_.pitch;
  }
  Real per_force(const Observation<2>& seen) const {
    return 1 / (pack_.width * seen.model.options.thickness * pack_.confining);
  }

  RowePack pack_;
};

}  // namespace

std::unique_ptr<Analysis<2>> rowe_analysis(const RowePack& pack) { return std::make_unique<RoweAnalysis>(pack); }

}  // namespace talus::lab
