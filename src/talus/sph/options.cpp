#include <talus/sph/options.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <talus/stages/walls.hpp>

namespace talus::sph {
namespace {

template <int D>
std::vector<Real> zeros() {
  return std::vector<Real>(D, 0.0);
}

template <int D>
Vec<D, i64> filled(i64 value) {
  Vec<D, i64> v;
  for (int k = 0; k < D; ++k) v[k] = value;
  return v;
}

template <int D>
void read_cylinder(Input& in, Body<D>& b) {
  const Vec<D> middle = to_vec<D>(in.numbers("middle", dim::length, Range::any(), D, std::nullopt, "middle of its base; of a disc: its middle"));
  b.radius = in.number("radius", dim::length, Range::positive(), std::nullopt, "radius of the cylinder");
  b.inner = in.number("inner", dim::length, Range::not_negative(), 0.0, "radius of its hole");
  if (b.inner >= b.radius) in.fail("inner", "the hole is as large as the cylinder", "make it smaller");
  for (int k = 0; k < D; ++k) {
    b.low[k] = middle[k] - b.radius;
    b.size[k] = 2 * b.radius;
  }
  if (D == 2) return;
  b.low[D - 1] = middle[D - 1];
  b.size[D - 1] = in.has("aspect") ? b.radius * in.number("aspect", dim::none, Range::positive(), std::nullopt, "height of the cylinder over its radius, instead of height")
                                   : in.number("height", dim::length, Range::positive(), std::nullopt, "height of the cylinder");
}

template <int D>
Body<D> read_body(Input& in, const std::string& name, const std::vector<std::string>& materials) {
  Body<D> b;
  b.name = name;
  const std::string material =
      in.choice("material", materials, materials.size() == 1 ? std::optional(materials[0]) : std::nullopt, "a [material.NAME]");
  b.material = u32(std::find(materials.begin(), materials.end(), material) - materials.begin());
  if (in.choice("kind", {"box", "cylinder"}, "box", "shape of the body; a cylinder stands along the last axis, in the plane it is a disc") == "cylinder") {
    read_cylinder(in, b);
  } else {
    b.low = to_vec<D>(in.numbers("low", dim::length, Range::any(), D, zeros<D>(), "lower corner of the body"));
    b.size = to_vec<D>(in.numbers("size", dim::length, Range::positive(), D, std::nullopt, "lengths of its edges"));
  }
  b.velocity = to_vec<D>(in.numbers("velocity", dim::speed, Range::any(), D, zeros<D>(), "velocity at the start"));
  b.spin = in.number("spin", dim::rate, Range::any(), 0.0, "angular velocity at the start, about its middle, along z");
  b.held = in.flag("held", false, "whether its particles stay where they are: a clamp");
  b.at_rest = in.flag("at_rest", false, "whether it starts with the pressure of its own weight");
  b.total = in.choice("formulation", {"updated", "total"}, "updated",
                      "strain of an elastic body: updated from step to step, or total: measured from where it was laid") == "total";
  return b;
}

// Which body goes on in which, and what that asks of them.
template <int D>
void join_bodies(Input& table, const std::vector<std::string>& names, const std::vector<matter::Matter>& matter, std::vector<Body<D>>& bodies) {
  for (Body<D>& b : bodies) {
    const auto in = table.table(b.name, true, "one body");
    const std::string other = in->text("continues", "", "another elastic body with which it is one continuum; without, bodies touch and part");
    const bool elastic = matter[b.material].is_elastic();
    if (b.total && !elastic) in->fail("formulation", "a material that flows has no place that it was laid at", "take model = \"elastic\", or formulation = \"updated\"");
    if (b.total && b.at_rest) in->fail("at_rest", "a body whose strain is measured from where it was laid starts without stress", "leave it out");
    if (other.empty()) continue;
    const auto at = std::find(names.begin(), names.end(), other);
    if (at == names.end() || other == b.name) in->fail("continues", "there is no other body '" + other + "'", "name a [body.NAME]");
    b.continues = u32(at - names.begin());
    if (!elastic || !matter[bodies[b.continues].material].is_elastic() || b.total != bodies[b.continues].total)
      in->fail("continues", "both bodies are elastic, with one formulation", "liquids and soils that touch are one continuum without it");
  }
}

// g times the depth below its top, m^2/s^2.
template <int D>
Real head_at(const Body<D>& body, const Vec<D>& x, const Vec<D>& gravity) {
  Real head = 0;
  for (int k = 0; k < D; ++k) head += gravity[k] * (x[k] - body.low[k] - (gravity[k] < 0 ? body.size[k] : 0));
  return head;
}

// Rows along each axis.
template <int D>
Vec<D, i64> rows_of(const Body<D>& body, Real spacing) {
  Vec<D, i64> rows;
  for (int k = 0; k < D; ++k) rows[k] = std::max<i64>(1, i64(std::llround(body.size[k] / spacing)));
  return rows;
}

template <int D>
bool overlap(const Body<D>& a, const Body<D>& b, Real tolerance) {
  for (int k = 0; k < D; ++k)
    if (a.low[k] + a.size[k] <= b.low[k] + tolerance || b.low[k] + b.size[k] <= a.low[k] + tolerance) return false;
  return true;
}

// The body lies inside the cell and before all walls.
template <int D>
void check_place(Input& all, const Body<D>& b, const Model<D>& model, const State<D>& state, Real tolerance) {
  const auto in = all.table(b.name, true, "one body");
  const Cell<D>& cell = state.globals.cell;
  for (int k = 0; k < D; ++k)
    if (b.low[k] < -tolerance || b.low[k] + b.size[k] > cell.h(k, k) + tolerance)
      in->fail("low", "the body leaves the domain along " + std::string(1, "xyz"[k]),
               "keep it within cell.size, or make the cell larger");
  for (std::size_t w = 0; w < model.walls.size(); ++w) {
    const Vec<D> into = into_sample(model, state, w);
    Vec<D> deepest = b.low;
    for (int k = 0; k < D; ++k)
      if (into[k] < 0) deepest[k] += b.size[k];
    if (wall_shape(model, state, w).axis() >= 0 && dot(deepest - state.bodies.position[state.grains() + w], into) < -tolerance)
      in->fail("low", "the body reaches behind the wall '" + model.walls[w].name + "'", "move one of them");
  }
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
  check_place(all, sheet, model, state, tolerance);
}

// Is a place of the lattice within the body?
template <int D>
bool is_within(const Body<D>& body, const Vec<D>& x) {
  if (!(body.radius > 0)) return true;
  const Real a = x[0] - body.low[0] - body.radius, b = x[1] - body.low[1] - body.radius, square = a * a + b * b;
  return square <= body.radius * body.radius && square >= body.inner * body.inner;
}

// Calls f(place, volume) for each particle of a body; x runs fastest.
template <int D, class F>
void each_place(const Body<D>& body, Real spacing, F&& f) {
  const Vec<D, i64> rows = rows_of(body, spacing);
  Vec<D> step;
  Real volume = 1;
  for (int k = 0; k < D; ++k) {
    step[k] = body.size[k] / Real(rows[k]);
    volume *= step[k];
  }
  for (Vec<D, i64> at{}; at[D - 1] < rows[D - 1];) {
    Vec<D> x;
    for (int k = 0; k < D; ++k) x[k] = body.low[k] + (Real(at[k]) + Real(0.5)) * step[k];
    if (is_within(body, x)) f(x, volume);
    for (int k = 0; ++at[k] == rows[k] && k + 1 < D; ++k) at[k] = 0;
  }
}

// Of walls that do not lie along the axes: no particle is behind them.
template <int D>
void check_particles(Input& all, const Body<D>& b, const Model<D>& model, const State<D>& state, std::size_t first, std::size_t end) {
  for (std::size_t w = 0; w < model.walls.size(); ++w)
    for (std::size_t i = first; i < end && wall_shape(model, state, w).axis() < 0; ++i)
      if (wall_shape(model, state, w).at(state.particles.position[i] - state.bodies.position[state.grains() + w]).gap < 0)
        all.table(b.name, true, "one body")->fail("low", "the body reaches behind the wall '" + model.walls[w].name + "'", "move one of them");
}

template <int D>
void lay_rows(const Options<D>& o, std::size_t number, const Vec<D>& gravity, Particles<D>& p, std::size_t& i) {
  const Body<D>& body = o.bodies[number];
  const matter::Tait& rest = o.matter[body.material].volume;
  const Vec<D> middle = body.low + Real(0.5) * body.size;
  each_place(body, o.spacing, [&](const Vec<D>& x, Real volume) {
    p.uid[i] = u32(i);
    p.material[i] = body.material;
    p.body[i] = u32(number);
    p.position[i] = x;
    if (!p.origin.empty()) p.origin[i] = x;
    p.velocity[i] = body.velocity;
    p.velocity[i][0] -= body.spin * (x[1] - middle[1]);
    p.velocity[i][1] += body.spin * (x[0] - middle[0]);
    p.density[i] = rest.density * (body.at_rest ? rest.ratio_at(head_at(body, x, gravity)) : 1);
    p.mass[i] = p.density[i] * volume;
    if (!p.given.empty()) p.given[i] = p.mass[i] * p.velocity[i];
    ++i;
  });
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
bool Options<D>::slips(const std::string& wall) const {
  for (const WallGrip& grip : grips)
    if (wall == grip.name) return grip.slips;
  for (const WallGrip& grip : grips)
    if (wall.starts_with(grip.name + "_")) return wall == grip.name + (D == 2 ? "_y_low" : "_z_low") ? grip.floor_slips : grip.slips;  // of a box
  return true;
}

template <int D>
std::vector<Real> Options<D>::parts() const {  // a few bodies: rounds until the smallest number has come to all
  std::vector<u32> first(bodies.size());
  std::iota(first.begin(), first.end(), 0u);
  for (std::size_t round = 0; round < bodies.size(); ++round)
    for (std::size_t b = 0; b < bodies.size(); ++b)
      if (bodies[b].continues != no_body) first[b] = first[bodies[b].continues] = std::min(first[b], first[bodies[b].continues]);
  std::vector<Real> out(bodies.size() + inflows.size(), 0);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (matter[bodies[b].material].is_elastic()) out[b] = (bodies[b].total ? -1 : 1) * Real(1 + first[b]);
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
  const auto names = scene.names("material", "materials of bodies");
  const auto materials = scene.table("material", true, "materials of bodies");
  for (const auto& name : names) o.matter.push_back(matter::Matter::read(*materials->table(name, true, "a material")));
  if (o.paper)
    for (matter::Matter& m : o.matter) m = m.as_in_paper();
  if (!scene.has("body")) scene.fail("body", "the scene has no body", "add a table such as [body.water]");
  const auto bodies = scene.table("body", true, "bodies of a continuum");
  for (const auto& name : scene.names("body", "bodies of a continuum"))
    o.bodies.push_back(read_body<D>(*bodies->table(name, true, "one body"), name, names));
  join_bodies(*bodies, scene.names("body", "bodies of a continuum"), o.matter, o.bodies);
  read_openings<D>(scene, names, o);
  if (scene.has("boundary")) {
    const auto walls = scene.table("boundary", true, "walls");
    for (const auto& name : scene.names("boundary", "walls")) {
      const auto wall = walls->table(name, true, "a wall or a box of walls");
      const std::string slip = wall->choice("slip", {"free", "none"}, "free", "whether matter slides along it");
      const bool is_box = wall->text("kind", std::nullopt, "shape of the wall") == "box";
      const std::string floor = is_box ? wall->choice("floor", {"free", "none"}, slip, "the same of the floor of a box") : slip;
      o.grips.push_back({name, slip == "free", floor == "free"});
    }
  }
  return o;
}

template <int D>
void place_bodies(Input& scene, Options<D>& o, const Model<D>& model, State<D>& state) {
  const auto table = scene.table("body", true, "bodies of a continuum");
  const Real tolerance = 1e-6 * o.spacing;
  Real count = 0;
  for (std::size_t a = 0; a < o.bodies.size(); ++a) {
    const Body<D>& body = o.bodies[a];
    check_place(*table, body, model, state, tolerance);
    for (std::size_t b = 0; b < a; ++b)
      if (overlap(body, o.bodies[b], tolerance))
        table->table(body.name, true, "one body")
            ->fail("low", "the body overlaps '" + o.bodies[b].name + "'", "move one of them, or make it smaller");
    Real here = 1;
    for (int k = 0; k < D; ++k) here *= std::max(Real(1), body.size[k] / o.spacing);
    count += here;
  }
  for (const Inflow<D>& f : o.inflows) {
    check_mouth(*scene.table("inflow", true, "mouths that matter is poured from"), f, o.spacing, model, state, tolerance);
    count += Real(f.sheets(f.end, o.spacing)) * f.sheet_volume(o.spacing) / std::pow(o.spacing, D);
  }
  if (!(count <= most_particles))
    scene.table("sph", true, "how a continuum is discretised by particles")
        ->fail("spacing", "it makes " + std::to_string(count) + " particles; at most 200 million are run", "take a larger spacing");
  std::size_t total = 0;
  for (const Body<D>& body : o.bodies) each_place(body, o.spacing, [&](const Vec<D>&, Real) { ++total; });
  o.laid = total;
  state.particles.resize(total, o.columns(model));
  std::size_t next = 0;
  for (std::size_t n = 0; n < o.bodies.size(); ++n) {
    const std::size_t first = next;
    lay_rows(o, n, state.globals.gravity, state.particles, next);
    check_particles(*table, o.bodies[n], model, state, first, next);
  }
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
