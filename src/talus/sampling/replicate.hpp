#pragma once
// A larger sample made of copies of a periodic cell, side by side: grains, contacts, and what contacts remember (forces,
// shear history, virtual overlaps). docs/design/034-replicas.md
//
// Positions and edges are first rounded down to one binary grid, on which sums and differences over the whole domain are
// exact: every copy has the bits of the (rounded) cell's branches, overlaps and forces.
#include <string>

#include <talus/state/state.hpp>

namespace talus::sampling {

template <int D>
struct Replicas {
  Vec<D, i32> along{};  // copies along each edge, from 1
  Vec<D, i32> open{};   // 1: the edge repeats no longer, and links through its faces are dropped

  i64 count() const {
    i64 n = 1;
    for (int k = 0; k < D; ++k) n *= along[k];
    return n;
  }
  bool changes(const Cell<D>& cell) const {
    for (int k = 0; k < D; ++k)
      if (along[k] != 1 || (open[k] && cell.periodic[k])) return true;
    return false;
  }
};

// Why this cell cannot be copied so; empty when it can.
template <int D>
std::string flaw_of(const State<D>& cell, const Replicas<D>& replicas);

// The new uid of a grain is uid x copies + copy, of a wall uid x copies: walls come last as before, and the order of uids among
// the partners of a grain, which is the order of its sums, stays. A contact finds its partner by the image in its own key. Energies
// and the virial are those of all copies together. Grains outside the box stay outside the box of their copy; along edges that open they are put into
// it. One copy of a cell that stays periodic is the cell itself, bit by bit.
template <int D>
State<D> replicate(const State<D>& cell, const Replicas<D>& replicas);

// Largest difference of a copied contact's branch vector from that of the cell's contact, over its length.
template <int D>
Real branch_error(const State<D>& cell, const State<D>& sample, const Replicas<D>& replicas);

}  // namespace talus::sampling
