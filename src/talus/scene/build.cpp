#include <talus/scene/build.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>

#include <talus/core/csv.hpp>
#include <talus/core/hash.hpp>
#include <talus/core/input_error.hpp>
#include <talus/lab/runner.hpp>
#include <talus/sampling/assemble.hpp>
#include <talus/sampling/placement.hpp>

namespace talus::scene {

namespace {

constexpr const char* axis_names = "xyz";
constexpr i64 most_grains = 100000000;
const std::vector<std::string> placements{"apart", "random", "lattice", "file", "list", "collision"};

template <int D>
Vec<D> to_vec(const std::vector<Real>& v) {
  Vec<D> out;
  for (int k = 0; k < D; ++k) out[k] = v[std::size_t(k)];
  return out;
}

template <int D>
std::vector<Real> zeros() {
  return std::vector<Real>(D, 0.0);
}

u32 find_material(Input& in, std::string_view key, const std::vector<Material>& materials) {
  std::vector<std::string> names;
  for (const auto& m : materials) names.push_back(m.name);
  const std::string name = in.choice(
      key, names, names.size() == 1 ? std::optional<std::string>(names[0]) : std::nullopt, "a [material.NAME]");
  return u32(std::find(names.begin(), names.end(), name) - names.begin());
}

std::vector<Material> read_materials(Input& in) {
  const auto names = in.names("material", "materials of grains and walls");
  if (names.empty())
    in.fail("material", "the scene has no material",
            "add a table such as [material.sand] with density, young, poisson, friction");
  std::vector<Material> materials;
  const auto table = in.table("material", true, "materials of grains and walls");
  for (const auto& name : names) materials.push_back(Material::read(*table->table(name, true, "a material"), name));
  return materials;
}

// Reads law and constants of one pair from the table that states it.
template <int D>
void read_pair(Input& in, Model<D>& model, u32 a, u32 b, const std::string& default_law, const std::string& mixing) {
  const std::string law = in.choice("law", law_names(), default_law, "contact law");
  const PairCoefficients mixed = mix_coefficients(model.materials[a], model.materials[b], mixing);
  PairCoefficients c;
  c.friction = in.number("friction", dim::none, Range::not_negative(), mixed.friction, "Coulomb friction of the pair");
  c.restitution =
      in.number("restitution", dim::none, Range::closed(0, 1), mixed.restitution, "restitution of the pair");
  c.rolling_friction = in.number("rolling_friction", dim::none, Range::not_negative(), mixed.rolling_friction,
                                 "rolling friction of the pair");
  for_each_law([&]<std::size_t L>() {
    using Law = std::tuple_element_t<L, Laws<D>>;
    if (Law::name == law) model.pairs.template set<L>(a, b, Law::mix(in, model.materials[a], model.materials[b], c));
  });
}

// Law constants for pairs that no [pair.A.B] states: the same keys in [contact]; friction and the like by mixing.
template <int D>
void default_pair(Input& in, Model<D>& model, u32 a, u32 b, const std::string& law, const std::string& mixing) {
  const PairCoefficients c = mix_coefficients(model.materials[a], model.materials[b], mixing);
  for_each_law([&]<std::size_t L>() {
    using Law = std::tuple_element_t<L, Laws<D>>;
    if (Law::name == law) model.pairs.template set<L>(a, b, Law::mix(in, model.materials[a], model.materials[b], c));
  });
}

template <int D>
void read_pairs(Input& in, Model<D>& model) {
  const u32 n = u32(model.materials.size());
  model.pairs.resize(n);
  std::vector<bool> stated(std::size_t(n) * n, false);
  const auto contact = in.table("contact", false, "what holds for pairs that [pair.A.B] does not state");
  const std::string law = contact->choice("law", law_names(), "hertz-mindlin", "contact law");
  const std::string mixing = contact->choice("mixing", {"geometric", "mean", "least"}, "geometric",
                                             "how coefficients of two materials make those of their pair");
  const auto index = [&](const std::string& name, Input& at) {
    u32 k = 0;
    std::string known;
    for (; k < n && model.materials[k].name != name; ++k)
      known += (known.empty() ? "" : ", ") + model.materials[k].name;
    if (k == n) at.fail(name, "there is no material '" + name + "'", "materials: " + known);
    return k;
  };
  if (in.has("pair")) {
    const auto pairs = in.table("pair", true, "pairs of materials");
    for (const auto& first : in.names("pair", "pairs of materials")) {
      const auto row = pairs->table(first, true, "pairs of one material");
      const u32 a = index(first, *pairs);
      for (const auto& second : pairs->names(first, "pairs of one material")) {
        const u32 b = index(second, *row);
        if (stated[a * n + b])
          row->fail(second, "this pair is stated twice",
                    "keep one of [pair." + first + "." + second + "] and its mirror");
        stated[a * n + b] = stated[b * n + a] = true;
        read_pair(*row->table(second, true, "one pair"), model, a, b, law, mixing);
      }
    }
  }
  for (u32 a = 0; a < n; ++a)
    for (u32 b = a; b < n; ++b) {
      if (stated[a * n + b]) continue;
      if (model.materials[a].rigid && model.materials[b].rigid) continue;  // walls never meet
      default_pair(*contact, model, a, b, law, mixing);
    }
}

template <int D>
void read_dynamics(Input& scene, lab::Experiment<D>& x) {
  const auto in = scene.table("dynamics", false, "how the sample moves");
  Options& o = x.model.options;
  o.rotation = in->choice("rotation", {"free", "inhibited"}, "free", "whether grains may rotate") == "free";
  o.local_damping = in->number("local_damping", dim::none, Range::below(0, 1), 0.0,
                               "share of the unbalanced force that opposes the motion of each grain");
  o.density_scale = in->number("density_scale", dim::none, Range::positive(), 1.0,
                               "multiplies inertia for longer steps; watch the inertial number");
  o.skin = in->number("skin", dim::none, {0, 2, true, false}, 0.2,
                      "search reach beyond touching, in mean radii; changes no result");
  o.overlap_limit = in->number("overlap_limit", dim::none, {0, 1, true, false}, 0.2,
                               "overlap over the smaller radius that stops the run");
  o.ledger = in->flag("ledger", true, "keep the energy ledger");
  o.dt_safety = in->number("time_step_safety", dim::none, {0, 1, true, false}, 0.25, "share of the critical time step");
  o.shake = in->number("shake", dim::none, Range::closed(0, 1), 0.0,
                       "for tests: probability per step of a rebuild with a random order of bodies; changes no result");
  o.shake_seed = u64(in->integer("shake_seed", 0, 1000000000, 0, "for tests: seed of those"));
  x.dt_forced = in->flag("force_time_step", false, "run even if time_step is above the stable limit");
  if (in->has("time_step")) {
    o.auto_dt = false;
    x.dt_start =
        in->number("time_step", dim::time, Range::positive(), std::nullopt, "fixed time step; left out: automatic");
  }
  x.state.globals.gravity =
      to_vec<D>(in->numbers("gravity", dim::acceleration, Range::any(), D, zeros<D>(), "acceleration of gravity"));
}

template <int D>
Vec<D, i32> read_repeats(Input& place) {
  const auto repeats =
      place.numbers("repeats", dim::none, {1, 1000, false, false}, D, std::nullopt, "unit cells along each axis");
  Vec<D, i32> r;
  Real grains = 4;  // per unit cell, at most
  for (int k = 0; k < D; ++k) {
    const Real n = repeats[std::size_t(k)];
    if (n != std::floor(n)) place.fail("repeats", "unit cells are counted in whole numbers", "");
    r[k] = i32(n);
    grains *= n;
  }
  if (grains > Real(most_grains))
    place.fail("repeats", "this lattice may have more than " + std::to_string(most_grains) + " grains",
               "take fewer unit cells");
  return r;
}

struct Group {  // one [grains.NAME]
  std::string name;
  u32 material = 0;
  std::vector<Real> diameters;
  std::unique_ptr<Input> table;
};

template <int D>
Group read_group(Input& all, const std::string& name, const Model<D>& model, u64 seed, int power, Scene<D>& scene) {
  Group g;
  g.name = name;
  g.table = all.table(name, true, "a group of grains");
  Input& in = *g.table;
  in.choice("shape", {D == 3 ? "sphere" : "disc"}, D == 3 ? "sphere" : "disc", "shape of the grains");
  g.material = find_material(in, "material", model.materials);
  const auto place = in.table("place", true, "where the grains start");
  const std::string kind = place->choice("kind", placements, std::nullopt, "how positions are made");
  if (kind == "file") return g;  // sizes come with the positions
  i64 count = 0;
  if (kind == "lattice") {
    const Vec<D, i32> r = read_repeats<D>(*place);
    const std::string lattice = place->choice(
        "lattice",
        D == 3 ? std::vector<std::string>{"sc", "bcc", "fcc"} : std::vector<std::string>{"square", "hexagonal"},
        std::nullopt, "which lattice");
    count = i64(sampling::lattice<D>(lattice, 1, r).points.size());
  } else if (kind == "collision") {
    count = place->choice("target", {"sphere", "wall"}, "sphere", "what the first grain will hit") == "sphere" ? 2 : 1;
  } else if (kind == "list") {
    count =
        i64(place->numbers("positions", dim::length, Range::any(), 0, std::nullopt, "x, y(, z) of each grain in turn")
                .size()) /
        D;
  } else {
    count = in.integer("count", 1, most_grains, std::nullopt, "number of grains");
  }
  const auto sizes = in.table("sizes", true, "diameters of the grains");
  sampling::Sizes drawn = sampling::read_sizes(*sizes, std::size_t(count), power, hash_join(seed, hash_text(name)));
  g.diameters = std::move(drawn.diameters);
  if (scene.target.diameter.empty()) scene.target = std::move(drawn.target);
  return g;
}

template <int D>
void read_cell(Input& scene, State<D>& state, const std::vector<Group>& groups, const Options& options) {
  const auto in = scene.table("cell", true, "the domain");
  Cell<D>& cell = state.globals.cell;
  if (in->has("size") && in->has("porosity"))
    in->fail("size", "both size and porosity are given", "keep one: porosity sizes the cell from the grains");
  Real largest = 0, solid = 0;
  for (const auto& g : groups)
    for (const Real d : g.diameters) {
      largest = std::max(largest, d);
      solid += ball_volume<D>(d / 2);
    }
  bool lattice = false;
  for (const auto& g : groups)
    lattice = lattice || g.table->table("place", true, "where the grains start")
                                 ->choice("kind", placements, std::nullopt, "how positions are made") == "lattice";
  for (const char* key : {"size", "porosity"})
    if (lattice && in->has(key))
      in->fail(key, "grains are placed on a lattice, which sizes the cell", std::string("leave ") + key + " out");
  std::vector<Real> size;
  if (in->has("porosity")) {
    const Real n = in->number("porosity", dim::none, {0, 1, true, true}, std::nullopt,
                              "porosity of the sample at full grain size: sizes the cell");
    const auto aspect =
        in->numbers("aspect", dim::none, Range::positive(), D, std::vector<Real>(D, 1.0), "proportions of the edges");
    if (solid == 0)
      in->fail("porosity", "no grain sizes are known before the cell", "give size when grains come from a file");
    Real product = 1;
    for (const Real a : aspect) product *= a;
    const Real unit = std::pow(solid / (1 - n) / product, 1.0 / D);
    for (const Real a : aspect) size.push_back(a * unit);
  } else if (in->has("size")) {
    size = in->numbers("size", dim::length, Range::positive(), D, std::nullopt, "length of the edges");
  } else {
    if (!lattice)
      in->fail("size", "the cell has no size",
               "give size = [\"2 mm\", \"2 mm\", \"2 mm\"], or porosity = 0.4 to size it from the grains");
    size.assign(D, 1);  // the lattice sets it
  }
  const auto periodic = in->numbers("periodic", dim::none, Range::closed(0, 1), D, std::vector<Real>(D, 1.0),
                                    "1 along edges that repeat, 0 along others");
  cell.h = {};
  for (int k = 0; k < D; ++k) {
    cell.h(k, k) = size[std::size_t(k)];
    const Real p = periodic[std::size_t(k)];
    if (p != 0 && p != 1) in->fail("periodic", "entries are 0 or 1", "");
    cell.periodic[k] = i32(p);
    if (largest > cell.h(k, k) && (in->has("porosity") || in->has("size")))
      in->fail(in->has("size") ? "size" : "porosity",
               std::string("the cell is ") + std::to_string(cell.h(k, k)) + " m along " + axis_names[k] +
                   ", smaller than the largest grain (" + std::to_string(largest) + " m)",
               "more grains, smaller grains or a larger cell");
  }
  (void)options;
}

template <int D>
std::vector<sampling::Ball<D>> place_from_file(Input& place, const Group& g, const Cell<D>& cell) {
  const std::string text =
      place.file("file", "CSV with columns x, y(, z), diameter or radius, and optionally vx, vy, vz");
  const std::string name = place.text("file", std::nullopt, "CSV of positions");
  const CsvTable csv = parse_csv(text, name);
  std::vector<sampling::Ball<D>> balls(csv.rows());
  if (balls.empty()) throw InputError(name, csv.header_line, "x", "the file has no grains", "");
  const bool by_radius = csv.has("radius");
  const auto& size = csv.values(by_radius ? "radius" : "diameter", dim::length);
  for (int k = 0; k < D; ++k) {
    const std::string axis(1, axis_names[k]);
    const auto& x = csv.values(axis, dim::length);
    for (std::size_t i = 0; i < balls.size(); ++i) balls[i].position[k] = x[i];
    if (csv.has("v" + axis)) {
      const auto& v = csv.values("v" + axis, dim::speed);
      for (std::size_t i = 0; i < balls.size(); ++i) balls[i].velocity[k] = v[i];
    }
  }
  std::map<std::array<Real, D>, int> seen;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    balls[i].radius = by_radius ? size[i] : size[i] / 2;
    balls[i].material = g.material;
    if (!(balls[i].radius > 0))
      throw InputError(name, csv.lines[i], by_radius ? "radius" : "diameter", "grain sizes must be positive", "");
    std::array<Real, D> at;
    for (int k = 0; k < D; ++k) {
      at[std::size_t(k)] = balls[i].position[k];
      if (2 * balls[i].radius > cell.h(k, k))
        throw InputError(name, csv.lines[i], by_radius ? "radius" : "diameter",
                         std::string("this grain is larger than the cell, which is ") + std::to_string(cell.h(k, k)) +
                             " m along " + axis_names[k],
                         "give the unit of each column in the header, as in 'x [mm]', or enlarge cell.size");
      if (!cell.periodic[k] && (balls[i].position[k] < 0 || balls[i].position[k] > cell.h(k, k)))
        throw InputError(name, csv.lines[i], std::string(1, axis_names[k]), "this grain lies outside the cell",
                         "the cell reaches from 0 to cell.size");
    }
    const auto [it, fresh] = seen.emplace(at, csv.lines[i]);
    if (!fresh)
      throw InputError(name, csv.lines[i], "x",
                       "this grain has the same place as the one in line " + std::to_string(it->second),
                       "remove one of them");
  }
  return balls;
}

template <int D>
std::vector<sampling::Ball<D>> place_group(Group& g, State<D>& state, u64 seed,
                                           const std::vector<sampling::Ball<D>>& before) {
  const auto place = g.table->table("place", true, "where the grains start");
  const std::string kind = place->choice("kind", placements, std::nullopt, "how positions are made");
  Cell<D>& cell = state.globals.cell;
  if (kind == "file") {
    auto balls = place_from_file(*place, g, cell);
    for (const auto& b : balls) g.diameters.push_back(2 * b.radius);
    return balls;
  }
  std::vector<Vec<D>> points;
  const std::size_t count = g.diameters.size();
  if (kind == "random") {
    points = sampling::random_points(cell, count, seed);
  } else if (kind == "apart") {
    const Real scale =
        place->number("scale", dim::none, {0, 1, true, false}, 1.0, "radius scale at which grains must not overlap");
    std::vector<Real> radii;
    for (const Real d : g.diameters) radii.push_back(scale * d / 2);
    std::vector<std::pair<Vec<D>, Real>> taken;
    for (const auto& b : before) taken.emplace_back(b.position, scale * b.radius);
    points = sampling::apart_points(cell, radii, seed, taken);
    if (points.size() < count)
      place->fail("scale",
                  "only " + std::to_string(points.size()) + " of " + std::to_string(count) +
                      " grains found room without overlap",
                  "lower scale (and grow the grains in a stage), enlarge the cell, or take fewer grains");
  } else if (kind == "lattice") {
    const std::string lattice = place->choice(
        "lattice",
        D == 3 ? std::vector<std::string>{"sc", "bcc", "fcc"} : std::vector<std::string>{"square", "hexagonal"},
        std::nullopt, "which lattice");
    const Vec<D, i32> r = read_repeats<D>(*place);
    const Real strain = place->number("strain", dim::none, {-1, 0.5, true, false}, 0.0, "1 - spacing over diameter");
    const std::string mode =
        place->choice("mode", {"isotropic", "uniaxial"}, "isotropic", "strain along all axes or along the last");
    auto l = sampling::lattice<D>(lattice, g.diameters.front(), r);
    for (int k = 0; k < D; ++k) {
      if (mode == "uniaxial" && k != D - 1) {
        cell.h(k, k) = l.edges[k];
        continue;
      }
      cell.h(k, k) = l.edges[k] * (1 - strain);
      for (auto& p : l.points) p[k] *= 1 - strain;
    }
    points = std::move(l.points);
  } else if (kind == "collision") {
    // A small gap apart, along the last axis, in the middle of the cell; the wall comes with the boundaries.
    const Real gap =
        place->number("gap", dim::length, Range::positive(), 1e-6 * g.diameters[0], "distance at the start");
    Vec<D> at;
    for (int k = 0; k < D; ++k) at[k] = cell.h(k, k) / 2;
    points.push_back(at);
    at[D - 1] -= g.diameters[0] + gap;
    if (count == 2) points.push_back(at);
  } else {
    const auto flat =
        place->numbers("positions", dim::length, Range::any(), 0, std::nullopt, "x, y(, z) of each grain in turn");
    if (flat.size() % D != 0)
      place->fail("positions", "the number of coordinates is not a multiple of the dimension", "");
    for (std::size_t i = 0; i < flat.size(); i += D)
      points.push_back(to_vec<D>({flat.begin() + std::ptrdiff_t(i), flat.begin() + std::ptrdiff_t(i + D)}));
    std::map<std::vector<Real>, std::size_t> seen;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::string grain = "grain " + std::to_string(i);
      for (int k = 0; k < D; ++k)
        if (!cell.periodic[k] && (points[i][k] < 0 || points[i][k] > cell.h(k, k)))
          place->fail("positions", grain + " (counted from 0) lies outside the cell along " + axis_names[k],
                      "the cell reaches from 0 to cell.size");
      const auto [it, fresh] = seen.emplace(
          std::vector<Real>(flat.begin() + std::ptrdiff_t(i * D), flat.begin() + std::ptrdiff_t((i + 1) * D)), i);
      if (!fresh)
        place->fail("positions", grain + " (counted from 0) has the same place as grain " + std::to_string(it->second),
                    "remove one of them");
    }
  }
  std::vector<sampling::Ball<D>> balls;
  for (std::size_t i = 0; i < points.size(); ++i) balls.push_back({points[i], g.diameters[i] / 2, g.material, {}, {}});
  const auto velocities = place->numbers("velocities", dim::speed, Range::any(), 0, std::vector<Real>{},
                                         "vx, vy(, vz) of each grain in turn; left out: at rest");
  if (!velocities.empty() && velocities.size() != balls.size() * D)
    place->fail("velocities", "there must be one velocity per grain",
                std::to_string(balls.size() * D) + " numbers are needed");
  for (std::size_t i = 0; i < velocities.size(); ++i) balls[i / D].velocity[int(i % D)] = velocities[i];
  return balls;
}

