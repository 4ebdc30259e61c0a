#include <talus/scene/read_grains.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include <talus/core/hash.hpp>
#include <talus/sampling/placement.hpp>
#include <talus/sampling/polygons.hpp>
#include <talus/scene/common.hpp>
#include <talus/scene/grain_file.hpp>
#include <talus/scene/read_motion.hpp>
#include <talus/scene/read_hulls.hpp>

namespace talus::scene {

namespace {

constexpr i64 most_grains = 100000000;

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

// Random convex polygons whose corners lie on the circles of the diameters.
void draw_polygons(Input& in, Group& g, u64 seed) {
  sampling::PolygonRecipe recipe;
  recipe.corners = int(in.integer("vertices", 3, 32, 12, "corners of a polygon"));
  recipe.spread = in.number("shape_spread", dim::none, Range::closed(0, 1), 1.0,
                            "0: regular; 1: each corner anywhere in its share of the circle");
  recipe.aspect = in.number("aspect", dim::none, {1, 10, false, false}, 1.0, "length over width: stretched, area kept");
  recipe.longest = in.number("longest", dim::none, {1, 100, true, false}, 1.08,
                             "largest over smallest width before stretching; polygons beyond it are drawn again");
  recipe.shortest_edge = in.number("shortest_edge", dim::none, Range::below(0, 1), 0.05,
                                   "shortest edge over the diameter; polygons with shorter ones are drawn again");
  Rng rng{seed, 0x901790, 0};
  i64 drawn = 0;
  for (const Real d : g.diameters) {
    recipe.diameter = d;
    try {
      g.polygons.push_back(sampling::random_polygon(recipe, rng, drawn));
    } catch (const std::runtime_error& cannot) {
      in.fail("vertices", cannot.what(), "raise longest, lower shortest_edge, or lower shape_spread");
    }
  }
}

// One polygon for all, scaled to their diameters.
void read_corners(Input& in, Group& g) {
  const auto flat = in.numbers("corners", dim::none, Range::any(), 0, std::nullopt,
                               "x, y of each corner in turn, counter-clockwise, in diameters");
  const Real rounding =
      in.number("rounding", dim::none, Range::not_negative(), 0.0, "radius of its corners, in diameters");
  if (flat.size() % 2 != 0) in.fail("corners", "a corner has two coordinates", "");
  std::vector<Vec2> corners;
  for (std::size_t i = 0; i < flat.size(); i += 2) corners.push_back({flat[i], flat[i + 1]});
  if (const std::string flaw = flaw_of(corners, rounding); !flaw.empty())
    in.fail("corners", flaw, "corners go round a convex polygon counter-clockwise");
  for (const Real d : g.diameters) {
    std::vector<Vec2> scaled;
    for (const Vec2& c : corners) scaled.push_back(d * c);
    g.polygons.push_back(make_polygon(scaled, d * rounding));
  }
}

// One compound for all, scaled to their diameters.
void read_parts(Input& in, Group& g) {
  std::vector<PartSketch> parts;
  for (const auto& part : in.tables("part", "a convex part of a compound")) {
    const auto flat = part->numbers("corners", dim::none, Range::any(), 0, std::nullopt,
                                    "x, y of each corner in turn, counter-clockwise, in diameters; one corner: a disc");
    parts.push_back(
        {{}, part->number("rounding", dim::none, Range::not_negative(), 0.0, "radius of its corners, in diameters")});
    if (flat.size() % 2 != 0) part->fail("corners", "a corner has two coordinates", "");
    for (std::size_t i = 0; i < flat.size(); i += 2) parts.back().corners.push_back({flat[i], flat[i + 1]});
    if (const std::string flaw = flaw_of(parts.back().corners, parts.back().rounding); !flaw.empty())
      part->fail("corners", flaw, "corners go round a convex polygon counter-clockwise; split others into more parts");
  }
  if (parts.empty()) in.fail("shape", "a compound has parts", "add [[grains." + g.name + ".part]] with corners");
  if (const std::string flaw = flaw_of(parts); !flaw.empty())
    in.fail("part", flaw, "parts touch or overlap, so that they make one grain");
  for (const Real d : g.diameters) {
    std::vector<PartSketch> scaled = parts;
    for (PartSketch& p : scaled) {
      for (Vec2& c : p.corners) c = d * c;
      p.rounding *= d;
    }
    g.compounds.push_back(make_compound(scaled));
    g.polygons.push_back(g.compounds.back().whole);
  }
}

// Outlines of the grains, whose diameters are known.
void make_shapes(Group& g, u64 seed) {
  if (g.shape == "polygon") draw_polygons(*g.table, g, seed);
  if (g.shape == "corners") read_corners(*g.table, g);
  if (g.shape == "compound") read_parts(*g.table, g);
  if (g.shape == "hull") read_hulls(*g.table, g, seed);
}

}  // namespace

std::string placement_of(Input& group) {
  return group.table("place", true, "where the grains start")
      ->choice("kind", placements, std::nullopt, "how the grains are placed");
}

std::vector<int> read_layout(Input& place) {
  const std::string text = place.text("layout", std::nullopt, "discs in each row from the bottom, as in \"5-4-5-4-5\"");
  const auto refuse = [&](const std::string& why) {
    place.fail("layout", why, "write the number of discs of each row, as in \"6-7-6-7-6\"");
  };
  std::vector<int> counts(1, 0);
  for (const char c : text) {
    if (c == '-' && counts.back() > 0)
      counts.push_back(0);
    else if (c >= '0' && c <= '9' && counts.back() < 1000)
      counts.back() = 10 * counts.back() + (c - '0');
    else
      refuse("'" + text + "' is not a list of numbers from 1 to 1000 joined by '-'");
  }
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (counts[r] < 1 || counts[r] > 1000) refuse("a row of '" + text + "' has no discs, or more than 1000");
    if (r > 0 && std::abs(counts[r] - counts[r - 1]) > 1)
      refuse("rows " + std::to_string(r) + " and " + std::to_string(r + 1) + " differ by more than one disc");
  }
  if (counts.size() < 2) refuse("a pack has two rows or more");
  return counts;
}

