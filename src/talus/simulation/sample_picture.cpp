#include <talus/simulation/sample_picture.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <talus/geometry/shape_table.hpp>
#include <talus/io/vtk.hpp>
#include <talus/measure/chains.hpp>
#include <talus/measure/rose.hpp>
#include <talus/measure/shear_band.hpp>

namespace talus::simulation {

namespace {

// The corners of a part of a grain at a place, with arcs where it is rounded; none of a disc.
std::vector<Vec2> outline_of(const Model<2>& model, const State<2>& state, std::size_t i, u32 part,
                             const Vec3& centre) {
  const Shape<2>& shape = model.shapes[state.bodies.shape[i]];
  if (is_round(model.outlines, shape)) return {};
  std::vector<Vec2> out = drawn_outline(outline_of(model.outlines, shape, 0, part), state.bodies.turn[i].x);
  for (Vec2& p : out) p = Vec2{centre.x, centre.y} + state.globals.radius_scale * p;
  return out;
}

// The faces of hulls where they lie.
void add_hulls(const lab::Observation<3>& seen, report::Grains& g) {
  const Bodies<3>& b = seen.state.bodies;
  for (std::size_t i = 0; i < seen.state.grains(); ++i) {
    const Hull& hull = seen.model.hulls[seen.model.shapes[b.shape[i]].outline];
    const PlacedHull at(hull, seen.state.globals.radius_scale * b.radius[i] / hull.reach, b.orientation[i], b.position[i]);
    const HullView& v = at.view();
    for (std::size_t f = 0; f < v.faces(); ++f) {
      report::Facet facet{int(i), v.normals[f], {}};
      for (u32 k = v.face_start[f]; k < v.face_start[f + 1]; ++k) facet.corners.push_back(v.corners[v.face_corner[k]]);
      g.facets.push_back(std::move(facet));
    }
  }
}

// The membrane: lines from place to place where its pressure acts, on either side of the sample.
void add_membrane(const Rays& rays, report::Grains& g) {
  for (const bool is_left : {true, false})
    for (std::size_t k = 1; k < rays.ray.size(); ++k) {
      const Ray &below = rays.ray[k - 1], &above = rays.ray[k];
      if (!below.hits() || !above.hits()) continue;
      const auto at = [&](const Ray& ray, std::size_t n) { return Vec3{is_left ? ray.left : ray.right, rays.at(n), 0}; };
      g.walls.push_back({-1, {at(below, k - 1), at(above, k)}, {is_left ? Real(1) : Real(-1), 0, 0}});
    }
}

template <int D>
void add_walls(const lab::Observation<D>& seen, report::Grains& g) {
  const TestStart<D> none;
  for (const WallPiece<D>& piece : wall_pieces(Moment<D>{seen.model, seen.state, seen.contacts(), none})) {
    report::WallFace face{int(piece.wall), {}, in_space(piece.inward)};
    for (const Vec<D>& corner : piece.corners) face.corners.push_back(in_space(corner));
    if constexpr (D == 2)
      if (seen.model.membrane.stress > 0) {  // its side walls are out of the way, the membrane is drawn; platens are shown as wide as the sample
        if (piece.wall != seen.model.membrane.cap && piece.wall != seen.model.membrane.base) continue;
        const auto [left, right] = seen.rays().bounds();
        for (Vec3& corner : face.corners) corner.x = std::clamp(corner.x, left - Real(0.05) * (right - left), right + Real(0.05) * (right - left));
      }
    g.walls.push_back(std::move(face));
  }
  if constexpr (D == 2)
    if (seen.model.membrane.stress > 0) add_membrane(seen.rays(), g);
}

// The cell, as far as it is periodic: where it is open it ends where walls and grains do.
template <int D>
void add_cell(const Cell<D>& cell, report::Grains& g) {
  int periodic = 0;
  for (int k = 0; k < D; ++k) periodic += cell.periodic[k];
  g.has_cell = periodic > 0 || g.walls.empty();
  for (int k = 0; k < D; ++k) {
    g.edges[std::size_t(k)] = in_space(cell.edge(k));
    if (cell.periodic[k] || g.walls.empty()) continue;
    Real low = HUGE_VAL, high = -HUGE_VAL;
    for (const report::WallFace& wall : g.walls)
      for (const Vec3& c : wall.corners) low = std::min(low, c[k]), high = std::max(high, c[k]);
    g.origin[k] = low;
    g.edges[std::size_t(k)] = {};
    g.edges[std::size_t(k)][k] = high - low;
  }
}

// The grains as they are, without values.
template <int D>
report::Grains grains_of(const lab::Observation<D>& seen) {
  const State<D>& s = seen.state;
  const Cell<D>& cell = s.globals.cell;
  const Mat<D> inverse_h = inverse(cell.h);
  const auto lift = [](const Vec<D>& v) {
    Vec3 out;
    for (int k = 0; k < D; ++k) out[k] = v[k];
    return out;
  };
  report::Grains g;
  for (std::size_t i = 0; i < s.grains(); ++i) {
    const Vec<D> f = inverse_h * s.bodies.position[i];
    Vec<D, i32> periods{};
    for (int k = 0; k < D; ++k)
      if (cell.periodic[k]) periods[k] = i32(std::floor(f[k]));
    g.centres.push_back(lift(s.bodies.position[i] - cell.translation(periods)));
    g.radii.push_back(s.globals.radius_scale * s.bodies.radius[i]);
    if constexpr (D == 2)
      if (!s.bodies.turn.empty()) g.outlines.push_back(outline_of(seen.model, s, i, 0, g.centres.back()));
  }
  g.flat = D == 2;
  add_walls(seen, g);
  add_cell(cell, g);
  if constexpr (D == 3)
    if (seen.model.has_hulls()) add_hulls(seen, g);
  return g;
}

// Pictures are made of convex pieces: further parts of compounds, each with the value of its grain.
template <int D>
report::Grains with_parts(report::Grains g, const lab::Observation<D>& seen) {
  if constexpr (D == 2)
    for (std::size_t i = 0; i < seen.state.grains(); ++i)
      for (u32 part = 1; part < seen.model.shapes[seen.state.bodies.shape[i]].parts; ++part) {
        g.centres.push_back(g.centres[i]);
        g.radii.push_back(g.radii[i]);
        g.outlines.push_back(outline_of(seen.model, seen.state, i, part, g.centres[i]));
        if (!g.values.empty()) g.values.push_back(g.values[i]);
      }
  return g;
}

constexpr Real degrees = 180 / pi;

report::Picture rotation_picture(const lab::Observation<2>& seen, const Circle& rve) {
  report::Grains g = grains_of(seen);
  for (const Real turn : measure::turned(seen.state)) g.values.push_back(degrees * turn);
  g.value_label = "turned since shear began [deg]";
  g.low = 0;
  g.high = 60;
  if (rve.radius > 0) g.rings.push_back({{rve.centre.x, rve.centre.y, 0}, rve.radius});
  g.caption =
      "How far grains have turned either way since shear began. The circle has a tenth of the sample's area and lies "
      "where "
      "grains have turned most.";
  return report::draw_grains(with_parts(std::move(g), seen));
}

// Squares of the map, each with the void ratio of a circle around it.
std::optional<report::Picture> void_picture(const lab::Observation<2>& seen, const Rays& rays, const Circle& rve) {
  report::Grains g;
  for (const measure::LocalVoids& v : measure::void_map(seen.model, seen.state, rays)) {
    const Real h = v.spacing / 2;
    g.centres.push_back({v.at.x, v.at.y, 0});
    g.radii.push_back(std::sqrt(2.0) * h);
    g.outlines.push_back(
        {{v.at.x - h, v.at.y - h}, {v.at.x + h, v.at.y - h}, {v.at.x + h, v.at.y + h}, {v.at.x - h, v.at.y + h}});
    g.values.push_back(v.ratio);
  }
  if (g.values.empty()) return std::nullopt;  // the sample is too small
  g.value_label = "void ratio";
  g.low = 0.15;
  g.high = 0.45;
  g.flat = true;
  if (rve.radius > 0) g.rings.push_back({{rve.centre.x, rve.centre.y, 0}, rve.radius});
  g.caption = "Void ratio of circles of five mean diameters around each place.";
  return report::draw_grains(g, 900);
}

// A sector for each range of directions: as long as it has contacts, coloured by their mean force.
report::Picture rose_picture(const lab::Observation<2>& seen) {
  const auto rose = measure::rose(seen.state, seen.contacts(), 36);
  report::Grains g;
  Real most = 0;
  for (const auto& sector : rose) most = std::max(most, sector.share);
  for (std::size_t k = 0; k < 2 * rose.size(); ++k) {
    const auto& sector = rose[k % rose.size()];
    const Real from = pi * Real(k) / Real(rose.size()), to = pi * Real(k + 1) / Real(rose.size());
    const Real reach = most > 0 ? sector.share / most : 0;
    const auto at = [&](Real angle) { return reach * Vec2{std::cos(angle), std::sin(angle)}; };
    if (!(reach > 0)) continue;
    g.centres.push_back({0, 0, 0});
    g.radii.push_back(1);
    g.outlines.push_back({{0, 0}, at(from), at((from + to) / 2), at(to)});
    g.values.push_back(sector.force);
  }
  g.value_label = "mean normal force / mean of all";
  g.low = 0;
  g.high = 2;
  g.flat = true;
  g.rings.push_back({{0, 0, 0}, most > 0 ? 1 / (most * Real(rose.size())) : 1});
  g.caption =
      "Directions of contact normals between grains: the length of a sector is the number of contacts, its colour "
      "their mean "
      "normal force. The circle is that of equally many contacts in all directions.";
  return report::draw_grains(g, 700);
}

}  // namespace

template <int D>
report::Grains sample_grains(const lab::Observation<D>& seen) {
  const State<D>& s = seen.state;
  std::vector<Real> carried(s.bodies.size(), 0);
  for (const auto& c : seen.contacts()) {
    const Real f = dot(c.force, c.normal);
    carried[c.a] += f;
    carried[c.b] += f;
  }
  Real mean = 0;
  for (std::size_t i = 0; i < s.grains(); ++i) mean += carried[i] / Real(s.grains());
  report::Grains g = grains_of(seen);
  for (std::size_t i = 0; i < s.grains(); ++i) g.values.push_back(mean > 0 ? carried[i] / mean : 0);
  g.value_label = "force carried / mean";
  g.low = 0;
  g.high = 3;
  if (D == 2)
    for (const auto& line : contact_lines(s, seen.contacts()))
      g.lines.push_back({line.from, line.to, line.normal_force});
  g.caption =
      "The sample at the end, coloured by the force each grain carries (sum of its normal contact forces over the mean "
      "of all grains).";
  return with_parts(std::move(g), seen);
}

report::Grains force_rods(const lab::Observation<3>& seen) {
  report::Grains g;
  add_walls(seen, g);
  add_cell(seen.state.globals.cell, g);
  Real radius = 0;
  for (std::size_t i = 0; i < seen.state.grains(); ++i)
    radius += seen.state.globals.radius_scale * seen.state.bodies.radius[i] / Real(seen.state.grains());
  const Real mean = seen.forces().mean;
  for (const ContactLine& line : contact_lines(seen.state, seen.contacts()))
    if (const Real share = line.normal_force / mean; share > 1) g.rods.push_back({line.from, line.to, radius * std::min(Real(0.12) * share, Real(0.6)), share});
  g.value_label = "normal force / mean";
  g.low = 1;
  g.high = 5;
  g.caption = "Contact forces at the end that are above the mean, from centre to centre: they line up into chains. Rods are as thick as the force.";
  return g;
}

report::Picture chains_picture(const lab::Observation<2>& seen) {
  report::Grains g = grains_of(seen);
  Real mean = 0;
  for (const Mat<2>& s : measure::grain_stresses(seen.model, seen.state, seen.contacts())) {
    g.values.push_back((s(0, 0) + s(1, 1)) / 2 + std::hypot((s(0, 0) - s(1, 1)) / 2, s(0, 1)));
    mean += g.values.back() / Real(seen.state.grains());
  }
  for (Real& v : g.values) v = mean > 0 ? v / mean : 0;
  g.value_label = "major principal stress of the grain / mean";
  g.low = 0;
  g.high = 3;
  const measure::ForceChains& found = seen.chains();
  for (const auto& chain : found.chains)
    for (const measure::ChainLink& link : chain) {
      const Vec3 from = g.centres[link.from];
      g.lines.push_back({from, from + Vec3{link.branch.x, link.branch.y, 0}, link.force});
    }
  g.caption = fmt::format(
      "Force chains at the end: {} of {:.1f} grains on average, {:.0f} % of all grains. Lines are as wide as the force "
      "between the two grains.",
      found.count(), found.mean_length(), 100 * found.share());
  return report::draw_grains(with_parts(std::move(g), seen));
}

template <int D>
std::vector<std::pair<std::string, report::Picture>> shear_pictures(const lab::Observation<D>& seen) {
  std::vector<std::pair<std::string, report::Picture>> out;
  if constexpr (D == 2) {
    if (!(seen.model.membrane.stress > 0) || seen.state.bodies.turn_start.empty()) return out;
    const Rays& rays = seen.rays();
    const Circle rve = measure::rve_of(seen.state, rays);
    out.emplace_back("turned.png", rotation_picture(seen, rve));
    if (auto voids = void_picture(seen, rays, rve)) out.emplace_back("voids.png", std::move(*voids));
    out.emplace_back("rose.png", rose_picture(seen));
  }
  return out;
}

template report::Grains sample_grains(const lab::Observation<2>&);
template report::Grains sample_grains(const lab::Observation<3>&);
template std::vector<std::pair<std::string, report::Picture>> shear_pictures(const lab::Observation<2>&);
template std::vector<std::pair<std::string, report::Picture>> shear_pictures(const lab::Observation<3>&);

}  // namespace talus::simulation
