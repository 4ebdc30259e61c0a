#include <talus/scene/build.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <talus/core/hash.hpp>
#include <talus/core/nearest.hpp>
#include <talus/core/rng.hpp>
#include <talus/lab/methods.hpp>
#include <talus/lab/pictures.hpp>
#include <talus/sampling/placement.hpp>
#include <talus/scene/common.hpp>
#include <talus/scene/read_analysis.hpp>
#include <talus/scene/read_cell.hpp>
#include <talus/scene/read_grains.hpp>
#include <talus/scene/read_hulls.hpp>
#include <talus/scene/read_materials.hpp>
#include <talus/scene/read_motion.hpp>
#include <talus/scene/read_multi_contact.hpp>
#include <talus/scene/read_replicas.hpp>
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
  o.density_scale = in->number("density_scale", dim::none, Range::positive(), 1.0,
                               "multiplies inertia for longer steps; watch the inertial number");
  o.skin = in->number("skin", dim::none, {0, 2, true, false}, 0.2,
                      "search reach beyond touching, in mean radii; changes no result");
  o.overlap_limit = in->number("overlap_limit", dim::none, {0, 1, true, false}, 0.2,
                               "overlap over the smaller radius that stops the run");
  o.ledger = in->flag("ledger", true, "keep the energy ledger");
  o.random_rebuilds = in->number("random_rebuilds", dim::none, Range::closed(0, 1), 0.0,
                       "for tests: probability per step of a rebuild with a random order of bodies; changes no result");
  o.random_rebuild_seed = u64(in->integer("random_rebuild_seed", 0, 1000000000, 0, "for tests: seed of those"));
  const Real level = in->number("g_level", dim::none, Range::positive(), 1.0, "multiplies gravity, as in a centrifuge");
  const Vec<D> g = level * to_vec<D>(in->numbers("gravity", dim::acceleration, Range::any(), D, zeros<D>(), "acceleration of gravity"));
  const Real tilt = in->number("incline", dim::angle, Range::closed(-pi / 2, pi / 2), 0.0,
                               "angle by which the sample lies tilted: gravity along the last axis turns downhill, towards +x");
  x.state.globals.gravity = g;
  if (tilt == 0) return;
  x.state.globals.gravity[0] = g[0] * std::cos(tilt) - g[D - 1] * std::sin(tilt);
  x.state.globals.gravity[D - 1] = g[0] * std::sin(tilt) + g[D - 1] * std::cos(tilt);
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
      const Real angle = round ? 0 : rng.uniform(0, 2 * pi);  // drawn for all: those that are left out keep theirs
      blocks.push_back({round ? make_polygon({{0, 0}}, ball.radius) : g.polygons[i], ball.position,
                        ball.turn.value_or(angle), ball.material, ball.velocity, ball.spin.x, true,
                        g.compounds.empty() ? Compound{} : g.compounds[i]});
    }
  return blocks;
}

// Images across a periodic edge move otherwise than a wall that spins about an axis along another.
template <int D>
void check_spins(const Input& table, const Model<D>& model, const Cell<D>& cell) {
  if constexpr (D == 3)
    for (const WallDrive<3>& drive : model.drives)
      for (int k = 0; k < 3; ++k)
        if (drive.control == WallControl::velocity && !(drive.spin == Vec3{}) && drive.spin[k] == 0 && cell.periodic[k])
          table.fail("wall", std::string("a wall spins, but the cell is periodic along ") + axis_names[k] + ", across its axis",
                     "set cell.periodic to 0 along this edge");
  (void)table, (void)model, (void)cell;
}

template <int D>
void check_platen(const Input& table, const std::string& platen, const Model<D>& model) {
  std::vector<std::string> names;
  for (const auto& w : model.walls) names.push_back(w.name);
  if (std::find(names.begin(), names.end(), platen) != names.end()) return;
  const auto meant = nearest(platen, names);
  table.fail("platen", "there is no wall '" + platen + "'",
             meant           ? "did you mean '" + *meant + "'?"
             : names.empty() ? "the scene has no walls"
                             : "walls: " + listed(names));
}

