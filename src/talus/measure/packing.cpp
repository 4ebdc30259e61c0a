#include <talus/measure/packing.hpp>

#include <algorithm>
#include <cmath>

#include <talus/measure/porosity.hpp>
#include <talus/stages/walls.hpp>

namespace talus::measure {

Real solid_share_inside(const Model<3>& model, const State<3>& state, Real margin) {
  const Cell<3>& cell = state.globals.cell;
  Vec3 low{}, high{cell.h(0, 0), cell.h(1, 1), cell.h(2, 2)};
  for (std::size_t w = 0; w < model.walls.size(); ++w) {
    const Vec3 x = state.bodies.position[state.grains() + w];
    for (int k = 0; k < 3; ++k) {
      const int faces = wall_shape(model, state, w).faces_along(k);
      if (faces == 1) low[k] = x[k] + margin;
      if (faces == -1) high[k] = x[k] - margin;
    }
  }
  Real volume = 1;
  for (int k = 0; k < 3; ++k) volume *= high[k] - low[k];
  if (!(high.x > low.x && high.y > low.y && high.z > low.z)) return 0;
  std::vector<std::pair<u32, Real>> parts;
  constexpr int points = 24;
  for (std::size_t i = 0; i < state.grains(); ++i) {
    const Real r = state.globals.radius_scale * state.bodies.radius[i];
    const Vec3 x = state.bodies.position[i];
    bool inside = true, outside = false;
    for (int k = 0; k < 3; ++k) {
      inside = inside && x[k] - r >= low[k] && x[k] + r <= high[k];
      outside = outside || x[k] + r <= low[k] || x[k] - r >= high[k];
    }
    if (outside) continue;
    if (inside) {
      parts.emplace_back(state.bodies.uid[i], ball_volume<3>(r));
      continue;
    }
    Real in_ball = 0, in_both = 0;
    for (int a = 0; a < points; ++a)
      for (int b = 0; b < points; ++b)
        for (int c = 0; c < points; ++c) {
          const Vec3 p{(2 * a + 1) / Real(points) - 1, (2 * b + 1) / Real(points) - 1, (2 * c + 1) / Real(points) - 1};
          if (dot(p, p) > 1) continue;
          ++in_ball;
          bool within = true;
          for (int k = 0; k < 3; ++k) within = within && x[k] + r * p[k] >= low[k] && x[k] + r * p[k] <= high[k];
          in_both += within;
        }
    parts.emplace_back(state.bodies.uid[i], ball_volume<3>(r) * in_both / in_ball);
  }
  std::sort(parts.begin(), parts.end());
  Real sum = 0;
  for (const auto& [uid, v] : parts) sum += v;
  return sum / volume;
}

Real ForceClasses::edge(int k) const { return low * std::pow(high / low, Real(k) / count); }
int ForceClasses::of(Real force) const {
  if (!(force > low)) return 0;
  return std::clamp(int(std::floor(std::log(force / low) / std::log(high / low) * count)), 0, count - 1);
}

template <int D>
std::vector<Real> force_counts(const State<D>& state, const ContactList<D>& contacts, const ForceClasses& classes) {
  std::vector<Real> counts(std::size_t(classes.count), 0);
  for (const auto& c : contacts)
    if (c.a < state.grains() && c.b < state.grains()) ++counts[std::size_t(classes.of(dot(c.force, c.normal)))];
  return counts;
}

template <int D>
Real coordination_above(const State<D>& state, const ContactList<D>& contacts, Real threshold) {
  Real sum = 0;
  for (const auto& c : contacts)
    if (dot(c.force, c.normal) > threshold) sum += Real(c.a < state.grains()) + Real(c.b < state.grains());
  return state.grains() > 0 ? sum / Real(state.grains()) : 0;
}

template <int D>
BranchMeans branch_means(const State<D>& state, const ContactList<D>& contacts) {
  BranchMeans m;
  Real count = 0;
  for (const auto& c : contacts) {
    if (c.a >= state.grains() || c.b >= state.grains()) continue;
    m.branch += length(c.branch);
    m.force += dot(c.force, c.normal);
    ++count;
  }
  if (count > 0) m = {m.branch / count, m.force / count};
  return m;
}

#define TALUS_INSTANTIATE(D)                                                                            \
  template std::vector<Real> force_counts(const State<D>&, const ContactList<D>&, const ForceClasses&); \
  template Real coordination_above(const State<D>&, const ContactList<D>&, Real);                       \
  template BranchMeans branch_means(const State<D>&, const ContactList<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::measure
