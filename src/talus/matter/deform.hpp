#pragma once
// How a piece of matter is deformed in a step, what a solid remembers, and what it answers. docs/matter/elastic.md (1)-(3).
#include <talus/core/sym3.hpp>

namespace talus::matter {

// A rotation by a step of spin W = dt (L - L^T)/2: (I - W/2)^-1 (I + W/2), orthogonal for any step (Hughes and Winget 1980).
TALUS_HD Mat3 turn_of(const Mat3& gradient, Real dt) {
  const Real quarter = Real(0.25) * dt;
  const Real x = quarter * (gradient(2, 1) - gradient(1, 2)), y = quarter * (gradient(0, 2) - gradient(2, 0)),
             z = quarter * (gradient(1, 0) - gradient(0, 1));  // half of the axial vector
  const Mat3 half{{{0, -z, y}, {z, 0, -x}, {-y, x, 0}}};
  return Mat3::identity() + (2 / (1 + x * x + y * y + z * z)) * (half + half * half);
}

struct Deformation {
  Sym3 strain{};  // of the step, extension positive
  Mat3 turn = Mat3::identity();
  Real before = 1;  // density over that at rest before the step
  Real full = 1;    // share of the space around that is filled: 1 within matter, about 0.7 at a flat surface, 0.3 and less alone

  // `gradient`: L, 1/s, row: component of the velocity, column: derivative.
  TALUS_HD static Deformation of(const Mat3& gradient, Real dt) { return {dt * symmetric(gradient), turn_of(gradient, dt)}; }
};

// What a solid remembers. A liquid: nothing.
struct Memory {
  Sym3 deviator{};          // Pa, tension positive
  Real plastic_strain = 0;  // sum of sqrt(2/3) |plastic strain increment|
  Real dilation = 0;        // plastic volume strain, larger volume positive
};

// Of a solid whose deformation is known as a whole.
struct Stretched {
  Mat3 stress{};   // Pa, first Piola-Kirchhoff: force over area at rest; row: component, column: normal at rest
  Real swelled = 0;  // J per m^3 at rest, of the change of volume alone
  Real sheared = 0;  // likewise, of all else
};

struct Answer {
  Memory memory;
  Real ratio = 1;     // density over that at rest, as bounded by what tension the matter bears
  Real pressure = 0;  // Pa
  Real loosest = 0;   // density over that at rest below which there is no more energy to lose
  Real plastic = 0;   // J per m^3 at rest, taken by plastic flow in this step; never negative
};

}  // namespace talus::matter
