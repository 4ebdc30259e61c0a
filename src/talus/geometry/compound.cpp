#include <talus/geometry/compound.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include <fmt/format.h>

namespace talus {
namespace {

Real cross_of(const Vec2& a, const Vec2& b) { return a.x * b.y - a.y * b.x; }
Vec2 unit(Real angle) { return {std::cos(angle), std::sin(angle)}; }

Vec2 point_of(const OutlineSegment& p, Real t) {
  return p.radius > 0 ? p.from + p.radius * unit(p.start + t * p.turn) : p.from + t * p.along;
}
Vec2 normal_of(const OutlineSegment& p, Real t) {
  if (p.radius > 0) return unit(p.start + t * p.turn);
  return (1 / length(p.along)) * Vec2{p.along.y, -p.along.x};
}
Real length_of(const OutlineSegment& p) { return p.radius > 0 ? p.radius * p.turn : length(p.along); }

OutlineSegment part_of(const OutlineSegment& p, Real from, Real to) {
  if (p.radius > 0) return {p.from, {}, p.radius, p.start + from * p.turn, (to - from) * p.turn};
  return {p.from + from * p.along, (to - from) * p.along, 0, 0, 0};
}

struct Named {
  OutlineSegment segment;
  u32 is_corner, feature;
};

std::vector<Named> segments_of(const Polygon& p) {
  const std::size_t n = p.corners.size();
  if (n == 1) return {{{p.corners[0], {}, p.rounding, 0, 2 * pi}, 1, 0}};
  std::vector<Named> out;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 &before = p.normals[(i + n - 1) % n], &after = p.normals[i];
    if (p.rounding > 0)
      out.push_back({{p.corners[i],
                      {},
                      p.rounding,
                      std::atan2(before.y, before.x),
                      std::atan2(cross_of(before, after), dot(before, after))},
                     1,
                     u32(i)});
    out.push_back({{p.corners[i] + p.rounding * after, p.corners[(i + 1) % n] - p.corners[i], 0, 0, 0}, 0, u32(i)});
  }
  return out;
}

// How far a point lies outside of a part, negative inside, and the way out there.
struct Outside {
  Real distance;
  Vec2 normal;
};
Outside outside(const Polygon& p, const Vec2& x) {
  const std::size_t n = p.corners.size();
  const auto from_corner = [&](std::size_t i) {
    const Vec2 apart = x - p.corners[i];
    const Real d = length(apart);
    return Outside{d - p.rounding, d > 0 ? (1 / d) * apart : Vec2{1, 0}};
  };
  if (n == 1) return from_corner(0);
  std::size_t best = 0;
  Real most = -HUGE_VAL;
  for (std::size_t i = 0; i < n; ++i)
    if (const Real d = dot(p.normals[i], x - p.corners[i]); d > most) most = d, best = i;
  const Vec2 edge = p.corners[(best + 1) % n] - p.corners[best];
  const Real u = dot(edge, x - p.corners[best]) / dot(edge, edge);
  if (most > 0 && (u < 0 || u > 1)) {
    // Past an end of the edge that sees it farthest away the nearest place is one of the corners.
    Outside least = from_corner(0);
    for (std::size_t i = 1; i < n; ++i)
      if (const Outside o = from_corner(i); o.distance < least.distance) least = o;
    return least;
  }
  return {most - p.rounding, p.normals[best]};
}

// Places between 0 and 1 where a segment may come onto or leave another.
void add_cuts(const OutlineSegment& p, const OutlineSegment& q, Real tolerance, std::vector<Real>& cuts) {
  const auto add = [&](Real t) {
    if (t > 0 && t < 1) cuts.push_back(t);
  };
  const auto place = [&](const Vec2& x) -> Real {  // of a point that lies on p
    if (!(p.radius > 0)) return dot(x - p.from, p.along) / dot(p.along, p.along);
    Real past = std::fmod(std::atan2(x.y - p.from.y, x.x - p.from.x) - p.start, 2 * pi);
    if (past < 0) past += 2 * pi;
    return past / p.turn;
  };
  // Points of a line in which it meets a circle.
  const auto on_line = [](const OutlineSegment& line, const OutlineSegment& circle) {
    std::vector<Vec2> out;
    const Vec2 d = line.from - circle.from;
    const Real a = dot(line.along, line.along), b = dot(d, line.along);
    const Real c = dot(d, d) - circle.radius * circle.radius, disc = b * b - a * c;
    if (disc > 0)
      for (const Real sign : {-1.0, 1.0}) out.push_back(line.from + ((-b + sign * std::sqrt(disc)) / a) * line.along);
    return out;
  };
  if (p.radius > 0 && q.radius > 0) {
    const Vec2 apart = q.from - p.from;
    const Real d = length(apart);
    if (d > 0) {
      const Real along = (d * d + p.radius * p.radius - q.radius * q.radius) / (2 * d);
      const Real square = p.radius * p.radius - along * along;
      const Vec2 e = (1 / d) * apart;
      if (square > 0)
        for (const Real s : {-std::sqrt(square), std::sqrt(square)})
          add(place(p.from + along * e + s * Vec2{-e.y, e.x}));
    }
  } else if (p.radius > 0) {
    for (const Vec2& x : on_line(q, p)) add(place(x));
  } else if (q.radius > 0) {
    for (const Vec2& x : on_line(p, q)) add(place(x));
  } else if (const Real turn = cross_of(p.along, q.along); turn != 0) {
    add(cross_of(q.from - p.from, q.along) / turn);
  }
  for (const Real end : {0.0, 1.0}) {
    const Vec2 x = point_of(q, end);
    const Real off = p.radius > 0 ? length(x - p.from) - p.radius : dot(x - p.from, normal_of(p, 0));
    if (std::abs(off) <= tolerance) add(place(x));
  }
}

// How a place on the outline of one part lies to another. Outlines that run against each other are a seam: inside.
enum class Lies { outside, along, inside };
Lies lies(const Vec2& x, const Vec2& normal, const Polygon& other, Real tolerance) {
  const Outside o = outside(other, x);
  if (o.distance > tolerance) return Lies::outside;
  return o.distance < -tolerance || dot(o.normal, normal) < 0 ? Lies::inside : Lies::along;
}

// Integrals of a segment that add up to area, first and second moments of what the outline encloses.
struct Integrals {
  Real area = 0;
  Vec2 first{};
  Real second = 0;
};
Integrals integrals_of(const OutlineSegment& p) {
  Integrals out;
  if (!(p.radius > 0)) {
    const Vec2 a = p.from, b = p.from + p.along;
    const Real c = cross_of(a, b);
    out.area = c / 2;
    out.first = (c / 6) * (a + b);
    out.second = c / 12 * (dot(a, a) + dot(a, b) + dot(b, b));
    return out;
  }
  // With x = c + r u: of the sector about c, by parts: the fan from the origin is the fan of chords and the segment.
  const Real r = p.radius, end = p.start + p.turn;
  const Vec2 c = p.from, u0 = unit(p.start), u1 = unit(end);
  // The sector about its own centre.
  const Real area = r * r * p.turn / 2;
  const Vec2 first = (r * r * r / 3) * Vec2{u1.y - u0.y, u0.x - u1.x};
  const Real second = r * r * r * r * p.turn / 4;
  // The two straight sides of the sector are taken off again, so that segments still close up.
  const auto side = [&](const Vec2& from, const Vec2& to) {
    const Integrals s = integrals_of({from, to - from, 0, 0, 0});
    out.area -= s.area;
    out.first -= s.first;
    out.second -= s.second;
  };
  out.area = area;
  out.first = first + area * c;
  out.second = second + 2 * dot(c, first) + area * dot(c, c);
  side(c, c + r * u0);
  side(c + r * u1, c);
  return out;
}

// Directions in which nothing of the grain lies beyond a sharp corner: those of its part and of all others that hold it.
std::optional<Shown> free_directions(const std::vector<Polygon>& parts, std::size_t mine, std::size_t corner,
                                     Real tolerance) {
  const auto cone = [](const Polygon& p, std::size_t i) {
    const std::size_t n = p.corners.size();
    const Vec2 &before = p.normals[(i + n - 1) % n], &after = p.normals[i];
    return std::pair{std::atan2(before.y, before.x), std::atan2(cross_of(before, after), dot(before, after))};
  };
  const Vec2 x = parts[mine].corners[corner];
  auto [start, turn] = cone(parts[mine], corner);
  Real from = 0, to = turn;  // past `start`
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (k == mine) continue;
    const Outside o = outside(parts[k], x);
    if (o.distance > tolerance) continue;
    if (o.distance < -tolerance) return std::nullopt;
    Real other = std::atan2(o.normal.y, o.normal.x), width = 0;
    if (!(parts[k].rounding > 0))
      for (std::size_t j = 0; j < parts[k].corners.size(); ++j)
        if (length(parts[k].corners[j] - x) <= 2 * tolerance) std::tie(other, width) = cone(parts[k], j);
    const Real past = std::remainder(other - start, 2 * pi);
    from = std::max(from, past);
    to = std::min(to, past + width);
    if (from > to + 1e-7) return std::nullopt;
  }
  return Shown{1, u32(corner), start + from, start + std::max(from, to)};
}

