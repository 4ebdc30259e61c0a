#include <talus/lab/solid_tests.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <talus/lab/series_rows.hpp>
#include <talus/lab/slope.hpp>

namespace talus::lab {

Real Cantilever::period() const {
  const Real plane = young / (1 - poisson * poisson), stiffness = plane * std::pow(thickness, 3) / 12;
  const Real k = Real(1.8751040687) / length;
  return 2 * pi / (k * k * std::sqrt(stiffness / (density * thickness)));
}

// In the plane from 1.8 to 2.8 and in space from 1.7 on: the laws of tall columns; the two laws of the plane do not meet, the larger holds.
Real lube_runout(int dimension, Real aspect) {
  if (dimension == 3) return aspect < 1.7 ? 1 + 1.24 * aspect : 1 + 1.6 * std::sqrt(aspect);
  return aspect < 1.8 ? 1 + 1.2 * aspect : 1 + 1.9 * std::pow(aspect, Real(2) / 3);
}

namespace {

void tell(Figures& out, const char* name, std::optional<Real> value, const char* unit, const Definition& definition, const char* reason = "the run is too short") {
  add_known(out, name, value, unit, definition, reason);
}

template <int D>
struct Middle {
  Vec<D> place{}, speed{};  // m, m/s, of the centre of mass
  Real mass = 0;            // kg
};
// Of all particles that belong: sums in order of uid.
template <int D, class Belongs>
Middle<D> middle_of(const Particles<D>& p, Belongs&& belongs) {
  std::vector<u32> order(p.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](u32 i, u32 j) { return p.uid[i] < p.uid[j]; });
  Middle<D> m;
  for (const u32 i : order) {
    if (!belongs(i)) continue;
    m.mass += p.mass[i];
    m.place += p.mass[i] * p.position[i];
    m.speed += p.mass[i] * p.velocity[i];
  }
  if (m.mass > 0) m = {(1 / m.mass) * m.place, (1 / m.mass) * m.speed, m.mass};
  return m;
}
template <int D>
Middle<D> middle_of(const Particles<D>& p) {
  return middle_of(p, [](u32) { return true; });
}
template <int D>
Real fastest_of(const Particles<D>& p) {
  Real most = 0;
  for (const Vec<D>& v : p.velocity) most = std::max(most, length(v));
  return most;
}

class CantileverAnalysis final : public Analysis<2> {
 public:
  explicit CantileverAnalysis(const Cantilever& beam) : beam_(beam) {}
  std::string_view kind() const override { return "cantilever"; }
  Channels<2> channels() const override {
    return {{"tip", "m", "mean height of the particles within a tenth of the length from the free end", [this](const Observation<2>& s) {
               const auto& p = s.state.particles;
               Real end = -HUGE_VAL;
               for (const Vec2& x : p.position) end = std::max(end, x.x);
               return middle_of(p, [&](u32 i) { return p.position[i].x > end - 0.1 * beam_.length; }).place.y;
             }}};
  }
  Figures figures(const SeriesData& series) const override {
    const auto time = rows_if_any(series, "time"), tip = rows_if_any(series, "tip");
    Figures out;
    std::vector<Real> ups;  // moments at which the tip rises through the middle of its swing
    if (!tip.empty()) {
      const auto [low, high] = std::minmax_element(tip.begin(), tip.end());
      const Real level = (*low + *high) / 2;
      for (std::size_t k = 1; k < std::min(tip.size(), time.size()); ++k)
        if (tip[k - 1] < level && tip[k] >= level)
          ups.push_back(time[k - 1] + (time[k] - time[k - 1]) * (level - tip[k - 1]) / (tip[k] - tip[k - 1]));
      tell(out, "swing_over_length", (*high - *low) / beam_.length, "1", {"distance of the tip's highest and lowest position, over the length", "amplitude of the tip over the length"});
    }
    const std::optional<Real> period = ups.size() > 1 ? std::optional((ups.back() - ups.front()) / Real(ups.size() - 1)) : std::nullopt;
    tell(out, "period", period, "s", {"mean time between two rises of the tip through the middle of its swing", "period", "T"});
    tell(out, "period_exact", beam_.period(), "s", {"of the first mode of a thin beam in plane strain", "period of a thin beam", "T_0"});
    tell(out, "error", period ? std::optional(std::abs(*period / beam_.period() - 1)) : std::nullopt, "1", {"|period/period_exact − 1|", "error of the period"});
    tell(out, "tolerance", 0.1, "1", {"tolerance of the error", "allowed error"});
    return out;
  }

