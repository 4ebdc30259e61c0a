#pragma once
// A mass pressed onto a coat of Burgers' model by a constant force, by the integrators of the thesis (Taylor, Newmark, Runge-Kutta,
// semi-analytical as printed and corrected) and by the implicit step of this program. docs/laws/burgers.md, "Errata"
#include <functional>
#include <string>
#include <vector>

#include <talus/contact/mortar.hpp>

namespace talus::lab {

struct PressedMass {
  MortarConstants constants{};
  Real scale = 0;  // m, area over thickness
  Real mass = 0;   // kg
  Real force = 0;  // N
};

struct Pressed {
  Real u = 0, v = 0;       // m, m/s: overlap, closing
  Real f = 0, df = 0;      // N, N/s: of the coat
  Real v_before = 0;       // m/s, in the step before: what finite differences need
  Real element[2] = {};    // N, memory of the implicit step
};

// Coefficients of F_n = F0 F + F1 F' + u1 u' + u2 u'' and of F'_n, thesis (3.25), (3.26), for area over thickness `scale`.
struct SemiAnalytical {
  Real gamma_f0, gamma_f1, gamma_u1, gamma_u2;  // 1, s, N s/m, N s^2/m
  Real delta_f0, delta_f1, delta_u1, delta_u2;  // 1/s, 1, N/m, N s/m
};
// `printed`: u2 as the thesis has it; else exact for an acceleration (v_n - v_(n-1)) / dt.
SemiAnalytical semi_analytical(const PressedMass& problem, Real dt, bool printed);

struct BurgersIntegrator {
  std::string name, about;
  std::function<void(Pressed&)> step;
};
std::vector<BurgersIntegrator> burgers_integrators(const PressedMass& problem, Real dt);

// Runge-Kutta steps so short that more change nothing that is printed.
std::function<void(Pressed&)> burgers_reference(const PressedMass& problem, Real dt);

// Factor by which an error grows in a step; 1 and less: stable.
Real growth(const PressedMass& problem, Real dt, const std::string& integrator);

}  // namespace talus::lab
