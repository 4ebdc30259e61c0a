#include <talus/sph/options.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <talus/stages/walls.hpp>

namespace talus::sph {
namespace {

template <int D>
Vec<D, i64> filled(i64 value) {
  Vec<D, i64> v;
  for (int k = 0; k < D; ++k) v[k] = value;
  return v;
}

// A mouth, and the sheet before it, lie inside the cell and before all walls.
template <int D>
void check_mouth(Input& all, const Inflow<D>& f, Real spacing, const Model<D>& model, const State<D>& state, Real tolerance) {
  Body<D> sheet;
  sheet.name = f.name;
  sheet.low = f.low;
  sheet.size = f.size;
  sheet.size[f.axis] = spacing;
  if (f.velocity < 0) sheet.low[f.axis] -= spacing;
  continuum::check_place(all, sheet, model, state, tolerance);
}

}  // namespace

template <int D>
Real Options<D>::full_sum() const {
  const i64 reach = i64(std::ceil(support));
  Real sum = 0;
  for (Vec<D, i64> at = filled<D>(-reach); at[D - 1] <= reach;) {
    Vec<D> x;
    for (int k = 0; k < D; ++k) x[k] = spacing * Real(at[k]);
    sum += kernel().value(length(x));
    for (int k = 0; ++at[k] > reach && k + 1 < D; ++k) at[k] = -reach;
  }
  return sum;
}

template <int D>
std::vector<Real> Options<D>::parts() const {  // a few bodies: rounds until the smallest number has come to all
  const auto& all = this->bodies;
  std::vector<u32> first(all.size());
  std::iota(first.begin(), first.end(), 0u);
  for (std::size_t round = 0; round < all.size(); ++round)
    for (std::size_t b = 0; b < all.size(); ++b)
      if (all[b].continues != no_body) first[b] = first[all[b].continues] = std::min(first[b], first[all[b].continues]);
  std::vector<Real> out(all.size() + inflows.size(), 0);
  for (std::size_t b = 0; b < all.size(); ++b)
    if (this->matter[all[b].material].is_elastic()) out[b] = (all[b].total ? -1 : 1) * Real(1 + first[b]);
  return out;
}

namespace {

// What matter is poured from and leaves through.
template <int D>
void read_openings(Input& scene, const std::vector<std::string>& names, Options<D>& o) {
  if (scene.has("inflow")) {
    const auto mouths = scene.table("inflow", true, "mouths that matter is poured from");
    for (const auto& name : scene.names("inflow", "mouths that matter is poured from")) {
      const auto mouth = mouths->table(name, true, "one mouth");
      o.inflows.push_back(read_inflow<D>(*mouth, name, names));
      if (o.matter[o.inflows.back().material].is_elastic()) mouth->fail("material", "what is poured has no shape to keep", "take a liquid or a soil");
    }
  }
  if (scene.has("outflow")) {
    const auto all = scene.table("outflow", true, "boxes that matter leaves through");
    for (const auto& name : scene.names("outflow", "boxes that matter leaves through")) {
      const auto one = all->table(name, true, "one of them");
      o.outflows.push_back(read_outflow<D>(*one, name));
      for (const Inflow<D>& mouth : o.inflows)
        if (o.outflows.back().holds(mouth.low + Real(0.5) * mouth.size)) one->fail("low", "the mouth '" + mouth.name + "' lies in it: what is poured would leave at once", "move one of them");
    }
  }
}

}  // namespace

template <int D>
Options<D> read_options(Input& scene, bool chosen) {
  Options<D> o;
  if (!chosen && !scene.has("sph")) return o;
  const auto in = scene.table("sph", chosen, "how a continuum is discretised by particles");
  o.spacing = in->number("spacing", dim::length, Range::positive(), std::nullopt, "initial distance of particles");
  o.paper = in->choice("preset", {"corrected", "paper"}, "corrected",
                       "paper: density by summation, gradients without correction, plastic flow by rates, as published: for comparison") == "paper";
  const auto unless_paper = [&](Real value) { return o.paper ? Real(0) : value; };
  in->choice("kernel", matter::kernel_names(), "wendland", "smoothing kernel");
  o.support = in->number("support", dim::none, Range::closed(2, 4), 2.6, "radius of the kernel, in spacings");
  o.time_step = in->number("time_step", dim::time, Range::not_negative(), 0.0, "time step; 0: as long as is stable");
  o.artificial = in->number("artificial_viscosity", dim::none, Range::closed(0, 1), 0.05,
                            "Monaghan's coefficient of artificial viscosity: dissipates shocks");
  o.diffusion = in->number("density_diffusion", dim::none, Range::closed(0, 0.2), unless_paper(0.1),
                           "coefficient of density diffusion: reduces noise in the pressure of liquids");
  o.apart = in->number("artificial_stress", dim::none, Range::closed(0, 1), 0.0,
                       "part of a tension that is taken from between particles of solids, which keeps them from clumping");
  o.blind = in->number("hourglass_viscosity", dim::none, Range::closed(0, 1), unless_paper(0.5),
                       "as artificial_viscosity, of the motion between particles of solids that their velocity gradients do not see");
  o.damps = in->number("bulk_viscosity", dim::none, Range::closed(0, 1), unless_paper(0.2),
                       "viscosity of soils against changes of volume, over density, speed of sound and smoothing length: damps sound");
  o.stiffens = in->number("hourglass_stiffness", dim::none, Range::closed(0, 10), 1.0,
                          "stiffness against the same in bodies of formulation total, over their shear modulus");
  if (!chosen) return o;
  continuum::read_pieces<D>(scene, o.paper, o);
  read_openings<D>(scene, scene.names("material", "materials of bodies"), o);
  return o;
}

template <int D>
void place_bodies(Input& scene, Options<D>& o, const Model<D>& model, State<D>& state) {
  Real poured = 0;
  for (const Inflow<D>& f : o.inflows) {
    check_mouth(*scene.table("inflow", true, "mouths that matter is poured from"), f, o.spacing, model, state, 1e-6 * o.spacing);
    poured += Real(f.sheets(f.end, o.spacing)) * f.sheet_volume(o.spacing) / std::pow(o.spacing, D);
  }
  continuum::place_bodies(scene, "sph", o, o.spacing, poured, o.columns(model), model, state);
  o.laid = state.particles.size();
}

template <int D>
Real stable_step(const Options<D>& o, Real speed, Real acceleration) {
  const Real h = o.kernel().h();
  Real dt = acceleration > 0 ? Real(0.25) * std::sqrt(h / acceleration) : Real(1e300);
  for (const matter::Matter& m : o.matter) {
    dt = min(dt, Real(0.3) * h / (m.wave_speed() + speed));
    if (o.damps > 0 && m.is_solid() && m.diffuses) dt = min(dt, Real(0.25) * h / (o.damps * m.volume.sound_speed));
    if (m.viscosity > 0) dt = min(dt, Real(0.125) * h * h * m.volume.density / m.viscosity);
  }
  return dt;
}

#define TALUS_INSTANTIATE(D)                                                                      \
  template struct Options<D>;                                                                     \
  template Options<D> read_options(Input&, bool);                                                 \
  template void place_bodies(Input&, Options<D>&, const Model<D>&, State<D>&);                    \
  template Real stable_step(const Options<D>&, Real, Real);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::sph
