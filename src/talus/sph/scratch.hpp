#pragma once
// What may be dropped between two steps without a change of a result: boundary particles, lists of partners, records.
#include <talus/core/sym3.hpp>
#include <talus/exec/column.hpp>

namespace talus::sph {

inline constexpr u32 sticky = 8;  // in `holds`: nothing slips along the wall, and all axes are held

// Particles behind the walls that stand for them (Adami 2012): a function of where walls are.
template <int D>
struct Boundary {
  Column<Vec<D>> position;  // m
  Column<u32> wall;         // place in Model::walls
  Column<u32> holds;        // axes along which it holds what is before it, a bit each; and `sticky`
  Column<Real> volume;      // m^D
  Column<Real> pressure;    // Pa, carried on from the liquid before it
  Column<Sym3> deviator;    // Pa, likewise; empty without solids
  Column<Vec<D>> velocity;  // m/s, that a liquid which sticks to the wall sees
  Column<Vec<D>> force;     // N, on it; after the last step of a bunch
  std::size_t size() const { return position.size(); }
};

// Partners within the support and a skin, in order of uid. Those of particle i: particles from start[i] to split[i], boundary
// particles from there to start[i + 1]. Those of boundary particle b: particles from before[b] to before[b + 1].
template <int D>
struct Lists {
  Column<u32> start, split, partner;
  Column<u32> before, particle;
  Column<u32> by_uid;        // particles in order of uid
  Column<Vec<D>> reference;  // m, where particles were
  bool valid = false;
};

// A particle as its partners read it: one line of the cache in the plane.
template <int D>
struct Record {
  Vec<D> position, velocity;  // m; m/s, in the middle of the step
  Real volume = 0;            // m^D
  Real density = 0;           // kg/m^3
  Real pressure = 0;          // Pa
  u32 material = 0;
  u32 part = 0;               // of which continuum
};

// How fast a particle becomes denser.
struct DensityRate {
  Real converges = 0;  // 1/s, minus the divergence of the velocity
  Real diffuses = 0;   // kg/(m^3 s)
};

// What solids need beside it.
template <int D>
struct Strain {
  Mat<D> gradient{};                      // 1/s, of the velocity; row: component, column: derivative
  Mat<D> correction = Mat<D>::identity(); // times the gradient of the kernel: linear fields come out exactly
};

// Of a particle on its partners, Pa: the stress times its correction, and the artificial stress that keeps particles in tension apart.
template <int D>
struct Traction {
  Mat<D> stress{}, artificial{};
  Real damping = 0;  // Pa, pressure against changes of volume
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
};

template <int D>
struct Scratch {
  Boundary<D> boundary;
  Lists<D> lists;
  Column<Record<D>> records;
  Column<DensityRate> rates;
  Column<Strain<D>> strains;      // empty without solids
  Column<Traction<D>> tractions;  // likewise
  Reference<D> reference;
  Column<Pull<D>> pulls;          // empty without such bodies
};

}  // namespace talus::sph
