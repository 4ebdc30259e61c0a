#include <talus/mpm/options.hpp>

#include <cmath>

namespace talus::mpm {

template <int D>
Options<D> read_options(Input& scene, bool chosen) {
  Options<D> o;
  if (!chosen && !scene.has("mpm")) return o;
  const auto in = scene.table("mpm", chosen, "how a continuum is discretised by material points and a grid");
  o.spacing = in->number("spacing", dim::length, Range::positive(), std::nullopt, "initial distance of particles");
  o.cell = in->number("cell", dim::none, Range::closed(1, 4), 2.0, "width of a cell of the grid, in spacings");
  o.flip = in->number("flip", dim::none, Range::closed(0, 1), 0.99, "share of a new velocity that is the particle's own with what the grid gained (FLIP); the rest is the grid's (PIC)");
  o.time_step = in->number("time_step", dim::time, Range::not_negative(), 0.0, "time step; 0: as long as is stable");
  if (!chosen) return o;
  continuum::read_pieces<D>(scene, false, o);
  for (const continuum::Body<D>& b : o.bodies) {
    const auto in_body = scene.table("body", true, "bodies of a continuum")->table(b.name, true, "one body");
    if (b.total) in_body->fail("formulation", "the grid forgets where matter was laid", "set method = \"sph\", or formulation = \"updated\"");
    if (b.held) in_body->fail("held", "the grid has no clamps yet", "set method = \"sph\"");
    if (b.continues != continuum::no_body) in_body->fail("continues", "on a grid all that touches is one continuum", "leave it out");
  }
  for (const char* opening : {"inflow", "outflow"})
    if (scene.has(opening)) scene.fail(opening, "method mpm neither pours nor drains yet", "set method = \"sph\"");
  return o;
}

template <int D>
Real stable_step(const Options<D>& o, Real speed, Real acceleration) {
  Real dt = acceleration > 0 ? Real(0.25) * std::sqrt(o.width() / acceleration) : Real(1e300);
  for (const matter::Matter& m : o.matter) {
    dt = min(dt, Real(0.3) * o.width() / (m.wave_speed() + speed));
    if (m.viscosity > 0) dt = min(dt, Real(0.125) * o.width() * o.width() * m.volume.density / m.viscosity);
  }
  return dt;
}

#define TALUS_INSTANTIATE(D)                           \
  template Options<D> read_options(Input&, bool);      \
  template Real stable_step(const Options<D>&, Real, Real);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::mpm
