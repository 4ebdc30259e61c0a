#pragma once
// Model: what is constant during a stage. Materials, pair laws, shapes, options, and the plans of what drives the step.
#include <string>
#include <vector>

#include <talus/boundary/drive.hpp>
#include <talus/boundary/membrane.hpp>
#include <talus/contact/multi_contact.hpp>
#include <talus/contact/pair_table.hpp>
#include <talus/geometry/hull.hpp>
#include <talus/geometry/outlines.hpp>
#include <talus/geometry/shape.hpp>
#include <talus/state/columns.hpp>

namespace talus {

struct Options {
  bool rotation = true;           // false: spins stay zero, moments are ignored
  bool ledger = true;             // keep the energy ledger
  Real density_scale = 1;         // inertia multiplied by this; reported, never silent
  Real skin = 0.1;                // search reach beyond touching, in mean radii
  Real overlap_limit = 0.3;       // overlap over the smaller radius that stops the run
  Real thickness = 1;             // m, of a plane sample: stress = force / (length x thickness)
  bool spheres_in_plane = false;  // plane samples: masses of spheres (Hertz contacts), not of discs per metre
  // For tests only: force a rebuild with a random body order with this probability per step, from this seed.
  Real random_rebuilds = 0;
  u64 random_rebuild_seed = 0;
};

template <int D>
struct Wall {
  std::string name;
  u32 uid;
  std::string group;  // walls of one group move together; empty: none
};

template <int D>
struct Model {
  std::vector<Material> materials;
  PairTable<D> pairs;
  Column<Shape<D>> shapes;
  Outlines outlines;            // of those that are polygons
  std::vector<Hull> hulls;      // of those that are hulls, at unit size
  std::vector<Wall<D>> walls;   // in order of their uids: the order of the last bodies
  Column<WallDrive<D>> drives;  // how each of them moves
  CellDrive<D> cell;
  Membrane membrane;
  Options options;
  Real coat = 0;                // m, of mortar on each grain, where the method has a law for it
  MultiContactModel multi_contact;
  u64 seed = 0;

  // Optional columns of bodies and contacts that the options ask for.
  u32 kept_columns() const {
    bool closes = false;
    for (const auto& drive : drives) closes = closes || drive.closes();
    return (closes ? kept::closing : 0) | (options.ledger ? kept::ledger : 0) | (multi_contact.acts() ? kept::multi_contact : 0) |
           (multi_contact.tangential ? kept::tangential_forces : 0);
  }
  bool has_polygons() const { return outlines.size() > 0; }
  bool has_hulls() const { return !hulls.empty(); }
  PairView pair_view() const { return {pairs.law.span(), pairs.params.span(), pairs.materials}; }
};

// Gravity that acts on a body's (scaled) mass: density scaling makes grains slower, not heavier. m/s^2
template <int D, class State>
Vec<D> weight_per_mass(const Model<D>& model, const State& state) {
  return (1 / model.options.density_scale) * state.globals.gravity;
}

}  // namespace talus
