#include <talus/lab/profile_region.hpp>

#include <cmath>

#include <talus/measure/averages.hpp>
#include <talus/stages/walls.hpp>

namespace talus::lab {
namespace {

constexpr Real middle_of_cylinder = 1 - 2 * profile_edge;  // of its radius

template <int D>
measure::Box<D> domain(const State<D>& state) {
  measure::Box<D> box;
  for (int k = 0; k < D; ++k) box.high[k] = state.globals.cell.h(k, k);
  return box;
}

// The middle of the domain, in one piece.
template <int D>
measure::Grid<D> inside(const State<D>& state) {
  measure::Grid<D> grid{domain(state), {}};
  for (int k = 0; k < D; ++k) {
    grid.count[k] = 1;
    const Real width = grid.box.high[k];
    grid.box.low[k] = profile_edge * width;
    grid.box.high[k] = (1 - profile_edge) * width;
  }
  return grid;
}

template <int D>
bool is_round(const Model<D>& model, const State<D>& state) {
  return enclosing_wall(model, state, D - 1) < model.walls.size();
}
template <int D>
Real section_of(const Model<D>& model, const State<D>& state) {
  const std::size_t side = enclosing_wall(model, state, D - 1);
  return wall_shape(model, state, side).section(D - 1, closing_of(state, side).way);
}

// About the axis of the cylinder, over all of the depth. `edges`: shares of the radius.
measure::Rings rings_inside(const Model<3>& model, const State<3>& state, const std::vector<Real>& edges, i32 layers) {
  const Vec3 axis = state.bodies.position[state.grains() + enclosing_wall(model, state, 2)];
  const Real radius = std::sqrt(section_of(model, state) / pi);
  measure::Rings rings{axis.x, axis.y, {}, 0, state.globals.cell.h(2, 2), layers};
  for (const Real e : edges) rings.edges.push_back(e * radius);
  return rings;
}
// Without the top and the bottom of the domain.
Real porosity_between(const Model<3>& model, const State<3>& state, Real inner, Real outer) {
  measure::Rings rings = rings_inside(model, state, {inner, outer}, 1);
  const Real height = rings.high;
  rings.low = profile_edge * height;
  rings.high = (1 - profile_edge) * height;
  return measure::porosities(state, rings)[0];
}

template <int D>
std::vector<ProfileRow> rows_of_box(const Model<D>& model, const State<D>& state, const ContactList<D>& contacts, const ProfileSettings<D>& settings) {
  const measure::Grid<D> grid{domain(state), settings.boxes};
  const std::vector<Real> n = measure::porosities(model, state, grid);
  const std::vector<Mat<D>> stress = measure::stresses(model, state, contacts, grid, n);
  const i32 rows = settings.boxes[D - 1];
  const Real height = state.globals.cell.h(D - 1, D - 1);
  std::vector<ProfileRow> out(static_cast<std::size_t>(rows));
  std::vector<Real> counted(out.size(), 0), loaded(out.size(), 0);
  for (std::size_t b = 0; b < n.size(); ++b) {
    const Vec<D, i32> at = grid.place(b);
    const measure::Box<D> box = grid.at(at);
    bool lies_inside = true;
    for (int k = 0; k + 1 < D; ++k) {
      const Real width = grid.box.high[k], middle = (box.low[k] + box.high[k]) / 2;
      lies_inside = lies_inside && middle > profile_edge * width && middle < (1 - profile_edge) * width;
      lies_inside = lies_inside && !settings.layer.reaches(state.globals.cell, box.low, k) && !settings.layer.reaches(state.globals.cell, box.high, k);
    }
    if (!lies_inside) continue;
    const auto r = std::size_t(rows - 1 - at[D - 1]);
    out[r].porosity += n[b];
    ++counted[r];
    if (!std::isfinite(stress[b](0, 0))) continue;
    ++loaded[r];
    out[r].vertical += stress[b](D - 1, D - 1);
    for (int k = 0; k + 1 < D; ++k) out[r].horizontal += stress[b](k, k) / (D - 1);
  }
  for (std::size_t r = 0; r < out.size(); ++r) {
    out[r].depth = (Real(r) + 0.5) / Real(rows) * height;
    out[r].porosity /= counted[r];
    out[r].vertical /= loaded[r];
    out[r].horizontal /= loaded[r];
  }
  return out;
}


// Over all of the section: what a wall without friction leaves to carry below is the weight above, on this mean; by rings it may differ.
std::vector<ProfileRow> rows_of_cylinder(const Model<3>& model, const State<3>& state, const ContactList<3>& contacts, i32 rows) {
  const measure::Rings rings = rings_inside(model, state, {0, 1}, rows);
  const std::vector<Real> n = measure::porosities(state, rings);
  const std::vector<Vec3> stress = measure::stresses(model, state, contacts, rings, n);
  std::vector<ProfileRow> out;
  for (std::size_t r = 0; r < n.size(); ++r) {
    const std::size_t k = n.size() - 1 - r;
    out.push_back({(Real(r) + 0.5) / Real(rows) * rings.high, n[k], stress[k].z, (stress[k].x + stress[k].y) / 2});
  }
  return out;
}

}  // namespace

template <int D>
Real volume_of_domain(const Model<D>& model, const State<D>& state) {
  if (is_round(model, state)) return section_of(model, state) * state.globals.cell.h(D - 1, D - 1);
  Real volume = D == 2 ? model.options.thickness : 1;
  for (int k = 0; k < D; ++k) volume *= state.globals.cell.h(k, k);
  return volume;
}

template <int D>
Real porosity_inside(const Model<D>& model, const State<D>& state) {
  if constexpr (D == 3)
    if (is_round(model, state)) return porosity_between(model, state, 0, middle_of_cylinder);
  return measure::porosities(model, state, inside(state))[0];
}

template <int D>
Real wall_excess(const Model<D>& model, const State<D>& state) {
  const Real width = measure::median_diameter(state);
  if constexpr (D == 3)
    if (is_round(model, state)) {
      const Real radius = std::sqrt(section_of(model, state) / pi);
      return porosity_between(model, state, 1 - width / radius, 1) - porosity_inside(model, state);
    }
  Real sum = 0;
  int strips = 0;
  for (int k = 0; k + 1 < D; ++k)
    for (const bool low : {true, false}) {
      if (state.globals.cell.periodic[k]) continue;
      measure::Grid<D> strip = inside(state);
      strip.box.low[k] = low ? 0 : state.globals.cell.h(k, k) - width;
      strip.box.high[k] = strip.box.low[k] + width;
      sum += measure::porosities(model, state, strip)[0];
      ++strips;
    }
  return strips > 0 ? sum / strips - porosity_inside(model, state) : NAN;
}

template <int D>
std::vector<ProfileRow> profile_rows(const Model<D>& model, const State<D>& state, const ContactList<D>& contacts, const ProfileSettings<D>& settings) {
  if constexpr (D == 3)
    if (is_round(model, state)) return rows_of_cylinder(model, state, contacts, settings.boxes[2]);
  return rows_of_box(model, state, contacts, settings);
}

template <int D>
RingMap ring_map(const Model<D>& model, const State<D>& state, const ContactList<D>& contacts, const ProfileSettings<D>& settings) {
  RingMap map;
  if constexpr (D == 3) {
    std::vector<Real> edges;
    for (i32 k = 0; k <= settings.rings; ++k) edges.push_back(Real(k) / Real(settings.rings));
    map.rings = rings_inside(model, state, edges, settings.layers);
    map.porosity = measure::porosities(state, map.rings);
    map.stress = measure::stresses(model, state, contacts, map.rings, map.porosity);
  }
  return map;
}

#define TALUS_INSTANTIATE(D)                                                                                                         \
  template Real volume_of_domain(const Model<D>&, const State<D>&);                                                                  \
  template Real porosity_inside(const Model<D>&, const State<D>&);                                                                   \
  template Real wall_excess(const Model<D>&, const State<D>&);                                                                       \
  template std::vector<ProfileRow> profile_rows(const Model<D>&, const State<D>&, const ContactList<D>&, const ProfileSettings<D>&); \
  template RingMap ring_map(const Model<D>&, const State<D>&, const ContactList<D>&, const ProfileSettings<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::lab
