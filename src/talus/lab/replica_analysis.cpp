#include <talus/lab/replica_analysis.hpp>

#include <algorithm>
#include <cmath>

#include <talus/exec/timers.hpp>
#include <talus/lab/sample_channels.hpp>
#include <talus/lab/series_rows.hpp>

namespace talus::lab {

template <int D>
Real replica_correlation(const State<D>& state, i64 copies) {
  const Bodies<D>& b = state.bodies;
  const Mat<D>& before = state.globals.stage.start_h;
  if (copies < 2 || b.start.empty() || !(std::abs(determinant(before)) > 0)) return NAN;
  const Mat<D> affine = state.globals.cell.h * inverse(before);
  const std::vector<u32> index = index_by_uid(b);
  std::vector<u32> uids(b.uid.begin(), b.uid.begin() + std::ptrdiff_t(state.grains()));
  std::sort(uids.begin(), uids.end());  // copies of a grain lie side by side
  const auto moved = [&](u32 uid) { return b.position[index[uid]] - affine * b.start[index[uid]]; };
  Vec<D> mean{};
  for (const u32 uid : uids) mean += moved(uid);
  mean = (1 / Real(uids.size())) * mean;
  Real pairs = 0, squares = 0;
  for (std::size_t first = 0; first < uids.size();) {
    Vec<D> sum{};
    Real own = 0;
    std::size_t next = first;
    for (; next < uids.size() && uids[next] / copies == uids[first] / copies; ++next) {
      const Vec<D> u = moved(uids[next]) - mean;
      sum += u;
      own += dot(u, u);
    }
    pairs += (dot(sum, sum) - own) / Real(copies - 1);  // of each with the mean of the others
    squares += own;
    first = next;
  }
  return squares > 0 ? pairs / squares : NAN;
}

std::optional<Real> fluctuation(const std::vector<Real>& strain, const std::vector<Real>& q) {
  constexpr Real from = 0.05, width = 0.002;
  std::vector<Real> means;
  Real sum = 0;
  int count = 0;
  i64 bin = -1;
  for (std::size_t k = 0; k < std::min(strain.size(), q.size()); ++k) {
    if (strain[k] < from) continue;
    const i64 here = i64((strain[k] - from) / width);
    if (here != bin && count > 0) means.push_back(sum / count);
    if (here != bin) sum = 0, count = 0;
    bin = here;
    sum += q[k];
    ++count;
  }  // the last bin is not full
  if (means.size() < 4) return std::nullopt;
  Real mean = 0, square = 0;
  const Real n = Real(means.size() - 1);
  for (std::size_t k = 1; k < means.size(); ++k) mean += (means[k] - means[k - 1]) / n;
  for (std::size_t k = 1; k < means.size(); ++k) {
    const Real d = means[k] - means[k - 1] - mean;
    square += d * d;
  }
  return std::sqrt(square / (n - 1) / 2);
}

namespace {

struct RestFigure {
  const char *name, *unit;
  Definition definition;
};
const RestFigure rest_figures[] = {
    {"np", "1", {"number of grains", "grains", "N", FigureGroup::sample}},
    {"n0", "1", {"porosity of the whole sample at rest, before shear", "porosity at rest", "n_0", FigureGroup::sample}},
    {"n0_int", "1", {"the same inside a ball in the middle, grains by the volume they share with it", "porosity at rest, inner ball", "n_0,ball", FigureGroup::sample}},
    {"Z0", "1", {"2 contacts / grains at rest, rattlers counted", "coordination number at rest", "Z_0", FigureGroup::sample}},
    {"Z0_int", "1", {"contacts of a grain, mean over the grains with centres inside that ball", "coordination number at rest, inner ball", "Z_0,ball", FigureGroup::sample}},
    {"contacts", "1", {"number of contacts at rest", "contacts at rest", "N_c", FigureGroup::sample}},
    {"pressure", "Pa", {"mean normal stress at rest", "mean stress at rest", "p_0", FigureGroup::sample}},
    {"shear_stress_rel", "1", {"largest shear stress at rest over that pressure", "largest shear stress at rest over the mean stress", "", FigureGroup::quality}},
    {"equilibrium_ratio", "1", {"unbalanced force ratio at rest: sum of resultants over sum of contact forces", "unbalanced force at rest", "", FigureGroup::quality}},
    {"steps_to_equilibrium", "1", {"steps from the start until at rest; for a single cell including its preparation", "steps to rest", "", FigureGroup::run}},
    {"t_cell_s", "s", {"wall time of making the cell", "time to make the cell", "t_cell", FigureGroup::run}},
    {"t_replicate_s", "s", {"wall time of copying it", "time to copy the cell", "", FigureGroup::run}},
    {"t_gen_s", "s", {"wall time of making, copying and equilibrating the sample", "time to make the sample", "t_gen", FigureGroup::run}}};

template <int D>
Real shear_share(const Mat<D>& stress) {
  Real most = 0;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < i; ++j) most = std::max(most, std::abs(stress(i, j) + stress(j, i)) / 2);
  return most / (trace(stress) / D);
}

// Contacts of the grains inside the ball, by their number.
template <int D>
Real inner_coordination(const Observation<D>& seen, Real share) {
  const Cell<D>& cell = seen.state.globals.cell;
  const Mat<D> inverse_h = inverse(cell.h);
  Real smallest = HUGE_VAL;
  for (int k = 0; k < D; ++k) smallest = std::min(smallest, cell.width(k, inverse_h));
  std::vector<bool> inside(seen.state.bodies.size());
  Real grains = 0, sides = 0;
  for (std::size_t i = 0; i < seen.state.grains(); ++i) {
    Vec<D> s = inverse_h * seen.state.bodies.position[i];
    for (int k = 0; k < D; ++k) s[k] -= (cell.periodic[k] ? std::floor(s[k]) : 0) + 0.5;
    inside[i] = length(cell.h * s) < 0.5 * share * smallest;
    grains += inside[i];
  }
  for (const auto& c : seen.contacts()) sides += Real(inside[c.a]) + Real(inside[c.b]);
  return grains > 0 ? sides / grains : NAN;
}

// Largest resultant of the contact forces on a grain over the mean contact force.
template <int D>
Real net_force(const Observation<D>& seen) {
  std::vector<Vec<D>> net(seen.state.bodies.size());
  for (const auto& c : seen.contacts()) {
    net[c.a] += c.force;
    net[c.b] -= c.force;
  }
  Real most = 0;
  for (std::size_t i = 0; i < seen.state.grains(); ++i) most = std::max(most, length(net[i]));
  return seen.contacts().empty() ? NAN : most / seen.forces().mean;
}

template <int D>
class ReplicaAnalysis final : public Analysis<D> {
 public:
  explicit ReplicaAnalysis(const ReplicaSettings& settings) : s_(settings), started_(exec::now()) {}
  std::string_view kind() const override { return "replicas"; }

