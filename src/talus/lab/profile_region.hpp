#pragma once
// Where a sample with a stress profile lies, a box or the inside of a cylinder, and what is measured in parts of it.
#include <talus/lab/profile_analysis.hpp>
#include <talus/measure/rings.hpp>

namespace talus::lab {

inline constexpr Real profile_edge = 0.1;  // figures are of the domain without this share at each side

// m^3, with the thickness in the plane.
template <int D>
Real volume_of_domain(const Model<D>& model, const State<D>& state);

// Of the middle of the domain, in one piece.
template <int D>
Real porosity_inside(const Model<D>& model, const State<D>& state);

// Of what lies within one D50 of the sides, less that of the middle.
template <int D>
Real wall_excess(const Model<D>& model, const State<D>& state);

// What a cylinder encloses, ring by ring.
struct RingMap {
  measure::Rings rings;
  std::vector<Real> porosity;
  std::vector<Vec3> stress;  // Pa: radial, hoop, vertical
};
template <int D>
RingMap ring_map(const Model<D>& model, const State<D>& state, const ContactList<D>& contacts, const ProfileSettings<D>& settings);

}  // namespace talus::lab
