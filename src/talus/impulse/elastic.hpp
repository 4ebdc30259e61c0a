#pragma once
// Elastic contacts in the solver: a law of laws.hpp, softened, is a row that gives way. With the law's impulse p = dt (a - b u), u the opening velocity,
//   u + bias + softness p >= 0,   bias = -a / b,   softness = 1 / (dt b)
// which is a rigid contact when b is infinite. Across the normal the same with the shear spring.
#include <talus/contact/pair_table.hpp>
#include <talus/contact/soft_contact.hpp>
#include <talus/impulse/patch.hpp>

namespace talus::impulse {

// Along one direction.
struct ElasticRow {
  Real bias, softness;  // m/s, 1/kg
};
// `held`: N, force at no opening; `resists`: N s/m. What resists nothing never comes near.
inline ElasticRow elastic_row(Real held, Real resists, Real dt) {
  return resists > 0 ? ElasticRow{-held / resists, 1 / (dt * resists)} : ElasticRow{1e300, 0};
}

// What the law of two materials says of a point whose bodies part with the velocity `guess`; `shear`: N on a, at the end of the step before.
template <int D>
Soft<D> soften(const PairTable<D>& pairs, u32 slot, const PatchTouch<D>& touch, const Instant& now, const Vec<D>& guess, const Vec<D>& shear) {
  Soft<D> soft;
  const auto with = [&](const auto& constants, auto law, const auto& history) {
    using Contact = SoftContact<typename decltype(law)::type>;
    soft = Contact::soften(Contact::over(constants[pairs.params[slot]], now), touch, guess, history);
  };
  if (pairs.law[slot] == law_index<Linear<D>>)
    with(std::get<law_index<Linear<D>>>(pairs.constants.of), std::type_identity<Linear<D>>{}, typename Linear<D>::History{shear});
  if (pairs.law[slot] == law_index<HertzMindlin<D>>) {
    const auto& constants = std::get<law_index<HertzMindlin<D>>>(pairs.constants.of);
    const Real depth = max(touch.overlap, Real(0));  // at the end of the step before
    with(constants, std::type_identity<HertzMindlin<D>>{},
         typename HertzMindlin<D>::History{shear, 8 * constants[pairs.params[slot]].g_star * std::sqrt(touch.radius * depth)});
  }
  return soft;
}

// What two bodies have of one another: an infinitely heavy or flat one does not count.
inline Real reduced(Real of_a, Real of_b) { return of_a > 0 && of_b > 0 ? of_a * of_b / (of_a + of_b) : max(of_a, of_b); }

}  // namespace talus::impulse
