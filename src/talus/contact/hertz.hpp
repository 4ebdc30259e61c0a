#pragma once
// The normal spring of Hertz and its dashpot, as laws on top of it share them. `Params` has e_star and damping.
#include <talus/contact/law.hpp>

namespace talus {

template <int D>
struct HertzNormal {
  static Real e_star(Input& in, const Material& a, const Material& b) {
    if (a.rigid && b.rigid) in.fail("law", "both materials are rigid", "a Hertz contact needs one elastic side");
    return 1 / (a.plane_compliance() + b.plane_compliance());
  }
  // 2 sqrt(5/6) times the share of critical damping (Tsuji)
  static Real damping(Real restitution) { return 2 * std::sqrt(Real(5) / 6) * damping_ratio(restitution); }

  template <class Params, class T>
  TALUS_HD static T stiffness(const Params& p, const Touch<D, T>& t) {
    return T(2) * p.e_star * sqrt(t.radius * t.overlap);
  }
  template <class Params, class T>
  TALUS_HD static T dashpot(const Params& p, const Touch<D, T>& t) {
    return p.damping * sqrt(stiffness(p, t) * t.mass);
  }
  // (2/5) h_n overlap^(5/2), h_n overlap^(1/2) = (2/3) k_n
  template <class Params, class T>
  TALUS_HD static T stored_normal(const Params& p, const Touch<D, T>& t) {
    return T(Real(4) / 15) * stiffness(p, t) * t.overlap * t.overlap;
  }
  // force = (4/3) E* sqrt(radius) overlap^(3/2)
  template <class Params>
  static Real overlap_at(const Params& p, Real radius, Real force) {
    const Real power = Real(0.75) * force / (p.e_star * std::sqrt(radius));
    return std::cbrt(power * power);
  }
};

}  // namespace talus
