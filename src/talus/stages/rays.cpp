#include <talus/stages/rays.hpp>

#include <algorithm>
#include <cmath>

#include <talus/geometry/chord.hpp>
#include <talus/stages/row_manifold.hpp>

namespace talus {

Real Rays::area() const {
  Real sum = 0;
  for (const Ray& r : ray)
    if (r.hits()) sum += r.right - r.left;
  return sum * spacing;
}

std::pair<Real, Real> Rays::bounds() const {
  Real low = HUGE_VAL, high = -HUGE_VAL;
  for (const Ray& r : ray)
    if (r.hits()) low = min(low, r.left), high = max(high, r.right);
  return low <= high ? std::pair{low, high} : std::pair{Real(0), Real(0)};
}

Real Rays::share_hit() const {
  std::size_t hits = 0;
  for (const Ray& r : ray) hits += r.hits();
  return ray.empty() ? 0 : Real(hits) / Real(ray.size());
}

Rays cast_rays(const Model<2>& model, const State<2>& state) {
  Rays rays;
  const Bodies<2>& b = state.bodies;
  const std::size_t grains = state.grains();
  const Membrane& m = model.membrane;
  rays.base = b.position[grains + m.base].y;
  const Real height = b.position[grains + m.cap].y - rays.base;
  if (!(height > 0 && height < HUGE_VAL) || !(m.spacing > 0)) return rays;
  const auto count = std::size_t(std::max(Real(1), std::round(height / m.spacing)));
  rays.spacing = height / Real(count);
  rays.ray.assign(count, {HUGE_VAL, -HUGE_VAL, 0, 0});
  // Bodies lie in spatial order: from its own end, a side is met soon, and the bounds of most grains lie behind it.
  const auto each_ray = [&](std::size_t i, auto&& f) {
    const Vec2 x = b.position[i];
    const Real r = state.globals.radius_scale * b.radius[i] * (1 + 1e-9);
    const Real first = std::ceil((x.y - r - rays.base) / rays.spacing - Real(0.5));
    const Real last = std::floor((x.y + r - rays.base) / rays.spacing - Real(0.5));
    if (!(last >= 0 && first < Real(count))) return;
    const auto end = std::size_t(std::min(last, Real(count - 1)));
    for (auto k = std::size_t(std::max(first, Real(0))); k <= end; ++k) f(rays.ray[k], rays.at(k), x.x, r);
  };
  const auto placed = [&](std::size_t i, auto&& f) {  // the place is made when it is needed first
    bool made = false;
    Placement at;
    each_ray(i, [&](Ray& ray, Real y, Real x, Real r) {
      f(ray, x, r, [&] {
        if (!made) at = placement_of(state, i), made = true;
        Chord all = chord_at(outline_of(model, state, i), at, y);
        for (u32 part = 1; part < parts_of(model, state, i); ++part) {
          const Chord more = chord_at(outline_of(model, state, i, part), at, y);
          all = {min(all.low, more.low), max(all.high, more.high)};
        }
        return all;
      });
    });
  };
  for (std::size_t i = 0; i < grains; ++i)
    placed(i, [&](Ray& ray, Real x, Real r, auto&& chord) {
      if (x - r > ray.left) return;
      const Chord s = chord();
      if (s.is_empty() || s.low > ray.left || (s.low == ray.left && b.uid[i] > b.uid[ray.left_body])) return;
      ray.left = s.low;
      ray.left_body = u32(i);
    });
  for (std::size_t i = grains; i-- > 0;)
    placed(i, [&](Ray& ray, Real x, Real r, auto&& chord) {
      if (x + r < ray.right) return;
      const Chord s = chord();
      if (s.is_empty() || s.high < ray.right || (s.high == ray.right && b.uid[i] > b.uid[ray.right_body])) return;
      ray.right = s.high;
      ray.right_body = u32(i);
    });
  return rays;
}

Real push_membrane(const Model<2>& model, State<2>& state) {
  if (!(model.membrane.spacing > 0)) return 0;
  auto& applied = state.bodies.applied;
  for (std::size_t i = 0; i < state.grains(); ++i) applied[i] = {};
  if (!(model.membrane.stress > 0)) return 0;
  const Rays rays = cast_rays(model, state);
  const Real push = model.membrane.stress * rays.spacing * model.options.thickness;
  for (const Ray& ray : rays.ray) {  // from the base up: one order of sums
    if (!ray.hits()) continue;
    applied[ray.left_body].x += push;
    applied[ray.right_body].x -= push;
  }
  return rays.width();
}

}  // namespace talus