// The plane that a group placed for a collision will hit.
template <int D>
void collision_wall(Input& scene, const State<D>& state, const std::vector<Group>& groups,
                    std::vector<sampling::Plane<D>>& planes) {
  for (const auto& g : groups) {
    const auto place = g.table->table("place", true, "where the grains start");
    if (place->choice("kind", placements, std::nullopt, "how positions are made") != "collision") continue;
    if (place->choice("target", {"sphere", "wall"}, "sphere", "what the first grain will hit") != "wall") continue;
    if (state.globals.cell.periodic[D - 1])
      scene.fail("cell", "a wall needs an edge that is not periodic", "set cell.periodic = [0, 0, 0]");
    const Real gap =
        place->number("gap", dim::length, Range::positive(), 1e-6 * g.diameters[0], "distance at the start");
    sampling::Plane<D> p;
    p.name = "target";
    p.material = g.material;
    p.normal[D - 1] = 1;
    p.point[D - 1] = state.globals.cell.h(D - 1, D - 1) / 2 - g.diameters[0] / 2 - gap;
    p.drive.axis = D - 1;
    planes.push_back(p);
  }
}

template <int D>
std::vector<sampling::Plane<D>> read_boundaries(Input& scene, const Model<D>& model, const State<D>& state,
                                                const std::vector<Group>& groups) {
  std::vector<sampling::Plane<D>> planes;
  collision_wall(scene, state, groups, planes);
  if (!scene.has("boundary")) return planes;
  const Cell<D>& cell = state.globals.cell;
  const auto all = scene.table("boundary", true, "walls");
  std::vector<std::string> faces;
  for (int k = 0; k < D; ++k)
    for (const char* side : {"_low", "_high"}) faces.push_back(std::string(1, axis_names[k]) + side);
  const auto face_plane = [&](const std::string& face, const std::string& name, u32 material) {
    const int k = face[0] - 'x';
    const bool low = face.substr(2) == "low";
    sampling::Plane<D> p;
    p.name = name;
    p.material = material;
    p.normal[k] = low ? 1 : -1;
    if (!low) p.point[k] = cell.h(k, k);
    p.drive.axis = k;
    return p;
  };
  for (const auto& name : scene.names("boundary", "walls")) {
    const auto in = all->table(name, true, "a wall or a box of walls");
    const std::string kind =
        in->choice("kind", {"box", "platen", "plane"}, std::nullopt,
                   "box: a wall on every face that is not periodic; platen: one on one face; plane: anywhere");
    const u32 material = find_material(*in, "material", model.materials);
    const std::size_t first = planes.size();
    if (kind == "box") {
      for (const auto& face : faces)
        if (!cell.periodic[face[0] - 'x']) planes.push_back(face_plane(face, name + "_" + face, material));
      if (planes.size() == first)
        in->fail("kind", "every edge of the cell is periodic, so a box has no walls", "set cell.periodic = [0, 0, 0]");
      for (std::size_t w = first; w < planes.size(); ++w)
        for (std::size_t o = first; o < planes.size(); ++o) {
          const int k = planes[o].drive.axis;
          if (k == planes[w].drive.axis) continue;
          (planes[o].normal[k] > 0 ? planes[w].drive.low : planes[w].drive.high)[k] = i32(o);
        }
      for (std::size_t w = first; w < planes.size(); ++w) {
        const std::string face = planes[w].name.substr(name.size() + 1);
        if (in->has(face))
          planes[w].drive = read_drive<D>(*in->table(face, true, "how this wall is driven"), planes[w].drive);
      }
      continue;
    }
    if (kind == "platen") {
      planes.push_back(face_plane(in->choice("face", faces, std::nullopt, "face of the cell"), name, material));
    } else {
      sampling::Plane<D> p;
      p.name = name;
      p.material = material;
      p.point = to_vec<D>(in->numbers("point", dim::length, Range::any(), D, std::nullopt, "a point of the plane"));
      p.normal = to_vec<D>(
          in->numbers("normal", dim::none, Range::any(), D, std::nullopt, "direction out of the wall into the sample"));
      if (!(length(p.normal) > 0)) in->fail("normal", "the normal has no length", "");
      planes.push_back(p);
    }
    for (int k = 0; k < D; ++k)
      if (cell.periodic[k] && planes.back().normal[k] != 0)
        in->fail(kind == "plane" ? "normal" : "face",
                 std::string("the cell is periodic along ") + axis_names[k] + ", which this wall would cut",
                 "set cell.periodic to 0 along this edge");
    planes.back().drive = read_drive<D>(*in, planes.back().drive);
  }
  return planes;
}

