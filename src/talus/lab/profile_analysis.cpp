#include <talus/lab/profile_analysis.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <talus/exec/timers.hpp>
#include <talus/lab/cycle_analysis.hpp>
#include <talus/lab/profile_region.hpp>
#include <talus/lab/series_rows.hpp>
#include <talus/measure/porosity.hpp>

namespace talus::lab {
namespace {

template <int D>
std::vector<u32> in_order(const State<D>& state) {  // of uids
  std::vector<u32> order;
  for (std::size_t i = 0; i < state.grains(); ++i) order.push_back(u32(i));
  std::sort(order.begin(), order.end(), [&](u32 i, u32 j) { return state.bodies.uid[i] < state.bodies.uid[j]; });
  return order;
}

template <int D>
bool is_held(const State<D>& state, std::size_t i) {
  return !(state.bodies.inverse_mass[i] > 0);
}

// N, of each body: contact forces, and its weight.
template <int D>
std::vector<Vec<D>> resultants(const Model<D>& model, const State<D>& state, const ContactList<D>& contacts) {
  std::vector<Vec<D>> net(state.bodies.size());
  const Vec<D> gravity = weight_per_mass(model, state);
  for (std::size_t i = 0; i < state.grains(); ++i) net[i] = state.bodies.mass[i] * gravity;
  for (const auto& c : contacts) {
    net[c.a] += c.force;
    net[c.b] -= c.force;
  }
  return net;
}

}  // namespace

template <int D>
Real unit_weight(const Model<D>& model, const State<D>& state) {
  Real mass = 0;
  for (const u32 i : in_order(state)) mass += state.bodies.mass[i];
  return -mass * weight_per_mass(model, state)[D - 1] / volume_of_domain(model, state);
}

template <int D>
ProfileStart profile_start(const Model<D>& model, const State<D>& state, const ContactList<D>& contacts, const ProfileSettings<D>&) {
  ProfileStart start;
  start.n0 = measure::porosity(model, state);
  start.n0_inside = porosity_inside(model, state);
  start.contacts = Real(contacts.size());
  if (contacts.empty()) return start;
  start.mean_force = measure::forces(contacts).mean;
  start.net_force = 0;
  const auto net = resultants(model, state, contacts);
  Real sides = 0, free = 0;
  for (std::size_t i = 0; i < state.grains(); ++i)
    if (!is_held(state, i)) start.net_force = std::max(start.net_force, length(net[i])), ++free;
  for (const auto& c : contacts)
    for (const u32 i : {c.a, c.b})
      if (i < state.grains() && !is_held(state, i)) ++sides;
  start.z0 = sides / free;
  return start;
}

template <int D>
Reaction reaction(const Model<D>& model, const State<D>& state, const ContactList<D>& contacts, const sampling::HeldLayer<D>& layer) {
  Reaction r;
  const Bodies<D>& b = state.bodies;
  const Real g = -weight_per_mass(model, state)[D - 1];
  for (const u32 i : in_order(state))
    if (!is_held(state, i)) r.weight += g * b.mass[i];
  const auto is_free = [&](u32 i) { return i < state.grains() && !is_held(state, i); };
  for (const auto& c : contacts) {
    if (is_free(c.a) == is_free(c.b)) continue;
    const u32 support = is_free(c.a) ? c.b : c.a;
    const Real up = (is_free(c.a) ? 1 : -1) * c.force[D - 1];
    const bool is_below = support < state.grains() ? layer.reaches(state.globals.cell, b.position[support], D - 1)
                                                   : model.shapes[b.shape[support]].wall.faces_along(D - 1) != 0;
    r.upward += up;
    if (!is_below) r.from_sides += up;
  }
  return r;
}

namespace {

// Largest way of a grain that is not held over its diameter, and the mean way of those with two contacts or more over D50.
struct Displacement {
  Real most = 0, mean = NAN;
};
template <int D>
Displacement displacement(const State<D>& state, const ContactList<D>& contacts) {
  const std::vector<u32> touches = measure::contacts_of_bodies(state, contacts);
  const Bodies<D>& b = state.bodies;
  Displacement d;
  Real sum = 0, count = 0;
  for (const u32 i : in_order(state)) {
    if (is_held(state, i) || b.start.empty()) continue;
    const Real way = length(b.position[i] - b.start[i]);
    d.most = std::max(d.most, way / (2 * b.radius[i]));
    if (touches[i] >= 2) sum += way, ++count;
  }
  if (count > 0) d.mean = sum / count / measure::median_diameter(state);
  return d;
}

struct FigureText {
  const char *name, *unit;
  Definition definition;
};

template <class Texts>
void add_unknown_figures(const Texts& texts, Figures& out) {
  for (const FigureText& f : texts) out.push_back({f.name, std::nullopt, f.unit, f.definition, "the sample did not come to rest"});
}
template <class Texts>
void add_known_figures(const Texts& texts, const Real* values, Figures& out) {
  for (std::size_t k = 0; k < std::size(texts); ++k)
    add_known(out, texts[k].name, values[k], texts[k].unit, texts[k].definition,
              "the run was resumed before the sample was at rest, or it has no contacts");
}

const FigureText profile_texts[] = {
    {"np", "1", {"number of grains, those that are held counted", "grains", "N", FigureGroup::sample}},
    {"n0", "1", {"porosity of the whole domain before gravity acts", "porosity before gravity", "n_0", FigureGroup::sample}},
    {"n0_int", "1", {"the same in the middle, from 0.1 to 0.9 of the domain along each axis, inside a cylinder within 0.8 of its radius, grains by the part of their volume there", "porosity before gravity, middle", "n_0,mid", FigureGroup::sample}},
    {"Z0", "1", {"contacts of a grain that is not held, before gravity acts", "coordination number before gravity", "Z_0", FigureGroup::sample}},
    {"contacts", "1", {"number of contacts before gravity acts", "contacts before gravity", "N_c", FigureGroup::sample}},
    {"net_force_max_rel", "1", {"largest resultant force on a grain, weight included, over the mean contact force, before step 1", "largest net force before step 1", "", FigureGroup::quality}},
    {"equilibrium_ratio", "1", {"unbalanced force ratio at rest, held grains left out", "unbalanced force at rest", "", FigureGroup::quality}},
    {"steps_to_equilibrium", "1", {"steps from the start until at rest", "steps to rest", "", FigureGroup::run}},
    {"reaction_over_weight", "1", {"vertical force of walls and held grains on the grains that are not held, over their weight", "support over weight", "", FigureGroup::quality}},
    {"wall_share", "1", {"share of that force that comes from the sides", "share of the sides in the support", "", FigureGroup::result}},
    {"sigma_v_slope", "Pa/m", {"slope of the vertical stress over depth from 0.1 to 0.9 of the depth, in the middle of the width; in a cylinder over all of the section", "slope of the vertical stress", "dσ_v/dz", FigureGroup::result}},
    {"sigma_v_slope_ratio", "1", {"that slope over the unit weight of the sample, weight of the grains over volume of the domain", "slope of the vertical stress over the unit weight", "", FigureGroup::result}},
    {"sigma_v_r2", "1", {"share of the variance of the vertical stress that the line explains", "straightness of the vertical stress", "R²", FigureGroup::result}},
    {"k0_measured", "1", {"sum of horizontal over sum of vertical stresses of those depths", "horizontal over vertical stress", "k_0", FigureGroup::result}},
    {"displacement_mean_over_d50", "1", {"mean displacement since the start of grains with two contacts or more, over D50", "mean displacement of grains over D50", "", FigureGroup::result}},
    {"displacement_max_over_d", "1", {"largest displacement of a grain since the start, over its diameter", "largest displacement of a grain over its diameter", "", FigureGroup::result}},
    {"porosity_change", "1", {"change of the porosity in the middle of the domain", "change of the porosity in the middle", "Δn", FigureGroup::result}},
    {"porosity_wall_excess", "1", {"porosity of strips of one D50 along the sides, or of a ring of that width inside a cylinder, less that of the middle", "porosity along the sides, excess", "", FigureGroup::result}},
    {"t_cell_s", "s", {"wall time of making the cell", "time to make the cell", "t_cell", FigureGroup::run}},
    {"t_replicate_s", "s", {"wall time of copying, cutting and scaling it", "time to copy, cut and scale the cell", "", FigureGroup::run}},
    {"t_gen_s", "s", {"wall time of making the cell and the sample, until it is at rest", "time to make the sample", "t_gen", FigureGroup::run}}};

template <int D>
class ProfileAnalysis final : public Analysis<D> {
 public:
  ProfileAnalysis(const ProfileSettings<D>& settings, const ProfileStart& start) : s_(settings), start_(start), began_(exec::now()) {}
  std::string_view kind() const override { return "profile"; }

