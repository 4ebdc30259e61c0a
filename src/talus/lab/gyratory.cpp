#include <talus/lab/gyratory.hpp>

#include <algorithm>
#include <cmath>

#include <talus/geometry/coat_section.hpp>
#include <talus/lab/gyratory_stages.hpp>
#include <talus/lab/series_rows.hpp>

namespace talus::lab {

namespace {

class GyratoryAnalysis final : public Analysis<3> {
 public:
  explicit GyratoryAnalysis(const GyratorySettings& settings) : s_(settings) {}
  std::string_view kind() const override { return "gyratory"; }

  Channels<3> channels() const override {
    using Seen = Observation<3>;
    return {{"gyration", "1", "gyrations completed; nan before the mould gyrates",
             [](const Seen& s) { return gyrations(s.model, s.state).value_or(NAN); }},
            {"height", "m", "height of the specimen, from the base to the platen", [this](const Seen& s) { return height(s); }},
            {"h_min", "m", "volume of the grains and of their coats over the area of the mould", [this](const Seen& s) { return least_height(s); }},
            {"voids", "1", "1 − h_min/h", [this](const Seen& s) { return 1 - least_height(s) / height(s); }, {}, "voids"},
            {"voids_mineral", "1", "the same without coats: what is between the grains themselves", [this](const Seen& s) { return 1 - measure::solid_volume(s.model, s.state) / s_.area / height(s); }, {}, "voids"},
            {"mortar_overlap", "1", "volume that coated grains share, pair by pair, over the volume of all coats; nan for bare grains", [this](const Seen& s) { return mortar_overlap(s); }},
            {"platen_load", "N", "load on the platen, without its weight",
             [this](const Seen& s) { return s.state.bodies.applied.empty() ? 0 : -s.state.bodies.applied[wall(s, s_.top)].z; }},
            {"platen_weight", "N", "weight of the platen", [this](const Seen& s) { return -s.state.bodies.mass[wall(s, s_.top)] * weight_per_mass(s.model, s.state).z; }},
            {"grains_weight", "N", "weight of all grains", [](const Seen& s) { return weight_of_grains(s); }},
            {"base_force_z", "N", "upward force of the base on the grains", [this](const Seen& s) { return -s.state.bodies.force[wall(s, s_.base)].z; }},
            {"mould_force_z", "N", "upward force of the mould on the grains", [this](const Seen& s) { return -s.state.bodies.force[wall(s, s_.mould)].z; }},
            {"contact_area", "m2", "mean area in which coats of mortar meet; nan for bare grains", [](const Seen& s) { return mean_contact_area(s); }},
            {"revolution_rate_top", "rad/s", "rotation of the grains in the top quarter about the middle of the mould, counter-clockwise from above",
             [this](const Seen& s) { return revolution_rate(s); }}};
  }