Real size_of(const std::vector<PartSketch>& parts) {
  Real size = 0;
  for (const PartSketch& p : parts)
    for (const Vec2& c : p.corners) size = std::max(size, length(c - parts[0].corners[0]) + p.rounding);
  return size;
}
constexpr Real relative_tolerance = 1e-9;  // of the size of the grain: closer places are the same

// Parts as they are given, not about their own centres.
std::vector<Polygon> placed(const std::vector<PartSketch>& parts) {
  std::vector<Polygon> out;
  for (const PartSketch& s : parts) {
    out.push_back(make_polygon(s.corners, s.rounding));
    const Vec2 back = s.corners[0] - out.back().corners[0];
    for (Vec2& c : out.back().corners) c += back;
  }
  return out;
}

// Convex parts meet where a corner of one is near the other, or where their edges cross.
bool touch(const Polygon& a, const Polygon& b, Real tolerance) {
  for (const Vec2& c : a.corners)
    if (outside(b, c).distance <= a.rounding + tolerance) return true;
  for (const Vec2& c : b.corners)
    if (outside(a, c).distance <= b.rounding + tolerance) return true;
  const auto ends = [](const Polygon& p, std::size_t i) {
    return std::pair{p.corners[i], p.corners[(i + 1) % p.corners.size()]};
  };
  for (std::size_t i = 0; i < a.corners.size(); ++i)
    for (std::size_t j = 0; j < b.corners.size(); ++j) {
      const auto [p, q] = ends(a, i);
      const auto [u, v] = ends(b, j);
      if (cross_of(q - p, u - p) * cross_of(q - p, v - p) < 0 && cross_of(v - u, p - u) * cross_of(v - u, q - u) < 0)
        return true;
    }
  return false;
}

}  // namespace