  using Seen = Observation<D>;
  Channels<D> channels() const override {
    Channels<D> out{{"unit_weight", "N/m^3", "weight of all grains over the volume of the domain",
                     [this](const Seen& s) {
                       if (s.state.globals.step == 0) began_here_ = true;
                       return unit_weight(s.model, s.state);
                     }},
                    {"reaction_ratio", "1", "vertical force of walls and held grains on the other grains, over the weight of these", [this](const Seen& s) {
                       const Reaction r = reaction(s.model, s.state, s.contacts(), s_.layer);
                       return r.upward / r.weight;
                     }}};
    using Value = Real ProfileRow::*;
    const auto add = [&](const char* name, const char* unit, const char* meaning, Value value) {
      for (i32 r = 0; r < s_.boxes[D - 1]; ++r)
        out.push_back(one_of<D>({name, unit, meaning, [this, r, value](const Seen& s) { return rows(s)[std::size_t(r)].*value; }}, "NN", fmt::format("{:02}", r)));
    };
    add("depth_NN", "m", "depth of row NN of the profile, counted from the top", &ProfileRow::depth);
    add("n_NN", "1", "porosity of row NN, in the middle of the width; in a cylinder over all of the section", &ProfileRow::porosity);
    add("sigma_v_NN", "Pa", "vertical stress of row NN there", &ProfileRow::vertical);
    add("sigma_h_NN", "Pa", "horizontal stress of row NN there", &ProfileRow::horizontal);
    if (s_.is_round) add_rings(out);
    return out;
  }

