#include <talus/lab/cone_test.hpp>

#include <algorithm>
#include <cmath>

#include <talus/lab/series_rows.hpp>

namespace talus::lab {
namespace {

// N, of the sample on the cone against its way: on the tip, and on what follows it.
struct ConeForce {
  Real tip = 0, sleeve = 0;
};

class ConeAnalysis final : public Analysis<3> {
 public:
  explicit ConeAnalysis(const ConeSettings& settings) : s_(settings) {}
  std::string_view kind() const override { return "cone"; }

  Channels<3> channels() const override {
    using Seen = Observation<3>;
    return {{"penetration", "m", "travel of the cone along its axis since the scene began", [this](const Seen& s) { return penetration(s); }},
            {"tip_force", "N", "force of the sample on the tip of the cone along its axis, against its motion; of a mesh the force on all of it", [this](const Seen& s) { return force(s).tip; }},
            {"sleeve_force", "N", "the same on what follows the tip", [this](const Seen& s) { return force(s).sleeve; }},
            {"tip_resistance", "Pa", "tip_force over the area of the cone's widest section; nan of a mesh", [this](const Seen& s) { return s_.section > 0 ? force(s).tip / s_.section : NAN; }}};
  }

  Figures figures(const SeriesData& series) const override {
    const std::vector<Real> way = rows_of_stage(series, "penetration", s_.stage), tip = rows_of_stage(series, "tip_force", s_.stage), sleeve = rows_of_stage(series, "sleeve_force", s_.stage);
    const bool known = way.size() >= 5 && way.back() > way.front();
    const auto in_last_fifth = [&](const std::vector<Real>& values) {
      Real sum = 0, count = 0;
      for (std::size_t k = 0; k < way.size(); ++k)
        if (way[k] >= way.back() - (way.back() - way.front()) / 5) sum += values[k], ++count;
      return sum / count;
    };
    const auto if_known = [&](auto&& value) { return known ? std::optional<Real>(value()) : std::nullopt; };
    const char* missing = "fewer than five rows were written while the cone went in";
    Figures out;
    add_known(out, "penetration_end_mm", if_known([&] { return 1e3 * way.back(); }), "mm", {"travel of the cone at the end of its stage", "penetration at the end", "h_end"}, missing);
    add_known(out, "tip_force_N", if_known([&] { return in_last_fifth(tip); }), "N", {"mean force on the tip over the last fifth of the travel", "tip force at the end", "Q_c"}, missing);
    add_known(out, "tip_resistance", s_.section > 0 ? if_known([&] { return in_last_fifth(tip) / s_.section; }) : std::nullopt, "Pa",
              {"that over the area of the cone's widest section", "tip resistance", "q_c"}, s_.section > 0 ? missing : "a mesh has no section of its own");
    add_known(out, "sleeve_share", if_known([&] { return in_last_fifth(sleeve) / (in_last_fifth(sleeve) + in_last_fifth(tip)); }), "1",
              {"share of the sleeve in the force on the cone over the last fifth of the travel", "share of the sleeve", ""}, missing);
    add_known(out, "tip_force_max_N", if_known([&] { return *std::max_element(tip.begin(), tip.end()); }), "N", {"largest force on the tip", "largest tip force", "Q_max"}, missing);
    return out;
  }

 private:
  Real penetration(const Observation<3>& s) const {
    s.box();  // walls may have moved on a device
    return s_.from - dot(s.state.bodies.position[s.state.grains() + s_.cone], s_.axis);
  }
  // In order of keys.
  ConeForce force(const Observation<3>& s) const {
    return s.once(this, [&] {
      ConeForce sum;
      const auto cone = u32(s.state.grains() + s_.cone);
      const WallShape<3>& shape = wall_shape(s.model, s.state, s_.cone);
      const auto& position = s.state.bodies.position;
      for (const auto& c : s.contacts()) {
        if (c.a != cone && c.b != cone) continue;
        const u32 grain = c.a == cone ? c.b : c.a;
        const Real along = (c.a == cone ? 1 : -1) * dot(c.force, s_.axis);
        (shape.is_tip(shape.at(position[grain] - position[cone]).feature) ? sum.tip : sum.sleeve) += along;
      }
      return sum;
    });
  }
  ConeSettings s_;
};

}  // namespace

std::unique_ptr<Analysis<3>> cone_analysis(const ConeSettings& settings) { return std::make_unique<ConeAnalysis>(settings); }

}  // namespace talus::lab
