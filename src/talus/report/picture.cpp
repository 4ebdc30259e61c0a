#include <talus/report/picture.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include <talus/report/colour_map.hpp>
#include <talus/report/raster.hpp>

// Deferred: the first pass leaves for each sample point the nearest thing and its depth, the second computes light only
// there and averages the sample points of a pixel. Spheres are drawn front to back, so that most hidden ones cost a
// comparison per point. A ray tracer with a tree would give the same picture from more code.
namespace talus::report {
namespace {

constexpr int fine = 2;  // sample points per pixel, each way

enum : int { nothing = Raster::nothing, cell_edge = -2, force_line = -3, wall_edge = -4, wall_face = -5 };

std::array<Vec3, 8> corners_of(const Grains& g) {
  std::array<Vec3, 8> out;
  for (int k = 0; k < 8; ++k) {
    out[static_cast<std::size_t>(k)] = g.origin + Real(k & 1) * g.edges[0] + Real(k >> 1 & 1) * g.edges[1] +
                                       Real(g.flat ? 0 : k >> 2 & 1) * g.edges[2];
  }
  return out;
}

class Canvas {
 public:
  Canvas(const Grains& grains, int width) : g_(grains) {
    if (!g_.flat) look_from(30, 24);
    ScreenBox box = box_of_all();
    if (!(box.width() > 0 && box.height() > 0)) box = {0, 1, 0, 1};

    const Real margin = 0.015 * std::max(box.width(), box.height());
    const Real wide = box.width() + 2 * margin, tall = box.height() + 2 * margin;
    const Real points = g_.scale > 0 ? g_.scale * fine : Real(width) * fine / std::max(wide, tall);
    screen_.scale = points;
    screen_.left = box.left - margin;
    screen_.top = box.top + margin;
    const auto pixels = [&](Real size) { return static_cast<int>(std::clamp(std::ceil(size * points / fine), 1.0, 3.0 * width)); };
    raster_.resize(pixels(wide) * fine, pixels(tall) * fine);
  }

  void draw_spheres() {
    std::vector<Vec3> at(g_.centres.size());
    std::vector<Real> front(at.size());
    for (std::size_t i = 0; i < at.size(); ++i) {
      at[i] = screen_(g_.centres[i]);
      front[i] = at[i].z - g_.radii[i] * screen_.scale;
    }
    std::vector<int> order(at.size());
    std::iota(order.begin(), order.end(), 0);
    // From the back to the front; those at one depth by their places: rows change their order between a stop and its end.
    const auto place = [&](int i) { return std::tuple(front[std::size_t(i)], at[std::size_t(i)].x, at[std::size_t(i)].y, i); };
    std::sort(order.begin(), order.end(), [&](int a, int b) { return place(a) < place(b); });
    for (const int i : order) draw_sphere(i, at[std::size_t(i)]);
  }

  // Faces that look at the eye. The nearest wins, whatever the order.
  void draw_facets() {
    facet_.assign(raster_.depth.size(), 0);
    for (std::size_t f = 0; f < g_.facets.size(); ++f)
      if (const Facet& facet = g_.facets[f]; dot(facet.normal, screen_.away) < -1e-9)
        raster_.face(all_on_screen(facet.corners), screen_.turned(facet.normal), facet.grain, [&](std::size_t p) { facet_[p] = int(f); });
  }

  void draw_cell() {
    const auto corner = corners_of(g_);
    const Real half = 0.8 * fine;
    for (int a = 0; a < 8; ++a)
      for (const int bit : {1, 2, 4})
        if (!(a & bit) && !(g_.flat && (bit == 4 || (a & 4))))
          draw_line(corner[std::size_t(a)], corner[std::size_t(a | bit)], half, cell_edge);
  }

  void draw_rings() {
    constexpr int sides = 180;
    for (const Ring& ring : g_.rings)
      for (int k = 0; k < sides; ++k) {
        const auto at = [&](int n) {
          const Real angle = 2 * pi * n / sides;
          return ring.centre + ring.radius * Vec3{std::cos(angle), std::sin(angle), 0};
        };
        draw_line(at(k), at(k + 1), 1.6 * fine, force_line);
      }
  }

