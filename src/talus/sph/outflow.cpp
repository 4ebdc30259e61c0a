#include <talus/sph/outflow.hpp>

#include <algorithm>
#include <vector>

#include <talus/sph/options.hpp>
#include <talus/sph/sites.hpp>

namespace talus::sph {

template <int D>
Outflow<D> read_outflow(Input& in, const std::string& name) {
  Outflow<D> f;
  f.name = name;
  f.low = to_vec<D>(in.numbers("low", dim::length, Range::any(), D, std::nullopt, "lower corner of the box that matter leaves through"));
  f.size = to_vec<D>(in.numbers("size", dim::length, Range::positive(), D, std::nullopt, "lengths of its edges"));
  return f;
}

template <int D>
bool drain(const Options<D>& o, State<D>& state) {
  if (o.outflows.empty()) return false;
  Particles<D>& p = state.particles;
  const Cell<D>& cell = state.globals.cell;
  const Mat<D> inverse_h = inverse(cell.h);  // positions are not wrapped at periodic edges
  std::vector<u32> leaving;
  std::vector<bool> stays(p.size(), true);
  std::size_t heir = p.size();
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec<D> place = wrapped(p.position[i], cell, inverse_h);
    for (const Outflow<D>& f : o.outflows)
      if (f.holds(place) && !o.matter[p.material[i]].is_elastic()) stays[i] = false;
    if (!stays[i]) leaving.push_back(u32(i));
    else if (heir == p.size() || p.uid[i] < p.uid[heir]) heir = i;
  }
  if (leaving.empty() || heir == p.size()) return false;
  std::sort(leaving.begin(), leaving.end(), [&](u32 i, u32 j) { return p.uid[i] < p.uid[j]; });  // one order of sums
  for (const u32 i : leaving) {
    p.left[heir] += p.mass[i] + p.left[i];
    if (p.work.empty()) continue;
    state.globals.removed_kinetic += Real(0.5) * p.mass[i] * dot(p.velocity[i], p.velocity[i]) + p.stored[i] + (p.sheared.empty() ? 0 : p.sheared[i]);
    p.work[heir] += p.work[i];
    const Real half = state.globals.dt / 2;  // the kick that its partners have yet to get of it, it gets as well
    p.given[heir] += p.given[i] + half * (p.wall_force[i] + p.mass[i] * state.globals.gravity) - p.mass[i] * (p.velocity[i] + half * p.acceleration[i]);
  }
  p.keep_if([&](std::size_t i) { return stays[i]; });
  return true;
}

template <int D>
Real drained(const State<D>& state) {
  const Particles<D>& p = state.particles;
  Real sum = 0;
  u32 first = 0xffffffffu;
  for (std::size_t i = 0; i < p.left.size(); ++i)
    if (p.uid[i] < first) first = p.uid[i], sum = p.left[i];  // all of it is there
  return sum;
}

#define TALUS_INSTANTIATE(D)                                              \
  template Outflow<D> read_outflow(Input&, const std::string&);           \
  template bool drain(const Options<D>&, State<D>&);                      \
  template Real drained(const State<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::sph
