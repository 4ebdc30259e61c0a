#include <talus/geometry/polygon.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace talus {
namespace {

Real area_between(const Vec2& a, const Vec2& b) { return a.x * b.y - a.y * b.x; }  // of the parallelogram

Real signed_area(const std::vector<Vec2>& corners) {
  Real twice = 0;
  for (std::size_t i = 0; i < corners.size(); ++i)
    twice += area_between(corners[i] - corners[0], corners[(i + 1) % corners.size()] - corners[0]);
  return twice / 2;
}

Real extent_of(const std::vector<Vec2>& corners) {
  Real extent = 0;
  for (const Vec2& c : corners) extent = std::max(extent, length(c - corners[0]));
  return extent;
}

// A piece of a grain: its area, where its centre is, and its second moment about that centre.
struct Piece {
  Real area;
  Vec2 centre;
  Real second_moment;
};

Piece triangle(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Vec2 centre = (1.0 / 3) * (a + b + c);
  const Real area = area_between(b - a, c - a) / 2;
  const Real sides = dot(a - b, a - b) + dot(b - c, b - c) + dot(c - a, c - a);
  return {area, centre, area * sides / 36};
}

Piece strip(const Vec2& a, const Vec2& b, const Vec2& normal, Real width) {
  const Real l = length(b - a);
  return {l * width, 0.5 * (a + b) + 0.5 * width * normal, l * width * (l * l + width * width) / 12};
}

// Of a circle about `corner`, between two directions `angle` apart.
Piece sector(const Vec2& corner, const Vec2& from, Real angle, Real radius) {
  const Real area = angle * radius * radius / 2, half = angle / 2;
  const Real distance = angle > 0 ? 4 * radius * std::sin(half) / (3 * angle) : 0;
  const Vec2 middle{std::cos(half) * from.x - std::sin(half) * from.y,
                    std::sin(half) * from.x + std::cos(half) * from.y};
  return {area, corner + distance * middle, area * radius * radius / 2 - area * distance * distance};
}

std::vector<Piece> pieces_of(const std::vector<Vec2>& corners, const std::vector<Vec2>& normals, Real rounding) {
  const std::size_t n = corners.size();
  if (n == 1) return {sector(corners[0], {1, 0}, 2 * pi, rounding)};
  std::vector<Piece> pieces;
  for (std::size_t i = 1; i + 1 < n; ++i) pieces.push_back(triangle(corners[0], corners[i], corners[i + 1]));
  if (rounding == 0) return pieces;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 &before = normals[(i + n - 1) % n], &after = normals[i];
    pieces.push_back(strip(corners[i], corners[(i + 1) % n], after, rounding));
    pieces.push_back(sector(corners[i], before, std::atan2(area_between(before, after), dot(before, after)), rounding));
  }
  return pieces;
}

}  // namespace

std::string flaw_of(const std::vector<Vec2>& corners, Real rounding) {
  const std::size_t n = corners.size();
  if (!std::isfinite(rounding)) return "rounding is not finite";
  if (rounding < 0) return fmt::format("rounding {} is below 0", rounding);
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isfinite(corners[i].x) || !std::isfinite(corners[i].y))
      return fmt::format("corner {} is not finite", i + 1);
  if (n == 1) return rounding > 0 ? "" : "a single corner without rounding has no area";
  if (n < 3) return fmt::format("{} corners make no polygon", n);
  if (n > max_corners) return fmt::format("{} corners are more than {}", n, max_corners);
  // Relative to the size of the grain; finer than that, rounding decides which way a corner turns.
  const Real size = extent_of(corners), tolerance = 1e-9;
  const Real area = signed_area(corners);
  if (!(std::abs(area) > tolerance * size * size))
    return fmt::format("its area is {:.3g}: the corners lie on a line, or the outline crosses itself", area);
  if (area < 0) return "corners run clockwise; list them counter-clockwise";
  for (std::size_t i = 0; i < n; ++i)
    if (!(length(corners[(i + 1) % n] - corners[i]) > tolerance * size))
      return fmt::format("corners {} and {} are the same", i + 1, (i + 1) % n + 1);
  Real turned = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 in = corners[i] - corners[(i + n - 1) % n], out = corners[(i + 1) % n] - corners[i];
    const Real turn = area_between(in, out);
    if (std::abs(turn) <= tolerance * length(in) * length(out) && dot(in, out) > 0)
      return fmt::format("corner {} lies on the straight line between its neighbours; leave it out", i + 1);
    if (!(turn > tolerance * length(in) * length(out))) return fmt::format("it is not convex at corner {}", i + 1);
    turned += std::atan2(turn, dot(in, out));
  }
  if (turned > 3 * pi) return "it runs around its centre more than once: edges cross";
  return "";
}

Polygon make_polygon(const std::vector<Vec2>& corners, Real rounding) {
  Polygon p;
  p.corners = corners;
  p.rounding = rounding;
  const std::size_t n = corners.size();
  if (n > 1)
    for (std::size_t i = 0; i < n; ++i) {
      const Vec2 along = corners[(i + 1) % n] - corners[i];
      p.normals.push_back((1 / length(along)) * Vec2{along.y, -along.x});
    }
  const std::vector<Piece> pieces = pieces_of(corners, p.normals, rounding);
  Vec2 first{};
  for (const Piece& piece : pieces) {
    p.area += piece.area;
    first += piece.area * piece.centre;
  }
  const Vec2 centre = (1 / p.area) * first;
  for (const Piece& piece : pieces) {
    const Vec2 off = piece.centre - centre;
    p.second_moment += piece.second_moment + piece.area * dot(off, off);
  }
  for (Vec2& c : p.corners) {
    c -= centre;
    p.reach = std::max(p.reach, length(c) + rounding);
  }
  return p;
}

std::vector<Vec2> drawn_outline(const PolygonView& grain, Real angle) {
  const Placement at = Placement::at({0, 0}, angle);
  std::vector<Vec2> out;
  const auto arc = [&](const Vec2& corner, Real start, Real turn, int edges) {
    for (int n = 0; n <= edges; ++n) {
      const Real direction = start + turn * n / edges;
      out.push_back(corner + grain.rounding * Vec2{std::cos(direction), std::sin(direction)});
    }
  };
  const std::size_t n = grain.corners.size;
  if (n == 1) {
    arc(at.turned(grain.corners[0]), angle, 2 * pi, 32);
    out.pop_back();
    return out;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2 corner = at.turned(grain.corners[k]);
    if (!(grain.rounding > 0)) {
      out.push_back(corner);
      continue;
    }
    const Vec2 first = at.turned(grain.normals[(k + n - 1) % n]), last = at.turned(grain.normals[k]);
    arc(corner, std::atan2(first.y, first.x), std::atan2(area_between(first, last), dot(first, last)), 4);
  }
  return out;
}

}  // namespace talus