// What a stage needs from cell, walls and gravity. Without these a stage would run for ever, or measure nothing. Does a wall close in during it?
template <int D>
bool check_stage(const Input& table, const lab::Stage<D>& stage, const lab::Experiment<D>& x) {
  Model<D> model = x.model;
  for (const auto& [wall, drive] : stage.walls) model.drives[wall] = drive;
  if (stage.membrane && !(model.membrane.spacing > 0))
    table.fail("membrane", "the scene has no membrane", "add a [boundary.NAME] with kind = \"membrane\"");
  if (stage.is_ramped() && !stage.traits.may_ramp)
    table.fail("kind", "gravity and friction stay as they are during a stage of kind " + std::string(stage.kind), "state them for the scene");
  if (stage.traits.needs_contacts && !x.method->has_grains())
    table.fail("kind", "a stage of kind " + stage.kind + " looks at contacts of grains; method " + std::string(x.method->word()) + " has none",
               "take kind = \"run\" with a time");
  if (stage.traits.needs_matter && x.state.particles.deviator.empty())
    table.fail("kind", "a stage of kind " + stage.kind + " deforms a solid as a continuum; there is none", "see scenes/triaxial-element.toml");
  const Column<WallDrive<D>> before = model.drives;
  stage.plan(model, x.state);
  x.method->check_stage(table, stage.kind, before, model.cell);
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
  check_spins(table, model, state.globals.cell);
  if (!stage.traits.platen.empty()) check_platen(table, stage.traits.platen, model);
  if (const lab::StageFlaw flaw = stage.flaw(model, x.state); !flaw.reason.empty()) table.fail(flaw.key, flaw.reason, flaw.hint);
  if (stage.kind == "collide" && (state.grains() > 2 || state.bodies.size() < 2))
    table.fail("kind",
               "a collision has one grain and a wall, or two grains; the scene has " + std::to_string(state.grains()) +
                   " grains and " + std::to_string(model.walls.size()) + " walls",
               "place the grains with kind = \"collision\"");
  if (stage.traits.velocities > 0 && stage.traits.velocities != state.grains())
    table.fail("velocities",
               "there are " + std::to_string(stage.traits.velocities) + " velocities for " +
                   std::to_string(state.grains()) + " grains",
               "state one for each grain; a wall has none");
  if (stage.kind == "settle") {
    bool held = false;
    for (std::size_t w = 0; w < model.walls.size(); ++w)
      held = held || model.drives[w].control != WallControl::fixed || carries_weight(model, state, w) ||
             (length(into_sample(model, state, w)) == 0 && length(state.globals.gravity) > 0);  // it goes all around
    for (std::size_t i = 0; i < state.grains(); ++i) held = held || !(state.bodies.inverse_mass[i] > 0);
    if (!held)
      table.fail("kind", "nothing can come to rest: there is no gravity towards a wall, and no wall that moves",
                 "set dynamics.gravity and a [boundary.NAME] below the grains, or use a stage of kind relax");
  }
  return model.kept_columns() & kept::closing;
}

}  // namespace

Heading read_heading(Input& in) {
  Heading h;
  h.title = in.text("title", "untitled", "what the scene is");
  const auto methods = lab::method_words();
  h.method = in.choice("method", methods, methods.front(),
                       "what moves the sample: soft contacts in short steps, rigid ones solved in long steps, or smoothed particles");
  h.dimension = int(in.integer("dimension", 2, 3, 3, "2: discs and polygons in a plane, 3: spheres and hulls in space"));
  h.seed = u64(in.integer("seed", 0, 1000000000000, 1, "seed of all random numbers"));
  h.replicates = in.integer("replicates", 1, 1000, 1, "number of runs, with seed, seed + 1, ...");
  h.device = in.choice("device", {"cpu", "cuda"}, "cpu", "where to run");
  return h;
}

