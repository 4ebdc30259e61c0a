#pragma once
// No steps: the forces of the sample as it was placed.
#include <algorithm>

#include <talus/lab/stage.hpp>

namespace talus::lab {

template <int D>
class Evaluate final : public Stage<D> {
 public:
  static std::unique_ptr<Stage<D>> read(Input&) {
    auto s = std::make_unique<Evaluate>();
    s->traits.has_steps = false;
    return s;
  }
  bool done(const Observation<D>&) const override { return true; }
  double progress(const Observation<D>&) const override { return 1; }
  void figures(const Observation<D>& seen, Figures& out) const override {
    const Mat<D>& s = seen.stress();
    out.push_back({"pressure", trace(s) / D, "Pa", {"mean normal stress of the contacts, compression positive", "mean stress", "p"}, ""});
    out.push_back({D == 3 ? "sigma_zz" : "sigma_yy", s(D - 1, D - 1), "Pa", {"normal stress along the last axis", "normal stress along the last axis"}, ""});
    out.push_back({"sigma_xx", s(0, 0), "Pa", {"normal stress along x", "normal stress along x", "σ_xx"}, ""});
    out.push_back({"force_max", measure::forces(seen.contacts()).most, "N", {"largest normal contact force", "largest contact force", "F_max"}, ""});
    out.push_back({"net_force_max", net(seen), "N", {"largest resultant on a grain", "largest net force on a grain", "", FigureGroup::quality}, ""});
    out.push_back({"Z", measure::coordination(seen.state, seen.contacts()).all, "1", {"contacts per grain", "coordination number", "Z", FigureGroup::sample}, ""});
  }

 private:
  static Real net(const Observation<D>& seen) {
    Real most = 0;
    for (std::size_t i = 0; i < seen.state.grains(); ++i) most = std::max(most, length(seen.state.bodies.force[i]));
    return most;
  }
};

}  // namespace talus::lab