  Channels<D> channels() const override {
    using Seen = Observation<D>;
    return {{"net_force_rel", "1", "largest resultant of the contact forces on a grain over the mean normal contact force",
             [this](const Seen& s) {
               if (s.state.globals.step == 0) began_here_ = true;
               return net_force(s);
             }},
            {"replica_correlation", "1",
             "mean correlation between copies of a grain: displacements since shear began less those of the cell's strain; nan "
             "elsewhere and for one copy",
             [this](const Seen& s) { return shears(s) ? replica_correlation(s.state, s_.origin.copies) : NAN; }}};
  }

  Figures figures(const SeriesData& series) const override {
    Figures out;
    const auto add = [&](const char* name, std::optional<Real> value, const char* unit, Definition definition,
                         const char* reason) {
      add_known(out, name, value, unit, definition, reason);
    };
    for (const RestFigure& f : rest_figures) add(f.name, std::nullopt, f.unit, f.definition, "the sample did not come to rest");
    const auto net = series.find("net_force_rel");
    add("net_force_max_rel", net == series.end() || net->second.empty() ? std::nullopt : std::optional(net->second.front()),
        "1", {"largest resultant of the contact forces on a grain over the mean contact force, before step 1", "largest net force on a grain before step 1", "", FigureGroup::quality}, "no row was written");
    const bool copied = s_.origin.copies > 1;
    add("branch_error_rel", copied ? std::optional(s_.origin.branch_error) : std::nullopt, "1",
        {"largest difference of a copied contact's branch vector from its cell's, over its length", "largest error of a copied branch", "", FigureGroup::quality}, "there is one copy");
    const auto of = [&](const char* column) { return of_shear(series, column); };
    const auto strain = of("axial_strain"), q = of("q"), volume = of("volumetric_strain"), same = of("replica_correlation");
    const char* unsheared = "the sample was not sheared";
    add("q_end", last_of(q), "Pa", {"axial less lateral stress at the end of shear", "deviator stress at the end", "q_end"}, unsheared);
    add("eps_v_end", last_of(volume), "1", {"logarithmic volumetric strain at the end of shear, compression positive", "volumetric strain at the end of shear", "ε_v,end"}, unsheared);
    add("q_fluctuation", fluctuation(strain, q), "Pa",
        {"scatter of q: standard deviation of the differences of means over 0.2 % strain, over the root of two, beyond 5 %", "scatter of the deviator stress", "s_q"},
        "the strain did not reach 6 %");
    std::optional<Real> at;
    for (std::size_t k = 0; k < std::min(strain.size(), same.size()) && !at; ++k)
      if (strain[k] >= 0.002) at = same[k];
    add("replica_correlation", at, "1",
        {"mean correlation between the displacements of copies of a grain at 0.2 % axial strain, less those of the cell's strain", "correlation between copies of a grain"},
        copied ? "the strain did not reach 0.2 %" : "there is one copy");
    for (Figure& f : shear_figures(series, int(s_.shear)))
      if (f.name != "Z0") out.push_back(std::move(f));
    return out;
  }