// Walls that a stage drives otherwise than the scene does.
template <int D>
void read_stage_walls(Input& table, lab::Stage<D>& stage, const Model<D>& model) {
  if (!table.has("wall")) return;
  const auto walls = table.table("wall", true, "walls driven otherwise during this stage");
  for (const auto& name : table.names("wall", "walls driven otherwise during this stage")) {
    const auto at =
        std::find_if(model.walls.begin(), model.walls.end(), [&](const Wall<D>& w) { return w.name == name; });
    if (at == model.walls.end()) {
      std::string known;
      for (const auto& w : model.walls) known += (known.empty() ? "" : ", ") + w.name;
      walls->fail(name, "there is no wall '" + name + "'",
                  known.empty() ? "the scene has no walls" : "walls: " + known);
    }
    WallDrive<D> base = at->drive;
    base.until = 1e300;
    stage.walls.emplace_back(std::size_t(at - model.walls.begin()),
                             read_drive<D>(*walls->table(name, true, "one wall"), base));
  }
}

// What a stage needs from cell, walls and gravity. Without these a stage would run for ever, or measure nothing.
template <int D>
void check_stage(const Input& table, const lab::Stage<D>& stage, const lab::Experiment<D>& x) {
  Model<D> model = x.model;
  for (const auto& [wall, drive] : stage.walls) model.walls[wall].drive = drive;
  stage.plan(model, x.state);
  const State<D>& state = x.state;
  for (int k = 0; k < D; ++k) {
    bool drives = model.cell.holds_stress(k, k) != 0;
    for (int i = 0; i < D; ++i) drives = drives || (stage.is_shear() && model.cell.target(i, k) != 0);
    if (drives && !state.globals.cell.periodic[k])
      table.fail("kind", std::string("the stage drives the periodic cell, but the cell is open along ") + axis_names[k],
                 "set cell.periodic to 1 along this edge, or load the sample by walls: [boundary.NAME] with control = "
                 "\"stress\"");
  }
  if (stage.kind() == "collide" && (state.grains() > 2 || state.bodies.size() < 2))
    table.fail("kind",
               "a collision has one grain and a wall, or two grains; here are " + std::to_string(state.grains()) +
                   " grains and " + std::to_string(model.walls.size()) + " walls",
               "place the grains with kind = \"collision\"");
  if (stage.kind() == "settle") {
    bool held = false;
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
      const Vec<D>& normal = model.shapes[state.bodies.shape[state.grains() + w]].normal;
      held = held || model.walls[w].drive.control != WallControl::fixed || dot(normal, state.globals.gravity) < 0;
    }
    if (!held)
      table.fail("kind", "nothing can come to rest: there is no gravity towards a wall, and no wall that moves",
                 "set dynamics.gravity and a [boundary.NAME] below the grains, or use a stage of kind relax");
  }
}

}  // namespace

