#pragma once
// Where two convex grains of the plane meet: one normal and up to two points, each named by the features that meet there.
// The name stays the same while the grains slide, and does not depend on whose edge the normal is taken from, so what a
// point remembers is found again. Points come in order along the normal turned to the left.
#include <talus/geometry/compound.hpp>

namespace talus {

enum class FeaturePair : u32 { corner_on_edge, edge_on_corner, corner_on_corner };  // of a on that of b

// Kind and the two features: which corner, or the edge that starts there.
TALUS_HD constexpr u32 feature_id(FeaturePair kind, std::size_t of_a, std::size_t of_b) {
  return u32(kind) << 30 | u32(of_a) << 15 | u32(of_b);
}

struct ManifoldPoint {
  Vec2 at;      // m, half-way between the two surfaces
  Real gap;     // m along the normal, negative when they overlap
  u32 feature;  // feature_id
};

struct Manifold {
  Vec2 normal{};  // unit, from b towards a
  int count = 0;
  ManifoldPoint point[2];

  TALUS_HD void add(const Vec2& at, Real gap, u32 feature) { point[count++] = {at, gap, feature}; }
};

// What was found when all edges of a polygon were looked at, and how far that goes: as long as no corner of the other has
// moved by half the slack against it, the same edge is the widest, and one of two neighbouring corners the nearest to it.
struct Witness {
  Real slack = -1;           // m; negative: it does not go far
  Real separation = -1;      // m, that the edge saw
  Real arm = 0;              // m, of the other's farthest corner
  Placement there;           // of the other
  u32 edge = 0, corner = 0;  // the latter or the one after it

  // How far a corner of the other has come at most, m.
  TALUS_HD Real moved(const Placement& now) const {
    const Real shifted = std::abs(now.position.x - there.position.x) + std::abs(now.position.y - there.position.y);
    const Real turned = std::abs(now.cosine - there.cosine) + std::abs(now.sine - there.sine);
    return shifted + turned * arm;
  }
  TALUS_HD bool holds(const Placement& now) const { return 2 * moved(now) < slack; }
  // The two are farther apart than that, and not by rounding alone.
  TALUS_HD bool keeps_apart(const Placement& now, Real distance) const {
    return separation - moved(now) >
           distance + Real(1e-9) * (arm + std::abs(there.position.x) + std::abs(there.position.y));
  }
};
struct Witnesses {
  Witness of_a, of_b;
};

namespace manifold {

// The edge of one polygon that sees the other farthest away, and the other's corner nearest to it.
struct Axis {
  Real separation = -1e300;  // m, between the polygons without their rounding
  std::size_t edge = 0, corner = 0;
};

TALUS_HD std::size_t after(std::size_t i, std::size_t n) { return i + 1 < n ? i + 1 : 0; }
TALUS_HD std::size_t before(std::size_t i, std::size_t n) { return i > 0 ? i - 1 : n - 1; }

TALUS_HD std::size_t farthest(const PolygonView& p, const Vec2& direction) {
  std::size_t best = 0;
  for (std::size_t j = 1; j < p.corners.size; ++j)
    if (dot(direction, p.corners[j]) > dot(direction, p.corners[best])) best = j;
  return best;
}

// `there` places `other` in the frame of `mine`. Normals turn one way, so the nearest corner goes round with them.
// `second`: the separation that the next best edge sees.
TALUS_HD Axis widest(const PolygonView& mine, const PolygonView& other, const Placement& there, Real& second) {
  Axis best;
  const std::size_t n = mine.normals.size, m = other.corners.size;
  std::size_t j = 0;
  second = best.separation;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 normal = mine.normals[i], inward = there.turned_back(-normal);
    if (i == 0) j = farthest(other, inward);
    for (std::size_t steps = 0; steps < m; ++steps) {
      const std::size_t next = after(j, m);
      if (!(dot(inward, other.corners[next]) > dot(inward, other.corners[j]))) break;
      j = next;
    }
    const Real separation = dot(normal, there.position - mine.corners[i]) - dot(inward, other.corners[j]);
    second = max(second, min(separation, best.separation));
    if (separation > best.separation) best = {separation, i, j};
  }
  return best;
}

// Roundings are far below this part of a grain: what differs by more is told apart in the same way by any sums.
inline constexpr Real clear_of_rounding = 1e-9;

TALUS_HD Witness witness(const PolygonView& mine, const PolygonView& other, const Placement& there, const Axis& best,
                         Real second) {
  Witness w{best.separation - second, best.separation, 0, there, u32(best.edge), u32(best.corner)};
  const std::size_t m = other.corners.size, j = best.corner;
  for (std::size_t k = 0; k < m; ++k) w.arm = max(w.arm, dot(other.corners[k], other.corners[k]));
  w.arm = std::sqrt(w.arm);
  if (m > 1) {
    const Vec2 inward = there.turned_back(-mine.normals[best.edge]);
    const auto height = [&](std::size_t k) { return dot(inward, other.corners[k]); };
    const std::size_t last = before(j, m), next = after(j, m);
    const bool forward = height(next) >= height(last);
    const std::size_t third = forward ? last : next, beyond = forward ? after(next, m) : before(last, m);
    w.slack = min(w.slack, height(j) - max(height(third), height(beyond)));
    w.corner = u32(forward ? j : last);
  }
  w.slack -= clear_of_rounding * (w.arm + std::abs(there.position.x) + std::abs(there.position.y));
  return w;
}

// The same as `widest`, bit for bit, from what is known of places near by.
TALUS_HD Axis widest(const PolygonView& mine, const PolygonView& other, const Placement& there, Witness& known) {
  if (mine.normals.size == 0) return {};
  if (known.holds(there)) {
    const Vec2 normal = mine.normals[known.edge], inward = there.turned_back(-normal);
    const std::size_t j = known.corner, next = after(j, other.corners.size);
    const Real here = dot(inward, other.corners[j]), ahead = dot(inward, other.corners[next]);
    if (j == next || std::abs(ahead - here) > clear_of_rounding * known.arm)
      return {dot(normal, there.position - mine.corners[known.edge]) - max(here, ahead), known.edge,
              ahead > here ? next : j};
  }
  Real second;
  const Axis best = widest(mine, other, there, second);
  known = witness(mine, other, there, best, second);
  return best;
}

TALUS_HD Placement relative(const Placement& of, const Placement& to) {
  return {to.turned_back(of.position - to.position), to.cosine * of.cosine + to.sine * of.sine,
          to.cosine * of.sine - to.sine * of.cosine};
}

// In the frame of the polygon whose edge was chosen; `first` says that it is a.
struct Facing {
  const PolygonView &mine, &other;
  Placement here, there;  // of mine; of the other as seen from mine
  Real reach;
  bool first;

