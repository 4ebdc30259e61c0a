#pragma once
// Linear spring and dashpot, Coulomb friction on a linear tangential spring. Equations: docs/laws/linear.md.
#include <talus/contact/law.hpp>

namespace talus {

template <int D>
struct Linear {
  static constexpr int dimension = D;
  static constexpr std::string_view name = "linear";
  static constexpr std::string_view about = "linear spring and dashpot with Coulomb friction";
  struct Params {
    Real normal_stiffness, shear_stiffness;  // N/m (per metre of thickness in the plane)
    Real damping;                            // share of critical
    Real friction;
  };
  struct History {
    Vec<D> shear{};  // N on a
  };

  static Params mix(Input& in, const Material&, const Material&, const PairCoefficients& c) {
    const Real kn = in.number("normal_stiffness", D == 2 ? dim::pressure : dim::stiffness, Range::positive(),
                              std::nullopt, "force per overlap; in the plane per metre of thickness");
    const Real ratio =
        in.number("shear_ratio", dim::none, Range::closed(0, 1), 0.5, "tangential over normal stiffness");
    return {kn, ratio * kn, damping_ratio(c.restitution), c.friction};
  }

  TALUS_HD static Real stiffness(const Params& p, const Touch<D>&) { return p.normal_stiffness; }

  TALUS_HD static Push<D> act(const Params& p, const Touch<D>& t, const Slip<D>& s, History& h, Audit<D>& audit) {
    // The dashpot may pull in the last moments of a contact: cutting it off there would make the rebound depend on
    // the damping ratio in another way than the closed form that users calibrate with.
    const Real vn = dot(s.velocity, t.normal);
    const Real cn = 2 * p.damping * std::sqrt(p.normal_stiffness * t.mass);
    const Real fn = p.normal_stiffness * t.overlap - cn * vn;

    const Vec<D> vt = s.velocity - vn * t.normal;
    const Real limit = s.friction_scale * p.friction * max(fn, Real(0));
    const Vec<D> before = turn_into_plane(h.shear, t.normal);
    h.shear = slide(before, -(p.shear_stiffness * s.dt) * vt, limit, p.shear_stiffness, audit.friction);
    audit.viscous = -(cn * vn) * t.normal;
    return {fn * t.normal + h.shear, {}};
  }

  TALUS_HD static Stored stored(const Params& p, const Touch<D>& t, const History& h) {
    return {Real(0.5) * p.normal_stiffness * t.overlap * t.overlap,
            p.shear_stiffness > 0 ? Real(0.5) * dot(h.shear, h.shear) / p.shear_stiffness : 0};
  }
};
static_assert(ContactLaw<Linear<2>> && ContactLaw<Linear<3>>);

}  // namespace talus
