#pragma once
// Rolling resistance on top of another law: an elastic-plastic couple against the relative spin, capped by the rolling
// friction (type C of Ai et al. 2011, after Iwashita & Oda). Equations: docs/laws/rolling.md.
#include <talus/contact/hertz_mindlin.hpp>
#include <talus/contact/linear.hpp>

namespace talus {

template <class Base>
struct Rolling {
  static constexpr int D = Base::dimension;
  static constexpr int dimension = D;
  static constexpr bool has_couple = true;
  static constexpr std::string_view name = std::is_same_v<Base, Linear<D>> ? "linear-rolling" : "hertz-mindlin-rolling";
  static constexpr std::string_view about = std::is_same_v<Base, Linear<D>>
                                                ? "the linear law with an elastic-plastic rolling couple"
                                                : "the Hertz-Mindlin law with an elastic-plastic rolling couple";
  template <class T>
  struct ParamsOf {
    typename Base::template ParamsOf<T> base;
    T rolling_friction;
  };
  template <class T>
  struct HistoryOf {
    typename Base::template HistoryOf<T> base{};
    Spin<D, T> couple{};  // N m on a
    T stiffness{};        // N m/rad, of the rolling spring in the last step
  };
  using Params = ParamsOf<Real>;
  using History = HistoryOf<Real>;

  static Params mix(Input& in, const Material& a, const Material& b, const PairCoefficients& c) {
    return {Base::mix(in, a, b, c), c.rolling_friction};
  }
  template <class T>
  TALUS_HD static T stiffness(const ParamsOf<T>& p, const Touch<D, T>& t) {
    return Base::stiffness(p.base, t);
  }
  template <class T>
  TALUS_HD static T dashpot(const ParamsOf<T>& p, const Touch<D, T>& t) {
    return Base::dashpot(p.base, t);
  }
  // N m/rad: spring of Iwashita & Oda as Ai et al. give it, k_r = 2.25 k_n (mu_r R)^2: the couple is full at a small angle.
  template <class T>
  TALUS_HD static T rolling_stiffness(const ParamsOf<T>& p, const Touch<D, T>& t) {
    const T lever = p.rolling_friction * t.radius;
    return T(2.25) * Base::stiffness(p.base, t) * lever * lever;
  }

  template <class T>
  TALUS_HD static Push<D, T> act(const ParamsOf<T>& p, const Touch<D, T>& t, const Slip<D, T>& s, HistoryOf<T>& h,
                                 Audit<D, T>& audit) {
    Push<D, T> push = Base::act(p.base, t, s, h.base, audit);
    const auto resists = p.rolling_friction > T(0);
    if (!any(resists)) return push;
    const T lever = p.rolling_friction * t.radius;
    const T kr = rolling_stiffness(p, t);
    const T limit = T(s.friction_scale) * lever * max(dot(push.force, t.normal), T(0));
    Spin<D, T> roll = s.rolling, turned = h.couple;
    if constexpr (D == 3) {  // twist about the normal is left free; the couple turns with the contact
      roll = reject(roll, t.normal);
      turned = turn_into_plane(turned, t.normal);
    }
    const Spin<D, T> step = -(kr * T(s.dt)) * roll;
    const auto loaded = resists & (h.stiffness > T(0));
    const Spin<D, T> before = select(loaded & (kr < h.stiffness), (kr / h.stiffness) * turned, turned);
    audit.stiffness += select(loaded,
                              T(0.5) * dot(turned, turned) / h.stiffness - T(0.5) * dot(before, before) / kr +
                                  T(0.5) / kr * dot(turned - before, step),  // as in hertz_mindlin.hpp
                              T(0));
    T slid = 0;
    const Spin<D, T> couple = slide(before, step, limit, kr, slid);
    audit.friction += select(resists, slid, T(0));
    h.couple = select(resists, couple, h.couple);
    h.stiffness = select(resists, kr, h.stiffness);
    push.couple = select(resists, couple, push.couple);
    return push;
  }

  template <class T>
  TALUS_HD static StoredOf<T> stored(const ParamsOf<T>& p, const Touch<D, T>& t, const HistoryOf<T>& h) {
    StoredOf<T> e = Base::stored(p.base, t, h.base);
    e.shear += select(h.stiffness > T(0), T(0.5) * dot(h.couple, h.couple) / h.stiffness, T(0));
    return e;
  }

  static Real overlap_at(const Params& p, Real radius, Real force) { return Base::overlap_at(p.base, radius, force); }
  static void scale(const Params& p, const Touch<D>& now, Real factor, History& h) {
    Base::scale(p.base, now, factor, h.base);
    h.couple = factor * h.couple;
    if (h.stiffness > 0) h.stiffness = rolling_stiffness(p, now);
  }
};
static_assert(ScalableLaw<Rolling<Linear<2>>> && ScalableLaw<Rolling<HertzMindlin<3>>>);

}  // namespace talus
