#include <talus/simulation/particle_picture.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace talus::simulation {
namespace {

template <int D>
Vec3 lift(const Vec<D>& v) {
  Vec3 out;
  for (int k = 0; k < D; ++k) out[k] = v[k];
  return out;
}

// Each as large as its mass at the density of now, without values.
template <int D>
report::Grains particles_of(const State<D>& s) {
  report::Grains g;
  const auto& p = s.particles;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Real volume = p.mass[i] / p.density[i];
    g.centres.push_back(lift(p.position[i]));
    g.radii.push_back(D == 2 ? Real(0.56) * std::sqrt(volume) : Real(0.62) * std::cbrt(volume));
  }
  g.flat = D == 2;
  g.has_cell = g.frames_cell = true;
  for (int k = 0; k < D; ++k) g.edges[std::size_t(k)] = lift(s.globals.cell.edge(k));
  return g;
}

}  // namespace

template <int D>
report::Picture speed_picture(const lab::Observation<D>& seen, int width) {
  const State<D>& s = seen.state;
  report::Grains g = particles_of(s);
  for (const Vec<D>& v : s.particles.velocity) g.values.push_back(length(v));
  g.value_label = "speed [m/s]";
  g.low = 0;
  if (const Real fall = length(s.globals.gravity) * s.globals.cell.h(D - 1, D - 1); fall > 0) g.high = std::sqrt(2 * fall);
  g.caption = fmt::format("Particles at {:.4g} s, coloured by their speed.", s.globals.time);
  return report::draw_grains(g, width);
}

template <int D>
report::Picture pressure_picture(const lab::Observation<D>& seen) {
  report::Grains g = particles_of(seen.state);
  const auto& p = seen.state.particles;
  for (const Real pressure : p.pressure) g.values.push_back(pressure);
  g.value_label = "pressure [Pa]";
  g.low = 0;
  std::vector<Real> sorted = g.values;
  std::sort(sorted.begin(), sorted.end());
  if (!sorted.empty()) g.high = std::max(sorted[sorted.size() * 99 / 100], Real(1e-30));
  g.caption = fmt::format("Particles at {:.4g} s, coloured by their pressure.", seen.state.globals.time);
  return report::draw_grains(g);
}

template report::Picture speed_picture(const lab::Observation<2>&, int);
template report::Picture speed_picture(const lab::Observation<3>&, int);
template report::Picture pressure_picture(const lab::Observation<2>&);
template report::Picture pressure_picture(const lab::Observation<3>&);

}  // namespace talus::simulation
