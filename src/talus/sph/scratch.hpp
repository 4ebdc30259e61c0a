#pragma once
// What may be dropped between two steps without a change of a result: boundary particles, lists of partners, records.
#include <talus/core/sym3.hpp>
#include <talus/exec/column.hpp>

namespace talus::sph {

template <class... C>
void move_all(const exec::Memory& memory, C&... columns) {
  (columns.move_to(memory), ...);
}

// Particles behind the walls that stand for them (Adami 2012): a function of where walls are.
template <int D>
struct Boundary {
  Column<Vec<D>> position;  // m
  Column<u32> wall;         // place in Model::walls
  Column<Sym3> holds;       // takes from a vector the part that the wall holds: along its normal, or all of it where nothing slips
  Column<u32> sticks;       // 1: nothing slips
  Column<Real> volume;      // m^D
  Column<Real> pressure;    // Pa, carried on from the liquid before it
  Column<Sym3> deviator;    // Pa, likewise; empty without solids
  Column<Vec<D>> velocity;  // m/s, that a liquid which sticks to the wall sees
  Column<Vec<D>> force;     // N, on it; after the last step of a bunch
  std::size_t size() const { return position.size(); }
  void move_to(const exec::Memory& m) {
    move_all(m, position, wall, holds, sticks, volume, pressure, deviator, velocity, force);
  }
};

// Particles, and boundary particles, go in groups of so many that follow one another in memory and lie together in space. Vector lanes are
// across the members of a group; a group has one list: whoever is near any of them.
inline constexpr u32 group_size = 8;
inline std::size_t groups_of(std::size_t members) { return (members + group_size - 1) / group_size; }

// In an entry of a list: a member may see this partner across a periodic edge.
inline constexpr u32 across_edge = 0x80000000u;
inline constexpr u32 partner_bits = ~across_edge;

// Those within a reach of any member of a group, in order of uid; those of group g: from start[g] to start[g + 1]. A member is its own
// partner: it does nothing to itself.
struct GroupLists {
  Column<u32> start, partner;
  void move_to(const exec::Memory& m) { move_all(m, start, partner); }
};

template <int D>
struct Lists {
  GroupLists particles;      // of groups of particles
  GroupLists walls;          // boundary particles near them
  GroupLists before;         // particles before groups of boundary particles
  Column<u32> by_uid;        // particles in order of uid
  Column<Vec<D>> reference;  // m, where particles were
  std::size_t ordered = 0;   // entries of `particles` when particles were last put into spatial order
  bool valid = false;
  void move_to(const exec::Memory& m) { move_all(m, particles, walls, before, by_uid, reference); }
};

// A particle as its partners read it. Numbers all, so that it can be loaded into lanes.
template <int D, class T = Real>
struct Record {
  Vec<D, T> position, velocity;  // m; m/s, in the middle of the step
  T volume = 0;                  // m^D
  T density = 0;                 // kg/m^3
  T pressure = 0;                // Pa
  T material = 0;
  T part = 0;                    // of which continuum
};

// How fast a particle becomes denser.
template <class T = Real>
struct DensityRate {
  T converges = 0;  // 1/s, minus the divergence of the velocity
  T diffuses = 0;   // kg/(m^3 s)
  T full = 1;       // share of the space around that is filled; of soils
};

// What solids need beside it.
template <int D, class T = Real>
struct Strain {
  Mat<D, T> gradient{};                         // 1/s, of the velocity; row: component, column: derivative
  Mat<D, T> correction = Mat<D, T>::identity(); // times the gradient of the kernel: linear fields come out exactly
};

// Of a particle on its partners: the stress times its correction.
template <int D, class T = Real>
struct Traction {
  Mat<D, T> stress{};  // Pa
  T damping = 0;       // Pa, pressure against changes of volume
};

// Of a body whose strain is measured from where it was laid.
template <int D>
struct Pull {
  Mat<D> gradient = Mat<D>::identity();  // F = dx/dX
  Mat<D> stress{};                       // Pa, first Piola-Kirchhoff, times the correction
  Real stiffness = 0;                    // Pa, against what F does not see
};

// Partners when bodies were laid, in order of uid, by rank: place in the order of uid. A function of State: where particles were laid.
template <int D>
struct Reference {
  Column<u32> start, partner;  // ranks; empty lists for particles of other bodies
  Column<Mat<D>> correction;
  Column<u32> rank;            // of each particle, as it lies in memory now
  void move_to(const exec::Memory& m) { move_all(m, start, partner, correction, rank); }
};

template <int D>
struct Scratch {
  Boundary<D> boundary;
  Lists<D> lists;
  Column<Record<D>> records;
  Column<DensityRate<>> rates;
  Column<Strain<D>> strains;      // empty without solids
  Column<Traction<D>> tractions;  // likewise
  Column<Mat<D>> artificial;      // Pa, stress that keeps particles in tension apart; empty where there is none
  Column<Real> summed;            // kg/m^3, density by summation; empty where it is integrated
  Reference<D> reference;
  Column<Pull<D>> pulls;          // empty without such bodies
  void move_to(const exec::Memory& m) { move_all(m, boundary, lists, records, rates, strains, tractions, artificial, summed, reference, pulls); }
};

}  // namespace talus::sph
