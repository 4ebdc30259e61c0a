#pragma once
// Hertz normal force with velocity damping, Mindlin tangential spring capped by Coulomb.
// Equations: docs/laws/hertz_mindlin.md.
#include <talus/contact/law.hpp>

namespace talus {

template <int D>
struct HertzMindlin {
  static constexpr int dimension = D;
  static constexpr std::string_view name = "hertz-mindlin";
  static constexpr std::string_view about = "Hertz normal force, Mindlin shear spring, Coulomb friction";
  struct Params {
    Real e_star, g_star;  // Pa
    Real damping;         // 2 sqrt(5/6) times the share of critical damping (Tsuji)
    Real damping_ratio;   // tangential over normal dashpot: sqrt(k_t / k_n), the same at every overlap
    Real friction;
    Real rescale;  // 1: shear force falls with its stiffness on unloading; 0: it is kept
  };
  struct History {
    Vec<D> shear{};      // N on a
    Real stiffness = 0;  // N/m, of the shear spring in the last step
  };

  static Params mix(Input& in, const Material& a, const Material& b, const PairCoefficients& c) {
    if (a.rigid && b.rigid) in.fail("law", "both materials are rigid", "a Hertz contact needs one elastic side");
    const bool kept = in.choice("shear_unloading", {"rescaled", "kept"}, "rescaled",
                                "what happens to the shear force when the normal force falls: 'kept' can create "
                                "energy") == "kept";
    return make(1 / (a.plane_compliance() + b.plane_compliance()), 1 / (a.shear_compliance() + b.shear_compliance()),
                c.restitution, c.friction, !kept);
  }
  static Params make(Real e_star, Real g_star, Real restitution, Real friction, bool rescale) {
    return {e_star,
            g_star,
            2 * std::sqrt(Real(5) / 6) * talus::damping_ratio(restitution),
            std::sqrt(4 * g_star / e_star),
            friction,
            rescale ? 1.0 : 0.0};
  }

  TALUS_HD static Real stiffness(const Params& p, const Touch<D>& t) {
    return 2 * p.e_star * std::sqrt(t.radius * t.overlap);
  }

  TALUS_HD static Push<D> act(const Params& p, const Touch<D>& t, const Slip<D>& s, History& h, Audit<D>& audit) {
    const Real contact_radius = std::sqrt(t.radius * t.overlap);
    const Real kn = 2 * p.e_star * contact_radius, kt = 8 * p.g_star * contact_radius;
    const Real vn = dot(s.velocity, t.normal);
    const Vec<D> vt = s.velocity - vn * t.normal;
    const Real elastic = Real(2) / 3 * kn * t.overlap;
    Real cn = 0, ct = 0;
    if (p.damping > 0) {
      cn = p.damping * std::sqrt(kn * t.mass);
      ct = p.damping_ratio * cn;
    }
    const Real fn = elastic - cn * vn;  // may pull at the very end, see linear.hpp

    // Incremental force, not an elongation: F = -k_t(now) * xi gains energy when a contact is sheared, pressed and
    // unsheared. When the contact unloads, the stored force falls with its stiffness.
    const Vec<D> turned = turn_into_plane(h.shear, t.normal), step = -(kt * s.dt) * vt;
    Vec<D> before = turned;
    if (h.stiffness > 0) {
      if (kt < h.stiffness && p.rescale > 0) before = (kt / h.stiffness) * turned;
      // The last term: through half of the step the motion worked against the force as it was, not as it is rescaled.
      // Without it the entry is right to first order in the step only.
      audit.stiffness += Real(0.5) * dot(turned, turned) / h.stiffness - Real(0.5) * dot(before, before) / kt +
                         Real(0.5) / kt * dot(turned - before, step);
    }
    const Real limit = s.friction_scale * p.friction * max(fn, Real(0));
    const Vec<D> spring = slide(before, step, limit, kt, audit.friction);
    h = {spring, kt};

    // The tangential dashpot works inside the friction cone only.
    Vec<D> tangent = spring, viscous = -(cn * vn) * t.normal;
    if (ct > 0) {
      tangent = spring - ct * vt;
      const Real size = length(tangent);
      if (size > limit) tangent = (limit / size) * tangent;
      viscous += tangent - spring;
    }
    audit.viscous = viscous;
    return {fn * t.normal + tangent, {}};
  }

  TALUS_HD static Stored stored(const Params& p, const Touch<D>& t, const History& h) {
    const Real kn = stiffness(p, t);
    return {Real(4) / 15 * kn * t.overlap * t.overlap,  // (2/5) h_n overlap^(5/2), h_n overlap^(1/2) = (2/3) k_n
            h.stiffness > 0 ? Real(0.5) * dot(h.shear, h.shear) / h.stiffness : 0};
  }
};
static_assert(ContactLaw<HertzMindlin<2>> && ContactLaw<HertzMindlin<3>>);

}  // namespace talus
