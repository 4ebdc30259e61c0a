#include <talus/scene/build.hpp>

#include <algorithm>
#include <cmath>

#include <talus/lab/runner.hpp>
#include <talus/scene/common.hpp>
#include <talus/scene/read_grains.hpp>
#include <talus/scene/read_materials.hpp>
#include <talus/scene/read_walls.hpp>

namespace talus::scene {

namespace {

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
  o.dt_safety =
      in->number("time_step_safety", dim::none, {0, 0.5, true, false}, 0.25, "share of the critical time step");
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

// What a stage needs from cell, walls and gravity. Without these a stage would run for ever, or measure nothing.
template <int D>
void check_stage(const Input& table, const lab::Stage<D>& stage, const lab::Experiment<D>& x) {
  Model<D> model = x.model;
  for (const auto& [wall, drive] : stage.walls) model.drives[wall] = drive;
  stage.plan(model, x.state);
  const State<D>& state = x.state;
  for (int k = 0; k < D; ++k) {
    bool drives = false;
    for (int i = 0; i < D; ++i)
      drives = drives || model.cell.holds_stress(i, k) || model.cell.holds_stress(k, i) ||
               model.cell.target(i, k) != 0 || model.cell.target(k, i) != 0;
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
      held = held || model.drives[w].control != WallControl::fixed || dot(normal, state.globals.gravity) < 0;
    }
    if (!held)
      table.fail("kind", "nothing can come to rest: there is no gravity towards a wall, and no wall that moves",
                 "set dynamics.gravity and a [boundary.NAME] below the grains, or use a stage of kind relax");
  }
}

}  // namespace

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
  bool hertz = false, linear = false;
  if (D == 2)
    for (const u32 law : x.model.pairs.law)
      if (law != no_law) (law_names()[law].starts_with("hertz") ? hertz : linear) = true;
  if (hertz && linear)
    in.fail("contact",
            "in the plane Hertz and linear laws do not mix: Hertz grains are spheres, linear ones discs per metre",
            "state one family of laws for all pairs");
  const int power = D == 3 || hertz ? 3 : 2;
  std::vector<Group> groups;
  const auto grains = in.table("grains", true, "groups of grains");
  for (const auto& name : in.names("grains", "groups of grains"))
    groups.push_back(read_group<D>(*grains, name, x.model, seed, power, scene.target));
  read_cell(in, x.state, groups);
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

}  // namespace talus::scene
