#pragma once
// Hertz normal force with velocity damping, Mindlin tangential spring capped by Coulomb.
// Equations: docs/laws/hertz_mindlin.md.
#include <talus/contact/hertz.hpp>

namespace talus {

template <int D>
struct HertzMindlin : HertzNormal<D> {
  using Hertz = HertzNormal<D>;
  static constexpr int dimension = D;
  static constexpr bool has_couple = false;
  static constexpr std::string_view name = "hertz-mindlin";
  static constexpr std::string_view about = "Hertz normal force, Mindlin shear spring, Coulomb friction";
  template <class T>
  struct ParamsOf {
    T e_star, g_star;  // Pa
    T damping;         // 2 sqrt(5/6) times the share of critical damping (Tsuji)
    T damping_ratio;   // tangential over normal dashpot: sqrt(k_t / k_n), the same at every overlap
    T friction;
    T rescale;  // 1: shear force falls with its stiffness on unloading; 0: it is kept
  };
  template <class T>
  struct alignas((D == 3 ? 2 : 1) * sizeof(T)) HistoryOf {  // so that a device moves two words at a time
    Vec<D, T> shear{};                                      // N on a
    T stiffness = 0;                                        // N/m, of the shear spring in the last step
  };
  using Params = ParamsOf<Real>;
  using History = HistoryOf<Real>;

  static Params mix(Input& in, const Material& a, const Material& b, const PairCoefficients& c) {
    const bool kept = in.choice("shear_unloading", {"rescaled", "kept"}, "rescaled",
                                "what happens to the shear force when the normal force falls: 'kept' can create "
                                "energy") == "kept";
    return make(Hertz::e_star(in, a, b), 1 / (a.shear_compliance() + b.shear_compliance()), c.restitution, c.friction,
                !kept);
  }
  static Params make(Real e_star, Real g_star, Real restitution, Real friction, bool rescale) {
    return {e_star, g_star, Hertz::damping(restitution), std::sqrt(4 * g_star / e_star), friction, rescale ? 1.0 : 0.0};
  }

  template <class T>
  TALUS_HD static Push<D, T> act(const ParamsOf<T>& p, const Touch<D, T>& t, const Slip<D, T>& s, HistoryOf<T>& h,
                                 Audit<D, T>& audit) {
    const T contact_radius = sqrt(t.radius * t.overlap);
    const T kn = T(2) * p.e_star * contact_radius, kt = T(8) * p.g_star * contact_radius;
    const T vn = dot(s.velocity, t.normal);
    const Vec<D, T> vt = s.velocity - vn * t.normal;
    const T elastic = T(Real(2) / 3) * kn * t.overlap;
    T cn = 0, ct = 0;
    if (any(p.damping > T(0))) {
      cn = select(p.damping > T(0), p.damping * sqrt(kn * t.mass), T(0));
      ct = p.damping_ratio * cn;
    }
    const T fn = elastic - cn * vn;  // may pull at the very end, see linear.hpp

    // Incremental force, not an elongation: F = -k_t(now) * xi gains energy when a contact is sheared, pressed and
    // unsheared. When the contact unloads, the stored force falls with its stiffness.
    const Vec<D, T> turned = turn_into_plane(h.shear, t.normal), step = -(kt * T(s.dt)) * vt;
    const auto loaded = h.stiffness > T(0);
    const auto falls = loaded & (kt < h.stiffness) & (p.rescale > T(0));
    const Vec<D, T> before = select(falls, kt / h.stiffness, T(1)) * turned;
    // The last term: through half of the step the motion worked against the force as it was, not as it is rescaled.
    // Without it the entry is right to first order in the step only.
    audit.stiffness += select(loaded,
                              T(0.5) * dot(turned, turned) / h.stiffness - T(0.5) * dot(before, before) / kt +
                                  T(0.5) / kt * dot(turned - before, step),
                              T(0));
    const T limit = T(s.friction_scale) * p.friction * max(fn, T(0));
    const Vec<D, T> spring = slide(before, step, limit, kt, audit.friction);
    h = {spring, kt};

    // The tangential dashpot works inside the friction cone only.
    Vec<D, T> tangent = spring, viscous = -(cn * vn) * t.normal;
    if (any(ct > T(0))) {
      const Vec<D, T> whole = spring - ct * vt;
      const T size = length(whole);
      const auto slides = size > limit;
      tangent = select(ct > T(0), select(slides, limit / size, T(1)) * whole, spring);
      viscous = select(ct > T(0), viscous + (tangent - spring), viscous);
    }
    audit.viscous = viscous;
    return {fn * t.normal + tangent, {}};
  }

  template <class T>
  TALUS_HD static StoredOf<T> stored(const ParamsOf<T>& p, const Touch<D, T>& t, const HistoryOf<T>& h) {
    return {Hertz::stored_normal(p, t), select(h.stiffness > T(0), T(0.5) * dot(h.shear, h.shear) / h.stiffness, T(0))};
  }

  using Hertz::overlap_at;
  // The stiffness too: else the next step would take the scaled contact for one that unloads, and scale its shear again.
  static void scale(const Params& p, const Touch<D>& now, Real factor, History& h) {
    h.shear = factor * h.shear;
    if (h.stiffness > 0) h.stiffness = 8 * p.g_star * std::sqrt(now.radius * now.overlap);
  }
};
static_assert(ScalableLaw<HertzMindlin<2>> && ScalableLaw<HertzMindlin<3>>);

}  // namespace talus
