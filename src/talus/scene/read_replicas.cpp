#include <talus/scene/read_replicas.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <talus/core/nearest.hpp>
#include <talus/exec/timers.hpp>
#include <talus/measure/averages.hpp>
#include <talus/sampling/assemble.hpp>
#include <talus/sampling/disturb.hpp>
#include <talus/sampling/replicate.hpp>
#include <talus/sampling/sizes.hpp>
#include <talus/scene/common.hpp>
#include <talus/scene/read_profile.hpp>
#include <talus/scene/read_walls.hpp>
#include <talus/scene/toml_value.hpp>

namespace talus::scene {
namespace {

// What a run begins with, whatever the run before has counted.
template <int D>
void begin_anew(State<D>& state, const Globals<D>& scene, u32 kept) {
  Globals<D> fresh;
  fresh.cell = state.globals.cell;
  fresh.cell.rate = {};
  fresh.virial = state.globals.virial;
  fresh.gravity = scene.gravity;
  state.globals = fresh;
  State<D>::visit_tables(state, [&](const AboutTable&, auto& table) {
    using Table = std::remove_reference_t<decltype(table)>;
    Table::visit(table, [&](const About& about, auto& column) {
      const bool is_kept = ((kept | kept::shifts) & about.options) == about.options;
      if (!is_kept) column.release();
      if (about.is_inherited && !column.empty()) column.assign(column.size(), {});
    });
    if (table.size() > 0) table.add(kept);
  });
}

// Of the cell as it is, with the laws of this scene. No gravity acts on a cell.
template <int D>
Real unbalanced_of(const lab::Experiment<D>& x, State<D> cell) {
  const auto method = x.method->fresh();
  method->prepare(x.model, cell);
  return measure::unbalanced(cell, method->contacts(x.model, cell), Vec<D>{});
}

template <int D>
void check_cell(const Input& in, const State<D>& cell) {
  const auto refuse = [&](const std::string& why, const char* hint) { in.fail("replicas", "the cell cannot be copied: " + why, hint); };
  if (cell.globals.radius_scale != 1) refuse("its grains have not grown to their full size", "end the stage that lets them grow");
  for (std::size_t i = 0; i < cell.grains(); ++i)
    if (cell.bodies.shape[i] != 0) refuse("its grains are polygons", "cells are of spheres or discs");
}

std::optional<CellWish> read_wish(Input& in) {
  if (!in.has("search")) return std::nullopt;
  const auto s = in.table("search", true, "the cell is to come to rest with a porosity and a number of contacts: which settings do that is searched for");
  CellWish wish;
  wish.porosity = s->number("porosity", dim::none, {0, 1, true, true}, std::nullopt, "of the cell at rest");
  wish.contacts = s->number("Z", dim::none, Range::closed(0, 12), std::nullopt, "contacts of a grain at rest, rattlers counted; 0: as it comes, without a search");
  wish.friction = s->number("friction", dim::none, Range::not_negative(), std::nullopt, "of the grains: the largest while the cell is compressed");
  wish.porosity_within = s->number("porosity_within", dim::none, Range::positive(), 0.003, "by how much its porosity may miss");
  wish.contacts_within = s->number("Z_within", dim::none, Range::positive(), 0.08, "by how much its Z may miss");
  wish.trials = s->integer("trials", 1, 1000, 30, "cells that are made at most");
  wish.mixed = s->text("mixed", "", "the scene that stretches and mixes a cell, for fewer contacts; empty: none");
  wish.small = s->text("small", "", "edge of the cells that are tried first, such as \"2 mm\"; empty: as large as the cell");
  if (wish.contacts == 0) return std::nullopt;
  return wish;
}

// m, by how much the distance from a wall in one place differs at most from that in another: seen from the origin and the ends of the edges.
template <int D>
Real farthest_apart(const WallShape<D>& shape, const Vec<D>& one, const Vec<D>& other, const Cell<D>& cell) {
  Real most = std::abs(shape.at(-one).gap - shape.at(-other).gap);
  for (int k = 0; k < D; ++k) {
    Vec<D> end;
    for (int i = 0; i < D; ++i) end[i] = cell.h(i, k);
    most = max(most, std::abs(shape.at(end - one).gap - shape.at(end - other).gap));
  }
  return most;
}

// The walls of the cell are the first of the scene's boundaries, which must state them as the cell's scene does. The model has these alone afterwards.
template <int D>
void place_walls_of_cell(Input& scene, Input& in, const char* key, lab::Experiment<D>& x, const SampleCard& card, State<D>& cell) {
  std::vector<sampling::PlacedWall<D>> walls;
  if (cell.walls > 0) {
    State<D> open;
    open.globals.cell = cell.globals.cell;
    open.globals.cell.periodic = {};
    walls = read_boundaries<D>(scene, x.model, open, {});
    if (walls.size() < cell.walls || card.walls.size() != cell.walls)
      in.fail(key, fmt::format("the cell has {} walls, of which its file names {}, and this scene {}", cell.walls, card.walls.size(), walls.size()), "state the walls of the cell, before others");
    walls.resize(cell.walls);
  }
  for (std::size_t w = 0; w < walls.size(); ++w) {
    const Vec<D> is_at = cell.bodies.position[cell.grains() + w];
    const WallCard here = card_of_wall(walls[w].name, walls[w].shape);
    const Real apart = farthest_apart(walls[w].shape, is_at, walls[w].position, cell.globals.cell);
    if (here.name != card.walls[w].name || here.shape != card.walls[w].shape || !(apart < 1e-9))
      in.fail(key, fmt::format("wall {} of the cell is '{}', which this scene states otherwise, or not in this place of the list", w + 1, card.walls[w].name), "state the same walls in both");
    if (!(walls[w].shape.section(D - 1) > 0)) in.fail(key, "the wall '" + here.name + "' of the cell does not go all around it", "copies keep walls that go around the last axis");
  }
  sampling::assemble<D>(x.model, x.state, {}, walls);
  for (std::size_t w = 0; w < walls.size(); ++w) {
    x.model.walls[w].uid = cell.bodies.uid[cell.grains() + w];
    cell.bodies.shape[cell.grains() + w] = x.state.bodies.shape[w];
  }
  for (Closing& c : cell.bodies.closing) c.speed = 0;
}

}  // namespace

bool takes_cell(Input& scene) {
  if (!scene.has("sample")) return false;
  const auto in = scene.table("sample", true, "a sample from another run");
  for (const char* key : {"scene", "replicas", "copies", "open", "dD", "v_ini", "crop", "within", "profile", "hold"})
    if (in->has(key)) return true;
  const std::string file = in->has("file") ? in->text("file", "", "what another run left") : "";
  if (file.ends_with(".h5")) return true;  // a checkpoint
  return !file.empty() && file.find_first_of("./") == std::string::npos && !scene.has("grains");  // a sample of the bank; grains take places from a file of any name
}

template <int D>
lab::Origin read_replicas(Input& scene, lab::Experiment<D>& x, std::vector<Real>& diameters, const FindParent<D>& find) {
  if constexpr (D == 2) x.method->check_laws(scene, x.model, false);
  for (const char* key : {"grains", "cell"})
    if (scene.has(key)) scene.fail(key, "grains and cell come with the sample", std::string("leave ") + key + " or sample out");
  const auto in = scene.table("sample", true, "a sample from another run");
  ParentRequest request;
  request.file = in->text("file", "", "a checkpoint of the run that prepared the cell, or the name of a sample of the bank (talus sample list); empty: `scene` makes it");
  request.scene = in->text("scene", "", "the scene that prepares the cell; it is run first, once");
  for (const auto& [name, value] : in->entries("set", "parameters of that scene")) request.settings.push_back(name + "=" + value);
  if (const auto wish = read_wish(*in); request.file.empty()) request.wish = wish;
  if (request.file.empty() && request.scene.empty())
    in->fail("scene", "neither a scene nor a file of a cell is given", "state one of them");
  sampling::Disturbance disturbance;
  disturbance.diameters = in->number("dD", dim::none, Range::below(0, 0.5), 0.0,
                                     "diameters are multiplied by 1 + U(-dD, dD) before the first step");
  disturbance.speed = in->number("v_ini", dim::speed, Range::not_negative(), 0.0,
                                 "initial speed of every grain, in a random direction");
  const Real limit = in->number("unbalanced", dim::none, {0, 1, true, false}, 1e-3,
                                "a cell with a larger unbalanced force ratio is not at rest, and refused");

  Parent<D> parent = find(request);
  State<D>& cell = parent.state;
  const char* key = request.file.empty() ? "scene" : "file";
  check_cell(*in, cell);
  if (!parent.is_ready) x.model.options.overlap_limit = 1;  // its grains have not grown: the scene is only being checked
  std::vector<u32> material;
  if (const std::string why = difference(parent.card, x.model, cell, material); !why.empty())
    in->fail(key, "the cell does not fit this scene: " + why, "state the same materials and laws in both");
  const Domain<D> domain = read_domain<D>(*in);
  const sampling::Replicas<D> replicas = read_copies<D>(*in, cell.globals.cell, domain);
  if (const std::string why = sampling::flaw_of(cell, replicas); replicas.count() > 1 && !why.empty())
    in->fail("replicas", why, "take a larger cell, or fewer copies");
  lab::Origin origin;
  origin.copies = replicas.count();
  origin.cell_steps = cell.globals.step;
  origin.t_cell = parent.made_in;
  begin_anew(cell, x.state.globals, x.model.kept_columns() | (cell.bodies.closing.empty() ? 0 : kept::closing));
  place_walls_of_cell(scene, *in, key, x, parent.card, cell);
  for (std::size_t i = 0; i < cell.bodies.size(); ++i) cell.bodies.material[i] = material[cell.bodies.material[i]];
  for (std::size_t i = 0; i < cell.grains(); ++i) sampling::set_radius(x.model, cell.bodies, i, cell.bodies.radius[i]);
  if (const Real u = parent.is_ready ? unbalanced_of(x, cell) : 0; !(u < limit))
    in->fail(key, fmt::format("the cell is not at rest: its unbalanced force ratio is {:.2g}", u),
             fmt::format("let it come to rest below sample.unbalanced = {:.2g}", limit));
  const CellStress<D> stress = stress_of_cell(x, cell, domain, parent.is_ready);
  const double start = exec::now();
  State<D> sample = sampling::replicate(cell, replicas);
  for (std::size_t w = 0; w < x.model.walls.size(); ++w) x.model.walls[w].uid = sample.bodies.uid[sample.grains() + w];
  const double copied = exec::now();
  origin.branch_error = sampling::branch_error(cell, sample, replicas);
  const double cut = exec::now();
  sample = sampling::disturb(std::move(sample), x.model, disturbance, x.model.seed);
  x.state = make_domain(scene, *in, x, std::move(sample), stress, replicas.count(), disturbance.diameters > 0);
  origin.t_replicate = (copied - start) + (exec::now() - cut);
  diameters = sampling::diameters_of(x.state);
  if (x.model.options.spheres_in_plane) x.model.options.thickness = sampling::passing_diameter(diameters, 0.5, 3);
  return origin;
}

template <int D>
void read_replica_test(Input& scene, Input& in, lab::Experiment<D>& x, const lab::Origin& origin) {
  lab::ReplicaSettings s;
  s.origin = origin;
  const std::string rest = in.text("rest", "rest", "name of the stage after which the sample is measured");
  s.ball = in.number("ball", dim::none, {0, 1, true, false}, 0.8, "diameter of the inner region over the smallest width of the cell");
  if (in.number("Z", dim::none, Range::not_negative(), 0.0, "target coordination number of the cell; 0: no target") > 0)
    in.fail("Z", "this scene makes a cell as it comes", "scenes that take it search for one: pcrm-s, pcrm-m, pcrm-l, pcrm-crs-s, pcrm-crs-m");
  std::vector<std::string> names, kinds;
  for (const auto& table : scene.tables("stage", "stages of the protocol, in order")) {
    kinds.push_back(table->text("kind", "", "what the stage does"));
    names.push_back(table->text("name", kinds.back(), "name of the stage in series and report"));
  }
  s.rest = std::size_t(std::find(names.begin(), names.end(), rest) - names.begin());
  s.shear = std::size_t(std::find(kinds.begin(), kinds.end(), "shear") - kinds.begin());
  if (s.rest == names.size()) {
    const auto meant = nearest(rest, names);
    in.fail("rest", "there is no stage '" + rest + "'", meant ? "did you mean '" + *meant + "'?" : "stages: " + listed(names));
  }
  if (s.shear < kinds.size()) x.state.bodies.start.assign(x.state.bodies.size(), {});
  x.analysis = lab::replica_analysis<D>(s);
}

#define TALUS_INSTANTIATE(D)                                                                                        \
  template lab::Origin read_replicas(Input&, lab::Experiment<D>&, std::vector<Real>&, const FindParent<D>&);       \
  template void read_replica_test(Input&, Input&, lab::Experiment<D>&, const lab::Origin&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::scene
