#pragma once
// Sample points of a picture: for each the nearest thing and its depth. What a thing is stands in the picture that is drawn.
#include <algorithm>
#include <cmath>
#include <vector>

#include <talus/core/vec.hpp>

namespace talus::report {

struct Screen {  // x right, y down, in sample points; depth grows away from the eye, in sample points too
  Vec3 right{1, 0, 0}, up{0, 1, 0}, away{0, 0, -1};
  Real scale = 1, left = 0, top = 0;  // of the projected coordinates
  Vec3 operator()(const Vec3& p) const {
    return {(dot(p, right) - left) * scale, (top - dot(p, up)) * scale, dot(p, away) * scale};
  }
  // With x to the right, y down and z away from the eye.
  Vec3 turned(const Vec3& n) const { return {dot(n, right), -dot(n, up), dot(n, away)}; }
};

struct ScreenBox {  // of projected coordinates
  Real left = 1e300, right = -1e300, bottom = 1e300, top = -1e300;
  Real width() const { return right - left; }
  Real height() const { return top - bottom; }
  void add(Real x, Real y, Real r) {
    left = std::min(left, x - r);
    right = std::max(right, x + r);
    bottom = std::min(bottom, y - r);
    top = std::max(top, y + r);
  }
};

struct Raster {
  static constexpr int nothing = -1;
  int width = 0, height = 0;
  std::vector<float> depth;
  std::vector<int> what;

  void resize(int w, int h) {
    width = w;
    height = h;
    depth.assign(std::size_t(w) * std::size_t(h), 1e30f);
    what.assign(depth.size(), nothing);
  }
  std::size_t point(int x, int y) const { return std::size_t(y) * std::size_t(width) + std::size_t(x); }
  void put(std::size_t p, float z, int kind) {
    if (!(z < depth[p])) return;
    depth[p] = z;
    what[p] = kind;
  }

  // A capsule: `round` lifts its middle towards the eye, `on_top` draws it over all else.
  void line(const Vec3& a, const Vec3& b, Real half, int kind, bool on_top, bool round = false) {
    const Vec3 along = b - a;
    const Real square = along.x * along.x + along.y * along.y;
    const int y0 = std::max(0, int(std::min(a.y, b.y) - half)), y1 = std::min(height - 1, int(std::max(a.y, b.y) + half));
    const int x0 = std::max(0, int(std::min(a.x, b.x) - half)), x1 = std::min(width - 1, int(std::max(a.x, b.x) + half));
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x) {
        const Real px = x + 0.5 - a.x, py = y + 0.5 - a.y;
        const Real t = square > 0 ? std::clamp((px * along.x + py * along.y) / square, 0.0, 1.0) : 0.0;
        const Real dx = px - t * along.x, dy = py - t * along.y, off = dx * dx + dy * dy;
        if (off > half * half) continue;
        const std::size_t p = point(x, y);
        if (on_top) depth[p] = 1e30f;
        put(p, on_top ? -1e30f : static_cast<float>(a.z + t * along.z - (round ? std::sqrt(half * half - off) : 0)), kind);
      }
  }

  // A convex face with its corners and normal on the screen. `drawn(point)` is told where it is the nearest.
  template <class F>
  void face(const std::vector<Vec3>& at, const Vec3& n, int kind, F&& drawn) {
    Real low = 1e300, high = -1e300;
    for (const Vec3& p : at) low = std::min(low, p.y), high = std::max(high, p.y);
    const int y0 = std::max(0, int(std::ceil(low - 0.5))), y1 = std::min(height - 1, int(std::floor(high - 0.5)));
    for (int y = y0; y <= y1; ++y) {
      Real from = 1e300, to = -1e300;
      for (std::size_t k = 0; k < at.size(); ++k) {
        const Vec3 &p = at[k], &q = at[(k + 1) % at.size()];
        if ((p.y <= y + 0.5) == (q.y <= y + 0.5)) continue;
        const Real x = p.x + (y + 0.5 - p.y) / (q.y - p.y) * (q.x - p.x);
        from = std::min(from, x);
        to = std::max(to, x);
      }
      const int x0 = std::max(0, int(std::ceil(from - 0.5))), x1 = std::min(width - 1, int(std::floor(to - 0.5)));
      for (int x = x0; x <= x1; ++x) {  // the plane n . (p - at) = 0
        const auto z = static_cast<float>(at[0].z - (n.x * (x + 0.5 - at[0].x) + n.y * (y + 0.5 - at[0].y)) / n.z);
        const std::size_t p = point(x, y);
        if (!(z < depth[p])) continue;
        put(p, z, kind);
        drawn(p);
      }
    }
  }
};

}  // namespace talus::report