namespace {

// So many grains of a distribution as have this volume together.
template <int D>
i64 count_for(Input& group, Input& sizes, Real solid, int power) {
  i64 count = 1000;
  for (int pass = 0; pass < 4; ++pass) {  // the mean of the quantiles drawn depends on their number, a little
    Real sum = 0;
    for (const Real d : sampling::read_sizes(sizes, std::size_t(count), power, 0).diameters) sum += ball_volume<D>(d / 2);
    const Real wanted = std::max(std::round(solid / sum * Real(count)), Real(1));
    if (wanted > Real(most_grains))
      group.fail("count", "a cell of this size and porosity has more than " + std::to_string(most_grains) + " grains",
                 "take a smaller cell or larger grains");
    count = i64(wanted);
  }
  return count;
}

}  // namespace

template <int D>
Group read_group(Input& all, const std::string& name, const Model<D>& model, const Method<D>& method, u64 seed,
                 int power, sampling::Grading& target, Real solid) {
  Group g;
  g.name = name;
  g.table = all.table(name, true, "a group of grains");
  Input& in = *g.table;
  const std::string shape = g.shape = in.choice(
      "shape",
      D == 3 ? std::vector<std::string>{"sphere", "hull"} : std::vector<std::string>{"disc", "polygon", "corners", "compound"},
      D == 3 ? "sphere" : "disc",
      "shape of the grains: polygon draws random convex ones, corners states one for all, compound one of several "
      "parts; hull: convex grains of space");
  g.material = find_material(in, "material", model.materials);
  method.check_grains(in, shape, model.materials[g.material]);
  const auto place = in.table("place", true, "where the grains start");
  const std::string kind = place->choice("kind", placements, std::nullopt, "how the grains are placed");
  check_placement<D>(*place, kind);
  if (kind == "file") return g;  // sizes come with the positions
  i64 count = 0;
  if (kind == "lattice") {
    const Vec<D, i32> r = read_repeats<D>(*place);
    const std::string lattice = place->choice(
        "lattice",
        D == 3 ? std::vector<std::string>{"sc", "bcc", "fcc"} : std::vector<std::string>{"square", "hexagonal"},
        std::nullopt, "which lattice");
    count = i64(sampling::lattice<D>(lattice, 1, r).points.size());
  } else if (kind == "rows") {
    for (const int n : read_layout(*place)) count += n;
  } else if (kind == "collision") {
    count = place->choice("target", {"sphere", "wall"}, "sphere", "target of the first grain") == "sphere" ? 2 : 1;
  } else if (kind == "list") {
    count =
        i64(place->numbers("positions", dim::length, Range::any(), 0, std::nullopt, "x, y(, z) of each grain in turn")
                .size()) /
        D;
  } else if (solid > 0 && !in.has("count") && (shape == "sphere" || shape == "disc")) {
    g.fills_cell = true;
    count = count_for<D>(in, *in.table("sizes", true, "diameters of the grains"), solid, power);
  } else {
    count = in.integer("count", 1, most_grains, std::nullopt, "number of grains");
  }
  g.from_file =
      kind == "random-without-overlap" && !place->text("file", "", "CSV of positions and sizes to take instead; empty: none").empty();
  const auto sizes = in.table("sizes", true, "diameters of the grains");
  sampling::Sizes drawn = sampling::read_sizes(*sizes, std::size_t(count), power, hash_join(seed, hash_text(name)));
  if (g.from_file) return g;
  g.diameters = std::move(drawn.diameters);
  if (target.diameter.empty()) target = std::move(drawn.target);
  make_shapes(g, hash_join(seed, hash_text(name + " shapes")));
  return g;
}