  Figures figures(const SeriesData& series) const override {
    Figures out;
    const Rows rows(series);
    const auto add = [&](const char* name, std::optional<Real> value, const char* unit, Definition definition, const char* reason) {
      add_known(out, name, value, unit, definition, reason);
    };
    const char* none = "the mould did not gyrate";
    const auto in_mm = [](std::optional<Real> m) { return m ? std::optional(1e3 * *m) : m; };
    add("voids_initial", rows.first("voids"), "1", {"voids when the mould begins to gyrate", "voids before gyration", "V_0"}, none);
    add("voids_20", rows.at("voids", 20), "1", {"voids after 20 gyrations", "voids after 20 gyrations", "V_20"}, "fewer than 20 gyrations were made");
    add("voids_end", rows.last("voids"), "1", {"voids after the last gyration", "voids at the end", "V_end"}, none);
    add("voids_mineral_end", rows.last("voids_mineral"), "1", {"voids between the grains without their coats, after the last gyration", "voids between grains at the end", "VMA"}, none);
    const auto shared = rows.last("mortar_overlap"), voids = rows.last("voids"), h = rows.last("height"), h_min = rows.last("h_min"), mineral = rows.last("voids_mineral");
    std::optional<Real> corrected;
    if (shared && std::isfinite(*shared) && voids && h && h_min && mineral) corrected = *voids + *shared * (*h_min / *h - (1 - *mineral));
    add("voids_end_corrected", corrected, "1", {"voids after the last gyration, with the volume that coats share counted once", "voids at the end, overlaps subtracted", "V_corr"}, "grains are bare, or the mould did not gyrate");
    add("mortar_overlap_volume_rel", rows.mean_of_last("mortar_overlap"), "1", {"volume that coated grains share, pair by pair, over the volume of all coats, mean of the last gyration", "shared volume of coats", "V_o/V_m"}, "grains are bare, or the mould made less than one gyration");
    add("height_20_mm", in_mm(rows.at("height", 20)), "mm", {"height of the specimen after 20 gyrations", "height after 20 gyrations", "h_20", FigureGroup::sample}, "fewer than 20 gyrations were made");
    Definition scatter{"coefficient of variation of the heights of several specimens after 20 gyrations", "scatter of heights after 20 gyrations", "CoV_20"};
    scatter.varies = "height_20_mm";
    add("cov_20", std::nullopt, "1", scatter, "one specimen has no scatter: run several, specimens = 3");
    add("height_mm", in_mm(rows.last("height")), "mm", {"height of the specimen at the end", "specimen height", "h", FigureGroup::sample}, none);
    add("h_min_mm", in_mm(rows.last("h_min")), "mm", {"volume of the grains and of their coats over the area of the mould", "height without voids", "h_min", FigureGroup::sample}, none);
    add("base_force_N", rows.mean_of_last("base_force_z"), "N", {"force of the base on the grains, upward, mean of the last gyration", "force of the base", "F_base"}, none);
    add("mould_force_z_N", rows.mean_of_last("mould_force_z"), "N", {"force of the mould on the grains, upward, mean of the last gyration", "upward force of the mould", "F_mould"}, none);
    const auto base = rows.mean_of_last("base_force_z"), mould = rows.mean_of_last("mould_force_z"), load = rows.mean_of_last("platen_load"),
               platen = rows.mean_of_last("platen_weight"), grains = rows.mean_of_last("grains_weight");
    std::optional<Real> missing;
    if (base && mould && load && platen && grains) missing = (*base + *mould) / (*load + *platen + *grains) - 1;
    add("load_balance_rel", missing, "1", {"force on base and mould over load and weights, minus 1, mean of the last gyration", "error of the vertical force balance", "", FigureGroup::quality}, none);
    const auto area = rows.mean_of_last("contact_area");
    add("contact_area_mean_mm2", area ? std::optional(1e6 * *area) : area, "mm2", {"area in which coats of mortar meet, mean over contacts and the last gyration", "mean area of contacts of mortar", "A"}, "grains are bare, or the mould made less than one gyration");
    const auto turned = rows.integral_of("revolution_rate_top");
    add("revolution_top_deg", turned ? std::optional(*turned * 180 / pi) : turned, "deg", {"rotation of the grains in the top quarter about the middle of the mould while it gyrated, counter-clockwise from above, as the mould gyrates", "revolution at the top", "θ_top"}, none);
    add("penetration_max_rel", rows.deepest(true), "1", {"largest overlap over the sieve size of the smaller grain, while the mould gyrates", "largest overlap during gyration", "δ_max/d", FigureGroup::quality}, none);
    add("penetration_filling_rel", rows.deepest(false), "1", {"the same before: grains fall, and are pressed", "largest overlap before gyration", "δ_fill/d", FigureGroup::quality}, "no row was written");
    return out;
  }

 private:
  // The rows of the series in which the mould gyrates.
  class Rows {
   public:
    explicit Rows(const SeriesData& series) : series_(series) { turns_ = column("gyration"); }  // none yet: as long as that column
    std::optional<Real> first(const char* name) const {
      for (std::size_t k = 0; k < turns_.size(); ++k)
        if (std::isfinite(turns_[k])) return column(name)[k];
      return std::nullopt;
    }
    std::optional<Real> last(const char* name) const {
      for (std::size_t k = turns_.size(); k-- > 0;)
        if (std::isfinite(turns_[k])) return column(name)[k];
      return std::nullopt;
    }
    // The first row with so many gyrations.
    std::optional<Real> at(const char* name, Real turns) const {
      for (std::size_t k = 0; k < turns_.size(); ++k)
        if (turns_[k] > turns - 1e-6) return column(name)[k];
      return std::nullopt;
    }
    // Overlaps of the series are over half the size.
    std::optional<Real> deepest(bool gyrates) const {
      const std::vector<Real> overlap = column("max_overlap");
      std::optional<Real> most;
      for (std::size_t k = 0; k < turns_.size(); ++k)
        if (std::isfinite(turns_[k]) == gyrates) most = std::max(most.value_or(0), overlap[k] / 2);
      return most;
    }
    std::optional<Real> mean_of_last(const char* name) const {
      const auto end = last("gyration");
      if (!end || *end < 1) return std::nullopt;
      const std::vector<Real> values = column(name);
      Real sum = 0, count = 0;
      for (std::size_t k = 0; k < turns_.size(); ++k)
        if (turns_[k] > *end - 1 + 1e-6) sum += values[k], ++count;
      return sum / count;
    }

    // Over time, while the mould gyrates.
    std::optional<Real> integral_of(const char* name) const {
      const std::vector<Real> values = column(name), time = column("time");
      std::optional<Real> sum;
      for (std::size_t k = 1; k < turns_.size(); ++k)
        if (std::isfinite(turns_[k - 1]) && std::isfinite(turns_[k])) sum = sum.value_or(0) + Real(0.5) * (values[k - 1] + values[k]) * (time[k] - time[k - 1]);
      return sum;
    }