 private:
  Cantilever beam_;
};

class SpinAnalysis final : public Analysis<3> {
 public:
  std::string_view kind() const override { return "spin"; }
  Channels<3> channels() const override {
    return {{"angular_momentum", "kg m^2/s", "about the centre of mass, along z",
             [](const Observation<3>& s) {
               const auto& p = s.state.particles;
               const Middle<3> m = middle_of(p);
               const auto part = [&](u32 i) {
                 const Vec3 arm = p.position[i] - m.place, v = p.velocity[i] - m.speed;
                 return p.mass[i] * (arm.x * v.y - arm.y * v.x);
               };
               Real sum = 0;
               for (const u32 i : by_uid(p)) sum += part(i);
               return sum;
             }},
            {"size_max", "m", "distance of the farthest particle from the centre of mass", [](const Observation<3>& s) {
               const auto& p = s.state.particles;
               const Vec3 centre = middle_of(p).place;
               Real most = 0;
               for (const Vec3& x : p.position) most = std::max(most, length(x - centre));
               return most;
             }}};
  }
  Figures figures(const SeriesData& series) const override {
    const auto spin = rows_if_any(series, "angular_momentum"), size = rows_if_any(series, "size_max");
    Figures out;
    const bool seen = spin.size() > 1 && spin.front() != 0;
    tell(out, "error", seen ? std::optional(std::abs(spin.back() / spin.front() - 1)) : std::nullopt, "1", {"|angular momentum at the end over that at the start − 1|", "error of the angular momentum"});
    tell(out, "tolerance", 0.01, "1", {"tolerance of the error", "allowed error"});
    tell(out, "size_ratio", seen ? std::optional(*std::max_element(size.begin(), size.end()) / size.front()) : std::nullopt, "1",
         {"largest distance of a particle from the centre of mass over that at the start: corners that tear off fly away", "largest growth of the body"});
    return out;
  }

 private:
  static std::vector<u32> by_uid(const Particles<3>& p) {
    std::vector<u32> order(p.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](u32 i, u32 j) { return p.uid[i] < p.uid[j]; });
    return order;
  }
};

class DropAnalysis final : public Analysis<3> {
 public:
  explicit DropAnalysis(const Drop& drop) : drop_(drop) {}
  std::string_view kind() const override { return "drop"; }
  Channels<3> channels() const override {
    return {{"centre_height", "m", "height of the centre of mass", [](const Observation<3>& s) { return middle_of(s.state.particles).place.z; }},
            {"width", "m", "extent along x", [](const Observation<3>& s) { return extent(s, 0); }},
            {"height", "m", "extent along z", [](const Observation<3>& s) { return extent(s, 2); }}};
  }
  Figures figures(const SeriesData& series) const override {
    const auto time = rows_if_any(series, "time"), centre = rows_if_any(series, "centre_height"), width = rows_if_any(series, "width"),
               height = rows_if_any(series, "height");
    Figures out;
    const Real contact = std::sqrt(2 * drop_.height / drop_.gravity);
    std::optional<Real> worst, back;
    std::size_t lowest = 0;
    for (std::size_t k = 0; k < centre.size(); ++k) {
      if (time[k] < 0.95 * contact)  // boundary particles are felt before the faces meet
        worst = std::max(worst.value_or(0), std::abs(centre[k] - centre[0] + 0.5 * drop_.gravity * time[k] * time[k]) / drop_.height);
      if (centre[k] < centre[lowest]) lowest = k;
    }
    if (lowest + 1 < centre.size()) back = (*std::max_element(centre.begin() + i64(lowest), centre.end()) - centre[0] + drop_.height) / drop_.height;
    tell(out, "error", worst, "1", {"largest distance of the centre of mass from free fall before contact, over the height of fall", "error of the fall"});
    tell(out, "tolerance", 1e-3, "1", {"tolerance of the error", "allowed error"});
    tell(out, "rebound_over_drop", back, "1", {"highest place of the centre of mass after its lowest, over the height of fall; both from where the undeformed body stands on the floor", "height of rebound over height of fall"});
    tell(out, "squeeze", height.empty() ? std::nullopt : std::optional(*std::min_element(height.begin(), height.end()) / height.front()), "1", {"least height of the body over that at the start", "smallest height over the height at the start"});
    tell(out, "shape_kept", height.empty() ? std::nullopt : std::optional((height.back() / width.back()) / (height.front() / width.front())), "1",
         {"height over width at the end, over that at the start", "height over width at the end, over that at the start"});
    return out;
  }