namespace {

// The methods there are, and which of them the scene takes: all of them read their tables, so that a scene may be run by any.
template <int D>
void read_methods(Input& in, lab::Experiment<D>& x) {
  for (const auto& kind : lab::method_kinds<D>()) {
    const bool chosen = kind.word == x.method->word();
    const auto other = chosen ? nullptr : kind.make();
    (chosen ? *x.method : *other).read(in, chosen);
  }
}

// Are grains of the plane spheres with Hertz contacts, or discs per metre?
template <int D>
bool reads_spheres_in_plane(const Input& in, const Model<D>& model) {
  bool hertz = false, linear = false;
  if (D == 2)
    for (const u32 law : model.pairs.law)
      if (law != no_law) (law_names()[law].starts_with("hertz") ? hertz : linear) = true;
  if (hertz && linear)
    in.fail("contact",
            "in the plane Hertz and linear laws do not mix: Hertz grains are spheres, linear ones discs per metre",
            "state one family of laws for all pairs");
  return hertz;
}

template <int D>
std::vector<Group> read_groups(Input& in, Scene<D>& scene, u64 seed, bool spheres_in_plane) {
  lab::Experiment<D>& x = scene.experiment;
  const auto names = in.names("grains", "groups of grains");
  if (names.empty()) in.fail("grains", "the scene has no grains", "add a table such as [grains.sand]");
  const auto grains = in.table("grains", true, "groups of grains");
  const int power = D == 3 || spheres_in_plane ? 3 : 2;
  std::vector<Group> groups;
  const Real solid = names.size() == 1 ? stated_solid<D>(in, x.model) : 0;
  for (const auto& name : names)
    groups.push_back(read_group<D>(*grains, name, x.model, *x.method, seed, power, scene.target, solid));
  if constexpr (D == 2) x.method->check_laws(in, x.model, has_blocks(in, groups));
  return groups;
}

// Grains at their places, group after group.
template <int D>
std::vector<sampling::Ball<D>> place_groups(std::vector<Group>& groups, State<D>& state, u64 seed, const sampling::Within<D>& within) {
  std::vector<sampling::Ball<D>> balls;
  std::vector<std::pair<Vec<D>, Real>> taken;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    const auto placed = place_group(groups[k], state, seed + 1000003 * k, taken, within);
    for (std::size_t i = 0; i < placed.size(); ++i) {
      balls.push_back(placed[i]);
      taken.emplace_back(placed[i].position, groups[k].polygons.empty() && groups[k].hull.empty() ? placed[i].radius : groups[k].reach(i));
    }
  }
  return balls;
}

// Sizes whose masses or inertias are no numbers any more, or that squares of lengths and forces would lose.
template <int D>
void check_sizes(const Input& in, const State<D>& state) {
  constexpr Real smallest = 1e-12, largest = 1e9;  // m
  const Bodies<D>& b = state.bodies;
  for (std::size_t i = 0; i < state.grains(); ++i)
    if (!(b.radius[i] >= smallest && b.radius[i] <= largest) || !std::isnormal(b.mass[i]) ||
        !std::isfinite(b.inverse_mass[i]) || !std::isfinite(b.inverse_inertia[i]))
      in.fail("grains",
              fmt::format("grain {} has a radius of {} m and a mass of {} kg, which is out of range for computing", b.uid[i],
                          b.radius[i], b.mass[i]),
              fmt::format("radii go from {} m to {} m", smallest, largest));
}