  TALUS_HD Vec2 corner(std::size_t j) const { return there.position + there.turned(other.corners[j]); }
  TALUS_HD u32 name(FeaturePair kind, std::size_t of_mine, std::size_t of_other) const {
    if (first) return feature_id(kind, of_mine, of_other);
    const FeaturePair seen = kind == FeaturePair::corner_on_edge   ? FeaturePair::edge_on_corner
                             : kind == FeaturePair::edge_on_corner ? FeaturePair::corner_on_edge
                                                                   : kind;
    return feature_id(seen, of_other, of_mine);
  }
  // A point of the other at `distance` along `normal` from the point `from` of mine.
  TALUS_HD void add(Manifold& out, const Vec2& from, const Vec2& normal, Real distance, u32 feature) const {
    const Real gap = distance - mine.rounding - other.rounding;
    if (gap > reach) return;
    const Vec2 turned = here.turned(normal);
    out.normal = first ? -turned : turned;
    out.add(here.position + here.turned(from + (mine.rounding + gap / 2) * normal), gap, feature);
  }

  TALUS_HD void corners(Manifold& out, std::size_t i, std::size_t j) const {
    const Vec2 from = mine.corners[i], between = corner(j) - from;
    const Real distance = length(between);
    // Two discs in one place have no direction: any will part them.
    const Vec2 normal = distance > 0 ? (1 / distance) * between : Vec2{1, 0};
    add(out, from, normal, distance, name(FeaturePair::corner_on_corner, i, j));
  }

  TALUS_HD void edge(Manifold& out, const Axis& axis) const {
    const std::size_t i = axis.edge, j = axis.corner, m = other.corners.size;
    const Vec2 normal = mine.normals[i], along{-normal.y, normal.x}, start = mine.corners[i];
    const std::size_t end = after(i, mine.corners.size);
    const Real width = dot(along, mine.corners[end] - start);
    const auto place = [&](std::size_t k) { return dot(along, corner(k) - start); };
    const auto distance = [&](std::size_t k) { return dot(normal, corner(k) - start); };
    const Real u = place(j);
    const bool beyond = axis.separation > 0 && (u < 0 || u > width);  // nearest to a corner of mine, not to the edge
    const std::size_t mine_end = u < 0 ? i : end;
    const auto lone = [&] {
      add(out, start + u * along, normal, axis.separation, name(FeaturePair::edge_on_corner, i, j));
    };
    if (m == 1) return beyond ? corners(out, mine_end, j) : lone();
    // The other's edge at that corner that faces mine; it runs the other way.
    const std::size_t p = before(j, m);
    const Vec2 inward = there.turned_back(-normal);
    const std::size_t e = dot(inward, other.normals[j]) >= dot(inward, other.normals[p]) ? j : p, f = after(e, m);
    if (beyond) {  // unless the edges are parallel and j is the end that hangs over
      const Vec2 edge = corner(f) - corner(e), to = mine.corners[mine_end] - corner(e);
      const Real part = dot(to, edge);
      if (!(part > 0 && part < dot(edge, edge))) return corners(out, mine_end, j);
    }
    const Real ue = place(e), uf = place(f), de = distance(e), df = distance(f);
    if (!(min(ue, width) > max(uf, Real(0)))) return beyond ? corners(out, mine_end, j) : lone();
    const auto at = [&](Real w) { return df + (de - df) * ((w - uf) / (ue - uf)); };  // distance of that edge
    const auto low = [&] {
      if (uf >= 0)
        add(out, start + uf * along, normal, df, name(FeaturePair::edge_on_corner, i, f));
      else
        add(out, start, normal, at(0), name(FeaturePair::corner_on_edge, i, e));
    };
    const auto high = [&] {
      if (ue <= width)
        add(out, start + ue * along, normal, de, name(FeaturePair::edge_on_corner, i, e));
      else
        add(out, start + width * along, normal, at(width), name(FeaturePair::corner_on_edge, end, e));
    };
    if (first) {
      high();
      low();
    } else {
      low();
      high();
    }
  }
};

}  // namespace manifold