 private:
  static Real extent(const Observation<3>& s, int k) {
    Real low = HUGE_VAL, high = -HUGE_VAL;
    for (const Vec3& x : s.state.particles.position) low = std::min(low, x[k]), high = std::max(high, x[k]);
    return high - low;
  }
  Drop drop_;
};

class RingsAnalysis final : public Analysis<2> {
 public:
  explicit RingsAnalysis(Real spacing) : spacing_(spacing) {}
  std::string_view kind() const override { return "rings"; }
  Channels<2> channels() const override {
    return {{"approach", "m/s", "speed along x with which the first body nears the second; negative: they part",
             [](const Observation<2>& s) {
               const auto& p = s.state.particles;
               return middle_of(p, [&](u32 i) { return p.body[i] == 0; }).speed.x - middle_of(p, [&](u32 i) { return p.body[i] == 1; }).speed.x;
             }},
            {"nearest", "1", "least distance of two particles, over their spacing", [this](const Observation<2>& s) {
               const auto& p = s.state.particles;
               std::vector<Vec2> x(p.position.begin(), p.position.end());
               std::sort(x.begin(), x.end(), [](const Vec2& a, const Vec2& b) { return a.x < b.x; });
               Real least = HUGE_VAL;
               for (std::size_t i = 0; i < x.size(); ++i)
                 for (std::size_t j = i + 1; j < x.size() && x[j].x - x[i].x < 2 * spacing_; ++j) least = std::min(least, length(x[j] - x[i]));
               return least / spacing_;
             }}};
  }
  Figures figures(const SeriesData& series) const override {
    const auto approach = rows_if_any(series, "approach"), nearest = rows_if_any(series, "nearest");
    Figures out;
    const std::optional<Real> back = approach.empty() ? std::nullopt : std::optional(-approach.back() / approach.front());
    tell(out, "rebound", back, "1", {"speed of parting at the end over that of approach: 0.5 to 0.95 are expected", "speed after over speed before the collision", "e"});
    tell(out, "error", back ? std::optional(std::abs(*back - 0.725)) : std::nullopt, "1", {"distance of the rebound from the middle of this band", "error of the rebound"});
    tell(out, "tolerance", 0.225, "1", {"tolerance of the error: half the band", "allowed error"});
    tell(out, "nearest_min", nearest.empty() ? std::nullopt : std::optional(*std::min_element(nearest.begin(), nearest.end())), "1",
         {"least distance of two particles in any row, over their spacing; below 0.5 they clump", "smallest distance of two particles", "", FigureGroup::quality});
    return out;
  }

 private:
  Real spacing_;
};

