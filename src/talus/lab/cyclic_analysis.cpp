#include <talus/lab/cyclic_analysis.hpp>

#include <algorithm>
#include <cmath>

#include <talus/lab/series_rows.hpp>

namespace talus::lab {

namespace {

template <int D>
class CyclicAnalysis final : public Analysis<D> {
 public:
  explicit CyclicAnalysis(std::size_t stage) : stage_(stage) {}
  std::string_view kind() const override { return "cyclic"; }

  Channels<D> channels() const override {
    using Seen = Observation<D>;
    return {{"half_cycles", "1", "half cycles that are done: up to the high target, down to the low one; nan in other stages",
             [this](const Seen& s) { return runs(s) ? Real(recall<CyclicMemory>(s.state).halves) : NAN; }},
            {"loop_stress", "Pa", "stress that goes up and down: q, in mode uniaxial σ_nn, in simple shear −σ_kn, in mode platen that of the wall",
             [this](const Seen& s) { return runs(s) ? loop_stress(s) : NAN; }},
            {"loop_strain", "1", "strain that belongs to it, from 0 where the cycles begin: axial_strain, shear_strain, or travel of the platen over its height",
             [this](const Seen& s) { return runs(s) ? loop_strain(s) : NAN; }}};
  }

  Figures figures(const SeriesData& series) const override {
    const auto column = [&](const char* name) { return rows_of_stage(series, name, stage_); };
    const std::vector<Real> strain = column("loop_strain");
    const std::vector<Loop> loops = loops_of(column("half_cycles"), column("loop_stress"), strain);
    const char* none = "no cycle was completed";
    const auto last = [&](auto&& value) { return loops.empty() ? std::nullopt : std::optional<Real>(value(loops.back())); };
    Figures out;
    add_known(out, "cycles_done", Real(loops.size()), "1", {"whole cycles", "completed cycles", "n", FigureGroup::run}, none);
    add_known(out, "resilient_modulus", last([](const Loop& l) { return l.resilient; }), "Pa",
               {"last cycle: stress removed over strain recovered", "resilient modulus", "M_r"}, none);
    add_known(out, "damping_ratio", last([](const Loop& l) { return l.damping(); }), "1",
               {"last cycle: area of the loop over 4 pi times the energy of an elastic loop of the same width and height", "damping ratio", "D"}, none);
    add_known(out, "secant_modulus", last([](const Loop& l) { return l.modulus(); }), "Pa", {"last cycle: height of the loop over its width", "secant modulus of a loop", "E_sec"}, none);
    add_known(out, "strain_per_cycle", last([](const Loop& l) { return l.left; }), "1", {"last cycle: permanent strain", "permanent strain of the last cycle", "Δε_p"}, none);
    Real stays = 0;
    for (const Loop& loop : loops) stays += loop.left;
    add_known(out, "permanent_strain", loops.empty() ? std::nullopt : std::optional(stays), "1", {"permanent strain after all cycles", "permanent strain", "ε_p"}, none);
    for (std::size_t k = 0, next = 1; k < loops.size(); ++k) {  // 1, 2, 5, 10, 20, 50 and so on
      if (k + 1 != next) continue;
      const std::string n = std::to_string(next), of = ", cycle " + n;
      add_known(out, "damping_ratio_" + n, loops[k].damping(), "1", {"damping ratio" + of, "damping ratio" + of, "D_" + n}, none);
      add_known(out, "resilient_modulus_" + n, loops[k].resilient, "Pa", {"resilient modulus" + of, "resilient modulus" + of, "M_r" + n}, none);
      const bool is_two = n[0] == '2';
      next = is_two ? next * 5 / 2 : next * 2;
    }
    return out;
  }

 private:
  bool runs(const Observation<D>& s) const { return std::size_t(s.state.globals.stage.index) == stage_; }
  std::size_t stage_;
};

}  // namespace

std::vector<Loop> loops_of(const std::vector<Real>& halves, const std::vector<Real>& stress, const std::vector<Real>& strain) {
  std::vector<Loop> out;
  const std::size_t n = halves.size();
  std::size_t first = 0;  // where the cycle begins: at the last row of the one before
  for (std::size_t cycle = 1; first + 1 < n; ++cycle) {
    std::size_t turn = first, end = first;
    while (turn + 1 < n && halves[turn + 1] < Real(2 * cycle - 1)) ++turn;
    end = turn;
    while (end + 1 < n && halves[end + 1] < Real(2 * cycle)) ++end;
    if (end + 1 >= n && !(halves[end] >= Real(2 * cycle))) return out;  // it is not over
    if (end == turn || turn == first) return out;                      // no rows in between
    Loop loop;
    const auto [low, high] = std::minmax_element(stress.begin() + std::ptrdiff_t(first), stress.begin() + std::ptrdiff_t(end) + 1);
    const auto [left, right] = std::minmax_element(strain.begin() + std::ptrdiff_t(first), strain.begin() + std::ptrdiff_t(end) + 1);
    loop.stress = *high - *low;
    loop.strain = *right - *left;
    for (std::size_t k = first; k < end; ++k) loop.work += (stress[k] + stress[k + 1]) / 2 * (strain[k + 1] - strain[k]);
    loop.work += (stress[end] + stress[first]) / 2 * (strain[first] - strain[end]);
    loop.resilient = (stress[turn] - stress[end]) / (strain[turn] - strain[end]);
    loop.left = strain[end] - strain[first];
    out.push_back(loop);
    first = end;
  }
  return out;
}

template <int D>
std::unique_ptr<Analysis<D>> cyclic_analysis(std::size_t stage) {
  return std::make_unique<CyclicAnalysis<D>>(stage);
}
template std::unique_ptr<Analysis<2>> cyclic_analysis(std::size_t);
template std::unique_ptr<Analysis<3>> cyclic_analysis(std::size_t);

}  // namespace talus::lab
