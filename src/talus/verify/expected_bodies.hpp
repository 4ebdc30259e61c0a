#pragma once
// What gases, chains, arches and rocking blocks must do, from closed forms and from equations solved here. None of the program's
// own steps is used.
#include <talus/core/real.hpp>

namespace talus::verify {

// ---- cooling gas of hard, smooth spheres (Haff 1983) ----
struct Gas {
  Real number = 0;       // 1/m^3, of spheres
  Real diameter = 0;     // m
  Real temperature = 0;  // m^2/s^2, mean square of a velocity component at the start
  Real restitution = 1;
};
// 1/s: T(t) = T(0) / (1 + rate t)^2. Carnahan & Starling's pair function; the velocity distribution is a little off Maxwell's
// (second Sonine coefficient of van Noije & Ernst 1998).
Real haff_rate(const Gas& gas);
// 1/s, of one sphere at the start.
Real collision_rate(const Gas& gas);

// ---- pulse in a chain of equal spheres that touch without force ----
// m/s: Nesterenko (1983), long waves. `stiffness`: F = stiffness overlap^1.5.
Real nesterenko_speed(Real stiffness, Real mass, Real diameter, Real largest_velocity);
struct Pulse {
  Real speed = 0;     // diameters per unit of time
  Real velocity = 0;  // largest of a bead, over the striker's
};
// Between two beads of a chain that is struck by its first bead. Unit of time: (m/stiffness)^(2/5) v^(-1/5), v the striker's
// velocity. Each bead's largest velocity tells when the pulse passes.
Pulse chain_pulse(int beads, int first, int last);

// ---- semicircular arch of equal voussoirs under its weight, joints along radii, no sliding, no tension ----
struct Arch {
  int voussoirs = 0;   // even: there is a joint in the crown
  Real thickness = 0;  // over the mean radius
  Real block_weight() const;  // area of one voussoir over the square of the mean radius; its faces are straight
  Real block_centre() const;  // distance of its centre of mass from the arch's centre, over the mean radius
};
struct Thrust {
  bool stands = false;
  Real least = 0, most = 0;  // horizontal thrust over the weight of the whole arch
};
// All lines of thrust within the joints (Heyman's theorem of safety): two unknowns, two inequalities for each joint.
Thrust thrust(const Arch& arch);
// Thinnest arch that stands, over the mean radius. With many voussoirs: 0.1075 (Milankovitch 1907).
Real least_thickness(int voussoirs);

// ---- rocking block (Housner 1963) ----
struct Rocking {
  Real slenderness = 0;  // rad, between the diagonal and the upright edge
  Real frequency = 0;    // 1/s, p^2 = 3 g / (4 R), R half the diagonal
  // s, from rest at this tilt to the impact: exact equation of motion.
  Real time_to_impact(Real tilt) const;
  // Rate of rotation after an impact over that before it, when the other corner takes over: 1 - 3/2 sin^2 of the slenderness.
  Real rate_ratio() const;
  // rad, the tilt it reaches after the first impact.
  Real next_tilt(Real tilt) const;
};

}  // namespace talus::verify