  void draw_forces() {
    Real strongest = 0, mean_radius = 0;
    for (const ForceLine& l : g_.lines) strongest = std::max(strongest, l.force);
    for (const Real r : g_.radii) mean_radius += r / Real(g_.radii.size());
    if (!(strongest > 0)) return;
    for (const ForceLine& l : g_.lines) {
      const Real half = 0.25 * mean_radius * screen_.scale * l.force / strongest;
      if (half > 0.15) draw_line(l.from, l.to, half, force_line);
    }
  }

  // Forces in space, lit like grains.
  void draw_rods() {
    for (std::size_t k = 0; k < g_.rods.size(); ++k)
      raster_.line(screen_(g_.rods[k].from), screen_(g_.rods[k].to), g_.rods[k].radius * screen_.scale, int(g_.centres.size() + k), false, true);
  }

  // In the plane lines. In space the sides that face the eye from behind the sample, and of all the edges where they end or turn away.
  void draw_walls() {
    for (const WallFace& wall : g_.walls)
      if (g_.flat)
        draw_line(wall.corners.front(), wall.corners.back(), 1.3 * fine, wall_edge);
      else if (is_behind(wall))
        raster_.face(all_on_screen(wall.corners), screen_.turned(wall.inward), wall_face, [](std::size_t) {});
    if (!g_.flat)
      for (const auto& [a, b] : wall_edges()) draw_line(a, b, 0.7 * fine, wall_edge);
  }

  // Light of every sample point, averaged over the pixel. No buffer of light: it would outweigh all else.
  Picture shade(Real low, Real high) {
    plan_taps();
    Picture out;
    out.width = raster_.width / fine;
    out.height = raster_.height / fine;
    out.scale = screen_.scale / fine;
    out.rgba.reserve(std::size_t(4) * std::size_t(out.width) * std::size_t(out.height));
    for (int y = 0; y < out.height; ++y)
      for (int x = 0; x < out.width; ++x) {
        Rgb sum{0, 0, 0};
        for (int b = 0; b < fine; ++b)
          for (int a = 0; a < fine; ++a) {
            const Rgb one = light(x * fine + a, y * fine + b, low, high);
            for (std::size_t c = 0; c < 3; ++c) sum[c] += one[c];
          }
        for (const double s : sum) out.rgba.push_back(display_byte(s / (fine * fine)));
        out.rgba.push_back(255);
      }
    return out;
  }

 private:
  void look_from(Real azimuth_deg, Real elevation_deg) {
    const Real a = azimuth_deg * pi / 180, e = elevation_deg * pi / 180;
    screen_.right = {std::cos(a), std::sin(a), 0};
    screen_.away = {-std::sin(a) * std::cos(e), std::cos(a) * std::cos(e), -std::sin(e)};
    screen_.up = cross(screen_.right, screen_.away);
  }

  ScreenBox box_of_all() const {
    ScreenBox box, cell;
    const auto add = [&](ScreenBox& to, const Vec3& at, Real r) { to.add(dot(at, screen_.right), dot(at, screen_.up), r); };
    for (std::size_t i = 0; i < g_.centres.size(); ++i) add(box, g_.centres[i], g_.radii[i]);
    for (const Rod& rod : g_.rods) add(box, rod.from, rod.radius), add(box, rod.to, rod.radius);
    if (!g_.has_cell && g_.walls.empty()) return box;
    if (g_.has_cell)
      for (const Vec3& c : corners_of(g_)) add(cell, c, 0);
    for (const WallFace& wall : g_.walls)
      for (const Vec3& c : wall.corners) add(cell, c, 0);
    if (g_.frames_cell) return cell;
    ScreenBox all = box;
    all.add(cell.left, cell.bottom, 0);
    all.add(cell.right, cell.top, 0);
    // A few grains in a wide cell: frame the grains, or there would be nothing to see.
    const bool lost = !g_.centres.empty() && std::max(box.width(), box.height()) < 0.1 * std::max(all.width(), all.height());
    return lost ? box : all;
  }

