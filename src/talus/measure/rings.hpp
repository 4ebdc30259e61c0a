#pragma once
// Porosity and stress on rings about an upright axis, in layers: maps of a sample that a cylinder encloses.
#include <vector>

#include <talus/state/contact_sample.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::measure {

// Ring r reaches from edge r to edge r + 1, layer l from the bottom up; rings of a layer follow one another.
struct Rings {
  Real x = 0, y = 0;         // m, the axis, along z
  std::vector<Real> edges;   // m, radii, rising; one more than there are rings
  Real low = 0, high = 0;    // m, along z
  i32 layers = 1;

  std::size_t rings() const { return edges.size() - 1; }
  std::size_t size() const { return rings() * std::size_t(layers); }
  std::size_t index(std::size_t ring, std::size_t layer) const { return layer * rings() + ring; }
  Real volume(std::size_t ring) const;  // m^3, of one layer
};

// m^3, of a ball: the part that lies nearer to an upright axis than `radius`, between two heights. `away`: m, of its centre from the axis. Exact where the
// cylinder does not cut the ball, within 1e-4 of the ball elsewhere.
Real volume_near_axis(Real away, Real height, Real ball, Real radius, Real low, Real high);

// Porosity of each ring, grains by the part of their volume in it.
std::vector<Real> porosities(const State<3>& state, const Rings& rings);

// Stress of each ring, Pa, compression positive: radial, hoop and axial part, each the solid share times the mean, by volume, over the grains with
// centres in it that are not held. Not numbers in rings without grains.
std::vector<Vec3> stresses(const Model<3>& model, const State<3>& state, const ContactList<3>& contacts, const Rings& rings,
                           const std::vector<Real>& porosity);

}  // namespace talus::measure
