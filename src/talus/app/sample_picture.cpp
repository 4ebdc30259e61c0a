#include <talus/app/sample_picture.hpp>

#include <cmath>

#include <talus/io/vtk.hpp>

namespace talus::app {

namespace {

// The corners of a grain at a place, with arcs where it is rounded; none of a disc.
std::vector<Vec2> outline_of(const Model<2>& model, const State<2>& state, std::size_t i, const Vec3& centre) {
  const Shape<2>& shape = model.shapes[state.bodies.shape[i]];
  if (shape.kind != ShapeKind::polygon) return {};
  const PolygonView grain = model.outlines[shape.outline];
  if (grain.corners.size == 1) return {};
  const Placement at = Placement::at({centre.x, centre.y}, state.bodies.turn[i].x);
  std::vector<Vec2> out;
  for (std::size_t k = 0; k < grain.corners.size; ++k) {
    const Vec2 corner = at.position + at.turned(grain.corners[k]);
    if (!(grain.rounding > 0)) {
      out.push_back(corner);
      continue;
    }
    const std::size_t before = (k + grain.corners.size - 1) % grain.corners.size;
    const Vec2 first = at.turned(grain.normals[before]), last = at.turned(grain.normals[k]);
    const Real start = std::atan2(first.y, first.x), end = std::atan2(last.y, last.x);
    const Real turn = end < start ? end - start + 2 * pi : end - start;
    for (int n = 0; n <= 4; ++n) {
      const Real angle = start + turn * n / 4;
      out.push_back(corner + grain.rounding * Vec2{std::cos(angle), std::sin(angle)});
    }
  }
  return out;
}

}  // namespace

template <int D>
report::Picture sample_picture(const lab::Observation<D>& seen) {
  const State<D>& s = seen.state;
  const Cell<D>& cell = s.globals.cell;
  const Mat<D> inverse_h = inverse(cell.h);
  std::vector<Real> carried(s.bodies.size(), 0);
  for (const auto& c : seen.contacts()) {
    const Real f = dot(c.force, c.normal);
    carried[c.a] += f;
    carried[c.b] += f;
  }
  Real mean = 0;
  for (std::size_t i = 0; i < s.grains(); ++i) mean += carried[i] / Real(s.grains());
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
      if (!s.bodies.turn.empty()) g.outlines.push_back(outline_of(seen.model, s, i, g.centres.back()));
    g.values.push_back(mean > 0 ? carried[i] / mean : 0);
  }
  g.value_label = "force carried / mean";
  g.low = 0;
  g.high = 3;
  g.flat = D == 2;
  g.has_cell = true;
  for (int k = 0; k < D; ++k) g.edges[std::size_t(k)] = lift(cell.edge(k));
  if (D == 2)
    for (const auto& line : contact_lines(s, seen.contacts()))
      g.lines.push_back({line.from, line.to, line.normal_force});
  g.caption =
      "The sample at the end, coloured by the force each grain carries (sum of its normal contact forces over the mean "
      "of all grains).";
  return report::draw_grains(g);
}

template report::Picture sample_picture(const lab::Observation<2>&);
template report::Picture sample_picture(const lab::Observation<3>&);

}  // namespace talus::app
