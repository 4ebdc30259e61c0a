#pragma once
// What a contact law offers to an implicit solver. Over a step dt the law states its force at the END of the step as a function of
// the velocity at the end of the step, linear in it (docs/laws/README.md, "Inside an implicit solver"):
//   normal force on a        F = max(a - b v_n, least),        v_n = v.n, opening positive
//   friction force on a      turns(shear) - slip v_t, no longer than friction F
//   lateral force on a       - lateral v_t, without a limit
// A solver that finds impulses λ = dt F uses the row  v_n + λ / (dt b) = a / b,  or without a division
//   dλ = (dt (a - b v_n) - λ) / (1 + dt b K),  K = J M^-1 J^T,
// right from b = 0 (a force from outside) to b = infinity (a rigid contact).
//
// A soft law is one header with
//   name, about    words for the scene file and the help
//   Params         constants of a pair of materials, made by `mix`
//   History        what the contact remembers; all zero means "remembers nothing"
//   Step, over     what all contacts of a pair share in one step: the place for exponentials
//   soften         the force as above, near a guess of the velocity
//   advance        history moved on with the velocity that the solver found; returns the force on a
//   stored         elastic energy of the contact, for the ledger
// A law of law.hpp may be one too: its `advance` is `act` at the end of the step.
#include <concepts>
#include <limits>

#include <talus/contact/law.hpp>

namespace talus {

// Geometry of one patch at the beginning of the step. `overlap` < 0: a gap that may close in the step.
template <int D>
struct PatchTouch : Touch<D> {
  Real area = 0;       // m^2, common section of both coats
  Real thickness = 0;  // m, what lies between two grains when their coats just touch: both coats, 2 tau; at a wall tau
};

struct Instant {
  Real dt;                  // s
  Real temperature = 0;     // K
  Real friction_scale = 1;  // ramped by stages
};

template <int D>
struct Soft {
  Real a = 0, b = 0;                                      // N, N s/m
  Real least = -std::numeric_limits<Real>::infinity();    // N; 0: does not pull
  Vec<D> shear{};                                         // N on a
  Real slip = 0, friction = 0;                            // N s/m; infinite: sticks rigidly. Share of F
  Real lateral = 0;                                       // N s/m

  Real normal_force(Real opening) const { return max(a - b * opening, least); }
  // The opening velocity at which the law has this force: with it a history follows the impulse that was applied, not the
  // velocity, when a step did not converge.
  Real opening_of(Real force) const { return b > 0 ? (a - force) / b : 0; }
};

template <class L>
concept SoftLaw = requires(const typename L::Params& p, const typename L::Step& step, const PatchTouch<L::dimension>& t,
                           const Vec<L::dimension>& velocity, typename L::History& h, Input& in, const Material& m,
                           const PairCoefficients& c, const Instant& now) {
  { L::name } -> std::convertible_to<std::string_view>;
  { L::about } -> std::convertible_to<std::string_view>;
  { L::mix(in, m, m, c) } -> std::same_as<typename L::Params>;
  { L::over(p, now) } -> std::same_as<typename L::Step>;
  { L::soften(step, t, velocity, h) } -> std::same_as<Soft<L::dimension>>;
  { L::advance(step, t, velocity, h) } -> std::same_as<Vec<L::dimension>>;
  { L::stored(step, t, h) } -> std::same_as<Real>;
};

}  // namespace talus
