#pragma once
// What impacts of spheres must give: Hertz's closed forms, rigid bodies that slide, the law of docs/laws/hertz_mindlin.md
// integrated here a second time, and Maw's curves of elastic bodies that slip in part of their contact.
// Nothing of the program's contact laws is used.
#include <talus/core/real.hpp>

namespace talus::verify {

// Two spheres, or a sphere and a fixed plane.
struct Impact {
  Real mass = 0, radius = 0;                // kg, m
  Real other_mass = 0, other_radius = 0;    // 0: a fixed plane
  Real e_star = 0, g_star = 0;              // Pa, 1/E* = sum of (1 - nu^2)/E, 1/G* = sum of (2 - nu)/G over what is elastic
  Real friction = 0, restitution = 1;
  Real speed = 0;                           // m/s, normal speed of approach
  Real sideways = 0;                        // m/s, tangential, of the first centre against the second
  Real spin = 0, other_spin = 0;            // rad/s, with the sign that adds to the slip of the surfaces

  Real slip() const { return sideways + radius * spin + other_radius * other_spin; }  // m/s, at touch
  Real normal_mass() const;  // kg, of the relative motion along the normal
  Real reduced_radius() const;
  Real surface_mass() const;  // kg: a tangential impulse J changes the slip by J over this (solid spheres)
};

struct HertzImpact {
  Real overlap, force, time;  // m, N, s: largest, largest, of the contact
};
// Hertz (1882): elastic, head-on.
HertzImpact hertz_impact(const Impact& impact);

struct Rebound {
  Real restitution = 0;  // normal speed after over before
  Real impulse = 0;      // N s, tangential, against the slip
  Real twist = 0;        // N m s, moment of that impulse about the first centre
};
// Gross sliding of rigid bodies: the impulse is mu (1 + e) m v.
Rebound sliding_rebound(const Impact& impact);
// Equations (4)-(10) of the law with rescaled shear, in small steps. Forces act where the bodies meet: half the overlap below each
// of two surfaces, or on the plane.
Rebound rebound_by_law(const Impact& impact);

// Maw, Barber & Fawcett (1976): slip after over before, both as psi = kappa s / (mu v), for a sphere on a plane;
// kappa = k_t/k_n = 2(1 - nu)/(2 - nu). Solved with independent springs along a line (Popov & Hess, method of
// dimensionality reduction), which is exact for this problem where normal and tangential motion do not couple.
Real maw_psi_after(Real psi, Real kappa);
// From this psi on the contact slips from first touch to the end: psi after = psi - 7 kappa.
Real maw_gross_slip(Real kappa);

}  // namespace talus::verify
