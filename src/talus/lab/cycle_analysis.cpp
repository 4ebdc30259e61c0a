#include <talus/lab/cycle_analysis.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include <talus/lab/cycle_stage.hpp>
#include <talus/lab/series_rows.hpp>

namespace talus::lab {

namespace {

std::string class_name(int k) { return "f_class_" + std::string(k < 10 ? "0" : "") + std::to_string(k); }

// Where a cycle stands after so many moves of the platen.
struct Place {
  i64 cycle, level;
  bool loading;
};
Place place_of(i64 moves, i64 length) {
  const i64 p = moves % length, levels = length / 2;
  if (moves == 0) return {0, 0, false};
  return {(moves - 1) / length + 1, p <= levels ? p : length - p, p >= 1 && p <= levels};
}

class CycleAnalysis final : public Analysis<3> {
 public:
  explicit CycleAnalysis(const CycleSettings& settings) : s_(settings) {}
  std::string_view kind() const override { return "cycles"; }

  Channels<3> channels() const override {
    using Seen = Observation<3>;
    const auto add = [this](const char* name, const char* unit, const char* meaning, Real Measured::*value) {
      return Channel<3>{name, unit, meaning, [this, value](const Seen& s) { return measured(s).*value; }};
    };
    Channels<3> out{
        add("settled", "1", "1 in the row of a rest, 0 elsewhere", &Measured::settled),
        add("cycle", "1", "number of the cycle, from 1", &Measured::cycle),
        add("level", "1", "level of the platen, from 0", &Measured::level),
        add("loading", "1", "1 while the platen loads, 0 while it unloads", &Measured::loading),
        add("travel", "m", "travel of the platen into the sample since the cycles began", &Measured::travel),
        {"top_force", "N", "force on the platen", [this](const Seen& s) { return push_on_wall(s.model, s.state, s_.top); }},
        add("Z_strong", "1", "contacts per grain above the threshold; contacts with walls count", &Measured::strong),
        add("Z_any", "1", "the same without a threshold", &Measured::any),
        add("phi_inside", "1",
            "solid fraction further than one mean diameter from walls; overlaps count twice",
            &Measured::phi),
        add("scaling", "N m", "⟨Z⟩⟨φ⟩⟨b⟩⟨f⟩: Z_strong, phi_inside, branch_mean and force_mean_grains",
            &Measured::scaling),
        add("branch_mean", "m", "mean branch of contacts between grains", &Measured::branch),
        add("force_mean_grains", "N", "mean force of contacts between grains", &Measured::force)};
    for (int k = 0; k < s_.classes.count; ++k)
      out.push_back(one_of<3>({"f_class_NN", "1",
                               "contacts between grains by force in the row of a rest: even classes of log f between "
                               "force_low and force_high",
                               [this, k](const Seen& s) { return measured(s).counts[std::size_t(k)]; }},
                              "NN", class_name(k).substr(8)));
    return out;
  }

