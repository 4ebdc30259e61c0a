#pragma once
// A toy: a linear spring without dashpot and without friction. Equations: docs/laws/toy_law.md.
#include <talus/contact/law.hpp>

namespace talus {

template <int D>
struct ToyLaw {
  static constexpr int dimension = D;
  static constexpr bool has_couple = false;
  static constexpr std::string_view name = "toy-law";
  static constexpr std::string_view about = "a spring and nothing else";
  template <class T>
  struct ParamsOf {
    T spring;    // N/m
    T friction;  // not used
  };
  template <class T>
  struct HistoryOf {
    Vec<D, T> force{};  // N on a, of the last step
  };
  using Params = ParamsOf<Real>;
  using History = HistoryOf<Real>;

  static Params mix(Input& in, const Material&, const Material&, const PairCoefficients& c) {
    return {in.number("toy_stiffness", D == 2 ? dim::pressure : dim::stiffness, Range::positive(), 1e4, "force per overlap"),
            c.friction};
  }
  template <class T>
  TALUS_HD static T stiffness(const ParamsOf<T>& p, const Touch<D, T>&) {
    return p.spring;
  }
  template <class T>
  TALUS_HD static T dashpot(const ParamsOf<T>&, const Touch<D, T>&) {
    return T(0);
  }
  template <class T>
  TALUS_HD static Push<D, T> act(const ParamsOf<T>& p, const Touch<D, T>& t, const Slip<D, T>&, HistoryOf<T>& h, Audit<D, T>&) {
    h.force = p.spring * t.overlap * t.normal;
    return {h.force, {}};
  }
  template <class T>
  TALUS_HD static StoredOf<T> stored(const ParamsOf<T>& p, const Touch<D, T>& t, const HistoryOf<T>&) {
    return {T(0.5) * p.spring * t.overlap * t.overlap, T(0)};
  }
};
static_assert(ContactLaw<ToyLaw<2>> && ContactLaw<ToyLaw<3>>);

}  // namespace talus