template <int D>
class CollapseAnalysis final : public Analysis<D> {
 public:
  CollapseAnalysis(const Collapse& column, const Vec<D>& middle) : column_(column), middle_(middle) {}
  std::string_view kind() const override { return "collapse"; }
  Channels<D> channels() const override {
    using Seen = Observation<D>;
    return {{"runout", "1", "distance within which 99.5 % of the particles lie, and half a spacing, over the first radius or width",
             [this](const Seen& s) { return reach(s, 0.995); }},
            {"runout_farthest", "1", "the same of the farthest particle", [this](const Seen& s) { return reach(s, 1); }},
            {"top", "1", "highest particle and half a spacing, over the first radius or width",
             [this](const Seen& s) {
               Real most = 0;
               for (const Vec<D>& x : s.state.particles.position) most = std::max(most, x[D - 1]);
               return (most + column_.spacing / 2) / column_.width;
             }},
            {"plateau", "1", "radius or width of the surface that is still within a spacing of its first height, over the first",
             [this](const Seen& s) {
               Real most = 0;
               for (const Vec<D>& x : s.state.particles.position)
                 if (x[D - 1] > column_.height - 1.5 * column_.spacing) most = std::max(most, distance(x) + column_.spacing / 2);
               return most / column_.width;
             }},
            {"speed_max", "m/s", "speed of the fastest particle", [](const Seen& s) { return fastest_of(s.state.particles); }}};
  }
  Figures figures(const SeriesData& series) const override {
    const auto runout = last_of(rows_if_any(series, "runout"));
    const Real exact = lube_runout(D, column_.height / column_.width);
    Figures out;
    tell(out, "runout_over_r0", runout, "1", {"distance within which 99.5 % of the particles lie at the end, over the first radius or width", "run-out", "r_∞/r_0"});
    tell(out, "runout_lube", exact, "1", {"the same after Lube and others, 2004 in space, 2005 in the plane", "run-out by Lube and others", "r_L/r_0"});
    tell(out, "error", runout ? std::optional(std::abs(*runout / exact - 1)) : std::nullopt, "1", {"|runout_over_r0/runout_lube − 1|", "error of the run-out"});
    tell(out, "tolerance", column_.tolerance, "1", {"tolerance of the error", "allowed error"});
    tell(out, "runout_farthest", last_of(rows_if_any(series, "runout_farthest")), "1", {"distance of the farthest particle at the end, over the first radius or width", "distance of the farthest particle", "r_max/r_0"});
    tell(out, "height_over_r0", last_of(rows_if_any(series, "top")), "1", {"height at the end over the first radius or width", "height at the end", "h_∞/r_0"});
    tell(out, "plateau_over_r0", last_of(rows_if_any(series, "plateau")), "1", {"radius or width of the surface that has not sunk by a spacing, over the first", "undisturbed part of the surface"});
    tell(out, "speed_final", last_of(rows_if_any(series, "speed_max")), "m/s", {"speed of the fastest particle at the end", "speed at the end", "v_end", FigureGroup::quality});
    return out;
  }

 private:
  Real distance(const Vec<D>& x) const {
    Vec<D> across = x - middle_;
    across[D - 1] = 0;
    return length(across);
  }
  Real reach(const Observation<D>& s, Real part) const {
    std::vector<Real> far;
    for (const Vec<D>& x : s.state.particles.position) far.push_back(distance(x));
    if (far.empty()) return 0;
    const std::size_t at = std::min(far.size() - 1, std::size_t(part * Real(far.size())));
    std::nth_element(far.begin(), far.begin() + i64(at), far.end());
    return (far[at] + column_.spacing / 2) / column_.width;
  }
  Collapse column_;
  Vec<D> middle_;
};

template <int D>
class SlopeAnalysis final : public Analysis<D> {
 public:
  explicit SlopeAnalysis(const InfiniteSlope& slope) : slope_(slope) {}
  std::string_view kind() const override { return "slope"; }
  Channels<D> channels() const override {
    return {{"downhill_speed", "m/s", "mean velocity along x, by mass", [](const Observation<D>& s) { return middle_of(s.state.particles).speed[0]; }}};
  }
  Figures figures(const SeriesData& series) const override {
    const auto time = rows_if_any(series, "time"), speed = rows_if_any(series, "downhill_speed");
    Figures out;
    std::optional<Real> gain;
    if (const std::size_t last = speed.size(), half = last / 2; last > 3 && time[last - 1] > time[half])
      gain = (speed[last - 1] - speed[half]) / (time[last - 1] - time[half]) / slope_.gravity;
    tell(out, "acceleration_over_g", gain, "1", {"acceleration downhill in the second half of the rows, over gravity", "acceleration downhill", "a/g"});
    tell(out, "acceleration_lowest", slope_.lowest(), "1", {"lower bound: sin(angle) - 3 alpha cos(angle) where sin(angle) is above 3 alpha, else rest", "lower bound of the acceleration"});
    tell(out, "acceleration_highest", slope_.highest(), "1", {"upper bound: sin(angle) - 3 alpha cos(angle), or rest", "upper bound of the acceleration"});
    tell(out, "error", gain ? std::optional(std::max({slope_.lowest() - *gain, *gain - slope_.highest(), Real(0)})) : std::nullopt, "1",
         {"distance of acceleration_over_g from these bounds", "error of the acceleration"});
    tell(out, "tolerance", 0.035, "1", {"tolerance of the error: two degrees", "allowed error"});
    tell(out, "speed_final", last_of(speed), "m/s", {"mean velocity along x at the end", "speed at the end", "v_end", FigureGroup::quality});
    return out;
  }

