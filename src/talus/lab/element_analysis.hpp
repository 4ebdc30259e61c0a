#pragma once
// Ready-made tests of a constitutive model on one piece of matter, against closed forms: docs/matter/drucker_prager.md (10)-(12).
#include <talus/lab/analysis.hpp>

namespace talus::lab {

// A yield surface S/sqrt(2) = 3 slope p + height, an elastic shear modulus, and the path of the test.
struct Element {
  Real slope = 0;      // alpha
  Real height = 0;     // gamma, Pa
  Real shear = 0;      // G, Pa
  bool yields = true;
  Real confining = 0;  // Pa
  Real strain = 0;     // at the end
  i64 steps = 1;       // to it
};

// Largest deviatoric stress that a triaxial test in compression reaches, Pa; infinite where the cone is too steep.
Real triaxial_peak(const Element& element);
// Simple shear of an element at constant pressure with Jaumann's rate: shear stress and s_xx - s_yy at an engineering shear, Pa.
struct SimpleShear {
  Real tau = 0, difference = 0;
};
SimpleShear simple_shear(const Element& element, Real strain);

template <int D>
std::unique_ptr<Analysis<D>> triaxial_element(const Element& element);
template <int D>
std::unique_ptr<Analysis<D>> shear_element(const Element& element);

}  // namespace talus::lab