// The sample: grains and walls, placed or taken from another run.
template <int D>
void read_bodies(Input& in, Scene<D>& scene, std::vector<Group>& groups, u64 seed, bool spheres_in_plane) {
  lab::Experiment<D>& x = scene.experiment;
  const std::vector<sampling::Ball<D>> balls = place_groups(groups, x.state, seed, read_within(in, x.model, x.state.globals.cell));
  for (const auto& b : balls) scene.diameters.push_back(2 * b.radius);
  if (spheres_in_plane) {
    x.model.options.spheres_in_plane = true;
    x.model.options.thickness = sampling::passing_diameter(scene.diameters, 0.5, 3);
  }
  const auto walls = read_boundaries(in, x.model, x.state, groups);
  bool blocks = false;
  if constexpr (D == 2) {
    blocks = has_blocks(in, groups);
    for (const auto& wall : walls)
      if (blocks && !wall.shape.is_flat())
        in.fail("boundary", "wall '" + wall.name + "': polygons meet flat walls so far", "take planes, a box or platens");
    if (blocks) sampling::assemble(x.model, x.state, blocks_of(groups, balls, seed), walls);
  }
  bool hulls = false;
  if constexpr (D == 3) {
    for (const Group& g : groups) hulls = hulls || !g.hull.empty();
    for (const Group& g : groups)
      if (hulls && g.hull.empty()) in.fail("grains", "hulls and spheres do not meet yet", "give all groups the same shape");
    for (const auto& wall : walls)
      if (hulls && wall.shape.has_edge())
        in.fail("boundary", "wall '" + wall.name + "': hulls meet planes and cylinders so far", "take planes, a box, platens or a cylinder");
    if (hulls) {
      const Aggregates all = aggregates_of(groups, balls, seed);
      sampling::assemble(x.model, x.state, all.hulls, all.grains, walls);
    }
  }
  check_motion(in, balls, x.model.options.rotation, blocks);
  if (!blocks && !hulls) sampling::assemble(x.model, x.state, balls, walls);
  check_sizes(in, x.state);
  read_sample(in, x);
  u32 first = 0;
  for (Group& g : groups) {
    read_temperature(*g.table, x.state, first, g.diameters.size(), hash_join(seed, hash_text(g.name)));
    first += u32(g.diameters.size());
  }
  if (x.state.grains() < scene.diameters.size()) {
    std::vector<Real> left;
    for (std::size_t i = 0; i < x.state.grains(); ++i) left.push_back(scene.diameters[x.state.bodies.uid[i]]);
    scene.diameters = std::move(left);
  }
}

template <int D>
void read_stages(Input& in, lab::Experiment<D>& x) {
  if (!in.has("stage")) in.fail("stage", "the scene has no stage", "add [[stage]] with kind = \"relax\", for example");
  bool frees_walls = false, closes = false;
  for (const auto& drive : x.model.drives) frees_walls = frees_walls || drive.control == WallControl::free;
  for (auto& table : in.tables("stage", "stages of the protocol, in order")) {
    x.stages.push_back(lab::read_stage<D>(*table));
    read_stage_walls(*table, *x.stages.back(), x.model, x.state);
    read_stage_friction(*table, *x.stages.back(), x.model);
    closes = check_stage(*table, *x.stages.back(), x) || closes;
    frees_walls = frees_walls || x.stages.back()->traits.frees_walls;
    for (const auto& [wall, drive] : x.stages.back()->walls)
      frees_walls = frees_walls || drive.control == WallControl::free;
  }
  if (frees_walls && x.state.bodies.applied.empty()) x.state.bodies.take_forces();
  if (closes) x.state.bodies.add(kept::closing);
}

template <int D>
void read_cadence(Input& in, lab::Experiment<D>& x) {
  lab::Cadence& cadence = x.cadence;
  const auto probes = in.table("probes", false, "what goes into series.csv");
  cadence.probe_every = probes->integer("every", 1, 1000000000, 1000, "steps between rows");
  cadence.porosity_ball = probes->number(
      "porosity_ball", dim::none, Range::closed(0, 1), 0.0,
      "diameter of a ball in the middle whose porosity is measured too, over the smallest edge; 0: none");
  cadence.chains =
      probes->flag("chains", false, "look for force chains: columns of the series and a picture; in the plane");
  if (cadence.chains && D == 3) probes->fail("chains", "force chains are looked for in the plane", "leave it out");
  cadence.wall_loads = probes->flag("wall_loads", false,
                                    "force and moment on each wall, all components: columns of the series");
  const auto output = in.table("output", false, "what is written when");
  cadence.hash_every = output->integer("hash_every", 1, 1000000000, 1000, "steps between links of the hash chain");
  cadence.checkpoint_every = output->integer("checkpoint_every", 100, 1000000000, 50000, "steps between checkpoints");
  cadence.film_every = output->integer("film_every", 0, 1000000000, 0, "steps between frames of the film, an animated PNG; 0: as film_frames says");
  cadence.film_frames = output->integer("film_frames", 0, 1000, 24, "frames of the film through the test, evenly by its progress; 0: no film");
  cadence.vtk = output->flag("vtk", true, "write files for ParaView");
  cadence.vtk_every = output->integer("vtk_every", 0, 1000000000, 0, "steps between these files; 0: as vtk_frames says");
  cadence.vtk_frames = lab::frames_within_limit(
      x, output->integer("vtk_frames", 0, 100000, 50,
                         "files through the test, evenly by its progress, besides those at the ends of stages; fewer, at least 5, where they would take more than 250 MB"));
}