  std::vector<Vec3> all_on_screen(const std::vector<Vec3>& corners) const {
    std::vector<Vec3> out;
    for (const Vec3& c : corners) out.push_back(screen_(c));
    return out;
  }
  void draw_line(const Vec3& a, const Vec3& b, Real half, int kind) { raster_.line(screen_(a), screen_(b), half, kind, g_.flat); }

  bool is_behind(const WallFace& wall) const { return dot(wall.inward, screen_.away) < -1e-9; }
  // Edges of one piece alone, and those between a piece behind the sample and one before it.
  std::vector<std::pair<Vec3, Vec3>> wall_edges() const {
    using Point = std::array<i64, 3>;
    std::map<std::tuple<int, Point, Point>, std::pair<int, int>> sides;  // before and behind, of what meets at an edge
    const Real per_point = screen_.scale * 100;  // corners that are nearer than a hundredth of a sample point are one
    const auto rounded = [&](const Vec3& v) {
      return Point{std::llround(v.x * per_point), std::llround(v.y * per_point), std::llround(v.z * per_point)};
    };
    std::vector<std::pair<Vec3, Vec3>> out;
    for (const bool draws : {false, true})
      for (const WallFace& wall : g_.walls)
        for (std::size_t k = 0; k < wall.corners.size(); ++k) {
          const Vec3 &a = wall.corners[k], &b = wall.corners[(k + 1) % wall.corners.size()];
          const Point p = rounded(a), q = rounded(b);
          auto& meet = sides[{wall.wall, std::min(p, q), std::max(p, q)}];
          if (!draws)
            ++(is_behind(wall) ? meet.second : meet.first);
          else if (p != q && (meet.first + meet.second == 1 || (meet.first > 0 && meet.second > 0)))
            out.emplace_back(a, b);
        }
    return out;
  }


  static unsigned char display_byte(double linear) {
    static const auto table = [] {
      std::array<unsigned char, 4097> out;
      for (std::size_t k = 0; k < out.size(); ++k)
        out[k] = static_cast<unsigned char>(std::lround(255 * to_display(double(k) / 4096)));
      return out;
    }();
    return table[static_cast<std::size_t>(std::clamp(linear, 0.0, 1.0) * 4096)];
  }

  bool has_outline(int i) const { return !g_.outlines.empty() && !g_.outlines[std::size_t(i)].empty(); }
  Vec2 on_screen(const Vec2& corner) const {
    const Vec3 at = screen_({corner.x, corner.y, 0});
    return {at.x, at.y};
  }

  // Where a line of the picture crosses a convex grain.
  std::pair<Real, Real> across_polygon(int i, Real y) const {
    const auto& corners = g_.outlines[std::size_t(i)];
    Real from = 1e300, to = -1e300;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vec2 p = on_screen(corners[k]), q = on_screen(corners[(k + 1) % corners.size()]);
      if ((p.y <= y) == (q.y <= y)) continue;
      const Real x = p.x + (y - p.y) / (q.y - p.y) * (q.x - p.x);
      from = std::min(from, x);
      to = std::max(to, x);
    }
    return {std::max(from, Real(-1e6)), std::min(to, Real(1e6))};
  }
  // Distance of a point inside a convex grain from its outline.
  Real inside_polygon(int i, const Vec2& at) const {
    const auto& corners = g_.outlines[std::size_t(i)];
    Real least = 1e300;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vec2 p = on_screen(corners[k]), along = on_screen(corners[(k + 1) % corners.size()]) - p;
      const Real size = length(along);
      if (size > 0) least = std::min(least, std::abs(along.x * (at.y - p.y) - along.y * (at.x - p.x)) / size);
    }
    return least;
  }