template <int D>
WallDrive<D> read_drive(Input& in, const WallDrive<D>& before) {
  WallDrive<D> d = before;
  const std::string control =
      in.choice("control", {"fixed", "velocity", "displacement", "force", "stress"}, "fixed", "how the wall is driven");
  if (control == "fixed") {
    d.control = WallControl::fixed;
  } else if (control == "velocity") {
    d.control = WallControl::velocity;
    d.velocity = to_vec<D>(in.numbers("velocity", dim::speed, Range::any(), D, std::nullopt, "velocity of the wall"));
  } else if (control == "displacement") {
    d.control = WallControl::velocity;
    const Real duration =
        in.number("duration", dim::time, Range::positive(), std::nullopt, "time the displacement takes");
    d.velocity = (1 / duration) *
                 to_vec<D>(in.numbers("displacement", dim::length, Range::any(), D, std::nullopt, "way of the wall"));
    d.until = duration;
  } else {
    const bool force = control == "force";
    d.control = force ? WallControl::force : WallControl::stress;
    d.target = force ? in.number("force", dim::force, Range::positive(), std::nullopt,
                                 "force of the sample on the wall to hold")
                     : in.number("stress", dim::pressure, Range::positive(), std::nullopt,
                                 "stress of the sample on the wall to hold");
    d.speed_max = in.number("speed_max", dim::speed, Range::positive(), std::nullopt, "fastest answer of the servo");
    d.gain = in.number("gain", dim::none, {0, 10, true, false}, 0.05,
                       "relative error at which the servo runs at full speed");
    if (!force)
      d.area = in.number("area", dim::area, Range::not_negative(), 0.0,
                         "area the stress acts on; 0: spanned by the cell and the box");
  }
  return d;
}

