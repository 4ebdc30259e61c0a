#include <talus/geometry/circle_overlap.hpp>

#include <cmath>

// The outline of a grain is a chain of straight segments and arcs. Seen from the centre of the circle, each segment sweeps an
// area with a sign: up to the segment itself where it lies within the circle, up to the circle where it lies beyond. The sum
// is the common area.
namespace talus {
namespace {

Real cross_of(const Vec2& a, const Vec2& b) { return a.x * b.y - a.y * b.x; }

// Places between 0 and 1 where a segment crosses the circle, at most two, between both ends, in order.
struct Cuts {
  Real at[4] = {0, 1, 1, 1};
  std::size_t count = 2;
  void add(Real place) {
    if (!(place > 0 && place < 1)) return;
    at[2] = max(place, count == 3 ? at[1] : Real(0));
    at[1] = count == 3 ? min(place, at[1]) : place;
    if (count == 2) at[2] = 1;
    ++count;
  }
};

// Both segments know: their points, where they cross a circle about the origin, the area between a part and the origin,
// and the angle under which a part is seen from there.
struct Straight {
  Vec2 from, along;

  Vec2 point(Real s) const { return from + s * along; }
  Cuts cuts(Real radius) const {
    Cuts out;
    const Real a = dot(along, along), b = dot(from, along), c = dot(from, from) - radius * radius, d = b * b - a * c;
    if (a > 0 && d > 0) {
      // The larger root by a sum of equal signs, the other by the product of both.
      const Real q = -(b + std::copysign(std::sqrt(d), b));
      out.add(q / a);
      if (q != 0) out.add(c / q);
    }
    return out;
  }
  Real swept(Real s, Real t) const { return cross_of(from, along) * (t - s) / 2; }
  Real seen(Real s, Real t) const {
    const Vec2 p = point(s), q = point(t);
    return std::atan2(cross_of(p, q), dot(p, q));
  }
};

struct Arc {
  Vec2 centre;
  Real radius, start, turn;  // rad; turn > 0, at most a full one

  Vec2 point(Real s) const {
    const Real angle = start + s * turn;
    return centre + radius * Vec2{std::cos(angle), std::sin(angle)};
  }
  Cuts cuts(Real r) const {
    Cuts out;
    const Real d = length(centre);
    // Angle between the line to the origin and a crossing, as seen from the arc's centre.
    const Real cosine = d > 0 ? (radius * radius + d * d - r * r) / (2 * radius * d) : Real(2);
    if (std::abs(cosine) < 1) {
      const Real home = std::atan2(-centre.y, -centre.x), wide = std::acos(cosine);
      for (const Real angle : {home - wide, home + wide}) {
        const Real on = std::fmod(angle - start, 2 * pi);
        out.add((on < 0 ? on + 2 * pi : on) / turn);
      }
    }
    return out;
  }
  Real swept(Real s, Real t) const {
    return (radius * radius * turn * (t - s) + cross_of(centre, point(t) - point(s))) / 2;
  }
  Real seen(Real s, Real t) const {
    const Vec2 p = point(s), q = point(t);
    const Real angle = std::atan2(cross_of(p, q), dot(p, q));
    if (dot(centre, centre) >= radius * radius) return angle;  // never more than half a turn
    if ((t - s) * turn >= 2 * pi) return 2 * pi;
    return angle < 0 ? angle + 2 * pi : angle;  // goes round the origin, forward only
  }
};

template <class Segment>
Real area_of(const Segment& segment, Real radius) {
  const Cuts cuts = segment.cuts(radius);
  Real area = 0;
  for (std::size_t k = 0; k + 1 < cuts.count; ++k) {
    const Real s = cuts.at[k], t = cuts.at[k + 1];
    const Vec2 middle = segment.point((s + t) / 2);
    area += dot(middle, middle) <= radius * radius ? segment.swept(s, t) : radius * radius * segment.seen(s, t) / 2;
  }
  return area;
}

}  // namespace

Real overlap_area(const PolygonView& grain, const Placement& at, const Circle& circle) {
  const Vec2 origin = at.position - circle.centre;
  Real reach = 0;
  for (std::size_t i = 0; i < grain.corners.size; ++i) reach = max(reach, length(grain.corners[i]));
  const Real apart = reach + grain.rounding + circle.radius;
  if (dot(origin, origin) >= apart * apart) return 0;
  const auto place = [&](const Vec2& v) { return origin + at.turned(v); };
  const std::size_t n = grain.corners.size;
  if (n == 1) return area_of(Arc{place(grain.corners[0]), grain.rounding, 0, 2 * pi}, circle.radius);
  Real area = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t next = i + 1 < n ? i + 1 : 0;
    const Vec2 out = grain.rounding * at.turned(grain.normals[i]);
    const Vec2 from = place(grain.corners[i]) + out, to = place(grain.corners[next]) + out;
    area += area_of(Straight{from, to - from}, circle.radius);
    if (!(grain.rounding > 0)) continue;
    const Vec2 normal = at.turned(grain.normals[i]), after = at.turned(grain.normals[next]);
    Real turn = std::atan2(cross_of(normal, after), dot(normal, after));
    if (turn < 0) turn += 2 * pi;  // a grain of two corners turns by half a turn, give or take a rounding error
    if (turn > 0)
      area +=
          area_of(Arc{place(grain.corners[next]), grain.rounding, std::atan2(normal.y, normal.x), turn}, circle.radius);
  }
  return area;
}

Real overlap_area(const Span<const OutlineSegment>& outline, Real reach, const Placement& at, const Circle& circle) {
  const Vec2 origin = at.position - circle.centre;
  const Real apart = reach + circle.radius;
  if (dot(origin, origin) >= apart * apart) return 0;
  const Real angle = std::atan2(at.sine, at.cosine);
  Real area = 0;
  for (const OutlineSegment& p : outline) {
    const Vec2 from = origin + at.turned(p.from);
    area += p.radius > 0 ? area_of(Arc{from, p.radius, p.start + angle, p.turn}, circle.radius)
                         : area_of(Straight{from, at.turned(p.along)}, circle.radius);
  }
  return area;
}

}  // namespace talus
