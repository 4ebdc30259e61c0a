#include <talus/sampling/hull_shapes.hpp>

#include <cmath>

#include <talus/geometry/sieve_size.hpp>

namespace talus::sampling {
namespace {

constexpr int candidates_per_shape = 5;
constexpr Real longest = 2.0, shortest = 1.2, flattest = 0.7;  // edges of the box over the middle one

// The fourth powers of its coordinates, over the edges, add up to one: between an ellipsoid and a box.
Vec3 on_rounded_box(Rng& rng, const Vec3& edges) {
  while (true) {
    const Vec3 u{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
    const Real square = dot(u, u);
    if (square > 1 || square < 0.01) continue;
    Real fourth = 0;
    for (int k = 0; k < 3; ++k) fourth += u[k] * u[k] * u[k] * u[k];
    const Real size = 1 / std::sqrt(std::sqrt(fourth));
    return {edges.x * size * u.x, edges.y * size * u.y, edges.z * size * u.z};
  }
}

Hull draw(const HullRecipe& recipe, Rng& rng) {
  while (true) {
    const Vec3 edges{rng.uniform(shortest, longest), 1, rng.uniform(flattest, 1)};
    std::vector<Vec3> points;
    for (int k = 0; k < recipe.corners; ++k) points.push_back(on_rounded_box(rng, edges));
    Hull hull = make_hull(points);
    hull = scaled(std::move(hull), 1 / sieve_size(hull.corners));
    const bool fits = hull.volume > recipe.volume_low && hull.volume < recipe.volume_high &&
                      hull.surface > recipe.surface_low && hull.surface < recipe.surface_high;
    if (fits) return hull;
  }
}

// How far the means of the chosen are from what is asked for.
Real miss(const HullRecipe& recipe, const std::vector<Hull>& all, const std::vector<std::size_t>& chosen) {
  Real volume = 0, surface = 0;
  for (const std::size_t k : chosen) volume += all[k].volume, surface += all[k].surface;
  const Real n = Real(chosen.size()), v = volume / n / recipe.volume_mean - 1, s = surface / n / recipe.surface_mean - 1;
  return v * v + s * s;
}

}  // namespace

std::vector<Hull> draw_hulls(const HullRecipe& recipe, u64 seed) {
  Rng rng{seed, 0x8011, 0};
  std::vector<Hull> all;
  for (int k = 0; k < candidates_per_shape * recipe.count; ++k) all.push_back(draw(recipe, rng));
  std::vector<std::size_t> chosen;
  std::vector<bool> taken(all.size());
  for (std::size_t k = 0; k < std::size_t(recipe.count); ++k) chosen.push_back(k), taken[k] = true;
  // Exchanges one of them for one of the others as long as that helps.
  for (bool better = true; better;) {
    better = false;
    for (std::size_t& mine : chosen)
      for (std::size_t other = 0; other < all.size(); ++other) {
        if (taken[other]) continue;
        const Real before = miss(recipe, all, chosen);
        const std::size_t kept = mine;
        mine = other;
        if (miss(recipe, all, chosen) < before)
          taken[kept] = false, taken[other] = better = true;
        else
          mine = kept;
      }
  }
  std::vector<Hull> out;
  for (const std::size_t k : chosen) out.push_back(all[k]);
  return out;
}

Quat any_turning(Rng& rng) {
  while (true) {
    const Quat q{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
    const Real square = q.norm_square();
    if (square < 1 && square > 0.01) return q.normalised();
  }
}

}  // namespace talus::sampling
