#pragma once
// Burgers' model of a mortar: a spring and a dashpot in series (Maxwell) with a spring beside a dashpot (Kelvin-Voigt); its
// expanded and reduced forms; and plain elements. Each as a Relaxation. Equations: docs/laws/burgers.md (1)-(4).
#include <talus/contact/coat_law.hpp>

namespace talus {

// Roots of Z^2 - sum Z + product, the larger one first, without cancellation; weights such that the first two moments of
// sum w_i exp(-Z_i t) at t = 0 are `start` and -`slope`.
inline Relaxation two_rates(Real dashpot, Real sum, Real product, Real start, Real slope) {
  const Real apart = std::sqrt(sum * sum - 4 * product);
  const Real fast = 0.5 * (sum + apart), slow = product / fast;
  return {dashpot, {(slope - slow * start) / apart, (fast * start - slope) / apart}, {fast, slow}};
}

struct BurgersMortar {
  static constexpr std::string_view name = "burgers", variant = "original";
  static constexpr std::string_view about = "Burgers' model in a coat of mortar, exact over a step of constant velocity";
  static constexpr bool needs_mass = false;
  static Relaxation relaxation(const MortarConstants& c, Real) {
    const Real km = c.maxwell_stiffness, cm = c.maxwell_viscosity, kk = c.kelvin_stiffness, ck = c.kelvin_viscosity;
    const Real rise = kk / ck * km;  // of the force at constant velocity, Pa/s
    const Real sum = km / cm + (kk + km) / ck;
    return two_rates(0, sum, kk / ck * (km / cm), km, km * sum - rise);
  }
};

// A critical dashpot beside the spring of Maxwell, and beside that of Kelvin at least a critical one.
struct ExpandedMortar {
  static constexpr std::string_view name = "expanded", variant = "expanded";
  static constexpr std::string_view about = "Burgers' model with critical dashpots beside both springs";
  static constexpr bool needs_mass = true;
  static Relaxation relaxation(const MortarConstants& c, Real mass_per_scale) {
    const Real km = c.maxwell_stiffness, cm = c.maxwell_viscosity, kk = c.kelvin_stiffness;
    const Real c1 = 2 * std::sqrt(km * mass_per_scale), c2 = max(c.kelvin_viscosity, 2 * std::sqrt(kk * mass_per_scale));
    const Real series = 1 / (1 / c1 + 1 / cm + 1 / c2);
    // y = (u_e, u_ve), y' = A y + B v, F = series v + C y
    const Real a11 = -km / c1 * series * (1 / cm + 1 / c2), a22 = -kk / c2 * series * (1 / cm + 1 / c1);
    const Real a12 = series * kk / (c1 * c2), a21 = series * km / (c1 * c2);
    const Real b1 = series / c1, b2 = series / c2, f1 = b1 * km, f2 = b2 * kk;
    return two_rates(series, -a11 - a22, km / c1 * (kk / c2) * (series / cm), f1 * b1 + f2 * b2,
                     -(f1 * (a11 * b1 + a12 * b2) + f2 * (a21 * b1 + a22 * b2)));
  }
};

// One critically damped spring for both, in series with the dashpot of Maxwell.
struct ReducedMortar {
  static constexpr std::string_view name = "reduced", variant = "reduced";
  static constexpr std::string_view about = "Burgers' model with its springs merged into one, critically damped";
  static constexpr bool needs_mass = true;
  static Relaxation relaxation(const MortarConstants& c, Real mass_per_scale) {
    const Real cm = c.maxwell_viscosity;
    const Real k = c.kelvin_stiffness * c.maxwell_stiffness / (c.kelvin_stiffness + c.maxwell_stiffness);
    const Real critical = 2 * std::sqrt(k * mass_per_scale), share = cm / (critical + cm);
    return {critical * share, {k * share * share, 0}, {k / (critical + cm), 0}};
  }
};

struct DamperMortar {
  static constexpr std::string_view name = "damper", variant = "damper";
  static constexpr std::string_view about = "the dashpot of Maxwell alone: what flows, without what springs back";
  static constexpr bool needs_mass = false;
  static Relaxation relaxation(const MortarConstants& c, Real) { return {c.maxwell_viscosity, {}, {}}; }
};

struct SpringDamperMortar {
  static constexpr std::string_view name = "spring-damper", variant = "spring-damper";
  static constexpr std::string_view about = "the spring of Kelvin beside its dashpot: what springs back, without what flows";
  static constexpr bool needs_mass = false;
  static Relaxation relaxation(const MortarConstants& c, Real) {
    return {c.kelvin_viscosity, {c.kelvin_stiffness, 0}, {0, 0}};
  }
};

template <int D>
using Burgers = CoatLaw<D, BurgersMortar>;
template <int D>
using ExpandedBurgers = CoatLaw<D, ExpandedMortar>;
template <int D>
using ReducedBurgers = CoatLaw<D, ReducedMortar>;
template <int D>
using Damper = CoatLaw<D, DamperMortar>;
template <int D>
using SpringDamper = CoatLaw<D, SpringDamperMortar>;
static_assert(SoftLaw<Burgers<2>> && SoftLaw<ExpandedBurgers<3>> && SoftLaw<Damper<3>>);

}  // namespace talus