// Points of the two grains that are not farther apart than `reach`. What is known of them from places near by saves looking
// at every edge, and changes no bit.
TALUS_HD Manifold find_manifold(const PolygonView& a, const Placement& at_a, const PolygonView& b,
                                const Placement& at_b, Real reach, Witnesses& known) {
  using namespace manifold;
  Manifold out;
  const Placement b_from_a = relative(at_b, at_a);
  if (known.of_a.keeps_apart(b_from_a, reach + a.rounding + b.rounding)) return out;
  const Placement a_from_b = relative(at_a, at_b);
  if (known.of_b.keeps_apart(a_from_b, reach + a.rounding + b.rounding)) return out;
  const Facing from_a{a, b, at_a, b_from_a, reach, true}, from_b{b, a, at_b, a_from_b, reach, false};
  if (a.normals.size == 0 && b.normals.size == 0) {
    from_a.corners(out, 0, 0);
    return out;
  }
  const auto too_far = [&](const Axis& axis) { return axis.separation - a.rounding - b.rounding > reach; };
  const Axis of_a = widest(a, b, b_from_a, known.of_a);
  if (too_far(of_a)) return out;
  const Axis of_b = widest(b, a, a_from_b, known.of_b);
  if (too_far(of_b)) return out;
  if (of_b.separation > of_a.separation)
    from_b.edge(out, of_b);
  else
    from_a.edge(out, of_a);
  return out;
}

TALUS_HD Manifold find_manifold(const PolygonView& a, const Placement& at_a, const PolygonView& b,
                                const Placement& at_b, Real reach) {
  Witnesses none;
  return find_manifold(a, at_a, b, at_b, reach, none);
}

// A grain and the half plane behind `point`; normal out of the wall into the sample. The grain is a.
TALUS_HD Manifold plane_manifold(const PolygonView& a, const Placement& at, const Vec2& point, const Vec2& normal,
                                 Real reach) {
  Manifold out;
  out.normal = normal;
  const Vec2 down = at.turned_back(-normal);
  const Real height = dot(normal, at.position - point);
  const auto add = [&](std::size_t j) {
    const Real distance = height - dot(down, a.corners[j]), gap = distance - a.rounding;
    if (gap > reach) return;
    const Vec2 corner = at.position + at.turned(a.corners[j]);
    out.add(corner - (a.rounding + gap / 2) * normal, gap, feature_id(FeaturePair::corner_on_edge, j, 0));
  };
  const std::size_t m = a.corners.size, j = manifold::farthest(a, down);
  if (m == 1) {
    add(j);
    return out;
  }
  const std::size_t next = manifold::after(j, m), last = manifold::before(j, m);
  const std::size_t k = dot(down, a.corners[next]) >= dot(down, a.corners[last]) ? next : last;
  const Vec2 along = at.turned_back({-normal.y, normal.x});
  const bool in_order = dot(along, a.corners[j]) < dot(along, a.corners[k]);
  add(in_order ? j : k);
  add(in_order ? k : j);
  return out;
}

