#pragma once
// One touching contact as the measures see it, whatever method computed it. Lists come in key order, so sums over them
// are the same for any number of threads.
#include <vector>

#include <talus/contact/law.hpp>
#include <talus/contact/row_key.hpp>

namespace talus {

template <int D>
struct ContactSample {
  RowKey key;
  u32 a, b;          // indices of the bodies
  u32 law;           // index into Laws
  Vec<D> normal;     // unit, from b to a
  Vec<D> branch;     // m, from b to a (wall: from the contact to the centre)
  Vec<D> force;      // N on a
  Real overlap;      // m, shift included
  Real stiffness;    // N/m, normal tangent
  Stored stored;     // J
  Vec<D> arm{};      // m, from the centre of a to where the force acts
};

template <int D>
using ContactList = std::vector<ContactSample<D>>;

}  // namespace talus