// Grains, how they touch, and the walls around them. Side forces: Pa.
template <int D>
Real read_grains(Input& in, Scene<D>& scene, std::vector<Group>& groups, u64 seed, const FindParent<D>& find, lab::Origin& origin) {
  lab::Experiment<D>& x = scene.experiment;
  read_methods(in, x);  // the law of contacts may stand there
  x.model.coat = x.method->coat();
  x.model.materials = read_materials(in, x.method->needs_laws());
  read_pairs(in, x.model, x.method->needs_laws(), x.method->law());
  read_multi_contact(in, x.model, *x.method);
  read_dynamics(in, x);

  const bool spheres_in_plane = reads_spheres_in_plane(in, x.model);
  if (takes_cell(in)) {
    x.model.options.spheres_in_plane = spheres_in_plane;
    if constexpr (D == 2)
      if (has_membrane(in)) in.fail("boundary", "a membrane around copies of a cell is not there yet", "take walls, or hold grains: sample.hold");
    origin = read_replicas(in, x, scene.diameters, find);
  } else {
    groups = read_groups(in, scene, seed, spheres_in_plane);
    read_cell(in, x.state, groups);
    read_bodies(in, scene, groups, seed, spheres_in_plane);
  }
  Real side_stress = 0;
  if constexpr (D == 2) {
    side_stress = read_side_forces(in, x.model, x.state);
    if (side_stress > 0 && in.has("sample"))
      in.fail("sample", "side forces are shared out among grains that stand in line, as they are placed",
              "leave one of the two out");
    read_membrane(in, x.model, x.state, groups);
  }
  return side_stress;
}

// Particles of a method that has no grains, and the walls around them.
template <int D>
void read_continuum(Input& in, lab::Experiment<D>& x) {
  x.model.materials = read_densities(in);
  read_dynamics(in, x);
  read_methods(in, x);
  read_cell(in, x.state, {});
  sampling::assemble(x.model, x.state, std::vector<sampling::Ball<D>>{}, read_boundaries(in, x.model, x.state, {}));
  x.method->place(in, x.model, x.state);
}

}  // namespace

template <int D>
Scene<D> build(Input& in, u64 seed, const FindParent<D>& find) {
  Scene<D> scene;
  lab::Experiment<D>& x = scene.experiment;
  x.title = in.text("title", "untitled", "what the scene is");
  x.model.seed = seed;
  x.method = lab::make_method<D>(read_heading(in).method);
  x.method->check_dimension(in);
  std::vector<Group> groups;
  lab::Origin origin;
  Real side_stress = 0;
  if (x.method->has_grains())
    side_stress = read_grains(in, scene, groups, seed, find, origin);
  else
    read_continuum(in, x);
  x.method->check_start(in, x.model, x.state);
  x.dt_start = x.method->first_step(x.model, x.state).dt;
  if (!std::isnormal(x.dt_start))
    in.fail("material", fmt::format("the first time step would be {} s, which is out of range for computing", x.dt_start),
            "look at density, stiffness and sizes of the grains");
  read_analysis(in, x, groups, side_stress, origin);
  read_stages(in, x);
  read_cadence(in, x);
  return scene;
}

template Scene<2> build(Input&, u64, const FindParent<2>&);
template Scene<3> build(Input&, u64, const FindParent<3>&);

}  // namespace talus::scene
