#include <talus/scene/read_cell.hpp>

#include <algorithm>
#include <cmath>

#include <talus/scene/common.hpp>

namespace talus::scene {
namespace {

constexpr const char* porosity_meaning =
    "porosity of the sample at full grain size: sizes the cell, or with `size` says how many grains there are";

// Does the placement size the cell?
bool sizes_cell(const std::string& kind) { return kind == "lattice" || kind == "rows"; }

}  // namespace

template <int D>
sampling::Within<D> read_within(Input& scene, const Model<D>& model, const Cell<D>& cell) {
  sampling::Within<D> within;
  const auto in = scene.table("cell", true, "the domain");
  if (!in->has("within")) return within;
  const std::string name = in->text("within", std::nullopt, "name of a cylinder or of a flexible wall: grains are placed inside it, and the porosity is that of what it encloses");
  State<D> empty;
  empty.globals.cell = cell;
  for (const auto& wall : read_boundaries(scene, model, empty, {}))
    if (wall.name == name) within = {wall.shape, wall.position, wall.shape.section(D - 1)};
    else if (const Real radius = wall.shape.whole_radius(); wall.group == name && radius > 0) {  // a flexible wall
      Vec<D> axis{};
      axis[D - 1] = 1;
      const WallShape<D> whole = WallCylinder<D>::around(axis, radius);
      within = {whole, wall.position, whole.section(D - 1)};
    }
  if (!(within.section > 0))
    in->fail("within", "'" + name + "' is no wall that goes all around the last axis", "state a [boundary." + name + "] of kind cylinder");
  return within;
}

template <int D>
Real stated_solid(Input& scene, const Model<D>& model) {
  if (!scene.has("cell")) return 0;
  const auto in = scene.table("cell", true, "the domain");
  if (!in->has("size") || !in->has("porosity")) return 0;
  const Real share = 1 - in->number("porosity", dim::none, {0, 1, true, true}, std::nullopt, porosity_meaning);
  Cell<D> cell;
  const Vec<D> size = to_vec<D>(in->numbers("size", dim::length, Range::positive(), D, std::nullopt, "length of the edges"));
  Real volume = 1;
  for (int k = 0; k < D; ++k) {
    cell.h(k, k) = size[k];
    cell.periodic[k] = 0;
    volume *= size[k];
  }
  if (const auto within = read_within(scene, model, cell); within.section > 0) volume = within.section * size[D - 1];
  return share * volume;
}

template <int D>
void read_cell(Input& scene, State<D>& state, const std::vector<Group>& groups) {
  const auto in = scene.table("cell", true, "the domain");
  Cell<D>& cell = state.globals.cell;
  const bool is_filled = groups.size() == 1 && groups[0].fills_cell;
  if (in->has("size") && in->has("porosity") && !is_filled)
    in->fail("size", "both size and porosity are given",
             "keep one: porosity sizes the cell from the grains; or leave count out: both say how many grains there are");
  Real largest = 0, solid = 0;
  for (const auto& g : groups)
    for (std::size_t i = 0; i < g.diameters.size(); ++i) {
      largest = std::max(largest, 2 * g.reach(i));
      solid += g.volume(i, D);
    }
  if (in->has("within") && !in->has("size")) in->fail("within", "a cell around a wall has its size stated", "state size");
  bool sized = false;
  for (const auto& g : groups) sized = sized || sizes_cell(placement_of(*g.table));
  for (const char* key : {"size", "porosity"})
    if (sized && in->has(key))
      in->fail(key, "grains are placed on a lattice or in rows, which sizes the cell",
               std::string("leave ") + key + " out");
  std::vector<Real> size;
  if (in->has("porosity") && !is_filled) {
    const Real n = in->number("porosity", dim::none, {0, 1, true, true}, std::nullopt, porosity_meaning);
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
    if (!sized)
      in->fail("size", "the cell has no size",
               "give size = [\"2 mm\", \"2 mm\", \"2 mm\"], or porosity = 0.4 to size it from the grains");
    size.assign(D, 1);  // the placement sets it
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
}

template sampling::Within<2> read_within(Input&, const Model<2>&, const Cell<2>&);
template sampling::Within<3> read_within(Input&, const Model<3>&, const Cell<3>&);
template Real stated_solid(Input&, const Model<2>&);
template Real stated_solid(Input&, const Model<3>&);
template void read_cell(Input&, State<2>&, const std::vector<Group>&);
template void read_cell(Input&, State<3>&, const std::vector<Group>&);

}  // namespace talus::scene