namespace {

template <int D>
std::vector<Vec<D>> place_without_overlap(Input& place, const Group& g, const Cell<D>& cell, u64 seed,
                                          const std::vector<std::pair<Vec<D>, Real>>& before, const sampling::Within<D>& within) {
  const Real scale =
      place.number("scale", dim::none, {0, 1, true, false}, 1.0, "radius scale at which grains must not overlap");
  const std::size_t count = g.diameters.size();
  std::vector<Real> radii;
  for (std::size_t i = 0; i < count; ++i) radii.push_back(scale * g.reach(i));
  std::vector<std::pair<Vec<D>, Real>> taken;
  for (const auto& [position, reach] : before) taken.emplace_back(position, scale * reach);
  auto points = sampling::points_without_overlap(cell, radii, seed, taken, within);
  if (points.size() < count)
    place.fail("scale",
               "only " + std::to_string(points.size()) + " of " + std::to_string(count) +
                   " grains found room without overlap",
               "enlarge the cell, take fewer grains, or lower scale and grow the grains in a stage (method dem)");
  return points;
}

template <int D>
std::vector<Vec<D>> place_on_points(Input& place, const Group& g, const Cell<D>& cell, u64 seed) {
  const Real scale = place.number("scale", dim::none, {0, 1, true, false}, 1.0, "radius scale at which grains must not overlap");
  Real widest = 0;
  for (std::size_t i = 0; i < g.diameters.size(); ++i) widest = std::max(widest, 2 * scale * g.reach(i));
  const Real jitter = place.number("jitter", dim::none, Range::closed(0, 1), 0.0, "each grain is moved at random along each axis by up to this share of half the gap to the next point");
  auto placed = sampling::fixed_points(cell, g.diameters.size(), seed);
  if (placed.apart < widest)
    place.fail("scale", fmt::format("points for {} grains are {:.4g} m apart, and the largest grain is {:.4g} m wide", g.diameters.size(), placed.apart, widest),
               "enlarge the cell, take fewer grains, or lower scale and grow the grains in a stage (method dem)");
  Rng rng{seed, 0x71773, 0};
  for (auto& x : placed.points)
    for (int k = 0; k < D && jitter > 0; ++k) x[k] += rng.uniform(-1, 1) * jitter * (placed.apart - widest) / 2;
  return std::move(placed.points);
}

// Sizes the cell.
template <int D>
std::vector<Vec<D>> place_on_lattice(Input& place, Real diameter, Cell<D>& cell) {
  const std::string lattice = place.choice(
      "lattice",
      D == 3 ? std::vector<std::string>{"sc", "bcc", "fcc"} : std::vector<std::string>{"square", "hexagonal"},
      std::nullopt, "which lattice");
  const Vec<D, i32> r = read_repeats<D>(place);
  const Real strain = place.number("strain", dim::none, {-1, 0.5, true, false}, 0.0, "1 - spacing over diameter");
  const std::string mode =
      place.choice("mode", {"isotropic", "uniaxial"}, "isotropic", "strain along all axes or along the last");
  const Real offset = place.number("offset", dim::none, Range::closed(0, 1), 0.0, "by which the lattice is moved along each axis, in diameters");
  auto l = sampling::lattice<D>(lattice, diameter, r);
  if (offset > 0)
    for (auto& p : l.points)
      for (int k = 0; k < D; ++k) p[k] += offset * diameter;
  for (int k = 0; k < D; ++k) {
    if (mode == "uniaxial" && k != D - 1) {
      cell.h(k, k) = l.edges[k];
      continue;
    }
    cell.h(k, k) = l.edges[k] * (1 - strain);
    for (auto& p : l.points) p[k] *= 1 - strain;
  }
  return l.points;
}

// Sizes the cell.
std::vector<Vec2> place_in_rows(Input& place, const std::vector<Real>& diameters, Cell<2>& cell) {
  for (const Real d : diameters)
    if (d != diameters.front())
      place.fail("kind", "discs in rows have one size", "use sizes = { kind = \"single\", diameter = ... }");
  const sampling::DiscRows rows = sampling::disc_rows(read_layout(place));
  for (int k = 0; k < 2; ++k) {
    if (cell.periodic[k]) place.fail("kind", "rows have free ends", "set cell.periodic = [0, 0]");
    cell.h(k, k) = rows.size[k] * diameters.front();
  }
  std::vector<Vec2> points;
  for (const Vec2& p : rows.points) points.push_back(diameters.front() * p);
  return points;
}

// A small gap apart, along the last axis, in the middle of the cell; the wall comes with the boundaries.
template <int D>
std::vector<Vec<D>> place_for_collision(Input& place, const std::vector<Real>& diameters, const Cell<D>& cell) {
  const Real gap = place.number("gap", dim::length, Range::positive(), 1e-6 * diameters[0], "gap at the start");
  Vec<D> at;
  for (int k = 0; k < D; ++k) at[k] = cell.h(k, k) / 2;
  std::vector<Vec<D>> points{at};
  at[D - 1] -= diameters[0] + gap;
  if (diameters.size() == 2) points.push_back(at);
  return points;
}

template <int D>
std::vector<Vec<D>> place_as_listed(Input& place, const Cell<D>& cell) {
  const auto flat =
      place.numbers("positions", dim::length, Range::any(), 0, std::nullopt, "x, y(, z) of each grain in turn");
  if (flat.size() % D != 0)
    place.fail("positions", "the number of coordinates is not a multiple of the dimension", "");
  std::vector<Vec<D>> points;
  for (std::size_t i = 0; i < flat.size(); i += D)
    points.push_back(to_vec<D>({flat.begin() + std::ptrdiff_t(i), flat.begin() + std::ptrdiff_t(i + D)}));
  std::map<std::vector<Real>, std::size_t> seen;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string grain = "grain " + std::to_string(i);
    for (int k = 0; k < D; ++k)
      if (!cell.periodic[k] && (points[i][k] < 0 || points[i][k] > cell.h(k, k)))
        place.fail("positions", grain + " (counted from 0) lies outside the cell along " + axis_names[k],
                   "the cell reaches from 0 to cell.size");
    const auto [it, fresh] = seen.emplace(
        std::vector<Real>(flat.begin() + std::ptrdiff_t(i * D), flat.begin() + std::ptrdiff_t((i + 1) * D)), i);
    if (!fresh)
      place.fail("positions", grain + " (counted from 0) has the same place as grain " + std::to_string(it->second),
                 "remove one of them");
  }
  return points;
}

}  // namespace

