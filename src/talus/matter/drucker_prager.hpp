#pragma once
// An elastic solid that yields by friction and cohesion: Drucker and Prager's cone with the exact radial return.
// docs/matter/drucker_prager.md (1)-(9).
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <talus/matter/elastic.hpp>

namespace talus::matter {

// Slope and height of the cone for an angle of friction phi and a cohesion of 1 Pa: S/sqrt(2) = 3 slope p + height cohesion.
struct Cone {
  std::string_view word, about;
  Real (*slope)(Real phi);
  Real (*height)(Real phi);
};
inline const std::vector<Cone>& cones() {
  static const Real r3 = std::sqrt(Real(3));
  static const std::vector<Cone> list{
      {"compression", "meets Mohr and Coulomb in triaxial compression", [](Real f) { return 2 * std::sin(f) / (r3 * (3 - std::sin(f))); },
       [](Real f) { return 6 * std::cos(f) / (r3 * (3 - std::sin(f))); }},
      {"compromise", "between compression and extension", [](Real f) { return 2 * std::sin(f) / (3 * r3); },
       [](Real f) { return 6 * std::cos(f) / (3 * r3); }},
      {"extension", "meets Mohr and Coulomb in triaxial extension", [](Real f) { return 2 * std::sin(f) / (r3 * (3 + std::sin(f))); },
       [](Real f) { return 6 * std::cos(f) / (r3 * (3 + std::sin(f))); }},
      {"internal", "inside Mohr and Coulomb", [](Real f) { return std::sin(f) / std::sqrt(3 * (3 + std::sin(f) * std::sin(f))); },
       [](Real f) { return 3 * std::cos(f) / std::sqrt(3 * (3 + std::sin(f) * std::sin(f))); }},
      {"plane-strain", "meets Mohr and Coulomb in plane strain without dilation", [](Real f) { return std::sin(f) / 3; },
       [](Real f) { return std::cos(f); }}};
  return list;
}
inline const Cone& cone_of(std::string_view word) {
  std::size_t k = 0;
  while (k + 1 < cones().size() && cones()[k].word != word) ++k;
  return cones()[k];
}

// Linear between points, constant beyond them.
struct Hardening {
  static constexpr int most = 8;
  std::array<Real, most> strain{}, height{};  // plastic strain; gamma, Pa
  i64 points = 1;

  TALUS_HD Real at(Real plastic_strain) const {
    i64 k = 0;
    while (k + 1 < points && strain[std::size_t(k + 1)] <= plastic_strain) ++k;
    if (k + 1 >= points || plastic_strain <= strain[std::size_t(k)]) return height[std::size_t(k)];
    return height[std::size_t(k)] + slope(k) * (plastic_strain - strain[std::size_t(k)]);
  }
  TALUS_HD Real slope(i64 k) const {
    const std::size_t a = std::size_t(k);
    return (height[a + 1] - height[a]) / (strain[a + 1] - strain[a]);
  }
  TALUS_HD Real slope_at(Real plastic_strain) const {
    i64 k = 0;
    while (k + 1 < points && strain[std::size_t(k + 1)] <= plastic_strain) ++k;
    return k + 1 >= points || plastic_strain < strain[std::size_t(k)] ? 0 : slope(k);
  }
};

struct DruckerPrager {
  static constexpr std::string_view name = "drucker-prager", about = "sand and soil: friction, cohesion, dilation";

  static constexpr Real apart_below = 0.5;  // share of the space around that is filled: a corner has as much, a row or a particle alone less

  Tait volume;
  Real shear = 0;              // Pa, G
  Real friction = 0;           // alpha
  Real dilates = 0;            // beta
  Hardening cohesion;          // gamma
  i64 yields = 1;              // 0: it stays elastic
  i64 cracks = 1;              // tension is bounded by the apex of the cone
  i64 by_rate = 0;             // 1: the multiplier is that of the rates, as the paper has it
  i64 returns = 1;             // of this way: is the stress scaled back onto the cone?

