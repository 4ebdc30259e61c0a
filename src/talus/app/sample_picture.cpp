#include <talus/app/sample_picture.hpp>

#include <cmath>

#include <talus/io/vtk.hpp>

namespace talus::app {

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
