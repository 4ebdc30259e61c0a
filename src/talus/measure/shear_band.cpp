#include <talus/measure/shear_band.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <talus/measure/porosity.hpp>

namespace talus::measure {

std::vector<Real> turned(const State<2>& state) {
  const Bodies<2>& b = state.bodies;
  std::vector<Real> out;
  if (b.turn_start.empty()) return out;
  for (std::size_t i = 0; i < state.grains(); ++i) out.push_back(std::abs(b.turn[i].x - b.turn_start[i].x));
  return out;
}

Real void_ratio(const Model<2>& model, const State<2>& state, const Rays& rays) {
  return rays.area() * model.options.thickness / solid_volume(model, state) - 1;
}

namespace {

// Is the circle between the platens, and between the sides at every ray that crosses it?
bool is_inside(const Rays& rays, const Circle& c) {
  if (c.centre.y - c.radius < rays.base || c.centre.y + c.radius > rays.base + rays.height()) return false;
  for (std::size_t k = 0; k < rays.ray.size(); ++k) {
    const Real above = rays.at(k) - c.centre.y, square = c.radius * c.radius - above * above;
    if (square <= 0) continue;
    const Real half = std::sqrt(square);
    const Ray& ray = rays.ray[k];
    if (!ray.hits() || c.centre.x - half < ray.left || c.centre.x + half > ray.right) return false;
  }
  return true;
}

}  // namespace

Circle most_turned(const State<2>& state, const Rays& rays, Real area, Real bandwidth) {
  const Bodies<2>& b = state.bodies;
  const std::vector<Real> turn = turned(state);
  Circle best{{}, 0};
  if (turn.empty() || rays.ray.empty()) return best;
  const auto [low, high] = rays.bounds();
  std::vector<u32> order(state.grains());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](u32 i, u32 j) { return b.uid[i] < b.uid[j]; });  // one order of sums
  const Real radius = std::sqrt(area / pi), step = bandwidth / 2, far = 5 * bandwidth;
  Real most = -1;
  for (Real y = rays.base + radius; y <= rays.base + rays.height() - radius; y += step)
    for (Real x = low + radius; x <= high - radius; x += step) {
      const Circle circle{{x, y}, radius};
      if (!is_inside(rays, circle)) continue;
      Real sum = 0;
      for (const u32 i : order) {
        const Vec2 apart = b.position[i] - circle.centre;
        if (std::abs(apart.x) > far || std::abs(apart.y) > far) continue;
        sum += turn[i] * std::exp(-dot(apart, apart) / (2 * bandwidth * bandwidth));
      }
      if (sum > most) most = sum, best = circle;
    }
  return best;
}

namespace {

Real mean_diameter(const State<2>& state) {
  std::vector<std::pair<u32, Real>> d;
  for (std::size_t i = 0; i < state.grains(); ++i)
    d.emplace_back(state.bodies.uid[i], 2 * state.globals.radius_scale * state.bodies.radius[i]);
  std::sort(d.begin(), d.end());
  Real sum = 0;
  for (const auto& [uid, x] : d) sum += x;
  return d.empty() ? 0 : sum / Real(d.size());
}

}  // namespace

Circle rve_of(const State<2>& state, const Rays& rays) {
  return most_turned(state, rays, 0.1 * rays.area(), 3 * mean_diameter(state));
}

std::vector<LocalVoids> void_map(const Model<2>& model, const State<2>& state, const Rays& rays) {
  std::vector<LocalVoids> out;
  const auto [low, high] = rays.bounds();
  const Real d = mean_diameter(state), radius = 2.5 * d;
  if (!(d > 0)) return out;
  for (Real y = rays.base + radius; y <= rays.base + rays.height() - radius; y += 2 * d)
    for (Real x = low + radius; x <= high - radius; x += 2 * d) {
      const Circle circle{{x, y}, radius};
      if (is_inside(rays, circle)) out.push_back({circle.centre, 2 * d, void_ratio_in(model, state, circle)});
    }
  return out;
}

Real void_ratio_in(const Model<2>& model, const State<2>& state, const Circle& circle) {
  const Real solid = 1 - porosity_in_ball(model, state, circle.centre, circle.radius);
  return 1 / solid - 1;
}

}  // namespace talus::measure
