#pragma once
// What a scene says about a continuum: [sph], and all that continuum/bodies.hpp reads.
#include <algorithm>
#include <string>
#include <vector>

#include <talus/continuum/bodies.hpp>
#include <talus/core/input.hpp>
#include <talus/matter/kernels.hpp>
#include <talus/matter/models.hpp>
#include <talus/sph/inflow.hpp>
#include <talus/sph/outflow.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>
#include <talus/state/status.hpp>

namespace talus::sph {

using continuum::Body;
using continuum::densest;
using continuum::no_body;

// Particles of elastic bodies carry the number of their continuum, which shares partners: 1 + its first body, with a minus where strain is
// measured from where the body was laid. Others carry 0: liquids and soils mix.
TALUS_HD bool is_total(Real part) { return part < 0; }
// Do particles of these two touch as bodies do, or are they neighbours in a continuum?
TALUS_HD bool are_apart(Real a, Real b) { return a != b && ((a != 0 && b != 0) || is_total(a) || is_total(b)); }

template <int D>
struct Options : continuum::Pieces<D> {
  bool paper = false;   // density by summation, gradients without correction, plastic flow by rates: for comparison
  Real spacing = 0;     // m, of particles as placed
  Real support = 2.6;   // spacings, radius of the kernel
  Real time_step = 0;   // s; 0: as long as is stable
  Real artificial = 0;  // artificial viscosity
  Real diffusion = 0;   // of density
  Real apart = 0;       // artificial stress: part of a tension that is taken from between particles
  Real blind = 0;       // damping of motion between particles of solids that gradients do not see
  Real damps = 0;       // bulk viscosity of soils
  Real stiffens = 0;    // stiffness against such motion, over the shear modulus: total-Lagrangian bodies
  std::vector<Inflow<D>> inflows;
  std::vector<Outflow<D>> outflows;
  u64 laid = 0;  // particles of bodies at the start: uids of what is poured go on from there

  matter::Wendland<D> kernel() const { return matter::Wendland<D>::of(support * spacing); }
  Real full_sum() const;  // 1/m^D, the sum of the kernel over a lattice of particles
  std::vector<Real> parts() const;  // of each body, and of what flows in
  u32 columns(const Model<D>& model) const {  // that a run keeps
    return model.kept_columns() | (this->has_solids() ? kept::deviators : 0) | (this->has_total() ? kept::origins : 0) |
           (outflows.empty() ? 0 : kept::outflows);
  }
};

// `materials`: names in the order of the scene.
template <int D>
Options<D> read_options(Input& scene, bool chosen);

// Fills the table of particles. Throws InputError for bodies that overlap or leave the domain, and for too many particles.
template <int D>
void place_bodies(Input& scene, Options<D>& options, const Model<D>& model, State<D>& state);

// The longest stable step, s, for particles of this speed and acceleration.
template <int D>
Real stable_step(const Options<D>& options, Real speed, Real acceleration);

}  // namespace talus::sph
