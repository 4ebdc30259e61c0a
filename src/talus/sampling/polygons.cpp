#include <talus/sampling/polygons.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <talus/core/input_error.hpp>

namespace talus::sampling {
namespace {

Real shortest_edge(const Polygon& p) {
  Real least = HUGE_VAL;
  for (std::size_t i = 0; i < p.corners.size(); ++i)
    least = std::min(least, length(p.corners[(i + 1) % p.corners.size()] - p.corners[i]));
  return least;
}

std::vector<Vec2> draw_corners(const PolygonRecipe& recipe, Rng& rng) {
  const Real share = 2 * pi / recipe.corners, turn = rng.uniform(0, 2 * pi);
  std::vector<Vec2> corners;
  for (int k = 0; k < recipe.corners; ++k) {
    const Real angle = turn + (k + recipe.spread * (rng.uniform() - 0.5)) * share;
    corners.push_back(0.5 * recipe.diameter * Vec2{std::cos(angle), std::sin(angle)});
  }
  return corners;
}

// Longer along a random direction, narrower across.
std::vector<Vec2> stretched(std::vector<Vec2> corners, Real aspect, Rng& rng) {
  const Real angle = rng.uniform(0, 2 * pi), s = std::sqrt(aspect);
  const Vec2 along{std::cos(angle), std::sin(angle)}, across{-along.y, along.x};
  for (Vec2& c : corners) c = s * dot(c, along) * along + (1 / s) * dot(c, across) * across;
  return corners;
}

}  // namespace

Widths widths(const Polygon& p) {
  if (p.normals.empty()) return {2 * p.rounding, 2 * p.rounding};
  Widths w{0, HUGE_VAL};
  for (std::size_t i = 0; i < p.corners.size(); ++i) {
    Real across = 0;  // the smallest width is across an edge, the largest between two corners
    for (const Vec2& c : p.corners) {
      across = std::max(across, dot(p.normals[i], p.corners[i] - c));
      w.largest = std::max(w.largest, length(c - p.corners[i]));
    }
    w.smallest = std::min(w.smallest, across);
  }
  w.largest += 2 * p.rounding;
  w.smallest += 2 * p.rounding;
  return w;
}

Polygon random_polygon(const PolygonRecipe& recipe, Rng& rng, i64& drawn) {
  constexpr int patience = 10000;
  for (int n = 0; n < patience; ++n) {
    ++drawn;
    const std::vector<Vec2> corners = draw_corners(recipe, rng);
    if (!flaw_of(corners, 0).empty()) continue;
    const Polygon p = make_polygon(corners);
    const Widths w = widths(p);
    if (w.largest > recipe.longest * w.smallest || shortest_edge(p) < recipe.shortest_edge * recipe.diameter) continue;
    return recipe.aspect == 1 ? p : make_polygon(stretched(corners, recipe.aspect, rng));
  }
  throw InputError(
      "", 0, "shape",
      fmt::format("none of {} random polygons with {} corners has widths within a factor of {} and no edge "
                  "below {} diameters",
                  patience, recipe.corners, recipe.longest, recipe.shortest_edge),
      "allow a larger factor, shorter edges, or less spread");
}

}  // namespace talus::sampling