  void draw_sphere(int i, const Vec3& at) {
    const Real r = g_.radii[std::size_t(i)] * screen_.scale;
    const int y0 = std::max(0, int(std::ceil(at.y - r - 0.5))),
              y1 = std::min(raster_.height - 1, int(std::floor(at.y + r - 0.5)));
    const float front = static_cast<float>(g_.flat ? at.z : at.z - r);
    for (int y = y0; y <= y1; ++y) {
      const Real dy = y + 0.5 - at.y, half = root(r * r - dy * dy);
      const auto [from, to] = has_outline(i) ? across_polygon(i, y + 0.5) : std::pair(at.x - half, at.x + half);
      const int x0 = std::max(0, int(std::ceil(from - 0.5))), x1 = std::min(raster_.width - 1, int(std::floor(to - 0.5)));
      for (int x = x0; x <= x1; ++x) {
        const std::size_t p = raster_.point(x, y);
        if (raster_.depth[p] <= front) continue;
        const Real dx = x + 0.5 - at.x;
        const float z = g_.flat ? front : static_cast<float>(at.z - root(half * half - dx * dx));
        if (z < raster_.depth[p]) {
          raster_.depth[p] = z;
          raster_.what[p] = i;
        }
      }
    }
  }

  Rgb own_colour(int i, Real low, Real high) const {
    if (g_.values.empty() && !is_rod(i)) return to_linear(196, 170, 128);  // dry sand
    const Real v = is_rod(i) ? g_.rods[std::size_t(i) - g_.centres.size()].value : g_.values[std::size_t(i)];
    if (!std::isfinite(v)) return to_linear(190, 190, 190);
    return map_colour(high > low ? (v - low) / (high - low) : 0.5);
  }

  Rgb light(int x, int y, Real low, Real high) const {
    switch (raster_.what[raster_.point(x, y)]) {
      case nothing:
        return {1, 1, 1};
      case cell_edge:
        return to_linear(74, 85, 98);
      case force_line:
        return to_linear(32, 24, 30);
      case wall_edge:
        return to_linear(96, 104, 114);
      case wall_face:
        return to_linear(232, 235, 239);
      default:
        return g_.flat ? disc_light(x, y, low, high) : sphere_light(x, y, low, high);
    }
  }

  Rgb disc_light(int x, int y, Real low, Real high) const {
    const int i = raster_.what[raster_.point(x, y)];
    const Vec3 at = screen_(g_.centres[std::size_t(i)]);
    const Real r = g_.radii[std::size_t(i)] * screen_.scale;
    const Real away = std::hypot(x + 0.5 - at.x, y + 0.5 - at.y);
    const Real inside = has_outline(i) ? inside_polygon(i, {x + 0.5, y + 0.5}) : r - away;
    const bool rim = inside < std::min(0.1 * r, 1.2 * fine);
    Rgb c = own_colour(i, low, high);
    for (double& v : c) {
      if (!g_.lines.empty()) v = 0.6 * v + 0.4;  // pale under the forces
      if (rim) v *= 0.45;
    }
    return c;
  }

  bool is_rod(int i) const { return std::size_t(i) >= g_.centres.size(); }
  // On the screen: of a sphere, of a rod (across its axis), of the face of a hull.
  Vec3 normal_at(int x, int y) const {
    const std::size_t p = raster_.point(x, y);
    const int i = raster_.what[p];
    const Vec3 here{x + 0.5, y + 0.5, raster_.depth[p]};
    if (is_rod(i)) {
      const Rod& rod = g_.rods[std::size_t(i) - g_.centres.size()];
      const Vec3 a = screen_(rod.from), along = screen_(rod.to) - a;
      const Real t = dot(along, along) > 0 ? std::clamp(dot(here - a, along) / dot(along, along), 0.0, 1.0) : 0;
      const Vec3 out = here - a - t * along;
      return 1 / std::max(length(out), 1e-9) * out;
    }
    if (!facet_.empty()) return screen_.turned(g_.facets[std::size_t(facet_[p])].normal);
    return 1 / (g_.radii[std::size_t(i)] * screen_.scale) * (here - screen_(g_.centres[std::size_t(i)]));
  }

