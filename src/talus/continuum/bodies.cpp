#include <talus/continuum/bodies.hpp>

#include <cmath>

#include <talus/geometry/wall_mesh.hpp>
#include <talus/stages/walls.hpp>

namespace talus::continuum {
namespace {

template <int D>
std::vector<Real> zeros() {
  return std::vector<Real>(D, 0.0);
}

template <int D>
void read_cylinder(Input& in, Body<D>& b) {
  const Vec<D> middle = to_vec<D>(in.numbers("middle", dim::length, Range::any(), D, std::nullopt, "middle of its base; of a disc, a sphere or an ellipsoid: its middle"));
  b.radius = in.number("radius", dim::length, Range::positive(), std::nullopt, "radius of the cylinder or sphere");
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
void read_ellipsoid(Input& in, Body<D>& b, bool is_round) {
  const Vec<D> middle = to_vec<D>(in.numbers("middle", dim::length, Range::any(), D, std::nullopt, "middle of its base; of a disc, a sphere or an ellipsoid: its middle"));
  if (is_round)
    for (int k = 0; k < D; ++k) b.semi_axes[k] = in.number("radius", dim::length, Range::positive(), std::nullopt, "radius of the cylinder or sphere");
  else
    b.semi_axes = to_vec<D>(in.numbers("semi_axes", dim::length, Range::positive(), D, std::nullopt, "half the lengths of an ellipsoid along the axes"));
  b.volume = D == 2 ? pi : 4 * pi / 3;
  for (int k = 0; k < D; ++k) {
    b.low[k] = middle[k] - b.semi_axes[k];
    b.size[k] = 2 * b.semi_axes[k];
    b.volume *= b.semi_axes[k];
  }
}

template <int D>
void read_mesh(Input& in, Body<D>& b) {
  if constexpr (D == 2) in.fail("kind", "a mesh encloses a part of space", "take another kind, or dimension = 3");
  else {
    if (in.has("side")) in.fail("side", "a body is what the mesh encloses", "leave it out");
    b.mesh = WallMesh<3>::read(in, b.origin).mesh;
    b.low = b.mesh->low() + b.origin;
    b.size = b.mesh->high() - b.mesh->low();
    b.volume = b.mesh->volume();
  }
}

template <int D>
Body<D> read_body(Input& in, const std::string& name, const std::vector<std::string>& materials) {
  Body<D> b;
  b.name = name;
  const std::string material =
      in.choice("material", materials, materials.size() == 1 ? std::optional(materials[0]) : std::nullopt, "a [material.NAME]");
  b.material = u32(std::find(materials.begin(), materials.end(), material) - materials.begin());
  const std::string kind = in.choice("kind", {"box", "cylinder", "sphere", "ellipsoid", "mesh"}, "box",
                                     "shape of the body; a cylinder stands along the last axis, in the plane it is a disc; a mesh: what it encloses");
  if (kind == "cylinder") {
    read_cylinder(in, b);
  } else if (kind == "sphere" || kind == "ellipsoid") {
    read_ellipsoid(in, b, kind == "sphere");
  } else if (kind == "mesh") {
    read_mesh(in, b);
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


// Is a place of the lattice within the body?
template <int D>
bool is_within(const Body<D>& body, const Vec<D>& x) {
  if (body.mesh != nullptr) {
    if constexpr (D == 3) return !(body.mesh->at(x - body.origin).gap > 0);
  }
  if (body.semi_axes[0] > 0) {
    Real sum = 0;
    for (int k = 0; k < D; ++k) {
      const Real a = (x[k] - body.low[k]) / body.semi_axes[k] - 1;
      sum += a * a;
    }
    return sum <= 1;
  }
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

// Boxes: do they share any space? Else: does a particle of one have its place in the other?
template <int D>
bool overlap(const Body<D>& a, const Body<D>& b, Real spacing, Real tolerance) {
  for (int k = 0; k < D; ++k)
    if (a.low[k] + a.size[k] <= b.low[k] + tolerance || b.low[k] + b.size[k] <= a.low[k] + tolerance) return false;
  const auto curved = [](const Body<D>& body) { return body.volume > 0; };
  if (!curved(a) && !curved(b)) return true;
  const auto reaches = [&](const Body<D>& from, const Body<D>& into) {
    bool found = false;
    each_place(from, spacing, [&](const Vec<D>& x, Real) {
      bool inside = true;
      for (int k = 0; k < D; ++k) inside = inside && x[k] >= into.low[k] && x[k] <= into.low[k] + into.size[k];
      found = found || (inside && is_within(into, x));
    });
    return found;
  };
  return reaches(a, b) || reaches(b, a);
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
void lay_rows(const Pieces<D>& o, std::size_t number, Real spacing, std::size_t count, const Vec<D>& gravity, Particles<D>& p, std::size_t& i) {
  const Body<D>& body = o.bodies[number];
  const matter::Tait& rest = o.matter[body.material].volume;
  const Vec<D> middle = body.low + Real(0.5) * body.size;
  each_place(body, spacing, [&](const Vec<D>& x, Real volume) {
    p.uid[i] = u32(i);
    p.material[i] = body.material;
    p.body[i] = u32(number);
    p.position[i] = x;
    if (!p.origin.empty()) p.origin[i] = x;
    p.velocity[i] = body.velocity;
    p.velocity[i][0] -= body.spin * (x[1] - middle[1]);
    p.velocity[i][1] += body.spin * (x[0] - middle[0]);
    p.density[i] = rest.density * (body.at_rest ? rest.ratio_at(head_at(body, x, gravity)) : 1);
    p.mass[i] = p.density[i] * (body.volume > 0 ? body.volume / Real(count) : volume);
    if (!p.given.empty()) p.given[i] = p.mass[i] * p.velocity[i];
    ++i;
  });
}

}  // namespace

template <int D>
bool Pieces<D>::slips(const std::string& wall) const {
  for (const WallGrip& grip : grips)
    if (wall == grip.name) return grip.slips;
  for (const WallGrip& grip : grips)
    if (wall.starts_with(grip.name + "_")) return wall == grip.name + (D == 2 ? "_y_low" : "_z_low") ? grip.floor_slips : grip.slips;  // of a box
  return true;
}

template <int D>
void read_pieces(Input& scene, bool paper, Pieces<D>& out) {
  const auto names = scene.names("material", "materials of bodies");
  const auto materials = scene.table("material", true, "materials of bodies");
  for (const auto& name : names) out.matter.push_back(matter::Matter::read(*materials->table(name, true, "a material")));
  if (paper)
    for (matter::Matter& m : out.matter) m = m.as_in_paper();
  if (scene.has("body")) {
    const auto bodies = scene.table("body", true, "bodies of a continuum");
    const auto called = scene.names("body", "bodies of a continuum");
    for (const auto& name : called) out.bodies.push_back(read_body<D>(*bodies->table(name, true, "one body"), name, names));
    join_bodies(*bodies, called, out.matter, out.bodies);
  }
  if (!scene.has("boundary")) return;
  const auto walls = scene.table("boundary", true, "walls");
  for (const auto& name : scene.names("boundary", "walls")) {
    const auto wall = walls->table(name, true, "a wall or a box of walls");
    const std::string slip = wall->choice("slip", {"free", "none"}, "free", "whether matter slides along it");
    const bool is_box = wall->text("kind", std::nullopt, "shape of the wall") == "box";
    const std::string floor = is_box ? wall->choice("floor", {"free", "none"}, slip, "the same of the floor of a box") : slip;
    out.grips.push_back({name, slip == "free", floor == "free"});
  }
}

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

template <int D>
void place_bodies(Input& scene, const std::string& method, const Pieces<D>& o, Real spacing, Real more, u32 columns, const Model<D>& model, State<D>& state) {
  if (o.bodies.empty()) scene.fail("body", "the scene has no body", "add a table such as [body.water]");
  const auto table = scene.table("body", true, "bodies of a continuum");
  const Real tolerance = 1e-6 * spacing;
  Real count = more;
  for (std::size_t a = 0; a < o.bodies.size(); ++a) {
    const Body<D>& body = o.bodies[a];
    check_place(*table, body, model, state, tolerance);
    for (std::size_t b = 0; b < a; ++b)
      if (overlap(body, o.bodies[b], spacing, tolerance))
        table->table(body.name, true, "one body")
            ->fail("low", "the body overlaps '" + o.bodies[b].name + "'", "move one of them, or make it smaller");
    Real here = 1;
    for (int k = 0; k < D; ++k) here *= std::max(Real(1), body.size[k] / spacing);
    count += here;
  }
  if (!(count <= most_particles))
    scene.table(method, true, "how a continuum is discretised by particles")
        ->fail("spacing", "it makes " + std::to_string(count) + " particles; at most 200 million are run", "take a larger spacing");
  std::vector<std::size_t> each(o.bodies.size(), 0);
  std::size_t total = 0;
  for (std::size_t n = 0; n < each.size(); ++n) {
    each_place(o.bodies[n], spacing, [&](const Vec<D>&, Real) { ++each[n]; });
    if (each[n] == 0) table->table(o.bodies[n].name, true, "one body")->fail("kind", "no particle has its place in the body", "take a smaller spacing");
    total += each[n];
  }
  state.particles.resize(total, columns);
  std::size_t next = 0;
  for (std::size_t n = 0; n < o.bodies.size(); ++n) {
    const std::size_t first = next;
    lay_rows(o, n, spacing, each[n], state.globals.gravity, state.particles, next);
    check_particles(*table, o.bodies[n], model, state, first, next);
  }
}

#define TALUS_INSTANTIATE(D)                                                                                                  \
  template struct Pieces<D>;                                                                                                  \
  template void read_pieces(Input&, bool, Pieces<D>&);                                                                        \
  template void check_place(Input&, const Body<D>&, const Model<D>&, const State<D>&, Real);                                  \
  template void place_bodies(Input&, const std::string&, const Pieces<D>&, Real, Real, u32, const Model<D>&, State<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::continuum
