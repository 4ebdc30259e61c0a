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
  static constexpr std::string_view name = std::is_same_v<Base, Linear<D>> ? "linear-rolling" : "hertz-mindlin-rolling";
  static constexpr std::string_view about = std::is_same_v<Base, Linear<D>>
                                                ? "the linear law with an elastic-plastic rolling couple"
                                                : "the Hertz-Mindlin law with an elastic-plastic rolling couple";
  struct Params {
    typename Base::Params base;
    Real rolling_friction;
  };
  struct History {
    typename Base::History base{};
    Spin<D> couple{};  // N m on a
    Real stiffness{};  // N m/rad, of the rolling spring in the last step
  };

  static Params mix(Input& in, const Material& a, const Material& b, const PairCoefficients& c) {
    return {Base::mix(in, a, b, c), c.rolling_friction};
  }
  TALUS_HD static Real stiffness(const Params& p, const Touch<D>& t) { return Base::stiffness(p.base, t); }

  TALUS_HD static Push<D> act(const Params& p, const Touch<D>& t, const Slip<D>& s, History& h, Audit<D>& audit) {
    Push<D> push = Base::act(p.base, t, s, h.base, audit);
    if (!(p.rolling_friction > 0)) return push;
    // Spring of Iwashita & Oda as Ai et al. give it, k_r = 2.25 k_n (mu_r R)^2: the couple is full at a small angle.
    const Real lever = p.rolling_friction * t.radius;
    const Real kr = Real(2.25) * Base::stiffness(p.base, t) * lever * lever;
    const Real limit = s.friction_scale * lever * max(dot(push.force, t.normal), Real(0));
    Spin<D> roll = s.rolling, turned = h.couple;
    if constexpr (D == 3) {  // twist about the normal is left free; the couple turns with the contact
      roll = reject(roll, t.normal);
      turned = turn_into_plane(turned, t.normal);
    }
    const Spin<D> step = -(kr * s.dt) * roll;
    Spin<D> before = turned;
    if (h.stiffness > 0) {
      if (kr < h.stiffness) before = (kr / h.stiffness) * turned;
      audit.stiffness += Real(0.5) * dot(turned, turned) / h.stiffness - Real(0.5) * dot(before, before) / kr +
                         Real(0.5) / kr * dot(turned - before, step);  // as in hertz_mindlin.hpp
    }
    h.couple = slide(before, step, limit, kr, audit.friction);
    h.stiffness = kr;
    push.couple = h.couple;
    return push;
  }

  TALUS_HD static Stored stored(const Params& p, const Touch<D>& t, const History& h) {
    Stored e = Base::stored(p.base, t, h.base);
    if (h.stiffness > 0) e.shear += Real(0.5) * dot(h.couple, h.couple) / h.stiffness;
    return e;
  }
};
static_assert(ContactLaw<Rolling<Linear<2>>> && ContactLaw<Rolling<HertzMindlin<3>>>);

}  // namespace talus