  Rgb sphere_light(int x, int y, Real low, Real high) const {
    const std::size_t p = raster_.point(x, y);
    const int i = raster_.what[p];
    const Vec3 normal = normal_at(x, y);
    // A lamp behind the left shoulder, a bright sky, and a faint highlight.
    const Vec3 lamp{-0.45, -0.62, -0.643}, half_way{-0.248, -0.342, -0.906};
    const Real direct = std::max(0.0, dot(normal, lamp)), sky = 0.5 - 0.5 * normal.y;
    const Real open = openness(x, y);
    Real shine = std::max(0.0, dot(normal, half_way));
    for (int k = 0; k < 5; ++k) shine *= shine;  // to the power 32
    shine *= 0.10 * open;
    const Real diffuse = open * (0.34 + 0.26 * sky) + (0.35 + 0.65 * open) * 0.62 * direct;
    Rgb c = own_colour(i, low, high);
    for (double& v : c) v = v * diffuse + shine;
    return c;
  }

  struct Tap {
    int dx, dy;
    Real reach;
  };

  // Where to look for neighbours that hide the sky: up to somewhat more than a radius away. The pattern differs between
  // the sample points of a pixel, so that their average is smooth without noise.
  void plan_taps() {
    Real radius = 0;
    for (const Rod& rod : g_.rods) radius += 3 * rod.radius * screen_.scale / Real(g_.rods.size());
    for (const Real r : g_.radii) radius += r * screen_.scale / Real(g_.radii.size());
    for (std::size_t s = 0; s < taps_.size(); ++s)
      for (std::size_t k = 0; k < taps_[s].size(); ++k) {
        const Real angle = 2 * pi * (Real(k) + Real(s) / Real(taps_.size())) / Real(taps_[s].size());
        const Real reach = std::max(1.5, radius * (0.3 + 0.22 * Real((3 * k + s) % 5)));
        taps_[s][k] = {int(std::lround(reach * std::cos(angle))), int(std::lround(reach * std::sin(angle))), reach};
      }
  }

  // How much of the sky a point sees, from the depths around it.
  Real openness(int x, int y) const {
    const Real here = raster_.depth[raster_.point(x, y)];
    const auto& taps = taps_[std::size_t(y % fine) * fine + std::size_t(x % fine)];
    Real hidden = 0;
    for (const Tap& tap : taps) {
      const int sx = x + tap.dx, sy = y + tap.dy;
      if (sx < 0 || sy < 0 || sx >= raster_.width || sy >= raster_.height) continue;
      const std::size_t p = raster_.point(sx, sy);
      if (raster_.what[p] < 0) continue;
      const Real rise = (here - raster_.depth[p]) / tap.reach;  // tangent of the angle under which the neighbour stands above
      hidden += std::clamp(rise, 0.0, 2.0) / 2;
    }
    return 1 - 0.85 * hidden / Real(taps.size());
  }

  const Grains& g_;
  Screen screen_;
  Raster raster_;
  std::array<std::array<Tap, 12>, fine * fine> taps_{};
  std::vector<int> facet_;  // which face is seen; empty: of spheres
};

}  // namespace

Picture draw_grains(const Grains& grains, int width) {
  Real low = grains.low, high = grains.high, least = 1e300, most = -1e300;
  for (const Real v : grains.values)
    if (std::isfinite(v)) {
      least = std::min(least, v);
      most = std::max(most, v);
    }
  if (least > most) least = 0, most = 1;
  if (std::isnan(low)) low = least;
  if (std::isnan(high)) high = most;

  Canvas canvas(grains, width);
  if (grains.facets.empty())
    canvas.draw_spheres();
  else
    canvas.draw_facets();
  if (grains.has_cell) canvas.draw_cell();
  if (!grains.lines.empty()) canvas.draw_forces();
  canvas.draw_rings();
  canvas.draw_rods();
  canvas.draw_walls();
  Picture out = canvas.shade(low, high);
  out.caption = grains.caption;
  if (!grains.values.empty() || !grains.rods.empty()) out.bar = {grains.value_label, low, high, least<low, most> high};
  return out;
}

}  // namespace talus::report
