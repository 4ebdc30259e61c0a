#include <talus/lab/slope.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include <talus/lab/cycle_analysis.hpp>
#include <talus/lab/series_rows.hpp>
#include <talus/measure/averages.hpp>

namespace talus::lab {

namespace {

template <int D>
class ReposeAnalysis final : public Analysis<D> {
 public:
  explicit ReposeAnalysis(int way) : way_(way) {}
  std::string_view kind() const override { return "repose"; }

  Channels<D> channels() const override {
    using Seen = Observation<D>;
    return {{"surface_angle", "deg",
             "slope of the heap's surface: least squares through the highest points of strips of two mean diameters, between 15 and 85 % of its height",
             [this](const Seen& s) { return slope_of(s.once(this, [&] { return surface_of(s.state, way_); })) * 180 / pi; }},
            {"heap_height", "m", "highest point of a grain",
             [this](const Seen& s) {
               Real most = 0;
               for (const SurfacePoint& p : s.once(this, [&] { return surface_of(s.state, way_); })) most = std::max(most, p.height);
               return most;
             }},
            {"run_out", "m", "centre of the foremost grain that touches another or a wall, along the flow",
             [this](const Seen& s) {
               Real most = 0;
               for (const auto& c : s.contacts())
                 for (const std::size_t i : {std::size_t(c.a), std::size_t(c.b)})
                   if (i < s.state.grains()) most = std::max(most, s.state.bodies.position[i][way_]);
               return most;
             }}};
  }
  Figures figures(const SeriesData& series) const override {
    const auto last = [&](const char* name) {
      const std::vector<Real> all = rows_of_column(series, name);
      return all.empty() ? std::nullopt : std::optional(all.back());
    };
    const auto in_mm = [](std::optional<Real> m) { return m ? std::optional(1e3 * *m) : m; };
    const char* none = "the heap has fewer than three strips between 15 and 85 % of its height";
    Figures out;
    add_known(out, "angle_of_repose_deg", last("surface_angle"), "deg", {"slope of the heap's surface at the end, between 15 and 85 % of its height", "angle of repose", "θ_r"}, none);
    add_known(out, "heap_height_mm", in_mm(last("heap_height")), "mm", {"highest point of a grain at the end", "height of the heap", "h"}, "no row was written");
    add_known(out, "run_out_mm", in_mm(last("run_out")), "mm", {"centre of the foremost grain of the heap at the end", "run-out", "L"}, "no row was written");
    return out;
  }

 private:
  int way_;
};

class DrumAnalysis final : public Analysis<3> {
 public:
  explicit DrumAnalysis(const DrumSettings& settings) : s_(settings) {}
  std::string_view kind() const override { return "drum"; }

