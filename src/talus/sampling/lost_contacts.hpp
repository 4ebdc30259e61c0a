#pragma once
// What a cut takes from copies of a cell: the contacts that a grain had in the cell and has no more. docs/design/042-chambers.md
#include <vector>

#include <talus/state/contact_sample.hpp>
#include <talus/state/state.hpp>

namespace talus::sampling {

template <int D>
struct LostContact {
  u32 grain;
  Vec<D> force;    // N, on the grain
  Vec<D> partner;  // m, where the centre of the grain lay that pushed it
};

// `of_cell`: contacts of the cell, whose walls have uids from `first_wall` on; `contacts`: of the sample, made of so many copies. In order of the grains.
template <int D>
std::vector<LostContact<D>> lost_contacts(const State<D>& sample, const ContactList<D>& contacts, const ContactList<D>& of_cell, u32 first_wall, i64 copies);

}  // namespace talus::sampling
