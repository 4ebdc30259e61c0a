#pragma once
// Averages over a sample: stress, coordination, fabric, contact forces, inertia. Formulae: docs/measures.md.
// Contacts come in key order; bodies are summed in uid order, so a measure never depends on threads or storage.
#include <talus/stages/wall_view.hpp>
#include <talus/state/contact_sample.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::measure {

// Love-Weber stress of the contacts, Pa, compression positive: (1/V) sum force (x) branch.
template <int D>
Mat<D> stress(const ContactList<D>& contacts, Real volume);

// Stress on a wall, Pa: normal force over the area it has now, compression positive.
template <int D>
Real wall_stress(const Model<D>& model, const State<D>& state, std::size_t wall, const WallView<D>& box);

// What the sample does to a wall by its contact forces: N, and N m about the point that the wall stands at (in the plane the
// component out of it). Grains count where they are, images of a periodic cell are not moved.
template <int D>
struct WallLoad {
  Vec<D> force{};
  Spin<D> moment{};
};
template <int D>
WallLoad<D> wall_load(const State<D>& state, const ContactList<D>& contacts, std::size_t wall);

// Contacts of each body, by its index.
template <int D>
std::vector<u32> contacts_of_bodies(const State<D>& state, const ContactList<D>& contacts);

struct Coordination {
  Real all = 0;         // 2 Nc / Np over all grains
  Real mechanical = 0;  // Thornton: (2 Nc - N1) / (Np - N0 - N1)
  Real rattlers = 0;    // share of grains with fewer than two contacts
  std::size_t contacts = 0;
};
template <int D>
Coordination coordination(const State<D>& state, const ContactList<D>& contacts);

// Stress of each grain from the forces on it, Pa: 1/volume times the sum of arm and force, symmetric part, compression positive. In the
// plane the volume is area times thickness. Over all grains volume times stress sum up to that of the sample, where forces balance.
template <int D>
std::vector<Mat<D>> grain_stresses(const Model<D>& model, const State<D>& state, const ContactList<D>& contacts);

// (1/Nc) sum n (x) n over grain-grain contacts.
template <int D>
Mat<D> fabric(const State<D>& state, const ContactList<D>& contacts);

struct ForceStatistics {
  Real mean = 0, deviation = 0, most = 0;  // N, of the normal force
  Real mobilised = 0;                      // mean of |shear| over |normal|
};
template <int D>
ForceStatistics forces(const ContactList<D>& contacts);

// Overlap over the smaller radius that a share of all contacts stays below (nearest rank); 0 without contacts.
template <int D>
Real overlap_below(const State<D>& state, const ContactList<D>& contacts, Real share);

// Sum of |resultant| over grains by the sum of |contact force| over grains; damping left out, weight (mass x gravity)
// included: a grain in free fall counts with its weight. Without gravity grains that touch nothing do not count; grains that are held never do.
template <int D>
Real unbalanced(const State<D>& state, const ContactList<D>& contacts, const Vec<D>& gravity);

// Mean of the speeds of all grains, m/s.
template <int D>
Real mean_speed(const State<D>& state);

// I = rate D50 sqrt(density / p), rate = largest component of the cell's velocity gradient or speed of a wall over the
// extent of the sample (the axial rate in a triaxial
// test, as in Ciantia et al. 2018), density with its scaling, p the mean stress now. 0 without pressure.
template <int D>
Real inertial_number(const Model<D>& model, const State<D>& state, const Mat<D>& stress, const WallView<D>& box);

// Mean density of the grains, scaling included, kg/m^3.
template <int D>
Real mean_density(const Model<D>& model, const State<D>& state);

template <int D>
Real mean_diameter(const State<D>& state);  // by number, as placed, m
template <int D>
Real median_diameter(const State<D>& state);  // D50 by mass, m

}  // namespace talus::measure