std::string flaw_of(const std::vector<PartSketch>& sketches) {
  if (sketches.size() > max_parts) return fmt::format("{} parts are more than {}", sketches.size(), max_parts);
  if (sketches.empty()) return "it has no parts";
  for (std::size_t k = 0; k < sketches.size(); ++k)
    if (const std::string flaw = flaw_of(sketches[k].corners, sketches[k].rounding); !flaw.empty())
      return fmt::format("part {}: {}", k + 1, flaw);
  const std::vector<Polygon> parts = placed(sketches);
  const Real tolerance = relative_tolerance * size_of(sketches);
  std::vector<bool> joined(parts.size(), false);
  std::vector<std::size_t> next{0};
  joined[0] = true;
  while (!next.empty()) {
    const std::size_t k = next.back();
    next.pop_back();
    for (std::size_t j = 0; j < parts.size(); ++j)
      if (!joined[j] && touch(parts[k], parts[j], tolerance)) joined[j] = true, next.push_back(j);
  }
  for (std::size_t k = 0; k < parts.size(); ++k)
    if (!joined[k]) return fmt::format("part {} is apart from part 1 and those joined to it", k + 1);
  return "";
}

Compound make_compound(const std::vector<PartSketch>& sketches) {
  Compound out;
  out.parts = placed(sketches);
  out.shown.resize(out.parts.size());
  const Real tolerance = relative_tolerance * size_of(sketches);
  for (std::size_t k = 0; k < out.parts.size(); ++k) {
    const Polygon& mine = out.parts[k];
    for (const Named& n : segments_of(mine)) {
      std::vector<Real> cuts{0, 1};
      for (std::size_t j = 0; j < out.parts.size(); ++j)
        if (j != k)
          for (const Named& m : segments_of(out.parts[j])) add_cuts(n.segment, m.segment, tolerance, cuts);
      std::sort(cuts.begin(), cuts.end());
      Real shown_to = -1;
      for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
        const Real from = cuts[c], to = cuts[c + 1];
        if (!((to - from) * length_of(n.segment) > tolerance)) continue;
        const Vec2 x = point_of(n.segment, (from + to) / 2), normal = normal_of(n.segment, (from + to) / 2);
        bool covered = false, counted = false;  // where outlines run along one another the first part counts
        for (std::size_t j = 0; j < out.parts.size() && !covered; ++j) {
          if (j == k) continue;
          const Lies where = lies(x, normal, out.parts[j], tolerance);
          covered = where == Lies::inside;
          counted = counted || (where == Lies::along && j < k);
        }
        if (covered) continue;
        if (!counted) out.outline.push_back(part_of(n.segment, from, to));
        const Real scale = n.is_corner ? n.segment.turn : length_of(n.segment),
                   start = n.is_corner ? n.segment.start : 0;
        if (shown_to == from)
          out.shown[k].back().to = start + scale * to;
        else
          out.shown[k].push_back({n.is_corner, n.feature, start + scale * from, start + scale * to});
        shown_to = to;
      }
    }
    if (mine.rounding > 0) continue;
    for (std::size_t i = 0; i < mine.corners.size(); ++i)
      if (const auto free = free_directions(out.parts, k, i, tolerance)) out.shown[k].push_back(*free);
  }
  Integrals sum;
  for (const OutlineSegment& p : out.outline) {
    const Integrals i = integrals_of(p);
    sum.area += i.area;
    sum.first += i.first;
    sum.second += i.second;
  }
  const Vec2 centre = (1 / sum.area) * sum.first;
  out.whole.area = sum.area;
  out.whole.second_moment = sum.second - sum.area * dot(centre, centre);
  for (OutlineSegment& p : out.outline) p.from -= centre;
  for (Polygon& p : out.parts)
    for (Vec2& c : p.corners) {
      c -= centre;
      out.whole.reach = std::max(out.whole.reach, length(c) + p.rounding);
    }
  return out;
}

}  // namespace talus