  Figures figures(const SeriesData&) const override {
    Figures out;
    add_unknown_figures(profile_texts, out);
    return out;
  }

  void stage_end(const Observation<D>& seen, bool, Figures& out) const override {
    if (std::size_t(seen.state.globals.stage.index) != s_.rest) return;
    const State<D>& state = seen.state;
    const Reaction r = reaction(seen.model, state, seen.contacts(), s_.layer);
    std::vector<Real> depth, vertical;
    Real v = 0, h = 0;
    const Real height = state.globals.cell.h(D - 1, D - 1);
    for (const ProfileRow& row : rows(seen))
      if (row.depth > profile_edge * height && row.depth < (1 - profile_edge) * height) {
        depth.push_back(row.depth);
        vertical.push_back(row.vertical);
        v += row.vertical;
        h += row.horizontal;
      }
    const Line line = fit_line(depth, vertical);
    const Displacement moved = displacement(state, seen.contacts());
    const Real mine = began_here_ ? exec::now() - began_ : NAN;
    const Real values[] = {Real(state.grains()), start_.n0, start_.n0_inside, start_.z0, start_.contacts, start_.net_force / start_.mean_force,
                           seen.unbalanced(), Real(state.globals.step), r.upward / r.weight, r.from_sides / r.upward, line.slope,
                           line.slope / unit_weight(seen.model, state), line.r2, h / v, moved.mean, moved.most,
                           porosity_inside(seen.model, state) - start_.n0_inside, wall_excess(seen.model, state),
                           s_.origin.t_cell, s_.origin.t_replicate, s_.origin.t_cell + s_.origin.t_replicate + mine};
    static_assert(std::size(values) == std::size(profile_texts));
    add_known_figures(profile_texts, values, out);
  }

 private:
  void add_rings(Channels<D>& out) const {
    const auto add = [&](const char* name, const char* unit, const char* meaning, auto&& value) {
      for (std::size_t ring = 0; ring < std::size_t(s_.rings); ++ring)
        for (std::size_t layer = 0; layer < std::size_t(s_.layers); ++layer)
          out.push_back(one_of<D>({name, unit, meaning, [this, ring, layer, value](const Seen& s) { return value(rings(s), ring, layer); }}, "R_LL", fmt::format("{}_{:02}", ring, layer)));
    };
    const auto stress = [](int part) {
      return [part](const RingMap& m, std::size_t ring, std::size_t layer) { return m.stress[m.rings.index(ring, m.rings.layers - 1 - layer)][part]; };
    };
    add("ring_radius_R_LL", "m", "mean radius of ring R, from the axis outwards, in layer LL, from the top down", [](const RingMap& m, std::size_t ring, std::size_t) { return (m.rings.edges[ring] + m.rings.edges[ring + 1]) / 2; });
    add("ring_n_R_LL", "1", "porosity of that ring", [](const RingMap& m, std::size_t ring, std::size_t layer) { return m.porosity[m.rings.index(ring, m.rings.layers - 1 - layer)]; });
    add("ring_sigma_r_R_LL", "Pa", "radial stress there", stress(0));
    add("ring_sigma_theta_R_LL", "Pa", "hoop stress there", stress(1));
    add("ring_sigma_z_R_LL", "Pa", "vertical stress there", stress(2));
  }
  const RingMap& rings(const Observation<D>& seen) const {
    return seen.once(&s_, [&] { return ring_map(seen.model, seen.state, seen.contacts(), s_); });
  }
  const std::vector<ProfileRow>& rows(const Observation<D>& seen) const {
    return seen.once(this, [&] { return profile_rows(seen.model, seen.state, seen.contacts(), s_); });
  }