  Figures figures(const SeriesData& series) const override {
    Figures out;
    const auto levels = cycle_levels(series, s_.dropped, s_.classes.count);
    const std::string why = "no cycle was completed after those that are dropped";
    const auto add = [&](const char* name, std::optional<Real> value, const char* unit, Definition definition) {
      add_known(out, name, value, unit, definition, why);
    };
    const auto highest = std::find_if(levels.begin(), levels.end(),
                                      [&](const CycleLevel& l) { return l.loading && l.level == int(s_.levels); });
    const bool known = highest != levels.end() && highest->cycles > 0;
    const auto of = [&](Real value) { return known ? std::optional<Real>(value) : std::nullopt; };
    Real z_min = HUGE_VAL, z_max = 0, phi_min = HUGE_VAL, phi_max = 0, down = 0, up = 0;
    std::vector<Real> x, y;
    for (std::size_t k = 0; k < levels.size(); ++k) {
      const CycleLevel& l = levels[k];
      z_min = std::min(z_min, l.z);
      z_max = std::max(z_max, l.z);
      phi_min = std::min(phi_min, l.phi);
      phi_max = std::max(phi_max, l.phi);
      x.push_back(l.z * l.phi * l.branch * l.mean_force);
      y.push_back(l.force);
      if (k == 0) continue;
      const CycleLevel& b = levels[k - 1];
      const Real area = 0.5 * (l.force + b.force) * (l.travel - b.travel);
      (area > 0 ? down : up) += area;
    }
    const Line line = fit_line(x, y);
    add("F_top_max_N", of(known ? highest->force : 0), "N",
        {"force on the platen at the highest level, mean over kept cycles", "largest platen force", "F_top"});
    add("F_top_max_deviation_N", of(known ? highest->force_deviation : 0), "N",
        {"its standard deviation over those cycles", "scatter of the largest platen force", "s_F"});
    if (s_.experiment > 0)
      add("Rtop_experiment", of(known ? highest->force / s_.experiment : 0), "1",
          {"the same over the measured force that the scene states (Rtop of Brodu et al. 2015)", "platen force over the measured one", "R_top"});
    add("Z_min", of(z_min), "1", {"least contacts per grain above the threshold, mean over kept cycles", "least coordination number", "Z_min", FigureGroup::sample});
    add("Z_max", of(z_max), "1", {"most contacts per grain above the threshold", "largest coordination number", "Z_max", FigureGroup::sample});
    add("phi_min", of(phi_min), "1", {"smallest solid fraction further than one mean diameter from walls", "least solid fraction", "φ_min", FigureGroup::sample});
    add("phi_max", of(phi_max), "1", {"largest solid fraction further than one mean diameter from walls", "largest solid fraction", "φ_max", FigureGroup::sample});
    add("scaling_slope", of(line.slope), "1/m", {"slope of F against <Z> <phi> <b> <f> over all levels", "slope of force against ⟨Z⟩⟨φ⟩⟨b⟩⟨f⟩"});
    add("scaling_r2", of(line.r2), "1", {"coefficient of determination of that line", "coefficient of determination of that slope", "r²"});
    add("hysteresis_rel", of(down > 0 ? (down + up) / down : 0), "1",
        {"work lost in a mean cycle, over the work of its loading", "share of work lost in a cycle"});
    const auto it = series.find("contraction");
    Real steepest = 0;
    if (it != series.end())
      for (const Real c : it->second) steepest = std::max(steepest, c);
    out.push_back({"contraction_max", steepest, "1",
                   {"largest factor by which errors of forces change from pass to pass; 0 for independent contacts", "largest contraction factor", "", FigureGroup::quality},
                   ""});
    return out;
  }

 private:
  struct Measured {
    Real settled, cycle, level, loading, travel, strong, any, phi, scaling, branch, force;
    std::vector<Real> counts;
  };
  const Measured& measured(const Observation<3>& seen) const {
    return seen.once(this, [&] { return measure_all(seen); });
  }
  Measured measure_all(const Observation<3>& seen) const {
    const State<3>& state = seen.state;
    const bool cycles = std::size_t(state.globals.stage.index) == s_.stage;
    const CycleMemory m = recall<CycleMemory>(state);
    const bool marked = cycles && seen.ends_part;
    const Place at = cycles ? place_of(m.done, m.length) : Place{0, 0, false};
    const ContactList<3>& contacts = seen.contacts();
    const auto means = measure::branch_means(state, contacts);
    const Real strong = measure::coordination_above(state, contacts, s_.threshold);
    const Real phi = measure::solid_share_inside(seen.model, state, measure::mean_diameter(state));
    return {marked ? 1.0 : 0.0,
            Real(at.cycle),
            Real(at.level),
            at.loading ? 1.0 : 0.0,
            cycles ? wall_position(seen.model, state, s_.top) - m.start : 0,
            strong,
            measure::coordination_above(state, contacts, 0),
            phi,
            strong * phi * means.branch * means.force,
            means.branch,
            means.force,
            marked ? measure::force_counts(state, contacts, s_.classes)
                   : std::vector<Real>(std::size_t(s_.classes.count), 0)};
  }