Heading read_heading(Input& in) {
  Heading h;
  h.title = in.text("title", "untitled", "what the scene is");
  h.method = in.choice("method", {"dem"}, "dem", "what moves the sample");
  h.dimension = int(in.integer("dimension", 2, 3, 3, "2: discs in a plane, 3: spheres in space"));
  h.seed = u64(in.integer("seed", 0, 1000000000000, 1, "seed of all random numbers"));
  h.replicates = in.integer("replicates", 1, 1000, 1, "runs with seed, seed + 1, ...");
  h.device = in.choice("device", {"cpu", "cuda"}, "cpu", "where to run");
  return h;
}

template <int D>
Scene<D> build(Input& in, u64 seed) {
  Scene<D> scene;
  lab::Experiment<D>& x = scene.experiment;
  x.title = in.text("title", "untitled", "what the scene is");
  x.model.seed = seed;
  x.model.materials = read_materials(in);
  read_pairs(in, x.model);
  read_dynamics(in, x);

  if (in.names("grains", "groups of grains").empty())
    in.fail("grains", "the scene has no grains", "add a table such as [grains.sand]");
  bool hertz = false;
  if (D == 2)
    for (const u32 law : x.model.pairs.law) hertz = hertz || law_names()[law].starts_with("hertz");
  const int power = D == 3 || hertz ? 3 : 2;
  std::vector<Group> groups;
  const auto grains = in.table("grains", true, "groups of grains");
  for (const auto& name : in.names("grains", "groups of grains"))
    groups.push_back(read_group<D>(*grains, name, x.model, seed, power, scene));
  read_cell(in, x.state, groups, x.model.options);
  std::vector<sampling::Ball<D>> balls;
  for (std::size_t k = 0; k < groups.size(); ++k)
    for (auto& b : place_group(groups[k], x.state, seed + 1000003 * k, balls)) balls.push_back(b);
  for (const auto& b : balls) scene.diameters.push_back(2 * b.radius);
  if (hertz) {
    x.model.options.spheres_in_plane = true;
    x.model.options.thickness = sampling::passing_diameter(scene.diameters, 0.5, 3);
  }
  sampling::assemble(x.model, x.state, balls, read_boundaries(in, x.model, x.state, groups));
  if (!in.has("stage")) in.fail("stage", "the scene has no stage", "add [[stage]] with kind = \"relax\", for example");
  for (auto& table : in.tables("stage", "what is done to the sample, in order")) {
    x.stages.push_back(lab::read_stage<D>(*table));
    read_stage_walls(*table, *x.stages.back(), x.model);
    check_stage(*table, *x.stages.back(), x);
  }
  const auto probes = in.table("probes", false, "what goes into series.csv");
  x.cadence.probe_every = probes->integer("every", 1, 1000000000, 1000, "steps between rows");
  x.cadence.porosity_ball = probes->number(
      "porosity_ball", dim::none, Range::closed(0, 1), 0.0,
      "diameter of a ball in the middle whose porosity is measured too, over the smallest edge; 0: none");
  const auto output = in.table("output", false, "what is written when");
  x.cadence.hash_every = output->integer("hash_every", 1, 1000000000, 1000, "steps between links of the hash chain");
  x.cadence.checkpoint_every = output->integer("checkpoint_every", 100, 1000000000, 50000, "steps between checkpoints");
  x.cadence.vtk = output->flag("vtk", true, "write files for ParaView");
  x.cadence.vtk_every =
      output->integer("vtk_every", 0, 1000000000, 0, "steps between them; 0: at the end of each stage");

  const auto limit = lab::first_step(x.model, x.state);
  const auto dynamics = in.table("dynamics", false, "how the sample moves");
  if (x.model.options.auto_dt) {
    x.dt_start = limit.dt;
  } else if (x.dt_start > limit.dt / x.model.options.dt_safety && !x.dt_forced) {
    dynamics->fail("time_step",
                   "the step is longer than the stable limit of " +
                       std::to_string(limit.dt / x.model.options.dt_safety * 1e9) + " ns (" + limit.reason + ")",
                   "shorten it, leave it out for an automatic step, or set dynamics.force_time_step = true");
  }
  return scene;
}

template Scene<2> build(Input&, u64);
template Scene<3> build(Input&, u64);
template WallDrive<2> read_drive(Input&, const WallDrive<2>&);
template WallDrive<3> read_drive(Input&, const WallDrive<3>&);

}  // namespace talus::scene
