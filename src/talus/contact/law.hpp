#pragma once
// The law concept: what a contact law is given and what it gives back. One law is one header with
//   name, about    words for the scene file and the help
//   has_couple     does it push with a couple beyond the moment of its force?
//   Params         constants of a pair of materials, made by `mix`
//   History        what the contact remembers; all zero means "remembers nothing"
//   act            force on body a over one step, history moved on, and an audit of where energy went
//   stored         elastic energy of the contact, for the ledger
//   stiffness      tangent normal stiffness, for the time step
//   dashpot        normal force per velocity, for the time step
// and, where its forces may be scaled (sampling/profile.hpp),
//   overlap_at     overlap at which its spring pushes with a force
//   scale          history of a contact whose forces were multiplied by a factor
// A law is written for a scalar type T: one contact, or one in every lane (core/lanes.hpp). Params and History are
// records of Reals, declared as ParamsOf<T> and HistoryOf<T>.
#include <concepts>
#include <string_view>

#include <talus/contact/material.hpp>
#include <talus/core/vec.hpp>

namespace talus {

// Geometry of one contact. `overlap` already contains the row's shift and displacement.
template <int D, class T = Real>
struct Touch {
  Vec<D, T> normal;  // unit, from body b to body a
  T overlap;         // m, > 0
  T radius;          // m, reduced: 1/R = 1/R_a + 1/R_b; a plane has no curvature
  T mass;            // kg, reduced: 1/m = 1/m_a + 1/m_b; a driven body is infinitely heavy
};

// Motion of a relative to b at the contact.
template <int D, class T = Real>
struct Slip {
  Vec<D, T> velocity;   // m/s
  Spin<D, T> rolling;   // rad/s, spin of a minus spin of b
  Real dt;              // s
  Real friction_scale;  // 1, ramped by stages; multiplies every friction coefficient
};

// What the contact does to body a; body b gets the opposite.
template <int D, class T = Real>
struct Push {
  Vec<D, T> force;    // N
  Spin<D, T> couple;  // N m, beyond the moment of the force
};

// Where energy went during the step. The caller integrates the viscous force; a law that is not asked costs nothing.
template <int D, class T = Real>
struct Audit {
  T friction = 0;       // J, slid or rolled away
  T stiffness = 0;      // J, lost because the spring changed its stiffness under load; negative: created
  Vec<D, T> viscous{};  // N on a, part of the force that came from dashpots
};

template <class T>
struct StoredOf {
  T normal = 0, shear = 0;  // J
};
using Stored = StoredOf<Real>;

template <class L>
concept ContactLaw = requires(const typename L::Params& p, const Touch<L::dimension>& t, const Slip<L::dimension>& s,
                              typename L::History& h, Audit<L::dimension>& audit, Input& in, const Material& m,
                              const PairCoefficients& c) {
  { L::name } -> std::convertible_to<std::string_view>;
  { L::about } -> std::convertible_to<std::string_view>;
  { L::has_couple } -> std::convertible_to<bool>;
  { L::mix(in, m, m, c) } -> std::same_as<typename L::Params>;
  { L::act(p, t, s, h, audit) } -> std::same_as<Push<L::dimension>>;
  { L::stored(p, t, h) } -> std::same_as<Stored>;
  { L::stiffness(p, t) } -> std::same_as<Real>;
  { L::dashpot(p, t) } -> std::same_as<Real>;
};

// Can a contact of this law be given a multiple of its forces where its bodies are?
template <class L>
concept ScalableLaw = ContactLaw<L> && requires(const typename L::Params& p, const Touch<L::dimension>& now, typename L::History& h) {
  { L::overlap_at(p, Real(1) /* m, reduced radius */, Real(1) /* N */) } -> std::same_as<Real>;
  L::scale(p, now, Real(1), h);  // `now`: with the overlap of the scaled force
};

// Share of critical damping that gives a restitution: e = exp(-pi z / sqrt(1 - z^2)).
inline Real damping_ratio(Real restitution) {
  if (restitution <= 0) return 1;
  const Real log_e = std::log(restitution);
  return -log_e / std::sqrt(log_e * log_e + pi * pi);
}

// A spring across the normal that slides at a limit: the tangential part that linear, Hertz-Mindlin and rolling
// springs share. `spring` is the force after turning and rescaling; `step` the elastic increment.
// The slip does work against the mean of the force before and after, so the ledger closes to second order.
template <class V, class T>
TALUS_HD V slide(const V& spring, const V& step, const T& limit, const T& stiffness, T& friction_work) {
  const V trial = spring + step;
  const T size = length(trial);
  const auto holds = size <= limit;
  const V held = select(holds, T(1), limit / size) * trial;
  friction_work += select(holds, T(0), T(0.5) / stiffness * dot(spring + held, trial - held));
  return held;
}

}  // namespace talus