  static DruckerPrager read(Input& in);
  TALUS_HD Real shear_modulus() const { return shear; }
  TALUS_HD Real viscosity() const { return 0; }
  TALUS_HD Real rubs() const { return 3 * friction; }
  static constexpr bool diffuses = true;  // flow mixes particles: half of them would be without pressure, and without strength

  // Pa, the largest S/sqrt(2) at a pressure.
  TALUS_HD Real strength(Real pressure, Real plastic_strain) const {
    if (!yields) return HUGE_VAL;
    return max(3 * friction * pressure + cohesion.at(plastic_strain), Real(0));
  }
  // Pa, the largest tension: gamma/(3 alpha). Without friction there is none.
  TALUS_HD bool has_apex() const { return cracks && yields && friction > 0; }
  TALUS_HD Real apex(Real plastic_strain) const { return cohesion.at(plastic_strain) / (3 * friction); }

  // The stress of the step lies on the cone of its own plastic strain, its own pressure and its own dilation: Newton's rule for the
  // multiplier. Where cohesion is constant and nothing dilates the first iteration is exact, and the loop ends.
  TALUS_HD Answer respond(const Memory& before, Real ratio, const Deformation& by) const {
    Answer a;
    a.memory = before;
    a.memory.deviator = Elastic::turned_and_sheared(before.deviator, shear, by);
    a.ratio = ratio;
    const Real trial = std::sqrt(Real(0.5) * contract(a.memory.deviator, a.memory.deviator));
    if (by_rate) return follow_rates(before, by, a);
    flow(trial, a);
    if (has_apex()) hold_at_apex(by, a);
    else a.pressure = volume.pressure(a.ratio * (1 + a.memory.dilation));
    const Real most = strength(a.pressure, a.memory.plastic_strain);
    if (trial > most) {
      const Sym3 elastic = (most / trial) * a.memory.deviator;
      a.plastic = contract(elastic, a.memory.deviator - elastic) / (2 * shear);
      a.memory.deviator = elastic;
    }
    return a;
  }

  DruckerPrager as_in_paper() const {
    DruckerPrager other = *this;
    other.by_rate = 1;
    return other;
  }

