#include <talus/measure/averages.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <talus/measure/porosity.hpp>
#include <talus/stages/walls.hpp>

namespace talus::measure {

namespace {

template <int D>
std::vector<u32> by_uid(const State<D>& state) {  // grain indices in uid order
  std::vector<u32> order(state.grains());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](u32 i, u32 j) { return state.bodies.uid[i] < state.bodies.uid[j]; });
  return order;
}

}  // namespace

template <int D>
Mat<D> stress(const ContactList<D>& contacts, Real volume) {
  Mat<D> sum;
  for (const auto& c : contacts) sum += outer(c.force, c.branch);
  return (1 / volume) * sum;
}

template <int D>
Real wall_stress(const Model<D>& model, const State<D>& state, std::size_t wall, const WallView<D>& box) {
  return push_on_wall(model, state, wall) / box.area(wall);
}

template <int D>
WallLoad<D> wall_load(const State<D>& state, const ContactList<D>& contacts, std::size_t wall) {
  const std::size_t index = state.grains() + wall;
  const Vec<D> at = state.bodies.position[index];
  WallLoad<D> load;
  for (const auto& c : contacts) {
    if (c.b != index && c.a != index) continue;
    const Vec<D> on_wall = (c.b == index ? Real(-1) : Real(1)) * c.force;
    load.force += on_wall;
    load.moment += moment(state.bodies.position[c.a] + c.arm - at, on_wall);
  }
  return load;
}

template <int D>
std::vector<u32> contacts_of_bodies(const State<D>& state, const ContactList<D>& contacts) {
  std::vector<u32> touches(state.bodies.size(), 0);
  for (const auto& c : contacts) {
    ++touches[c.a];
    ++touches[c.b];
  }
  return touches;
}

template <int D>
std::vector<Mat<D>> grain_stresses(const Model<D>& model, const State<D>& state, const ContactList<D>& contacts) {
  std::vector<Mat<D>> sum(state.grains());
  for (const auto& c : contacts) {  // in order of keys
    if (c.a < state.grains()) sum[c.a] += outer(-c.force, c.arm);
    if (c.b < state.grains()) sum[c.b] += outer(c.force, c.branch + c.arm);
  }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const Real volume = grain_volume(model, state, i) * (D == 2 ? model.options.thickness : 1);
    const Mat<D> s = (1 / volume) * sum[i];
    for (int j = 0; j < D; ++j)
      for (int k = 0; k < D; ++k) sum[i](j, k) = j == k ? s(j, k) : (s(j, k) + s(k, j)) / 2;
  }
  return sum;
}

template <int D>
Coordination coordination(const State<D>& state, const ContactList<D>& contacts) {
  const std::vector<u32> touches = contacts_of_bodies(state, contacts);
  Coordination z;
  z.contacts = contacts.size();
  Real sum = 0, none = 0, one = 0;
  for (std::size_t i = 0; i < state.grains(); ++i) {
    sum += touches[i];
    none += touches[i] == 0;
    one += touches[i] == 1;
  }
  const Real n = Real(state.grains());
  z.all = n > 0 ? sum / n : 0;
  z.mechanical = n - none - one > 0 ? (sum - one) / (n - none - one) : 0;
  z.rattlers = n > 0 ? (none + one) / n : 0;
  return z;
}

template <int D>
Mat<D> fabric(const State<D>& state, const ContactList<D>& contacts) {
  Mat<D> sum;
  Real count = 0;
  for (const auto& c : contacts)
    if (c.a < state.grains() && c.b < state.grains()) {
      sum += outer(c.normal, c.normal);
      ++count;
    }
  return count > 0 ? (1 / count) * sum : sum;
}

template <int D>
ForceStatistics forces(const ContactList<D>& contacts) {
  ForceStatistics s;
  if (contacts.empty()) return s;
  Real square = 0;
  for (const auto& c : contacts) {
    const Real fn = dot(c.force, c.normal), ft = length(reject(c.force, c.normal));
    s.mean += fn;
    square += fn * fn;
    s.most = std::max(s.most, fn);
    s.mobilised += fn > 0 ? ft / fn : 0;
  }
  const Real n = Real(contacts.size());
  s.mean /= n;
  s.mobilised /= n;
  s.deviation = std::sqrt(std::max(square / n - s.mean * s.mean, Real(0)));
  return s;
}

template <int D>
Real overlap_below(const State<D>& state, const ContactList<D>& contacts, Real share) {
  if (contacts.empty()) return 0;
  const Bodies<D>& b = state.bodies;
  const auto radius = [&](u32 i) { return b.radius[i] > 0 ? b.radius[i] * state.globals.radius_scale : HUGE_VAL; };  // a wall has none
  std::vector<Real> all;
  for (const auto& c : contacts) all.push_back(c.overlap / std::min(radius(c.a), radius(c.b)));
  const auto rank = std::ptrdiff_t(std::ceil(share * Real(all.size()))) - 1;
  const auto at = all.begin() + std::clamp<std::ptrdiff_t>(rank, 0, std::ptrdiff_t(all.size()) - 1);
  std::nth_element(all.begin(), at, all.end());
  return *at;
}

