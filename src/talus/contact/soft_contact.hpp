#pragma once
// A law of laws.hpp inside an implicit step: `advance` is `act` with the geometry at the end of the step, and `soften` is its tangent
// there, near a guess of the velocity. One law, explicit and implicit. Linear and Hertz-Mindlin, with their shear springs.
// Equations: docs/laws/README.md (S1)-(S4).
#include <talus/contact/hertz_mindlin.hpp>
#include <talus/contact/linear.hpp>
#include <talus/contact/soft_law.hpp>

namespace talus {

// The tangential spring at the end of a step: force that it has before it slides, stiffness, dashpot.
template <int D>
struct ShearSpring {
  Vec<D> force;              // N on a
  Real stiffness, dashpot;   // N/m, N s/m
};
template <int D>
ShearSpring<D> shear_spring(const typename Linear<D>::Params& p, const Touch<D>& t, const typename Linear<D>::History& h) {
  return {turn_into_plane(h.shear, t.normal), p.shear_stiffness, 0};
}
template <int D>
ShearSpring<D> shear_spring(const typename HertzMindlin<D>::Params& p, const Touch<D>& t, const typename HertzMindlin<D>::History& h) {
  const Real kt = 8 * p.g_star * std::sqrt(t.radius * t.overlap);
  const bool falls = h.stiffness > 0 && kt < h.stiffness && p.rescale > 0;
  const Real ct = p.damping > 0 ? p.damping_ratio * HertzMindlin<D>::dashpot(p, t) : 0;
  return {(falls ? kt / h.stiffness : 1) * turn_into_plane(h.shear, t.normal), kt, ct};
}

template <class Law>
struct SoftContact {
  static constexpr int D = Law::dimension, dimension = D;
  static constexpr std::string_view name = Law::name, about = Law::about;
  using Params = typename Law::Params;
  using History = typename Law::History;
  struct Step {
    Params params;
    Instant now;
  };

  static Params mix(Input& in, const Material& a, const Material& b, const PairCoefficients& c) { return Law::mix(in, a, b, c); }
  static Step over(const Params& p, const Instant& now) { return {p, now}; }

  // Where the guess parts the grains the force is zero, and so is b of Hertz' law: guess again with the velocity found.
  static Soft<D> soften(const Step& step, const PatchTouch<D>& t, const Vec<D>& guess, const History& h) {
    const Real opening = dot(guess, t.normal), dt = step.now.dt;
    Touch<D> end = t;
    end.overlap = t.overlap - dt * opening;
    Soft<D> soft;
    soft.least = 0;  // where an explicit step lets the dashpot pull in the last moments, a long one would glue
    soft.friction = step.now.friction_scale * step.params.friction;
    if (!(end.overlap > 0)) {
      if constexpr (!std::is_same_v<Law, Linear<D>>) return soft;
    }
    History none{};
    Audit<D> audit;
    const Params params = in_this_step(step, t);
    const Real elastic = dot(Law::act(params, end, {{}, {}, 0, 1}, none, audit).force, t.normal);
    const Real stiffness = dt * Law::stiffness(params, end);
    soft.b = stiffness + Law::dashpot(params, end);
    soft.a = elastic + stiffness * opening;
    const ShearSpring<D> spring = shear_spring<D>(params, end, h);
    soft.shear = spring.force;
    soft.slip = dt * spring.stiffness + spring.dashpot;
    return soft;
  }

  static Vec<D> advance(const Step& step, const PatchTouch<D>& t, const Vec<D>& velocity, History& h) {
    Touch<D> end = t;
    end.overlap = t.overlap - step.now.dt * dot(velocity, t.normal);
    if (!(end.overlap > 0)) return h = {}, Vec<D>{};
    Audit<D> audit;
    const Vec<D> force = Law::act(in_this_step(step, t), end, {velocity, {}, step.now.dt, step.now.friction_scale}, h, audit).force;
    const Real normal = dot(force, t.normal);
    return normal < 0 ? force - normal * t.normal : force;
  }

  static Real stored(const Step& step, const PatchTouch<D>& t, const History& h) {
    if (!(t.overlap > 0)) return 0;
    const Stored e = Law::stored(step.params, t, h);
    return e.normal + e.shear;
  }

 private:
  // The dashpot acts from the step after that of the touch on: it would push before the grains meet.
  static Params in_this_step(const Step& step, const PatchTouch<D>& t) {
    Params p = step.params;
    if (t.overlap < 0) p.damping = 0;
    return p;
  }
};
static_assert(SoftLaw<SoftContact<Linear<2>>> && SoftLaw<SoftContact<HertzMindlin<3>>>);

}  // namespace talus
