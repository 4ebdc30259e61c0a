#pragma once
// A stress that grows with depth, from a sample under one stress: every contact force is multiplied by the share of its depth, while
// grains stay where they are. A virtual overlap makes the law push with the new force at the old geometric overlap.
// Ciantia et al. 2018, Eqs. (1) and (2), for any law; docs/design/035-stress-profile.md
#include <string>
#include <vector>

#include <talus/sampling/lost_contacts.hpp>
#include <talus/state/contact_sample.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::sampling {

// Forces are multiplied by share_per_metre times the depth of the contact below the surface, along the last axis; by 0 above it.
struct Profile {
  Real surface = 0;          // m
  Real share_per_metre = 0;  // 1/m, unit weight over the vertical stress of the sample

  Real share_at(Real height) const { return share_per_metre * max(surface - height, Real(0)); }
};

// Why the forces of this sample cannot be scaled; empty when they can.
template <int D>
std::string flaw_of_scaling(const Model<D>& model);

// A place in the state for each of the contacts: those whose law remembers nothing of them have none.
template <int D>
State<D> list_contacts(State<D> sample, const Model<D>& model, const ContactList<D>& contacts);

// The contacts that the state lists get the forces, shear, couples and stiffnesses of the profile, and all bodies rest. Those without a force left
// keep nothing but their virtual overlap.
template <int D>
State<D> scale_forces(State<D> sample, const Model<D>& model, const Profile& profile);

// Copies of a cell lie on a grid (replicate.hpp): virtual overlaps take the rounding out of their forces, which are then those of the cell's contacts to
// the last bits, those with walls of the cell too. Contacts of pairs that touch more than once stay as they are.
template <int D>
State<D> restore_overlaps(State<D> sample, const Model<D>& model, const ContactList<D>& of_cell, i64 copies);

// Puts walls beside the grains, after those that the sample has. `walls`: a state with nothing else, as assemble() makes it, of all of them; the model's
// walls get their new uids.
template <int D>
State<D> add_walls(State<D> sample, const State<D>& walls, Model<D>& model);

// Grains that overlap a wall push it with this normal force, by a virtual overlap.
template <int D>
State<D> press_on_walls(State<D> sample, const Model<D>& model, Real force);

// What a cut took: of each lost contact whose partner lay behind a wall the grain gets the part along the wall's normal back, from that wall, where it is: it need not
// reach the wall. All of a wall's are then multiplied by one number, so that the wall carries the stress of the sample on its area. Grains that overlap a wall and lost
// nothing lie against it without a force. `first`: of the walls, the first that is new.
template <int D>
State<D> press_on_walls(State<D> sample, const Model<D>& model, const Mat<D>& stress, const std::vector<LostContact<D>>& lost, std::size_t first);

}  // namespace talus::sampling
