#include <talus/scene/build.hpp>

#include <algorithm>
#include <cmath>

#include <talus/core/nearest.hpp>
#include <talus/core/rng.hpp>
#include <talus/lab/biaxial.hpp>
#include <talus/lab/cycle_analysis.hpp>
#include <talus/lab/runner.hpp>
#include <talus/lab/start.hpp>
#include <talus/sampling/placement.hpp>
#include <talus/scene/common.hpp>
#include <talus/scene/read_grains.hpp>
#include <talus/scene/read_materials.hpp>
#include <talus/scene/read_multi_contact.hpp>
#include <talus/scene/read_sample.hpp>
#include <talus/scene/read_walls.hpp>
#include <talus/scene/toml_value.hpp>
#include <talus/stages/walls.hpp>

namespace talus::scene {

namespace {

template <int D>
void read_dynamics(Input& scene, lab::Experiment<D>& x) {
  const auto in = scene.table("dynamics", false, "how the sample moves");
  Options& o = x.model.options;
  o.rotation = in->choice("rotation", {"free", "inhibited", "locked"}, "free",
                          "whether grains may rotate; locked is another word for inhibited") == "free";
  o.local_damping =
      in->number("local_damping", dim::none, Range::below(0, 1), 0.0,
                 "share of the unbalanced force that opposes the motion of each grain; explicit method only");
  o.density_scale = in->number("density_scale", dim::none, Range::positive(), 1.0,
                               "multiplies inertia for longer steps; watch the inertial number");
  o.skin = in->number("skin", dim::none, {0, 2, true, false}, 0.2,
                      "search reach beyond touching, in mean radii; changes no result");
  o.overlap_limit = in->number("overlap_limit", dim::none, {0, 1, true, false}, 0.2,
                               "overlap over the smaller radius that stops the run");
  o.ledger = in->flag("ledger", true, "keep the energy ledger");
  o.dt_safety =
      in->number("time_step_safety", dim::none, {0, 0.5, true, false}, 0.25, "share of the critical time step");
  o.shake = in->number("random_rebuilds", dim::none, Range::closed(0, 1), 0.0,
                       "for tests: probability per step of a rebuild with a random order of bodies; changes no result");
  o.shake_seed = u64(in->integer("random_rebuild_seed", 0, 1000000000, 0, "for tests: seed of those"));
  x.dt_forced = in->flag("force_time_step", false, "run even if time_step is above the stable limit");
  x.state.globals.gravity =
      to_vec<D>(in->numbers("gravity", dim::acceleration, Range::any(), D, zeros<D>(), "acceleration of gravity"));
  if (in->has("time_step")) {
    o.auto_dt = false;
    x.dt_start = in->number("time_step", dim::time, Range::positive(), std::nullopt,
                            "fixed time step of the explicit method; left out: automatic");
  }
}

// What only contact dynamics asks for. Read in any case, so that a scene may be run by either method.
template <int D>
void read_impulse(Input& scene, lab::Experiment<D>& x) {
  const bool is_method = x.model.method == Method::impulse;
  if (!is_method && !scene.has("impulse")) return;
  const auto in = scene.table("impulse", is_method, "how contact dynamics makes a step");
  DynamicsOptions& o = x.model.dynamics;
  const Real dt = in->number("time_step", dim::time, Range::positive(), std::nullopt, "time step");
  o.tolerance =
      in->number("tolerance", dim::none, {0, 1, true, false}, 1e-6,
                 "a step is solved when no impulse is further from what the conditions allow, over the mean impulse");
  o.max_sweeps =
      in->integer("max_sweeps", 1, 1000000000, 20000, "sweeps after which a step is given up; such steps are counted");
  const std::string way =
      in->choice("acceleration", {"none", "careful", "momentum"}, "momentum",
                 "whether sweeps go on the way that earlier ones went: careful stays nearer to the step before");
  o.acceleration = way == "none"      ? Acceleration::none
                   : way == "careful" ? Acceleration::careful
                                      : Acceleration::momentum;
  o.fixed_count =
      in->choice("solver", {"nlgs", "box2d-like"}, "nlgs",
                 "non-linear Gauss-Seidel to a tolerance, or a game engine's fixed number of sweeps") == "box2d-like";
  o.sweeps = in->integer("iterations", 1, 1000000000, 100, "velocity sweeps of solver box2d-like");
  o.position_sweeps = in->integer("position_iterations", 0, 1000000000, 3, "position sweeps of solver box2d-like");
  o.theta = in->number("theta", dim::none, Range::closed(0.5, 1), 1.0,
                       "positions move with this share of the new velocity and the rest of the old");
  x.strict = in->flag("strict", false, "the run fails when 5 % of its steps or more were given up");
  if (is_method && x.strict && o.fixed_count)
    in->fail("strict", "solver box2d-like has no tolerance, so it never gives a step up",
             "leave it out, or set solver = \"nlgs\"");
  if (!is_method) return;
  x.model.options.auto_dt = false;
  x.dt_start = dt;
}

// Rigid grains that start inside one another, or inside a wall, would be thrown apart or out; soft ones would stop the run.
template <int D>
void check_start(Input& in, const lab::Experiment<D>& x) {
  const bool rigid = x.model.method == Method::impulse;
  const lab::StartOverlap deepest = lab::deepest_at_start(x.model, x.state);
  if (rigid && deepest.meets_itself)
    in.fail("cell", "a grain meets its own image across the cell, and no impulse can part them", "make the cell larger");
  if (!(deepest.share > (rigid ? lab::start_overlap_limit : x.model.options.overlap_limit))) return;
  const std::string first = "grain " + std::to_string(deepest.first);
  const std::string depth = ", by " + std::to_string(100 * deepest.share) + " % of its radius";
  const std::string hint =
      !rigid             ? "move one of them, or state a larger dynamics.overlap_limit"
      : in.has("sample") ? "rigid grains must start apart or just touch: soft grains overlap too much to be handed over"
                         : "move one of them: rigid grains must start apart or just touch";
  for (const auto& w : x.model.walls)
    if (w.uid == deepest.second)
      in.table("boundary", true, "walls")
          ->fail(w.name, first + " starts inside the wall '" + w.name + "'" + depth, hint);
  in.fail("grains", first + " starts inside grain " + std::to_string(deepest.second) + depth, hint);
}

// A platen that goes through levels of compression: which stage it is, and what is counted.
template <int D>
void read_cycles(Input& scene, Input& in, lab::Experiment<D>& x) {
  if constexpr (D == 3) {
    lab::CycleSettings s;
    std::vector<std::string> names;
    for (const auto& w : x.model.walls) names.push_back(w.name);
    const std::string top = in.choice("top", names, std::nullopt, "the platen: a [boundary.NAME] or a wall of a box");
    s.top = std::size_t(std::find(names.begin(), names.end(), top) - names.begin());
    s.dropped = in.integer("dropped", 0, 1000000, 5, "first cycles that do not count");
    s.threshold = in.number("threshold", dim::force, Range::not_negative(), 4e-3, "weaker contacts do not count for Z");
    s.classes.low = in.number("force_low", dim::force, Range::positive(), 1e-4, "lower end of the classes of forces");
    s.classes.high = in.number("force_high", dim::force, Range::positive(), 1.0, "upper end of the classes of forces");
    s.experiment = in.number("experiment_force", dim::force, Range::not_negative(), 0.0,
                             "measured force on the platen at the highest level; 0: none is known");
    if (!(s.classes.high > s.classes.low)) in.fail("force_high", "it is not above force_low", "exchange them");
    bool found = false;
    std::size_t index = 0;
    for (const auto& table : scene.tables("stage", "what is done to the sample, in order")) {
      if (!found && table->text("kind", "", "what the stage does") == "cycle") {
        found = true;
        s.stage = index;
        s.levels = table->integer("levels", 1, 100000, 25, "equal parts of the way, with a rest after each");
      }
      ++index;
    }
    if (!found) in.fail("kind", "this test needs a stage of kind cycle", "see scenes/hydrogel.toml");
    x.analysis = lab::cycle_analysis(s);
  } else {
    (void)scene, (void)x;
    in.fail("kind", "this test is of space", "set dimension = 3");
  }
}

// [analysis]: what a ready-made test reads off its run.
template <int D>
void read_analysis(Input& scene, lab::Experiment<D>& x, std::vector<Group>& groups, Real side_stress) {
  if (!scene.has("analysis")) return;
  const auto in = scene.table("analysis", true, "figures of a ready-made test");
  const std::string kind = in->choice("kind", {"rowe", "biaxial", "cycles"}, std::nullopt, "which test");
  if (kind == "cycles") return read_cycles(scene, *in, x);
  if constexpr (D == 2) {
    if (kind == "biaxial") {
      if (!(x.model.membrane.spacing > 0))
        in->fail("kind", "this test needs a sample inside a membrane", "see scenes/biaxial-dense.toml");
      x.analysis = lab::biaxial_analysis();
      return;
    }
    if (groups.size() != 1 || placement_of(*groups[0].table) != "rows" || !(side_stress > 0))
      in->fail("kind", "this test needs one group of discs placed in rows, and side forces", "see scenes/rowe.toml");
    const std::vector<int> counts = read_layout(*groups[0].table->table("place", true, "where the grains start"));
    const sampling::DiscRows rows = sampling::disc_rows(counts);
    if (rows.inclined == 0)
      in->fail("kind", "the gaps between rows differ in their number of contacts", "use rows such as 5-4-5-4-5");
    const Real d = groups[0].diameters.front();
    lab::RowePack pack;
    pack.pitch = d * std::sin(pi / 3);
    pack.width = 0.5 * d * rows.inclined;
    pack.confining = side_stress;
    pack.phi_mu = std::atan(
        x.model.pairs.coefficients[groups[0].material * x.model.pairs.materials + groups[0].material].friction);
    const bool ends_alike = counts.front() == counts.back() && counts.front() > counts[1];
    if (!x.model.options.rotation || !rows.has_corners)
      pack.limit = lab::rowe_limit(pack.phi_mu, rows.inclined, 0);
    else if (ends_alike)
      pack.limit = lab::rowe_limit(pack.phi_mu, rows.inclined, 2);
    for (const auto& [key, wall] : {std::pair{"top", &pack.top}, std::pair{"bottom", &pack.bottom}}) {
      std::vector<std::string> names;
      for (const auto& w : x.model.walls) names.push_back(w.name);
      const std::string name = in->choice(key, names, key, "the platen there: a [boundary.NAME]");
      *wall = std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
    }
    pack.top_start = x.state.bodies.position[x.state.grains() + pack.top].y;
    x.analysis = lab::rowe_analysis(pack);
  } else {
    in->fail("kind", "this test is of the plane", "set dimension = 2");
  }
}

// Discs are polygons of one corner when any grain is a polygon, and inside a membrane: the step for discs alone knows no forces
// that change in every step, and keeps no account of how far grains turn.
bool has_blocks(Input& in, const std::vector<Group>& groups) {
  for (const Group& g : groups)
    if (!g.polygons.empty()) return true;
  return has_membrane(in);
}

// The grains as polygons, turned at random.
std::vector<sampling::Block> blocks_of(const std::vector<Group>& groups, const std::vector<sampling::Ball<2>>& balls,
                                       u64 seed) {
  std::vector<sampling::Block> blocks;
  Rng rng{seed, 0xa291e, 0};
  std::size_t next = 0;
  for (const Group& g : groups)
    for (std::size_t i = 0; i < g.diameters.size(); ++i) {
      const sampling::Ball<2>& ball = balls[next++];
      const bool round = g.polygons.empty();
      blocks.push_back({round ? make_polygon({{0, 0}}, ball.radius) : g.polygons[i], ball.position,
                        round ? 0 : rng.uniform(0, 2 * pi), ball.material, ball.velocity, ball.spin.x, true,
                        g.compounds.empty() ? Compound{} : g.compounds[i]});
    }
  return blocks;
}

// The explicit method has springs of one law for polygons.
void check_polygon_laws(Input& in, const Model<2>& model, const std::vector<Group>& groups) {
  if (model.method != Method::dem || !has_blocks(in, groups)) return;
  for (const u32 law : model.pairs.law)
    if (law != no_law && law_names()[law] != Linear<2>::name)
      in.fail("contact",
              "polygons, and grains inside a membrane, need the law \"linear\" when method is \"dem\", here is \"" +
                  law_names()[law] + "\"",
              "set contact.law = \"linear\" and contact.normal_stiffness, or method = \"impulse\"");
}

// What a stage needs from cell, walls and gravity. Without these a stage would run for ever, or measure nothing.
template <int D>
void check_stage(const Input& table, const lab::Stage<D>& stage, const lab::Experiment<D>& x) {
  Model<D> model = x.model;
  for (const auto& [wall, drive] : stage.walls) model.drives[wall] = drive;
  if (stage.membrane && !(model.membrane.spacing > 0))
    table.fail("membrane", "the scene has no membrane", "add a [boundary.NAME] with kind = \"membrane\"");
  if (stage.kind() == "collide" && stage.is_ramped())
    table.fail("kind", "gravity and friction stay as they are during a collision", "state them for the scene");
  if (stage.kind() == "grow" && model.method == Method::impulse)
    table.fail("kind", "rigid grains do not grow", "place them apart and let them fall or press them: settle, press");
  for (const auto& drive : model.drives)
    if (drive.control == WallControl::free && model.method != Method::impulse)
      table.fail("wall", "free walls are for rigid grains", "use control = \"stress\" with method dem");
    else if (drive.control == WallControl::servo && model.method == Method::impulse)
      table.fail("wall",
                 "a servo cannot hold the force of rigid grains, which may be anything while the wall is driven",
                 "use control = \"free\" with a mass and the stress or the force");
  stage.plan(model, x.state);
  if (model.method == Method::impulse && model.cell.needs_stress())
    table.fail("kind",
               "a servo cannot hold the stress of rigid grains, which may be anything while the cell is driven",
               "use a stage of kind deform, or hold the load by a wall with control = \"free\"");
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
  if (!stage.platen().empty()) {
    std::vector<std::string> names;
    for (const auto& w : model.walls) names.push_back(w.name);
    const std::string platen(stage.platen());
    if (std::find(names.begin(), names.end(), platen) == names.end()) {
      const auto meant = nearest(platen, names);
      table.fail("platen", "there is no wall '" + platen + "'",
                 meant           ? "did you mean '" + *meant + "'?"
                 : names.empty() ? "the scene has no walls"
                                 : "walls: " + listed(names));
    }
  }
  if (stage.kind() == "collide" && (state.grains() > 2 || state.bodies.size() < 2))
    table.fail("kind",
               "a collision has one grain and a wall, or two grains; here are " + std::to_string(state.grains()) +
                   " grains and " + std::to_string(model.walls.size()) + " walls",
               "place the grains with kind = \"collision\"");
  if (stage.kind() == "settle") {
    bool held = false;
    for (std::size_t w = 0; w < model.walls.size(); ++w)
      held = held || model.drives[w].control != WallControl::fixed || carries_weight(model, state, w);
    if (!held)
      table.fail("kind", "nothing can come to rest: there is no gravity towards a wall, and no wall that moves",
                 "set dynamics.gravity and a [boundary.NAME] below the grains, or use a stage of kind relax");
  }
}

}  // namespace

Heading read_heading(Input& in) {
  Heading h;
  h.title = in.text("title", "untitled", "what the scene is");
  h.method = in.choice("method", {"dem", "impulse"}, "dem",
                       "what moves the sample: soft contacts in short steps, or rigid ones solved in long steps (2D)");
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
  x.model.method = read_heading(in).method == "impulse" ? Method::impulse : Method::dem;
  if (x.model.method == Method::impulse && D == 3)
    in.fail("method", "contact dynamics works in the plane so far", "set dimension = 2, or method = \"dem\"");
  x.model.materials = read_materials(in, x.model.method == Method::dem);
  read_pairs(in, x.model);
  read_multi_contact(in, x.model);
  read_dynamics(in, x);
  read_impulse(in, x);

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
  if constexpr (D == 2) check_polygon_laws(in, x.model, groups);
  read_cell(in, x.state, groups);
  std::vector<sampling::Ball<D>> balls;
  std::vector<std::pair<Vec<D>, Real>> taken;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    const auto placed = place_group(groups[k], x.state, seed + 1000003 * k, taken);
    for (std::size_t i = 0; i < placed.size(); ++i) {
      balls.push_back(placed[i]);
      taken.emplace_back(placed[i].position, groups[k].polygons.empty() ? placed[i].radius : groups[k].reach(i));
    }
  }
  for (const auto& b : balls) scene.diameters.push_back(2 * b.radius);
  if (hertz) {
    x.model.options.spheres_in_plane = true;
    x.model.options.thickness = sampling::passing_diameter(scene.diameters, 0.5, 3);
  }
  const auto walls = read_boundaries(in, x.model, x.state, groups);
  if constexpr (D == 2) {
    for (const auto& wall : walls)
      if (has_blocks(in, groups) && !wall.shape.is_flat())
        in.fail("boundary", "wall '" + wall.name + "': polygons meet flat walls so far", "take planes, a box or platens");
    if (has_blocks(in, groups))
      sampling::assemble(x.model, x.state, blocks_of(groups, balls, seed), walls);
    else
      sampling::assemble(x.model, x.state, balls, walls);
  } else {
    sampling::assemble(x.model, x.state, balls, walls);
  }
  read_sample(in, x);
  if (x.state.grains() < scene.diameters.size()) {
    std::vector<Real> left;
    for (std::size_t i = 0; i < x.state.grains(); ++i) left.push_back(scene.diameters[x.state.bodies.uid[i]]);
    scene.diameters = std::move(left);
  }
  Real side_stress = 0;
  if constexpr (D == 2) {
    side_stress = read_side_forces(in, x.model, x.state);
    if (side_stress > 0 && in.has("sample"))
      in.fail("sample", "side forces are shared out among grains that stand in line, as they are placed",
              "leave one of the two out");
    read_membrane(in, x.model, x.state, groups);
  }
  if constexpr (D == 2) check_start(in, x);
  read_analysis(in, x, groups, side_stress);
  if (!in.has("stage")) in.fail("stage", "the scene has no stage", "add [[stage]] with kind = \"relax\", for example");
  bool frees_walls = false;
  for (const auto& drive : x.model.drives) frees_walls = frees_walls || drive.control == WallControl::free;
  for (auto& table : in.tables("stage", "what is done to the sample, in order")) {
    x.stages.push_back(lab::read_stage<D>(*table));
    read_stage_walls(*table, *x.stages.back(), x.model);
    read_stage_friction(*table, *x.stages.back(), x.model);
    check_stage(*table, *x.stages.back(), x);
    for (const auto& [wall, drive] : x.stages.back()->walls)
      frees_walls = frees_walls || drive.control == WallControl::free;
  }
  if (frees_walls && x.state.bodies.applied.empty()) x.state.bodies.take_forces();
  const auto probes = in.table("probes", false, "what goes into series.csv");
  x.cadence.probe_every = probes->integer("every", 1, 1000000000, 1000, "steps between rows");
  x.cadence.porosity_ball = probes->number(
      "porosity_ball", dim::none, Range::closed(0, 1), 0.0,
      "diameter of a ball in the middle whose porosity is measured too, over the smallest edge; 0: none");
  x.cadence.chains =
      probes->flag("chains", false, "look for force chains: columns of the series and a picture; in the plane");
  if (x.cadence.chains && D == 3) probes->fail("chains", "force chains are looked for in the plane", "leave it out");
  const auto output = in.table("output", false, "what is written when");
  x.cadence.hash_every = output->integer("hash_every", 1, 1000000000, 1000, "steps between links of the hash chain");
  x.cadence.checkpoint_every = output->integer("checkpoint_every", 100, 1000000000, 50000, "steps between checkpoints");
  x.cadence.vtk = output->flag("vtk", true, "write files for ParaView");
  x.cadence.vtk_every =
      output->integer("vtk_every", 0, 1000000000, 0, "steps between them; 0: at the end of each stage");

  if (x.model.method == Method::impulse) return scene;
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