template <int D>
Real unbalanced(const State<D>& state, const ContactList<D>& contacts, const Vec<D>& gravity) {
  std::vector<Vec<D>> net(state.bodies.size());
  std::vector<Real> size(state.bodies.size(), 0);
  for (const auto& c : contacts) {
    net[c.a] += c.force;
    net[c.b] -= c.force;
    const Real f = length(c.force);
    size[c.a] += f;
    size[c.b] += f;
  }
  Real resultant = 0, total = 0;
  for (const u32 i : by_uid(state)) {
    if (!(state.bodies.inverse_mass[i] > 0)) continue;  // held: whatever pushes it
    if (!state.bodies.applied.empty()) net[i] += state.bodies.applied[i];
    resultant += length(net[i] + state.bodies.mass[i] * gravity);
    total += size[i];
  }
  return total > 0 ? resultant / total : 1;
}

template <int D>
Real mean_speed(const State<D>& state) {
  Real sum = 0;
  for (const u32 i : by_uid(state)) sum += length(state.bodies.velocity[i]);
  return state.grains() > 0 ? sum / Real(state.grains()) : 0;
}

template <int D>
Real mean_diameter(const State<D>& state) {
  Real sum = 0;
  for (const u32 i : by_uid(state)) sum += 2 * state.bodies.radius[i] / Real(state.grains());
  return sum;
}

template <int D>
Real median_diameter(const State<D>& state) {
  std::vector<std::pair<Real, Real>> d;
  Real total = 0;
  for (std::size_t i = 0; i < state.grains(); ++i) {
    const Real diameter = 2 * state.globals.radius_scale * state.bodies.radius[i];
    d.emplace_back(diameter, state.bodies.mass[i]);
  }
  std::sort(d.begin(), d.end());
  for (const auto& [diameter, v] : d) total += v;
  Real below = 0;
  for (const auto& [diameter, v] : d) {
    below += v;
    if (below >= total / 2) return diameter;
  }
  return 0;
}

template <int D>
Real mean_density(const Model<D>& model, const State<D>& state) {
  Real mass = 0, volume = 0;
  for (const u32 i : by_uid(state)) {
    mass += state.bodies.mass[i];
    volume += state.bodies.mass[i] / (model.materials[state.bodies.material[i]].density * model.options.density_scale);
  }
  return volume > 0 ? mass / volume : 0;
}

template <int D>
Real inertial_number(const Model<D>& model, const State<D>& state, const Mat<D>& stress, const WallView<D>& box) {
  const Mat<D>& rate = state.globals.cell.rate;
  Real fastest = 0;  // largest rate of any component: the axial rate in a triaxial test
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) fastest = std::max(fastest, std::abs(rate(i, j)));
  for (std::size_t w = 0; w < model.walls.size(); ++w) {  // walls: speed into the sample over its extent
    const Real speed = std::abs(wall_speed(model, state, w));
    fastest = std::max(fastest, speed * box.area(w) / box.volume());
  }
  const Real p = trace(stress) / D;
  if (!(p > 0)) return 0;
  return fastest * median_diameter(state) * std::sqrt(mean_density(model, state) / p);
}

#define TALUS_INSTANTIATE(D)                                                                    \
  template Mat<D> stress(const ContactList<D>&, Real);                                          \
  template Real wall_stress(const Model<D>&, const State<D>&, std::size_t, const WallView<D>&); \
  template WallLoad<D> wall_load(const State<D>&, const ContactList<D>&, std::size_t);           \
  template std::vector<u32> contacts_of_bodies(const State<D>&, const ContactList<D>&);          \
  template std::vector<Mat<D>> grain_stresses(const Model<D>&, const State<D>&, const ContactList<D>&); \
  template Coordination coordination(const State<D>&, const ContactList<D>&);                   \
  template Mat<D> fabric(const State<D>&, const ContactList<D>&);                               \
  template ForceStatistics forces(const ContactList<D>&);                                       \
  template Real overlap_below(const State<D>&, const ContactList<D>&, Real);                    \
  template Real unbalanced(const State<D>&, const ContactList<D>&, const Vec<D>&);              \
  template Real mean_speed(const State<D>&);                                                    \
  template Real mean_density(const Model<D>&, const State<D>&);                                 \
  template Real mean_diameter(const State<D>&);                                                 \
  template Real median_diameter(const State<D>&);                                               \
  template Real inertial_number(const Model<D>&, const State<D>&, const Mat<D>&, const WallView<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::measure