template <int D>
std::vector<sampling::Ball<D>> place_group(Group& g, State<D>& state, u64 seed,
                                           const std::vector<std::pair<Vec<D>, Real>>& before, const sampling::Within<D>& within) {
  const auto place = g.table->table("place", true, "where the grains start");
  const std::string kind = place->choice("kind", placements, std::nullopt, "how the grains are placed");
  Cell<D>& cell = state.globals.cell;
  if (within.section > 0 && (kind != "random-without-overlap" || g.from_file))
    place->fail("kind", "grains of this placement are not put inside the wall that cell.within names", "take kind = \"random-without-overlap\" without a file");
  if (g.from_file)
    place->number("scale", dim::none, {0, 1, true, false}, 1.0, "radius scale at which grains must not overlap");
  if (kind == "file" || g.from_file) {
    auto balls = place_from_file(*place, g.material, cell);
    for (const auto& b : balls) g.diameters.push_back(2 * b.radius);
    make_shapes(g, hash_join(seed, hash_text(g.name + " shapes")));
    return balls;
  }
  std::vector<Vec<D>> points;
  if (kind == "random") points = sampling::random_points(cell, g.diameters.size(), seed);
  if (kind == "random-without-overlap") points = place_without_overlap(*place, g, cell, seed, before, within);
  if (kind == "fixed-points" && !before.empty()) place->fail("kind", "grains lie there already, and the points are chosen without them", "place all of them in one group");
  if (kind == "fixed-points") points = place_on_points(*place, g, cell, seed);
  if (kind == "lattice") points = place_on_lattice(*place, g.diameters.front(), cell);
  if constexpr (D == 2)
    if (kind == "rows") points = place_in_rows(*place, g.diameters, cell);
  if constexpr (D == 3) points = kind == "rings" ? place_in_rings(*place, g, cell) : points;
  if (kind == "collision") points = place_for_collision(*place, g.diameters, cell);
  if (kind == "list") points = place_as_listed(*place, cell);
  std::vector<sampling::Ball<D>> balls;
  for (std::size_t i = 0; i < points.size(); ++i) balls.push_back({points[i], g.diameters[i] / 2, g.material, {}, {}});
  read_motion(*place, balls);
  return balls;
}

#define TALUS_INSTANTIATE(D)                                                                               \
  template Group read_group(Input&, const std::string&, const Model<D>&, const Method<D>&, u64, int,       \
                            sampling::Grading&, Real);                                                     \
  template std::vector<sampling::Ball<D>> place_group(Group&, State<D>&, u64,                              \
                                                      const std::vector<std::pair<Vec<D>, Real>>&, const sampling::Within<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::scene
