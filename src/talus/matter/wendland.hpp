#pragma once
// Wendland's kernel C2, of support R = 2h. It does not pair particles up. docs/matter/wendland.md (1), (2).
#include <cmath>
#include <string_view>

#include <talus/core/lanes.hpp>

namespace talus::matter {

template <int D>
struct Wendland {
  static constexpr std::string_view name = "wendland", about = "Wendland C2: particles do not pair up";

  Real support = 0;       // m, R
  Real inverse_h = 0;     // 1/m
  Real height = 0;        // 1/m^D, W(0)
  Real steepness = 0;     // 1/m^(D+2), W'(r)/r at r = 0; negative
  Real inverse_support = 0;  // 1/m, rounded up: both functions are 0 at the support itself

  static Wendland of(Real support) {
    const Real h = support / 2;
    const Real height = D == 2 ? 7 / (4 * pi * h * h) : 21 / (16 * pi * h * h * h);
    Real shortens = 1 / support;
    if (support * shortens < 1) shortens = std::nextafter(shortens, Real(HUGE_VAL));
    return {support, 1 / h, height, -5 * height / (h * h), shortens};
  }
  Real h() const { return support / 2; }  // m, smoothing length

  // Both are 0 beyond the support. T: a number, or lanes of numbers.
  template <class T>
  TALUS_HD T value(const T& r) const {  // 1/m^D
    const T b = max(T(1) - r * T(inverse_support), T(0)), b2 = b * b;
    return T(height) * (b2 * b2) * (T(2) * r * T(inverse_h) + T(1));
  }
  // W'(r)/r, 1/m^(D+2): the gradient is this times the branch. No division by r: two particles in one place do not push.
  template <class T>
  TALUS_HD T slope(const T& r) const {
    const T b = max(T(1) - r * T(inverse_support), T(0));
    return T(steepness) * b * (b * b);
  }
};

}  // namespace talus::matter
