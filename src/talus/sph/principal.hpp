#pragma once
// The tensile part of a stress: its principal values above zero, in their directions. docs/design/029-sph.md (11).
#include <talus/core/sym3.hpp>

namespace talus::sph {

// Jacobi's rotations; five rounds leave nothing off the diagonal that rounding would keep.
TALUS_HD Sym3 tension_of(const Sym3& stress) {
  Mat3 a = full(stress), q = Mat3::identity();
  for (int round = 0; round < 5; ++round)
    for (int p = 0; p < 2; ++p)
      for (int r = p + 1; r < 3; ++r) {
        if (a(p, r) == 0) continue;
        const Real theta = (a(r, r) - a(p, p)) / (2 * a(p, r));
        const Real t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const Real c = 1 / std::sqrt(t * t + 1), s = t * c;
        Mat3 turn = Mat3::identity();
        turn(p, p) = turn(r, r) = c;
        turn(p, r) = s;
        turn(r, p) = -s;
        Mat3 back = turn;
        back(p, r) = -s;
        back(r, p) = s;
        a = back * a * turn;
        a(p, r) = a(r, p) = 0;
        q = q * turn;
      }
  return turned({max(a(0, 0), Real(0)), max(a(1, 1), Real(0)), max(a(2, 2), Real(0)), 0, 0, 0}, q);
}

}  // namespace talus::sph