   private:
    std::vector<Real> column(const char* name) const {
      const auto it = series_.find(name);
      return it == series_.end() ? std::vector<Real>(turns_.size(), NAN) : it->second;
    }
    const SeriesData& series_;
    std::vector<Real> turns_;
  };

  static std::size_t wall(const Observation<3>& s, std::size_t w) { return s.state.grains() + w; }
  static std::vector<u32> uids_of_grains(const Observation<3>& s) {
    std::vector<u32> uids(s.state.bodies.uid.begin(), s.state.bodies.uid.begin() + std::ptrdiff_t(s.state.grains()));
    std::sort(uids.begin(), uids.end());
    return uids;
  }
  static Real weight_of_grains(const Observation<3>& s) {
    Real mass = 0;  // in the order of uids: one order of sums
    const std::vector<u32> index = index_by_uid(s.state.bodies);
    for (const u32 uid : uids_of_grains(s)) mass += s.state.bodies.mass[index[uid]];
    return -mass * weight_per_mass(s.model, s.state).z;
  }
  Real revolution_rate(const Observation<3>& s) const {
    const Bodies<3>& b = s.state.bodies;
    const Real base = b.position[wall(s, s_.base)].z, from = base + Real(0.75) * height(s);
    const Vec3 middle = b.position[wall(s, s_.mould)];
    Real momentum = 0, inertia = 0;  // in the order of uids: one order of sums
    const std::vector<u32> index = index_by_uid(b);
    for (const u32 uid : uids_of_grains(s)) {
      const std::size_t i = index[uid];
      if (b.position[i].z < from) continue;
      const Real x = b.position[i].x - middle.x, y = b.position[i].y - middle.y;
      momentum += b.mass[i] * (x * b.velocity[i].y - y * b.velocity[i].x);
      inertia += b.mass[i] * (x * x + y * y);
    }
    return inertia > 0 ? momentum / inertia : 0;
  }
  static Real mean_contact_area(const Observation<3>& s) {
    Real sum = 0, count = 0;
    for (const Real area : s.state.hull_patches.coat_area) sum += area, count += area > 0;
    return count > 0 ? sum / count : NAN;
  }
  Real height(const Observation<3>& s) const { return s.state.bodies.position[wall(s, s_.top)].z - s.state.bodies.position[wall(s, s_.base)].z; }
  Real least_height(const Observation<3>& s) const { return (measure::solid_volume(s.model, s.state) + volume_of_coats(s)) / s_.area; }
  static Real size_of(const Observation<3>& s, std::size_t i) { return s.state.globals.radius_scale * s.state.bodies.radius[i] / hull_of(s, i).reach; }
  static const Hull& hull_of(const Observation<3>& s, std::size_t i) { return s.model.hulls[s.model.shapes[s.state.bodies.shape[i]].outline]; }
  static Real volume_of_coats(const Observation<3>& s) {
    Real volume = 0;  // in the order of uids: one order of sums
    if (!(s.model.coat > 0)) return volume;
    const std::vector<u32> index = index_by_uid(s.state.bodies);
    for (const u32 uid : uids_of_grains(s)) volume += coat_volume(hull_of(s, index[uid]), size_of(s, index[uid]), s.model.coat);
    return volume;
  }
  static Real mortar_overlap(const Observation<3>& s) {
    if (!(s.model.coat > 0)) return NAN;
    const State<3>& state = s.state;
    const std::vector<u32> index = index_by_uid(state.bodies);
    struct Placed {
      std::vector<Vec3> corners, normals;
      HullView view;
    };
    std::vector<Placed> placed(state.grains());
    for (std::size_t i = 0; i < state.grains(); ++i) {
      placed[i].corners.resize(hull_of(s, i).corners.size());
      placed[i].normals.resize(hull_of(s, i).normals.size());
      placed[i].view = place(hull_of(s, i), size_of(s, i), state.bodies.orientation[i], state.bodies.position[i], placed[i].corners.data(), placed[i].normals.data());
    }
    Real shared = 0;  // in the order of keys
    for (std::size_t n = 0; n < state.hull_patches.size(); ++n) {
      const std::size_t a = index[state.hull_patches.key[n].a], b = index[state.hull_patches.key[n].b];
      const Vec3& push = state.hull_patches.coat_impulse[n];
      if (b >= state.grains() || !(state.hull_patches.coat_area[n] > 0) || push == Vec3{}) continue;
      const Vec3 along = (1 / length(push)) * push, apart = state.bodies.position[a] - state.bodies.position[b];
      shared += common_volume(placed[a].view, s.model.coat, placed[b].view, s.model.coat, dot(along, apart) < 0 ? -along : along, 1);
    }
    return shared / volume_of_coats(s);
  }

  GyratorySettings s_;
};

}  // namespace

std::unique_ptr<Analysis<3>> gyratory_analysis(const GyratorySettings& settings) {
  return std::make_unique<GyratoryAnalysis>(settings);
}

}  // namespace talus::lab