  CycleSettings s_;
};

}  // namespace

std::unique_ptr<Analysis<3>> cycle_analysis(const CycleSettings& settings) {
  return std::make_unique<CycleAnalysis>(settings);
}

std::vector<CycleLevel> cycle_levels(const SeriesData& series, i64 dropped, int classes) {
  std::vector<CycleLevel> out;
  for (const char* name : {"settled", "cycle", "level", "loading", "travel", "top_force"})
    if (!series.count(name)) return out;
  const auto at = [&](const std::string& name, std::size_t row) {
    const auto it = series.find(name);
    return it == series.end() ? Real(0) : it->second[row];
  };
  std::map<std::pair<bool, int>, CycleLevel> all;  // unloading: levels from the highest down
  std::map<std::pair<bool, int>, Real> squares;
  const std::size_t rows = series.at("settled").size();
  for (std::size_t r = 0; r < rows; ++r) {
    if (at("settled", r) != 1 || at("cycle", r) <= Real(dropped)) continue;
    const bool loading = at("loading", r) == 1;
    const int level = int(at("level", r));
    const std::pair key{!loading, loading ? level : -level};
    CycleLevel& l = all[key];
    l.loading = loading;
    l.level = level;
    ++l.cycles;
    const Real share = Real(1) / l.cycles;
    const auto mean = [&](Real& value, const std::string& name) { value += share * (at(name, r) - value); };
    const Real before = l.force;
    mean(l.travel, "travel");
    mean(l.force, "top_force");
    squares[key] += (at("top_force", r) - before) * (at("top_force", r) - l.force);
    mean(l.z, "Z_strong");
    mean(l.z_all, "Z_any");
    mean(l.phi, "phi_inside");
    mean(l.branch, "branch_mean");
    mean(l.mean_force, "force_mean_grains");
    l.counts.resize(std::size_t(classes), 0);
    for (int k = 0; k < classes; ++k) mean(l.counts[std::size_t(k)], class_name(k));
  }
  for (auto& [key, l] : all) {
    l.force_deviation = l.cycles > 1 ? std::sqrt(squares[key] / (l.cycles - 1)) : 0;
    out.push_back(std::move(l));
  }
  return out;
}

Line fit_line(const std::vector<Real>& x, const std::vector<Real>& y) {
  Line line;
  const Real n = Real(x.size());
  Real mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) mx += x[k] / n, my += y[k] / n;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xx += (x[k] - mx) * (x[k] - mx);
    xy += (x[k] - mx) * (y[k] - my);
    yy += (y[k] - my) * (y[k] - my);
  }
  if (!(xx > 0) || !(yy > 0)) return line;
  line.slope = xy / xx;
  line.offset = my - line.slope * mx;
  line.r2 = xy * xy / (xx * yy);
  return line;
}

namespace {

Real total(const std::vector<Real>& counts) {
  Real sum = 0;
  for (const Real c : counts) sum += c;
  return sum;
}

// Contacts per grain when those weaker than the threshold are left out: classes below it whole, its own class in part.
Real z_above(const CycleLevel& l, const measure::ForceClasses& classes, Real threshold) {
  const Real all = total(l.counts);
  if (!(all > 0)) return l.z_all;
  Real below = 0;
  for (int k = 0; k < classes.count; ++k) {
    const Real low = k == 0 ? 0 : classes.edge(k), high = classes.edge(k + 1);
    const Real share = std::clamp((threshold - low) / (high - low), 0.0, 1.0);
    below += share * l.counts[std::size_t(k)];
  }
  return l.z_all * (1 - below / all);
}

}  // namespace

CycleComparison compare_cycles(const std::vector<CycleLevel>& run, const std::vector<CycleLevel>& reference,
                               const measure::ForceClasses& classes, Real reference_threshold) {
  CycleComparison out;
  std::vector<std::pair<const CycleLevel*, const CycleLevel*>> pairs;
  for (const CycleLevel& a : run)
    for (const CycleLevel& b : reference)
      if (a.loading == b.loading && a.level == b.level) pairs.emplace_back(&a, &b);
  if (pairs.empty()) return out;
  int highest = 0;
  Real squares = 0, overlap = 0;
  for (const auto& [a, b] : pairs) {
    if (a->loading && a->level > highest) {
      highest = a->level;
      out.rtop = a->force / b->force;
    }
    squares += (a->force - b->force) * (a->force - b->force);
    const Real na = total(a->counts), nb = total(b->counts);
    Real shared = 0;
    for (std::size_t k = 0; k < a->counts.size() && k < b->counts.size(); ++k)
      shared += std::sqrt(a->counts[k] * b->counts[k]);
    overlap += na > 0 && nb > 0 ? shared / std::sqrt(na * nb) : na == nb;
  }
  const Real n = Real(pairs.size());
  out.errf = std::sqrt(squares / n);
  out.bhat = -std::log(overlap / n);
  out.errz = HUGE_VAL;
  for (int k = 0; k <= 400; ++k) {  // the threshold that fits best, up to 20 mN or ten times that of the reference
    const Real threshold = std::max(0.02, 10 * reference_threshold) * k / 400;
    Real sum = 0;
    for (const auto& [a, b] : pairs) {
      const Real d = z_above(*a, classes, threshold) - z_above(*b, classes, reference_threshold);
      sum += d * d;
    }
    const Real error = std::sqrt(sum / n);
    if (error < out.errz) out.errz = error, out.tau = threshold;
  }
  return out;
}

}  // namespace talus::lab
