#include <talus/report/colour_map.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <talus/core/real.hpp>

namespace talus::report {
namespace {

// OKLab to linear sRGB; may leave 0..1 where the screen has no such colour.
Rgb from_oklab(double lightness, double a, double b) {
  const auto cube = [](double v) { return v * v * v; };
  const double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
  const double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
  const double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

bool on_screen(const Rgb& c) {
  return std::all_of(c.begin(), c.end(), [](double v) { return v >= 0 && v <= 1; });
}

Rgb compute(double t) {
  const double lightness = 0.36 + 0.57 * t;
  const double hue = (285 - 180 * t) * pi / 180;
  double low = 0, high = 0.145;  // chroma: as much as the screen has at this lightness, up to the bound
  if (!on_screen(from_oklab(lightness, high * std::cos(hue), high * std::sin(hue))))
    for (int k = 0; k < 30; ++k) {
      const double chroma = 0.5 * (low + high);
      (on_screen(from_oklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue))) ? low : high) = chroma;
    }
  else
    low = high;
  return from_oklab(lightness, low * std::cos(hue), low * std::sin(hue));
}

}  // namespace

Rgb map_colour(double t) {
  constexpr int steps = 256;
  static const auto table = [] {
    std::array<Rgb, steps> out;
    for (int k = 0; k < steps; ++k) out[k] = compute(k / double(steps - 1));
    return out;
  }();
  return table[std::isfinite(t) ? static_cast<int>(std::lround(std::clamp(t, 0.0, 1.0) * (steps - 1))) : 0];
}

double to_display(double linear) {
  const double v = std::clamp(linear, 0.0, 1.0);
  return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
}

Rgb to_linear(unsigned char r, unsigned char g, unsigned char b) {
  static const auto linear = [] {
    std::array<double, 256> of{};
    for (int c = 0; c < 256; ++c) {
      const double v = c / 255.0;
      of[std::size_t(c)] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    }
    return of;
  }();
  return {linear[r], linear[g], linear[b]};
}

}  // namespace talus::report
