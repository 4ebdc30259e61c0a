#pragma once
// Wendland's kernel C2, of support R = 2h. It does not pair particles up. docs/matter/wendland.md (1), (2).
#include <string_view>

#include <talus/core/real.hpp>

namespace talus::matter {

template <int D>
struct Wendland {
  static constexpr std::string_view name = "wendland", about = "Wendland C2: particles do not pair up";

  Real support = 0;       // m, R
  Real inverse_h = 0;     // 1/m
  Real height = 0;        // 1/m^D, W(0)
  Real steepness = 0;     // 1/m^(D+2), W'(r)/r at r = 0; negative

  static Wendland of(Real support) {
    const Real h = support / 2;
    const Real height = D == 2 ? 7 / (4 * pi * h * h) : 21 / (16 * pi * h * h * h);
    return {support, 1 / h, height, -5 * height / (h * h)};
  }
  Real h() const { return support / 2; }  // m, smoothing length

  // Both hold for r <= support.
  TALUS_HD Real value(Real r) const {  // 1/m^D
    const Real q = r * inverse_h, b = 1 - Real(0.5) * q, b2 = b * b;
    return height * b2 * b2 * (2 * q + 1);
  }
  // W'(r)/r, 1/m^(D+2): the gradient is this times the branch. No division by r: two particles in one place do not push.
  TALUS_HD Real slope(Real r) const {
    const Real b = 1 - Real(0.5) * (r * inverse_h);
    return steepness * b * b * b;
  }
};

}  // namespace talus::matter
