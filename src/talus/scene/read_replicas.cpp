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

// In order of uids.
template <int D>
std::vector<Real> diameters_of(const State<D>& state) {
  std::vector<std::pair<u32, Real>> sizes;
  for (std::size_t i = 0; i < state.grains(); ++i) sizes.emplace_back(state.bodies.uid[i], 2 * state.bodies.radius[i]);
  std::sort(sizes.begin(), sizes.end());
  std::vector<Real> out;
  for (const auto& [uid, diameter] : sizes) out.push_back(diameter);
  return out;
}

template <int D>
void check_cell(const Input& in, const State<D>& cell) {
  const auto refuse = [&](const std::string& why, const char* hint) { in.fail("replicas", "the cell cannot be copied: " + why, hint); };
  if (cell.walls > 0) refuse("it has walls", "take a cell that is periodic along all edges");
  if (cell.globals.radius_scale != 1) refuse("its grains have not grown to their full size", "end the stage that lets them grow");
  for (const u32 shape : cell.bodies.shape)
    if (shape != 0) refuse("its grains are polygons", "cells are of spheres or discs");
}

}  // namespace

bool takes_cell(Input& scene) {
  if (!scene.has("sample")) return false;
  const auto in = scene.table("sample", true, "a sample from another run");
  for (const char* key : {"scene", "replicas", "copies", "open", "dD", "v_ini", "crop", "profile", "hold"})
    if (in->has(key)) return true;
  return in->has("file") && in->text("file", "", "what another run left").ends_with(".h5");
}

template <int D>
lab::Origin read_replicas(Input& scene, lab::Experiment<D>& x, std::vector<Real>& diameters, const FindParent<D>& find) {
  if constexpr (D == 2) x.method->check_laws(scene, x.model, false);
  for (const char* key : {"grains", "cell"})
    if (scene.has(key)) scene.fail(key, "grains and cell come with the sample", std::string("leave ") + key + " or sample out");
  const auto in = scene.table("sample", true, "a sample from another run");
  ParentRequest request;
  request.file = in->text("file", "", "a checkpoint of the run that prepared the cell; empty: `scene` makes it");
  request.scene = in->text("scene", "", "the scene that prepares the cell; it is run first, once");
  for (const auto& [name, value] : in->entries("set", "parameters of that scene")) request.settings.push_back(name + "=" + value);
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
  begin_anew(cell, x.state.globals, x.model.kept_columns());
  sampling::assemble<D>(x.model, x.state, {}, {});
  for (std::size_t i = 0; i < cell.grains(); ++i) {
    cell.bodies.material[i] = material[cell.bodies.material[i]];
    sampling::set_radius(x.model, cell.bodies, i, cell.bodies.radius[i]);
  }
  if (const Real u = parent.is_ready ? unbalanced_of(x, cell) : 0; !(u < limit))
    in->fail(key, fmt::format("the cell is not at rest: its unbalanced force ratio is {:.2g}", u),
             fmt::format("let it come to rest below sample.unbalanced = {:.2g}", limit));
  const double start = exec::now();
  State<D> sample = sampling::replicate(cell, replicas);
  const double copied = exec::now();
  origin.branch_error = sampling::branch_error(cell, sample, replicas);
  const double cut = exec::now();
  sample = sampling::disturb(std::move(sample), x.model, disturbance, x.model.seed);
  x.state = make_domain(scene, *in, x, std::move(sample), cell, parent.is_ready, replicas.count(), disturbance.diameters > 0);
  origin.t_replicate = (copied - start) + (exec::now() - cut);
  diameters = diameters_of(x.state);
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
    in.fail("Z", "there is no search for a number of contacts yet", "set it to 0, and see what porosity and friction_prep give");
  std::vector<std::string> names, kinds;
  for (const auto& table : scene.tables("stage", "what is done to the sample, in order")) {
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