  void stage_end(const Observation<D>& seen, bool, Figures& out) const override {
    if (std::size_t(seen.state.globals.stage.index) != s_.rest) return;
    const bool copied = s_.origin.copies > 1, taken = s_.origin.cell_steps > 0;
    const Real mine = began_here_ ? exec::now() - started_ : NAN;
    const Real values[] = {Real(seen.state.grains()),
                           seen.porosity(),
                           porosity_in_middle(seen, s_.ball),
                           seen.coordination().all,
                           inner_coordination(seen, s_.ball),
                           Real(seen.contacts().size()),
                           seen.pressure(),
                           shear_share(seen.stress()),
                           seen.unbalanced(),
                           Real(seen.state.globals.step + (copied ? 0 : s_.origin.cell_steps)),
                           taken ? s_.origin.t_cell : mine,
                           s_.origin.t_replicate,
                           s_.origin.t_cell + s_.origin.t_replicate + mine};
    for (std::size_t k = 0; k < std::size(rest_figures); ++k) {
      const RestFigure& f = rest_figures[k];
      add_known(out, f.name, values[k], f.unit, f.definition, "the run was resumed before the sample was at rest, or it has no contacts");
    }
  }

 private:
  bool shears(const Observation<D>& seen) const {
    return std::size_t(seen.state.globals.stage.index) == s_.shear && seen.strain(seen.axis) != 0;
  }
  std::vector<Real> of_shear(const SeriesData& series, const char* name) const {
    std::vector<Real> out;
    const auto it = series.find(name), stage = series.find("stage");
    if (it == series.end() || stage == series.end()) return out;
    for (std::size_t k = 0; k < std::min(it->second.size(), stage->second.size()); ++k)
      if (std::size_t(stage->second[k]) == s_.shear) out.push_back(it->second[k]);
    return out;
  }

  ReplicaSettings s_;
  double started_;                   // s
  mutable bool began_here_ = false;  // the first row was written by this process
};

}  // namespace

template <int D>
std::unique_ptr<Analysis<D>> replica_analysis(const ReplicaSettings& settings) {
  return std::make_unique<ReplicaAnalysis<D>>(settings);
}

#define TALUS_INSTANTIATE(D)                                                            \
  template std::unique_ptr<Analysis<D>> replica_analysis(const ReplicaSettings&);       \
  template Real replica_correlation(const State<D>&, i64);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::lab
