#include <talus/continuum/diagnostics.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace talus::continuum {
namespace {

enum Value : std::size_t { compression, mach, crossings, dt_mean, particles, mass_drift, momentum_drift, mass_left };

// Sums over particles in order of uid.
template <int D, class T, class F>
T sum_by_uid(const Particles<D>& p, F&& of) {
  std::vector<u32> order(p.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](u32 i, u32 j) { return p.uid[i] < p.uid[j]; });
  T sum{};
  for (const u32 i : order) sum += of(i);
  return sum;
}

}  // namespace

Steps steps_of(const StepReport& r) { return {r.status, 0, {r.compression, r.mach, r.beyond, r.time, 0, 0, 0, 0}}; }

std::string explain(u32 status, const Complaint& c) {
  if (status & not_finite) return explain_any(status, c);
  if (status & lost_particle)
    return c.grain + " has left the domain" + c.where + "; close it by walls, make the cell larger, or raise sound_speed";
  return c.grain + fmt::format(" is compressed by more than {:.0f} %", 100 * (densest - 1)) + c.where +
         "; raise the sound_speed of its material: ten times the fastest motion keeps the density within 1 %";
}

Diagnostics diagnostics() {
  Diagnostics all{{"compression", "1", "largest ρ/ρ0 − 1 of a particle in any step since the last row", Reduce::most, "compression_max",
           {"largest density of a particle over that at rest, minus 1", "largest compression", "", FigureGroup::quality}},
          {"mach", "1", "largest speed over the speed of sound in any step since the last row", Reduce::most, "mach_max",
           {"largest speed of a particle over the speed of sound", "largest speed over that of sound", "Ma_max", FigureGroup::quality}},
          {"wall_crossings", "1", "particles behind a wall, most in any step since the last row", Reduce::most, "wall_crossings",
           {"particles behind a wall, most in any step", "particles behind walls", "", FigureGroup::quality}},
          {"dt_mean", "s", "time step, mean since the last row", Reduce::mean, "dt_mean", {"time step, mean over all steps", "mean time step", "", FigureGroup::run}},
          {"particles", "1", "number of particles", Reduce::last, "particles", {"particles of the sample, without those of walls", "particles", "N", FigureGroup::sample}},
          {"mass_drift_rel", "1", "|mass of all particles and of what has left, over the mass laid and poured in − 1|", Reduce::last, "mass_drift_rel",
           {"|mass of all particles and of what has left, over the mass laid and poured in − 1|, largest of the rows", "error of the mass", "", FigureGroup::quality}},
          {"momentum_drift_rel", "1",
           "|momentum − what the start, gravity and walls have given| over Σ m |v| and weight times time", Reduce::last,
           "momentum_drift_rel", {"|momentum − impulse of gravity and walls| over the sum of |momenta| and weight times time; largest of the rows", "error of the momentum", "", FigureGroup::quality},
           "a continuum, dynamics.ledger"},
          {"mass_left", "kg", "mass that has left through outflows since the start", Reduce::last, "mass_left",
           {"mass that has left through outflows", "mass that has left", "", FigureGroup::sample}}};
  for (Diagnostic& one : all)
    if (one.needs.empty()) one.needs = "a continuum";
  return all;
}

template <int D>
Real mass_of(const State<D>& state) {
  return sum_by_uid<D, Real>(state.particles, [&](u32 i) { return state.particles.mass[i]; });
}

template <int D>
Real now(std::size_t k, const State<D>& state, Real come, Real gone) {
  const Particles<D>& p = state.particles;
  if (k == particles) return Real(p.size());
  if (k == mass_left) return gone;
  if (k == mass_drift) return come > 0 ? std::abs((mass_of(state) + gone) / come - 1) : 0;
  if (k != momentum_drift || p.given.empty()) return 0;
  const Vec<D> missing = sum_by_uid<D, Vec<D>>(p, [&](u32 i) { return p.mass[i] * p.velocity[i] - p.given[i]; });
  const Real through = sum_by_uid<D, Real>(p, [&](u32 i) {
    return p.mass[i] * (length(p.velocity[i]) + length(state.globals.gravity) * state.globals.time);
  });
  return through > 0 ? length(missing) / through : 0;
}

template <int D>
u32 culprit(const std::vector<matter::Matter>& matter, Real far, const State<D>& state, u32 status) {
  const Particles<D>& p = state.particles;
  u32 first = 0xffffffffu;
  for (std::size_t i = 0; i < p.size(); ++i) {
    bool broken = true, lost = false;
    for (int k = 0; k < D; ++k) {
      const Real x = p.position[i][k];
      broken = broken && std::isfinite(x) && std::isfinite(p.velocity[i][k]) && std::isfinite(p.acceleration[i][k]);
      lost = lost || (!state.globals.cell.periodic[k] && !(x > -far && x < state.globals.cell.h(k, k) + far));
    }
    broken = !(broken && std::isfinite(p.density[i]));
    const bool dense = !(p.density[i] < densest * matter[p.material[i]].volume.density);
    const bool guilty = status & not_finite ? broken : status & lost_particle ? lost : dense;
    if (guilty && p.uid[i] < first) first = p.uid[i];
  }
  return first;
}

#define TALUS_INSTANTIATE(D)                                                                      \
  template Real mass_of(const State<D>&);                                                         \
  template Real now(std::size_t, const State<D>&, Real, Real);                                    \
  template u32 culprit(const std::vector<matter::Matter>&, Real, const State<D>&, u32);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::continuum
