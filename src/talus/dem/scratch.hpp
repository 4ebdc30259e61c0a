#pragma once
// Scratch of the explicit method: may be dropped between any two steps and is made anew from Model and State.
#include <array>

#include <talus/neighbours/grid.hpp>
#include <talus/state/state.hpp>

namespace talus::dem {

// Where the rows of one law point to.
struct RowIndex {
  Column<u32> body_a, body_b;  // indices of the bodies with the smaller and the larger uid
  Column<u32> params;          // constants of their pair
  u32 first = 0;               // number of the law's first row in the common count
};

// Energy entries of one row in one step, J.
struct RowWork {
  Real friction, viscous, stiffness, growth;
};

template <int D>
struct Scratch {
  bool valid = false;  // false: rebuild before the next use
  std::array<RowIndex, law_count> index;
  // One entry per row of all laws.
  Column<Vec<D>> force, branch;        // N on a; m from b to a
  Column<Spin<D>> moment_a, moment_b;  // N m about each centre
  Column<RowWork> work;
  Column<u8> quiet;    // 1: the row does not touch and all its entries above are zero
  Column<Real> bulge;  // m, what a multi-contact model adds to the overlap before `act`; empty: nothing does
  // Rows of each body in order of the partner's uid: row * 2 + (1 if the body is b).
  Column<u32> incidence_start, incidence;
  Column<u32> index_of_uid;
  // Search.
  Column<Vec<D>> wrapped;      // m, positions inside the cell at the last rebuild
  Column<Vec<D, i32>> offset;  // periods taken off to get there
  Column<u64> cell_key;
  Column<u32> order, cell_start;
  Column<Vec<D>> reference;  // fractions of the cell at the last rebuild
  Mat<D> reference_h{};
  Real reference_scale = 1, skin = 0, largest_radius = 0;
  Column<Mat<D>> virial_of_uid;  // J
  i64 rebuilds = 0;
};

}  // namespace talus::dem