  ProfileSettings<D> s_;
  ProfileStart start_;
  double began_;                     // s
  mutable bool began_here_ = false;  // the first row was written by this process
};

const FigureText column_texts[] = {
    {"np", "1", {"number of balls", "grains", "N", FigureGroup::sample}},
    {"contacts", "1", {"number of contacts before gravity acts", "contacts before gravity", "N_c", FigureGroup::sample}},
    {"weight_N", "N", {"weight of a ball", "weight of a ball", "W", FigureGroup::sample}},
    {"base_force_N", "N", {"force of the column on the plane at the end", "force on the plane", "F", FigureGroup::result}},
    {"shift_top_m", "m", {"virtual overlap of the topmost contact between two balls; negative: less than they overlap", "virtual overlap of the top contact", "δ_g", FigureGroup::result}},
    {"net_force_max_rel", "1", {"largest resultant on a ball, weight included, over its weight, before step 1", "largest net force before step 1", "", FigureGroup::quality}},
    {"displacement_max_over_d", "1", {"largest displacement of a ball since the start, over its diameter", "largest displacement of a grain over its diameter", "", FigureGroup::result}},
    {"reaction_over_weight", "1", {"vertical force of the plane on the balls, over their weight", "support over weight", "", FigureGroup::quality}}};

// Of the contact between two grains that lies highest.
template <int D>
Real top_shift(const Observation<D>& seen) {
  const State<D>& state = seen.state;
  const ContactSample<D>* top = nullptr;
  const auto height = [&](const ContactSample<D>& c) { return state.bodies.position[c.a][D - 1] + c.arm[D - 1]; };
  for (const auto& c : seen.contacts())
    if (c.a < state.grains() && c.b < state.grains() && (!top || height(c) > height(*top))) top = &c;
  Real shift = NAN;
  if (top)
    for_each_law([&]<std::size_t L>() {
      const auto& rows = state.template rows_of<L>();
      for (std::size_t r = 0; r < rows.size() && top->law == L; ++r)
        if (rows.key[r] == top->key) shift = rows.shift.empty() ? 0 : rows.shift[r];
    });
  return shift;
}

template <int D>
class ColumnAnalysis final : public Analysis<D> {
 public:
  ColumnAnalysis(const ProfileSettings<D>& settings, const ProfileStart& start) : s_(settings), start_(start) {}
  std::string_view kind() const override { return "column"; }
  Channels<D> channels() const override {
    return {{"way_max_over_d", "1", "largest displacement of a ball since the start, over its diameter",
             [](const Observation<D>& s) { return displacement(s.state, s.contacts()).most; }}};
  }
  Figures figures(const SeriesData&) const override {
    Figures out;
    add_unknown_figures(column_texts, out);
    return out;
  }
  void stage_end(const Observation<D>& seen, bool, Figures& out) const override {
    if (std::size_t(seen.state.globals.stage.index) != s_.rest) return;
    const Reaction r = reaction(seen.model, seen.state, seen.contacts(), s_.layer);
    const Real weight = r.weight / Real(seen.state.grains());
    const Real values[] = {Real(seen.state.grains()), start_.contacts, weight, r.upward, top_shift(seen), start_.net_force / weight,
                           displacement(seen.state, seen.contacts()).most, r.upward / r.weight};
    static_assert(std::size(values) == std::size(column_texts));
    add_known_figures(column_texts, values, out);
  }

 private:
  ProfileSettings<D> s_;
  ProfileStart start_;
};

}  // namespace

template <int D>
std::unique_ptr<Analysis<D>> profile_analysis(const ProfileSettings<D>& settings, const ProfileStart& start) {
  return std::make_unique<ProfileAnalysis<D>>(settings, start);
}
template <int D>
std::unique_ptr<Analysis<D>> column_analysis(const ProfileSettings<D>& settings, const ProfileStart& start) {
  return std::make_unique<ColumnAnalysis<D>>(settings, start);
}

#define TALUS_INSTANTIATE(D)                                                                                                            \
  template ProfileStart profile_start(const Model<D>&, const State<D>&, const ContactList<D>&, const ProfileSettings<D>&);              \
  template Real unit_weight(const Model<D>&, const State<D>&);                                                                          \
  template Reaction reaction(const Model<D>&, const State<D>&, const ContactList<D>&, const sampling::HeldLayer<D>&);                   \
  template std::unique_ptr<Analysis<D>> profile_analysis(const ProfileSettings<D>&, const ProfileStart&);                               \
  template std::unique_ptr<Analysis<D>> column_analysis(const ProfileSettings<D>&, const ProfileStart&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::lab
