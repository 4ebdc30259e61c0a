#pragma once
// What a scene says to the material point method: [mpm], and all that continuum/bodies.hpp reads.
#include <talus/continuum/bodies.hpp>

namespace talus::mpm {

template <int D>
struct Options : continuum::Pieces<D> {
  Real spacing = 0;    // m, of particles as placed
  Real cell = 2;       // width of a cell of the grid, in spacings
  Real flip = 0.99;    // share of a velocity that is the particle's own plus what the grid gained; the rest is the grid's
  Real time_step = 0;  // s; 0: as long as is stable

  Real width() const { return cell * spacing; }  // m
  u32 columns(const Model<D>& model) const { return model.kept_columns() | (this->has_solids() ? kept::deviators : 0); }
};

template <int D>
Options<D> read_options(Input& scene, bool chosen);

// The longest stable step, s, for particles of this speed and acceleration.
template <int D>
Real stable_step(const Options<D>& options, Real speed, Real acceleration);

}  // namespace talus::mpm