 private:
  InfiniteSlope slope_;
};

class PileAnalysis final : public Analysis<2> {
 public:
  explicit PileAnalysis(const Pile& pile) : pile_(pile) {}
  std::string_view kind() const override { return "pile"; }
  Channels<2> channels() const override {
    return {{"pile_angle", "deg", "slope of the surface between 15 and 85 % of its height, by least squares",
             [this](const Observation<2>& s) { return slope_of(surface(s.state.particles)) * 180 / pi; }},
            {"pile_top", "m", "highest point of the surface",
             [this](const Observation<2>& s) {
               Real most = 0;
               for (const SurfacePoint& p : surface(s.state.particles)) most = std::max(most, p.height);
               return most;
             }},
            {"speed_max", "m/s", "speed of the fastest particle", [](const Observation<2>& s) { return fastest_of(s.state.particles); }}};
  }
  Figures figures(const SeriesData& series) const override {
    const auto angle = last_of(rows_if_any(series, "pile_angle"));
    const auto top = rows_if_any(series, "pile_top");
    const Real steady = std::atan(pile_.friction) * 180 / pi;
    Figures out;
    tell(out, "angle_of_pile", angle, "deg", {"slope of the surface at the end, between 15 and 85 % of its height", "slope of the heap", "θ"});
    tell(out, "angle_steady", steady, "deg", {"atan(3 alpha): of steady simple shear", "slope by steady shear", "θ_s"});
    tell(out, "error", angle ? std::optional(std::abs(*angle - steady)) : std::nullopt, "deg", {"|angle_of_pile − angle_steady|", "error of the slope"});
    tell(out, "tolerance", 3, "deg", {"tolerance of the error", "allowed error"});
    tell(out, "top_sinks", top.size() > 8 ? std::optional((top[top.size() * 7 / 8] - top.back()) / pile_.spacing) : std::nullopt, "1",
         {"settlement of the top in the last eighth of the rows, over the spacing", "settlement of the top at the end", "", FigureGroup::quality});
    tell(out, "speed_final", last_of(rows_if_any(series, "speed_max")), "m/s", {"speed of the fastest particle at the end", "speed at the end", "v_end", FigureGroup::quality});
    return out;
  }

 private:
  std::vector<SurfacePoint> surface(const Particles<2>& p) const {  // highest particle of strips of two spacings
    std::vector<SurfacePoint> points;
    for (const Vec2& x : p.position) {
      const std::size_t strip = std::size_t(std::max(x.x, Real(0)) / (2 * pile_.spacing));
      while (points.size() <= strip) points.push_back({(2 * Real(points.size()) + 1) * pile_.spacing, 0});
      points[strip].height = std::max(points[strip].height, x.y + pile_.spacing / 2);
    }
    return points;
  }
  Pile pile_;
};

}  // namespace

std::unique_ptr<Analysis<2>> pile_analysis(const Pile& pile) { return std::make_unique<PileAnalysis>(pile); }
std::unique_ptr<Analysis<2>> cantilever_analysis(const Cantilever& beam) { return std::make_unique<CantileverAnalysis>(beam); }
std::unique_ptr<Analysis<3>> spin_analysis() { return std::make_unique<SpinAnalysis>(); }
std::unique_ptr<Analysis<3>> drop_analysis(const Drop& drop) { return std::make_unique<DropAnalysis>(drop); }
std::unique_ptr<Analysis<2>> rings_analysis(Real spacing) { return std::make_unique<RingsAnalysis>(spacing); }
template <int D>
std::unique_ptr<Analysis<D>> collapse_analysis(const Collapse& column, const Vec<D>& middle) {
  return std::make_unique<CollapseAnalysis<D>>(column, middle);
}
template <int D>
std::unique_ptr<Analysis<D>> slope_analysis(const InfiniteSlope& slope) {
  return std::make_unique<SlopeAnalysis<D>>(slope);
}
template std::unique_ptr<Analysis<2>> slope_analysis(const InfiniteSlope&);
template std::unique_ptr<Analysis<3>> slope_analysis(const InfiniteSlope&);
template std::unique_ptr<Analysis<2>> collapse_analysis(const Collapse&, const Vec2&);
template std::unique_ptr<Analysis<3>> collapse_analysis(const Collapse&, const Vec3&);

}  // namespace talus::lab