// Points that lie on the outlines of both grains; inside a compound its parts cannot be touched. A point is on an edge at
// its own place, or on a corner in the direction of the normal. The farther of two points does not stand alone.
TALUS_HD Manifold only_shown(const Manifold& m, const PartView& a, const Placement& at_a, const PartView& b,
                             const Placement& at_b) {
  const auto shows = [](const PartView& part, const Placement& at, bool is_corner, std::size_t feature, const Vec2& x,
                        const Vec2& out, Real near_by) {
    if (part.is_whole) return true;
    if (is_corner) return shows_corner(part, feature, at.turned_back(out), near_by);
    const Vec2 normal = part.outline.normals[feature], along{-normal.y, normal.x};
    return shows_edge(part, feature, dot(along, at.turned_back(x - at.position) - part.outline.corners[feature]));
  };
  Manifold out;
  out.normal = m.normal;
  Real nearest = 1e300, kept = 1e300;
  for (int k = 0; k < m.count; ++k) {
    const ManifoldPoint& p = m.point[k];
    nearest = min(nearest, p.gap);
    const auto kind = FeaturePair(p.feature >> 30);
    const std::size_t of_a = (p.feature >> 15) & 0x7fff, of_b = p.feature & 0x7fff;
    const Real near_by = kind == FeaturePair::corner_on_corner ? near_edge_of_corners : near_edge;
    if (!shows(a, at_a, kind != FeaturePair::edge_on_corner, of_a, p.at, -m.normal, near_by) ||
        !shows(b, at_b, kind != FeaturePair::corner_on_edge, of_b, p.at, m.normal, near_by))
      continue;
    kept = min(kept, p.gap);
    out.add(p.at, p.gap, p.feature);
  }
  return kept > nearest ? Manifold{} : out;
}

namespace manifold {

// Corners of the other part that lie inside mine, and the nearest edge that shows to them: what is left to be touched where
// the least overlap leads through a seam. Adds at most two points, of one edge. Returns how deep the deepest lies, or 0.
TALUS_HD Real sunk(const Facing& f, const PartView& mine, const PartView& other, Manifold& out) {
  const PolygonView& p = mine.outline;
  const Real tolerance = Real(0.01) * mine.slack;
  const std::size_t n = p.normals.size, m = other.outline.corners.size;
  const auto along = [&](std::size_t i, const Vec2& x) {
    return p.normals[i].x * (x.y - p.corners[i].y) - p.normals[i].y * (x.x - p.corners[i].x);
  };
  // The edge of mine for a corner; n: none.
  const auto edge_of = [&](std::size_t j, Real& depth) {
    const Vec2 x = f.corner(j);
    std::size_t best = n;
    for (std::size_t i = 0; i < n; ++i) {
      const Real height = dot(p.normals[i], x - p.corners[i]);
      if (height > tolerance) return n;
      if (best < n && -height >= depth) continue;
      if (!shows_edge(mine, i, along(i, x)) || !shows_corner(other, j, f.there.turned_back(-p.normals[i]))) continue;
      depth = -height;
      best = i;
    }
    return best;
  };
  std::size_t edge = n, first = 0;
  Real deepest = -1;
  for (std::size_t j = 0; j < m; ++j) {
    Real depth = 0;
    const std::size_t i = edge_of(j, depth);
    if (i < n && depth > deepest) deepest = depth, edge = i, first = j;
  }
  if (edge == n) return 0;
  std::size_t second = m;
  for (std::size_t j = 0; j < m && second == m; ++j) {
    Real depth = 0;
    if (j != first && edge_of(j, depth) == edge) second = j;
  }
  const auto add = [&](std::size_t j) {
    const Vec2 x = f.corner(j), normal = p.normals[edge];
    const Real height = dot(normal, x - p.corners[edge]);
    f.add(out, x - height * normal, normal, height, f.name(FeaturePair::edge_on_corner, edge, j));
  };
  if (second < m && (along(edge, f.corner(second)) > along(edge, f.corner(first))) == f.first) {
    add(second);
    add(first);
  } else {
    add(first);
    if (second < m) add(second);
  }
  return deepest;
}

}  // namespace manifold

// The same for parts of compounds: only what lies on the outlines can be touched.
TALUS_HD Manifold part_manifold(const PartView& a, const Placement& at_a, const PartView& b, const Placement& at_b,
                                Real reach) {
  using namespace manifold;
  const Manifold all = find_manifold(a.outline, at_a, b.outline, at_b, reach),
                 shown = only_shown(all, a, at_a, b, at_b);
  if (all.count == 0 || shown.count > 0) return shown;
  const Facing from_a{a.outline, b.outline, at_a, relative(at_b, at_a), reach, true},
      from_b{b.outline, a.outline, at_b, relative(at_a, at_b), reach, false};
  Manifold of_a, of_b;
  const Real depth_a = sunk(from_a, a, b, of_a), depth_b = sunk(from_b, b, a, of_b);
  return depth_b > depth_a || of_a.count == 0 ? of_b : of_a;
}

TALUS_HD Manifold plane_part_manifold(const PartView& a, const Placement& at, const Vec2& point, const Vec2& normal,
                                      Real reach) {
  return only_shown(plane_manifold(a.outline, at, point, normal, reach), a, at, {}, {});
}

}  // namespace talus
