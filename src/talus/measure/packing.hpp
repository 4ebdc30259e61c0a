#pragma once
// What a packing of soft grains between walls is measured by: the share of solid away from the walls, and how the forces
// between grains are distributed. Formulae: docs/measures.md.
#include <vector>

#include <talus/state/contact_sample.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::measure {

// Share of solid in the box that the walls span, less `margin` from each of them. Spheres that its faces cut are integrated
// over points; volumes where two spheres overlap count twice, since the matter is still there.
Real solid_share_inside(const Model<3>& model, const State<3>& state, Real margin);

// Classes of forces, even on a logarithmic axis; the first takes all below, the last all above.
struct ForceClasses {
  Real low = 1e-4, high = 1;  // N
  int count = 80;
  Real edge(int k) const;  // lower edge of class k, N
  int of(Real force) const;
};

// Number of contacts between grains in each class.
template <int D>
std::vector<Real> force_counts(const State<D>& state, const ContactList<D>& contacts, const ForceClasses& classes);

// Contacts per grain with a normal force above the threshold; contacts with walls count for their grain.
template <int D>
Real coordination_above(const State<D>& state, const ContactList<D>& contacts, Real threshold);

struct BranchMeans {
  Real branch = 0,
       force = 0;  // m, N: means of the distance of centres and of the normal force, contacts between grains
};
template <int D>
BranchMeans branch_means(const State<D>& state, const ContactList<D>& contacts);

}  // namespace talus::measure
