#pragma once
// A coat of mortar between two grains, solved inside the step: any model whose answer is a Relaxation. The law lives per patch, with
// an area A and a thickness L of mortar (both coats; at a wall one): all constants are multiplied by s = A / L.
// Equations: docs/laws/burgers.md (5)-(12). The models are in burgers.hpp.
#include <talus/contact/mortar.hpp>
#include <talus/contact/relaxation.hpp>
#include <talus/contact/soft_law.hpp>

namespace talus {

// What a scene states of a coat, the same for all models.
struct CoatParams {
  MortarTable table;
  Real temperature = 0;    // K, where nothing else states one
  Real tension_limit = 0;  // Pa, most pull per area; infinite: as the law says; 0: no pull
  Real elongation = 0;     // m, gap over which coats that met go on pulling
  Real lateral = 0;        // Pa s
  Real friction = 0;       // 1, of the coats, on their pushing force

  static CoatParams read(Input& in) {
    CoatParams p;
    p.table = MortarTable::read(in);
    p.temperature = in.number("temperature", dim::temperature, Range::positive(), p.table.hottest(),
                              "of the mortar; outside its table is an error");
    p.table.need(in, "temperature", p.temperature);
    const bool pulls = in.flag("tension", true, "may coats that meet pull?");
    const Real limit = in.number("tension_limit", dim::pressure, Range::positive(), std::numeric_limits<Real>::infinity(),
                                 "most pull per area of contact; none stated: as the law says");
    p.tension_limit = pulls ? limit : 0;
    p.elongation = in.number("elongation", dim::length, Range::not_negative(), 0.0, "gap over which coats that met go on pulling");
    p.lateral = in.number("lateral_viscosity", dim::viscosity, Range::not_negative(), 0.0,
                          "viscosity of the mortar against sliding: force = viscosity area / thickness speed");
    p.friction = in.number("coat_friction", dim::none, Range::not_negative(), 0.0, "Coulomb friction of coats on their pushing force");
    return p;
  }
};

// `Mortar` has name, about, needs_mass, and relaxation(constants, mass per scale in kg/m).
template <int D, class Mortar>
struct CoatLaw {
  static constexpr int dimension = D;
  static constexpr std::string_view name = Mortar::name, about = Mortar::about;
  using Model = Mortar;
  using History = RelaxationMemory;

  using Params = CoatParams;
  struct Step {
    Params params;
    MortarConstants constants;
    RelaxationStep shared;  // of all patches, when the model does not ask for the mass
    Instant now;
  };

  static Params mix(Input& in, const Material&, const Material&, const PairCoefficients&) { return CoatParams::read(in); }

  // All exponentials of a step, once per pair and temperature.
  static Step over(const Params& p, const Instant& now) {
    Step step{p, p.table.at(now.temperature), {}, now};
    if constexpr (!Mortar::needs_mass) step.shared = RelaxationStep(Mortar::relaxation(step.constants, 0), now.dt);
    return step;
  }

  static Soft<D> soften(const Step& step, const PatchTouch<D>& t, const Vec<D>& /*guess*/, const History& h) {
    const Seen seen = look(step, t, h);
    Soft<D> soft;
    soft.b = seen.scale * seen.relaxation.viscosity();
    soft.a = seen.meets ? -soft.b * seen.gap / step.now.dt : sum_kept(seen, h);
    const Params& p = step.params;
    soft.least = seen.meets || !(seen.scale > 0) ? 0 : -p.tension_limit * (seen.scale * t.thickness);
    soft.slip = std::numeric_limits<Real>::infinity();
    soft.friction = step.now.friction_scale * p.friction;
    soft.lateral = p.lateral * seen.scale;
    return soft;
  }

  // The force is without friction of the coats, which only the solver knows.
  static Vec<D> advance(const Step& step, const PatchTouch<D>& t, const Vec<D>& velocity, History& h) {
    const Soft<D> soft = soften(step, t, velocity, h);
    const Seen seen = look(step, t, h);
    const Real opening = dot(velocity, t.normal), overlap = t.overlap - step.now.dt * opening;
    Real closing = -opening;
    if (seen.meets) closing = max(closing - seen.gap / step.now.dt, Real(0));  // only from where the coats meet
    const bool ends = seen.meets ? !(overlap > 0) : !(overlap > -step.params.elongation);
    for (int i = 0; i < 2; ++i)
      h.force[i] = ends ? 0 : seen.share * seen.relaxation.keep[i] * h.force[i] + seen.scale * seen.relaxation.gain[i] * closing;
    h.scale = ends ? 0 : seen.scale;
    return soft.normal_force(opening) * t.normal - soft.lateral * (velocity - opening * t.normal);
  }

  static Real stored(const Step& step, const PatchTouch<D>& t, const History& h) {
    return stored_energy(look(step, t, h).relaxation, h);
  }

 private:
  struct Seen {
    RelaxationStep relaxation;
    Real scale, share;  // m; of the forces that are kept
    Real gap;           // m
    bool meets;         // coats that did not touch before
  };
  static Seen look(const Step& step, const PatchTouch<D>& t, const History& h) {
    const bool drawn = t.overlap < 0 && h.scale > 0;  // a thread keeps the section that it began with
    const Real scale = drawn ? h.scale : t.area / t.thickness;
    Seen seen{step.shared, scale, kept_share(h, scale), max(-t.overlap, Real(0)), t.overlap < 0 && !drawn};
    if constexpr (Mortar::needs_mass)
      if (scale > 0) seen.relaxation = RelaxationStep(Mortar::relaxation(step.constants, t.mass / scale), step.now.dt);
    return seen;
  }
  static Real sum_kept(const Seen& seen, const History& h) {
    return seen.share * (seen.relaxation.keep[0] * h.force[0] + seen.relaxation.keep[1] * h.force[1]);
  }
};

}  // namespace talus