 private:
  // (10)-(12), the paper's own way: a multiplier from the rates of a stress that yields, then scaling back, which may be left out: tension
  // that builds up meanwhile is its wet sand. Kept for comparison.
  TALUS_HD Answer follow_rates(const Memory& before, const Deformation& by, Answer a) const {
    const Real swollen = a.ratio * (1 + before.dilation);
    Real p = volume.pressure(swollen);
    const Real size = std::sqrt(contract(before.deviator, before.deviator));
    const Real miss = size / std::sqrt(Real(2)) - strength(p, before.plastic_strain), tangent = volume.tangent(swollen);
    Real multiplier = 0;
    if (yields && miss >= Real(-1e-9) * size && size > Real(1e-12) * shear)
      multiplier = max((std::sqrt(Real(2)) * shear / size * contract(before.deviator, by.strain) + 3 * tangent * friction * trace(by.strain)) /
                           (shear + 9 * tangent * friction * dilates), Real(0));
    const Sym3 trial = a.memory.deviator;
    if (multiplier > 0) a.memory.deviator = trial - (multiplier * std::sqrt(Real(2)) * shear / size) * turned(before.deviator, by.turn);
    a.memory.plastic_strain += Real(0.57735026918962576451) * multiplier;
    a.memory.dilation += 3 * dilates * multiplier;
    if (returns && has_apex()) p = max(p, -apex(a.memory.plastic_strain));
    a.pressure = p;
    const Real now = std::sqrt(Real(0.5) * contract(a.memory.deviator, a.memory.deviator)), most = strength(p, a.memory.plastic_strain);
    if (returns && now > most) a.memory.deviator = (most / now) * a.memory.deviator;
    a.plastic = contract(a.memory.deviator, trial - a.memory.deviator) / (2 * shear);
    return a;
  }
  // (6): plastic strain and dilation of the step.
  TALUS_HD void flow(Real trial, Answer& a) const {
    const Real strain = a.memory.plastic_strain, dilation = a.memory.dilation, third = Real(0.57735026918962576451);
    Real multiplier = 0;
    for (int k = 0; k < 12; ++k) {
      const Real swollen = a.ratio * (1 + dilation + 3 * dilates * multiplier), now = strain + third * multiplier;
      Real p = volume.pressure(swollen);
      const bool open = has_apex() && p < -apex(now);
      if (open) p = -apex(now);
      const Real most = strength(p, now), miss = trial - shear * multiplier - most;
      if (!(miss > Real(1e-12) * trial) && !(k > 0 && miss < -Real(1e-12) * trial)) break;
      Real steep = shear + (most > 0 ? third * cohesion.slope_at(now) : 0);
      if (most > 0 && !open) steep += 9 * friction * dilates * volume.tangent(swollen) * a.ratio;
      multiplier = clamp(multiplier + miss / max(steep, Real(1e-3) * shear), Real(0), trial / shear);
    }
    a.memory.plastic_strain = strain + third * multiplier;
    a.memory.dilation = dilation + 3 * dilates * multiplier;
  }
  // (8): beyond the apex the matter opens without stress. Its density stops there: what opens must not have to be closed again. Where so
  // little is left around it that it has come apart, as in a jet that falls, its density follows what is there, and it bears nothing
  // until that is full again, (9): matter that remembered nothing of its flight would bear pressure before it is together.
  TALUS_HD void hold_at_apex(const Deformation& by, Answer& a) const {
    const Real tension = apex(a.memory.plastic_strain), swollen = 1 + a.memory.dilation;
    a.loosest = (1 - tension / volume.modulus()) / swollen;
    const bool was_apart = by.before < Real(0.999) * a.loosest;
    if (a.ratio >= a.loosest || !(was_apart || by.full < apart_below)) {
      a.ratio = max(a.ratio, a.loosest);
      a.pressure = max(volume.pressure(a.ratio * swollen), -tension);
      return;
    }
    a.ratio = max(a.ratio, min(by.full, a.loosest));
    a.pressure = a.ratio < a.loosest ? 0 : -tension;
  }
};

inline DruckerPrager DruckerPrager::read(Input& in) {
  const Moduli m = Moduli::read(in);
  DruckerPrager d;
  d.volume = m.volume;
  d.shear = m.shear;
  const Real phi = in.number("friction_angle", dim::angle, Range::below(0, pi / 2), std::nullopt, "angle of internal friction"),
             psi = in.number("dilation_angle", dim::angle, Range::below(0, pi / 2), 0.0, "angle of dilation");
  std::vector<std::string> words;
  for (const Cone& cone : cones()) words.emplace_back(cone.word);
  const Cone& cone = cone_of(in.choice("cone", words, "compromise", "how the cone lies to Mohr and Coulomb's yield surface"));
  if (psi > phi) in.fail("dilation_angle", "it is above the angle of friction: plastic flow would yield energy", "make it smaller");
  d.friction = cone.slope(phi);
  d.dilates = cone.slope(psi);
  const auto values = in.numbers("cohesion", dim::pressure, Range::not_negative(), 0, std::vector<Real>{0}, "cohesion; a list: at cohesion_strain");
  const auto strains = in.numbers("cohesion_strain", dim::none, Range::not_negative(), 0, std::vector<Real>{0}, "plastic strains at which cohesion is stated");
  if (values.empty() || values.size() > Hardening::most || values.size() != strains.size())
    in.fail("cohesion", "cohesion and cohesion_strain have one to eight entries, as many in both", "");
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k > 0 && !(strains[k] > strains[k - 1])) in.fail("cohesion_strain", "it does not rise", "sort it");
    d.cohesion.strain[k] = strains[k];
    d.cohesion.height[k] = cone.height(phi) * values[k];
  }
  d.cohesion.points = i64(values.size());
  d.returns = in.flag("return_mapping", true, "false: the paper's wet sand, whose stress follows its rates and is not brought back onto the cone") ? 1 : 0;
  d.by_rate = d.returns ? 0 : 1;
  d.yields = in.flag("yields", true, "whether it yields; false: it stays elastic") ? 1 : 0;
  d.cracks = in.flag("tension_cracking", true, "whether tension is bounded by the apex of the cone") ? 1 : 0;
  return d;
}

}  // namespace talus::matter
