#pragma once
// Hertz normal force with velocity damping; friction that is always at Coulomb's limit, against the sliding velocity: the
// friction of Brodu et al. 2015 for slippery grains that hardly stick. Equations: docs/laws/hertz_saturated.md.
#include <talus/contact/hertz.hpp>

namespace talus {

template <int D>
struct HertzSaturated : HertzNormal<D> {
  using Hertz = HertzNormal<D>;
  static constexpr int dimension = D;
  static constexpr bool has_couple = false;
  static constexpr std::string_view name = "hertz-saturated";
  static constexpr std::string_view about = "Hertz normal force, friction always at Coulomb's limit";
  template <class T>
  struct ParamsOf {
    T e_star;   // Pa
    T damping;  // 2 sqrt(5/6) times the share of critical damping (Tsuji)
    T friction;
    T slip_speed;  // m/s, below it friction falls in proportion: at rest its direction would jump from step to step
  };
  template <class T>
  struct HistoryOf {
    Vec<D, T> shear{};  // N on a, friction of the last step: its work is a trapezoid
  };
  using Params = ParamsOf<Real>;
  using History = HistoryOf<Real>;

  static Params mix(Input& in, const Material& a, const Material& b, const PairCoefficients& c) {
    const Real slip = in.number("slip_speed", dim::speed, Range::positive(), 1e-3,
                                "sliding velocity below which friction falls in proportion to it");
    return {Hertz::e_star(in, a, b), Hertz::damping(c.restitution), c.friction, slip};
  }

  template <class T>
  TALUS_HD static Push<D, T> act(const ParamsOf<T>& p, const Touch<D, T>& t, const Slip<D, T>& s, HistoryOf<T>& h,
                                 Audit<D, T>& audit) {
    const T kn = Hertz::stiffness(p, t), vn = dot(s.velocity, t.normal);
    const Vec<D, T> vt = s.velocity - vn * t.normal;
    const T cn = select(p.damping > T(0), p.damping * sqrt(kn * t.mass), T(0));
    const T fn = T(Real(2) / 3) * kn * t.overlap - cn * vn;  // may pull at the very end, see linear.hpp
    const T limit = T(s.friction_scale) * p.friction * max(fn, T(0));
    const Vec<D, T> before = h.shear;
    h.shear = -(limit / max(length(vt), p.slip_speed)) * vt;
    audit.friction += T(Real(-0.5) * s.dt) * dot(before + h.shear, vt);
    audit.viscous = -(cn * vn) * t.normal;
    return {fn * t.normal + h.shear, {}};
  }

  template <class T>
  TALUS_HD static StoredOf<T> stored(const ParamsOf<T>& p, const Touch<D, T>& t, const HistoryOf<T>&) {
    return {Hertz::stored_normal(p, t), T(0)};
  }

  using Hertz::overlap_at;
  static void scale(const Params&, const Touch<D>&, Real factor, History& h) { h.shear = factor * h.shear; }
};
static_assert(ScalableLaw<HertzSaturated<2>> && ScalableLaw<HertzSaturated<3>>);

}  // namespace talus