  Channels<3> channels() const override {
    using Seen = Observation<3>;
    return {{"bed_angle", "deg",
             "how far the drum has taken the grains' centre of mass from the vertical through its axis: the slope of a bed with a flat surface",
             [this](const Seen& s) {
               const Vec3 under = cross(s.state.bodies.spin[s.state.grains() + s_.drum], Vec3{0, 0, -1});  // way of the drum's lowest point
               const Real angle = bed_angle(s.state, s.state.bodies.position[s.state.grains() + s_.drum], s_.right) * 180 / pi;
               return under[s_.right] < 0 ? -angle : angle;
             }},
            {"drum_turns", "1", "turns that the drum has made since the stage began",
             [this](const Seen& s) { return length(s.state.bodies.spin[s.state.grains() + s_.drum]) * s.stage_time() / (2 * pi); }},
            {"drum_torque", "N m", "torque that turns the drum: minus the moment of the grains about its axis",
             [this](const Seen& s) {
               const auto load = measure::wall_load(s.state, s.contacts(), s_.drum);
               const Vec3 spin = s.state.bodies.spin[s.state.grains() + s_.drum];
               return length(spin) > 0 ? -dot(load.moment, spin) / length(spin) : 0;
             }},
            {"froude", "1", "spin² R/g: R the radius of the drum",
             [this](const Seen& s) {
               const Vec3 spin = s.state.bodies.spin[s.state.grains() + s_.drum];
               const Real radius = wall_shape(s.model, s.state, s_.drum).at({}).gap;
               return dot(spin, spin) * radius / length(weight_per_mass(s.model, s.state));
             }}};
  }
  Figures figures(const SeriesData& series) const override {
    const std::vector<Real> angle = rows_of_stage(series, "bed_angle", s_.stage), turns = rows_of_stage(series, "drum_turns", s_.stage),
                            torque = rows_of_stage(series, "drum_torque", s_.stage);
    std::optional<Real> mean, deviation, mean_torque;
    if (angle.size() >= 10) {
      std::size_t first = 0;
      while (turns[first] < turns.back() / 2) ++first;
      const auto count = Real(angle.size() - first);
      Real sum = 0, twist = 0, squares = 0;
      for (std::size_t k = first; k < angle.size(); ++k) sum += angle[k], twist += torque[k];
      for (std::size_t k = first; k < angle.size(); ++k) squares += (angle[k] - sum / count) * (angle[k] - sum / count);
      mean = sum / count;
      mean_torque = twist / count;
      deviation = std::sqrt(squares / count);
    }
    const char* missing = "fewer than ten rows were written while the drum turned";
    Figures out;
    const auto& froude = rows_of_stage(series, "froude", s_.stage);
    add_known(out, "dynamic_angle_deg", mean, "deg", {"mean slope of the bed over the second half of the turns, by its centre of mass", "dynamic angle of repose", "θ_d"}, missing);
    add_known(out, "dynamic_angle_deviation_deg", deviation, "deg", {"standard deviation of that slope over time", "standard deviation of the dynamic angle", ""}, missing);
    add_known(out, "drum_torque_mean", mean_torque, "N m", {"mean torque of the drum over the second half of the turns", "mean torque of the drum", "T"}, missing);
    add_known(out, "drum_turns_made", turns.empty() ? std::nullopt : std::optional(turns.back()), "1", {"turns of the drum", "turns of the drum", "", FigureGroup::run}, missing);
    add_known(out, "froude_number", froude.empty() ? std::nullopt : std::optional(froude.back()), "1", {"spin squared times radius over gravity", "Froude number", "Fr"}, missing);
    return out;
  }

 private:
  DrumSettings s_;
};

}  // namespace

template <int D>
std::vector<SurfacePoint> surface_of(const State<D>& state, int way) {
  const Real width = 2 * measure::mean_diameter(state);
  std::map<i64, Real> tops;  // by strip
  for (std::size_t i = 0; i < state.grains(); ++i) {
    const Vec<D>& x = state.bodies.position[i];
    Real& top = tops.try_emplace(i64(std::floor(x[way] / width)), 0.0).first->second;
    top = std::max(top, x[D - 1] + state.globals.radius_scale * state.bodies.radius[i]);
  }
  std::vector<SurfacePoint> out;
  for (const auto& [strip, top] : tops) out.push_back({(Real(strip) + 0.5) * width, top});
  return out;
}

Real slope_of(const std::vector<SurfacePoint>& surface) {
  Real highest = 0;
  for (const SurfacePoint& p : surface) highest = std::max(highest, p.height);
  std::vector<Real> x, height;
  for (const SurfacePoint& p : surface)
    if (p.height > 0.15 * highest && p.height < 0.85 * highest) x.push_back(p.x), height.push_back(p.height);
  return x.size() < 3 ? NAN : std::atan(-fit_line(x, height).slope);
}

template <int D>
Real bed_angle(const State<D>& state, const Vec<D>& centre, int right) {
  Vec<D> moment{};
  const std::vector<u32> index = index_by_uid(state.bodies);
  for (std::size_t uid = 0; uid < index.size(); ++uid)  // one order of sums
    if (const u32 i = index[uid]; i < state.grains() && state.bodies.uid[i] == uid) moment += state.bodies.mass[i] * (state.bodies.position[i] - centre);
  return std::atan2(moment[right], -moment[D - 1]);
}

template <int D>
std::unique_ptr<Analysis<D>> repose_analysis(int way) {
  return std::make_unique<ReposeAnalysis<D>>(way);
}
std::unique_ptr<Analysis<3>> drum_analysis(const DrumSettings& settings) { return std::make_unique<DrumAnalysis>(settings); }

#define TALUS_INSTANTIATE(D)                                                 \
  template std::vector<SurfacePoint> surface_of(const State<D>&, int);       \
  template Real bed_angle(const State<D>&, const Vec<D>&, int);              \
  template std::unique_ptr<Analysis<D>> repose_analysis(int);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::lab
