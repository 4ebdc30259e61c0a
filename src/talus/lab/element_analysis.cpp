#include <talus/lab/element_analysis.hpp>

#include <algorithm>
#include <cmath>

#include <talus/lab/series_rows.hpp>

namespace talus::lab {

Real triaxial_peak(const Element& e) {
  const Real steep = 1 / std::sqrt(Real(3)) - e.slope;  // q/sqrt(3) = 3 slope (confining + q/3) + height
  return !e.yields || steep <= 0 ? HUGE_VAL : (3 * e.slope * e.confining + e.height) / steep;
}

// Until yield tau = G sin, difference = 2 G (1 - cos). Then the stress stays on a circle of radius k and turns along it:
// d psi/d strain = 1 - a sin psi with tan psi = difference/(2 tau) and a = G/k, solved with t = tan(psi/2).
SimpleShear simple_shear(const Element& e, Real strain) {
  const Real k = 3 * e.slope * e.confining + e.height, a = e.shear / k;
  const Real yield = e.yields && k < 2 * e.shear ? 2 * std::asin(k / (2 * e.shear)) : HUGE_VAL;
  if (strain <= yield) return {e.shear * std::sin(strain), 2 * e.shear * (1 - std::cos(strain))};
  if (!(k > 0)) return {};
  const Real start = std::tan(yield / 4);
  Real t;
  if (a > 1) {
    const Real r = std::sqrt(a * a - 1), high = a + r, low = a - r;
    const Real ratio = (start - high) / (start - low) * std::exp(r * (strain - yield));
    t = std::isfinite(ratio) ? (ratio * low - high) / (ratio - 1) : low;
  } else {  // it goes on turning
    const Real r = std::sqrt(1 - a * a);
    t = a + r * std::tan(std::atan((start - a) / r) + r * (strain - yield) / 2);
  }
  const Real psi = 2 * std::atan(t);
  return {k * std::cos(psi), 2 * k * std::sin(psi)};
}

namespace {

template <int D>
class ElementAnalysis : public Analysis<D> {
 public:
  explicit ElementAnalysis(const Element& element) : element_(element) {}

 protected:
  using Seen = Observation<D>;
  static const Sym3& deviator(const Seen& s) { return s.state.particles.deviator[0]; }
  Real reached(const Seen& s) const { return element_.strain * Real(s.stage_steps()) / Real(element_.steps); }
  Element element_;
};

template <int D>
class TriaxialElement final : public ElementAnalysis<D> {
 public:
  using ElementAnalysis<D>::ElementAnalysis;
  using typename ElementAnalysis<D>::Seen;
  std::string_view kind() const override { return "triaxial-element"; }
  Channels<D> channels() const override {
    return {{"element_strain", "1", "axial shortening of the element", [this](const Seen& s) { return this->reached(s); }},
            {"element_q", "Pa", "axial minus radial stress of the element, compression positive",
             [this](const Seen& s) { return this->deviator(s).xx - axial(this->deviator(s)); }},
            {"element_p", "Pa", "pressure of the element", [](const Seen& s) { return s.state.particles.pressure[0]; }}};
  }
  Figures figures(const SeriesData& series) const override {
    const auto q = rows_if_any(series, "element_q");
    Figures out;
    const std::optional<Real> peak = q.empty() ? std::nullopt : std::optional(*std::max_element(q.begin(), q.end()));
    const Real exact = triaxial_peak(this->element_);
    add_known(out, "q_peak", peak, "Pa", {"largest axial minus radial stress", "peak deviator stress", "q_max"});
    add_known(out, "q_exact", std::isfinite(exact) ? std::optional(exact) : std::nullopt, "Pa", {"the same in closed form", "peak deviator stress in closed form", "q_exact"},
              "with this cone or model there is no peak");
    add_known(out, "error", peak && std::isfinite(exact) ? std::optional(std::abs(*peak / exact - 1)) : std::nullopt, "1",
              {"|q_peak/q_exact − 1|", "error of the peak"}, "there is no closed form, or no row was written");
    add_known(out, "tolerance", 1e-3, "1", {"tolerance of the error", "allowed error"});
    return out;
  }

 private:
  static Real axial(const Sym3& s) { return D == 2 ? s.yy : s.zz; }
};

template <int D>
class ShearElement final : public ElementAnalysis<D> {
 public:
  using ElementAnalysis<D>::ElementAnalysis;
  using typename ElementAnalysis<D>::Seen;
  std::string_view kind() const override { return "shear-element"; }
  Channels<D> channels() const override {
    return {{"element_shear", "1", "engineering shear of the element", [this](const Seen& s) { return this->reached(s); }},
            {"element_tau", "Pa", "shear stress of the element", [this](const Seen& s) { return this->deviator(s).xy; }},
            {"element_difference", "Pa", "s_xx - s_yy of the element, tension positive",
             [this](const Seen& s) { return this->deviator(s).xx - this->deviator(s).yy; }},
            {"element_tau_exact", "Pa", "shear stress in closed form",
             [this](const Seen& s) { return simple_shear(this->element_, this->reached(s)).tau; }}};
  }
  Figures figures(const SeriesData& series) const override {
    const auto strain = rows_if_any(series, "element_shear"), tau = rows_if_any(series, "element_tau"),
               difference = rows_if_any(series, "element_difference");
    Figures out;
    std::optional<Real> worst;
    Real most = 0;
    for (std::size_t k = 0; k < strain.size(); ++k) {
      const SimpleShear exact = simple_shear(this->element_, strain[k]);
      most = std::max({most, std::abs(exact.tau), std::abs(exact.difference)});
      worst = std::max({worst.value_or(0), std::abs(tau[k] - exact.tau), std::abs(difference[k] - exact.difference)});
    }
    add_known(out, "tau", last_of(tau), "Pa", {"shear stress at the end", "shear stress", "τ"});
    add_known(out, "normal_difference", last_of(difference), "Pa", {"s_xx - s_yy at the end, tension positive", "normal stress difference", "N_1"});
    const SimpleShear exact = simple_shear(this->element_, this->element_.strain);
    add_known(out, "tau_exact", exact.tau, "Pa", {"shear stress at the end in closed form", "shear stress in closed form", "τ_exact"});
    add_known(out, "normal_difference_exact", exact.difference, "Pa", {"s_xx - s_yy at the end in closed form", "normal stress difference in closed form", "N_1,exact"});
    add_known(out, "error", worst && most > 0 ? std::optional(*worst / most) : std::nullopt, "1",
              {"largest difference of either from its closed form in any row, over the largest of both", "error of the stresses"});
    add_known(out, "tolerance", 1e-3, "1", {"tolerance of the error", "allowed error"});
    return out;
  }
};

}  // namespace

template <int D>
std::unique_ptr<Analysis<D>> triaxial_element(const Element& element) {
  return std::make_unique<TriaxialElement<D>>(element);
}
template <int D>
std::unique_ptr<Analysis<D>> shear_element(const Element& element) {
  return std::make_unique<ShearElement<D>>(element);
}

template std::unique_ptr<Analysis<2>> triaxial_element(const Element&);
template std::unique_ptr<Analysis<3>> triaxial_element(const Element&);
template std::unique_ptr<Analysis<2>> shear_element(const Element&);
template std::unique_ptr<Analysis<3>> shear_element(const Element&);

}  // namespace talus::lab
