#pragma once
// Linear spring and dashpot, Coulomb friction on a linear tangential spring. Equations: docs/laws/linear.md.
#include <talus/contact/law.hpp>

namespace talus {

template <int D>
struct Linear {
  static constexpr int dimension = D;
  static constexpr bool has_couple = false;
  static constexpr std::string_view name = "linear";
  static constexpr std::string_view about = "linear spring and dashpot with Coulomb friction";
  template <class T>
  struct ParamsOf {
    T normal_stiffness, shear_stiffness;  // N/m (per metre of thickness in the plane)
    T damping;                            // share of critical
    T friction;
  };
  template <class T>
  struct HistoryOf {
    Vec<D, T> shear{};  // N on a
  };
  using Params = ParamsOf<Real>;
  using History = HistoryOf<Real>;

  static Params mix(Input& in, const Material&, const Material&, const PairCoefficients& c) {
    const Real kn = in.number("normal_stiffness", D == 2 ? dim::pressure : dim::stiffness, Range::positive(),
                              std::nullopt, "force per overlap; in the plane per metre of thickness");
    const Real ratio =
        in.number("shear_ratio", dim::none, Range::closed(0, 1), 0.5, "tangential over normal stiffness");
    return {kn, ratio * kn, damping_ratio(c.restitution), c.friction};
  }

  template <class T>
  TALUS_HD static T stiffness(const ParamsOf<T>& p, const Touch<D, T>&) {
    return p.normal_stiffness;
  }
  template <class T>
  TALUS_HD static T dashpot(const ParamsOf<T>& p, const Touch<D, T>& t) {
    return T(2) * p.damping * sqrt(p.normal_stiffness * t.mass);
  }

  template <class T>
  TALUS_HD static Push<D, T> act(const ParamsOf<T>& p, const Touch<D, T>& t, const Slip<D, T>& s, HistoryOf<T>& h,
                                 Audit<D, T>& audit) {
    // The dashpot may pull in the last moments of a contact: cutting it off there would make the rebound depend on
    // the damping ratio in another way than the closed form that users calibrate with.
    const T vn = dot(s.velocity, t.normal);
    const T cn = dashpot(p, t);
    const T fn = p.normal_stiffness * t.overlap - cn * vn;

    const Vec<D, T> vt = s.velocity - vn * t.normal;
    const T limit = T(s.friction_scale) * p.friction * max(fn, T(0));
    const Vec<D, T> before = turn_into_plane(h.shear, t.normal);
    h.shear = slide(before, -(p.shear_stiffness * T(s.dt)) * vt, limit, p.shear_stiffness, audit.friction);
    audit.viscous = -(cn * vn) * t.normal;
    return {fn * t.normal + h.shear, {}};
  }

  template <class T>
  TALUS_HD static StoredOf<T> stored(const ParamsOf<T>& p, const Touch<D, T>& t, const HistoryOf<T>& h) {
    return {T(0.5) * p.normal_stiffness * t.overlap * t.overlap,
            select(p.shear_stiffness > T(0), T(0.5) * dot(h.shear, h.shear) / p.shear_stiffness, T(0))};
  }

  static Real overlap_at(const Params& p, Real /*radius*/, Real force) { return force / p.normal_stiffness; }
  static void scale(const Params&, const Touch<D>&, Real factor, History& h) { h.shear = factor * h.shear; }
};
static_assert(ScalableLaw<Linear<2>> && ScalableLaw<Linear<3>>);

}  // namespace talus
