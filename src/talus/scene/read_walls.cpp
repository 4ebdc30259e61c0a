#include <talus/scene/read_walls.hpp>

#include <algorithm>
#include <cmath>
#include <set>

#include <talus/scene/common.hpp>
#include <talus/stages/walls.hpp>

namespace talus::scene {

namespace {

// A velocity across the direction of a wall that holds a load along it.
template <int D>
Vec<D> read_slide(Input& in, const WallShape<D>& shape) {
  const Vec<D> slide = to_vec<D>(in.numbers("slide", dim::speed, Range::any(), D, std::vector<Real>(D, 0.0),
                                            "velocity along the plane of a wall that holds a stress or a force"));
  if (std::abs(dot(slide, shape.direction())) > Real(1e-9) * length(slide))
    in.fail("slide", "it has a part along the wall's normal, where the load decides", "state a velocity along the wall's plane");
  return slide;
}

// About the axis of a cylinder, about the normal of a plane: the wall stays what it is.
template <int D>
Spin<D> read_spin(Input& in, const WallShape<D>& shape) {
  if constexpr (D == 3) {
    if (!in.has("spin")) return {};
    const Real rate = in.number("spin", dim::spin, Range::any(), std::nullopt,
                                "of a cylinder about its axis, of a plane about its normal through its point; right-handed");
    if (!(length(shape.turns_about()) > 0)) in.fail("spin", "a " + std::string(shape.name()) + " does not turn", "spin planes and cylinders");
    return rate * shape.turns_about();
  }
  (void)in, (void)shape;
  return {};
}

// Of a cylinder.
template <int D>
bool encloses(const WallShape<D>& shape) {
  bool any = shape.own_area(0) > 0;
  for (int k = 0; k < D; ++k) any = any || shape.section(k) > 0;
  return any;
}

template <int D>
Real read_closing(Input& in, const WallShape<D>& shape) {
  if constexpr (D == 3) {
    if (!in.has("closing")) return 0;
    const Real speed = in.number("closing", dim::speed, Range::any(), std::nullopt, "speed at which a cylinder closes in on its axis; negative: it opens");
    if (!encloses(shape)) in.fail("closing", "it encloses nothing along an axis of space", "cylinders about x, y or z close in; move other walls by velocity");
    return speed;
  }
  (void)in, (void)shape;
  return 0;
}

}  // namespace

template <int D>
WallDrive<D> read_drive(Input& in, const WallDrive<D>& before, const WallShape<D>& shape) {
  WallDrive<D> d = before;
  d.velocity = {};
  d.spin = {};
  d.radius_rate = 0;
  d.radial = 0;
  const std::string control =
      in.choice("control", {"fixed", "velocity", "displacement", "force", "stress", "free", "away"}, "fixed",
                "how the wall is driven; free: a body with a mass that does not turn, under a stress or a force and "
                "its own weight "
                "(method impulse); away: it is removed when the stage begins");
  if (control == "fixed" || control == "away") {
    d.control = control == "away" ? WallControl::away : WallControl::fixed;
  } else if (control == "velocity") {
    d.control = WallControl::velocity;
    d.spin = read_spin(in, shape);
    d.radius_rate = read_closing(in, shape);
    const bool moves = !(d.spin == Spin<D>{}) || d.radius_rate != 0;
    const std::optional<std::vector<Real>> still = moves ? std::optional(std::vector<Real>(D, 0.0)) : std::nullopt;
    d.velocity = to_vec<D>(in.numbers("velocity", dim::speed, Range::any(), D, still, "velocity of the wall"));
  } else if (control == "displacement") {
    d.control = WallControl::velocity;
    const Real duration =
        in.number("duration", dim::time, Range::positive(), std::nullopt, "time the displacement takes");
    d.velocity = (1 / duration) *
                 to_vec<D>(in.numbers("displacement", dim::length, Range::any(), D, std::nullopt, "travel of the wall"));
    d.until = duration;
  } else {
    const bool free = control == "free", force = control == "force" || (free && in.has("force"));
    if (free && force && in.has("stress")) in.fail("stress", "the wall has both a stress and a force", "keep one");
    d.control = free ? WallControl::free : WallControl::servo;
    d.by_force = force;
    d.radial = !free && shape.direction() == Vec<D>{};
    if constexpr (D == 3)
      if (d.radial && !encloses(shape)) in.fail("control", "a " + std::string(shape.name()) + " encloses nothing that could be pressed from all sides", "move it by velocity");
    if (free && shape.direction() == Vec<D>{}) in.fail("control", "a " + std::string(shape.name()) + " has no direction to move freely along", "use control = \"stress\": it closes in");
    d.target = force ? in.number("force", dim::force, Range::positive(), std::nullopt,
                                 "force of the sample on the wall to hold")
                     : in.number("stress", dim::pressure, Range::positive(), std::nullopt,
                                 "stress of the sample on the wall to hold");
    if (free) d.mass = in.number("mass", dim::mass, Range::positive(), std::nullopt, "mass of a free wall");
    if (!free)
      d.speed_max = in.number("speed_max", dim::speed, Range::positive(), std::nullopt, "fastest answer of the servo");
    if (!free)
      d.gain = in.number("gain", dim::none, {0, 10, true, false}, 0.05,
                         "relative error at which the servo runs at full speed");
    if (!free) d.velocity = read_slide(in, shape);
    if (!force)
      d.area = in.number("area", dim::area, Range::not_negative(), before.area,
                         "area the stress acts on; 0: spanned by the cell and the box");
  }
  return d;
}

namespace {

// The plane that a group placed for a collision will hit.
template <int D>
void collision_wall(Input& scene, const Model<D>& model, const State<D>& state, const std::vector<Group>& groups,
                    std::vector<sampling::PlacedWall<D>>& walls) {
  for (const auto& g : groups) {
    if (placement_of(*g.table) != "collision") continue;
    const auto place = g.table->table("place", true, "where the grains start");
    if (place->choice("target", {"sphere", "wall"}, "sphere", "target of the first grain") != "wall") continue;
    if (state.globals.cell.periodic[D - 1])
      scene.fail("cell", "a wall needs an edge that is not periodic", "set cell.periodic = [0, 0, 0]");
    const Real gap =
        place->number("gap", dim::length, Range::positive(), 1e-6 * g.diameters[0], "gap at the start");
    sampling::PlacedWall<D> p;
    p.name = "target";
    p.material = place->has("target_material") ? find_material(*place, "target_material", model.materials) : g.material;
    Vec<D> up{};
    up[D - 1] = 1;
    p.shape = WallPlane<D>::facing(up);
    p.position[D - 1] = state.globals.cell.h(D - 1, D - 1) / 2 - g.diameters[0] / 2 - gap;
    p.drive.axis = D - 1;
    walls.push_back(p);
  }
}

template <int D>
std::vector<std::string> boundary_kinds() {
  std::vector<std::string> kinds{"box", "platen"};
  if (D == 3) kinds.emplace_back("flexible");
  WallShape<D>::for_each_kind([&](const auto& kind) {
    if (D == 3 || !requires { kind.is_of_space; }) kinds.emplace_back(kind.name);
  });
  if (D == 2) kinds.insert(kinds.end(), {"side-forces", "membrane"});
  return kinds;
}
std::string about_boundaries() {
  std::string about = "box: a wall on every face that is not periodic; platen: one on one face; flexible (3D): a cylinder of facets, each of which moves by itself; ";
  WallShape<3>::for_each_kind(
      [&](const auto& kind) { about += std::string(kind.name) + ": " + std::string(kind.about) + "; "; });
  return about +
         "side-forces (2D): held forces on the outermost grains; membrane (2D): a held pressure on whatever grains are "
         "outermost";
}

template <int D>
std::vector<std::string> faces_of_cell() {
  std::vector<std::string> faces;
  for (int k = 0; k < D; ++k)
    for (const char* side : {"_low", "_high"}) faces.push_back(std::string(1, axis_names[k]) + side);
  return faces;
}

template <int D>
sampling::PlacedWall<D> face_wall(const Cell<D>& cell, const std::string& face, const std::string& name, u32 material) {
  const int k = face[0] - 'x';
  const bool low = face.substr(2) == "low";
  sampling::PlacedWall<D> p;
  p.name = name;
  p.material = material;
  Vec<D> in{};
  in[k] = low ? 1 : -1;
  p.shape = WallPlane<D>::facing(in);
  if (!low) p.position[k] = cell.h(k, k);
  p.drive.axis = k;
  return p;
}

std::string read_group_of_wall(Input& in, const std::string& of_all) {
  return in.text("group", of_all, "walls with the same word are a group, which a stage moves as one");
}

// A wall on every face that is not periodic; each knows the others, which bound it.
template <int D>
void read_box(Input& in, const std::string& name, u32 material, const Cell<D>& cell,
              std::vector<sampling::PlacedWall<D>>& walls) {
  const std::size_t first = walls.size();
  const std::string group = read_group_of_wall(in, "");
  for (const auto& face : faces_of_cell<D>())
    if (!cell.periodic[face[0] - 'x']) walls.push_back(face_wall(cell, face, name + "_" + face, material));
  if (walls.size() == first)
    in.fail("kind", "every edge of the cell is periodic, so a box has no walls", "set cell.periodic = [0, 0, 0]");
  for (std::size_t w = first; w < walls.size(); ++w)
    for (std::size_t o = first; o < walls.size(); ++o) {
      const int k = walls[o].drive.axis;
      if (k == walls[w].drive.axis) continue;
      (walls[o].shape.faces_along(k) > 0 ? walls[w].drive.low : walls[w].drive.high)[k] = i32(o);
    }
  for (std::size_t w = first; w < walls.size(); ++w) {
    const std::string face = walls[w].name.substr(name.size() + 1);
    walls[w].group = group;
    if (in.has(face)) {
      const auto own = in.table(face, true, "how this wall is driven");
      walls[w].drive = read_drive<D>(*own, walls[w].drive, walls[w].shape);
      walls[w].group = read_group_of_wall(*own, walls[w].group);
    }
  }
}

// A cylinder of facets around the last axis, all of one group. They are driven alike, each by what it feels itself.
template <int D>
void read_flexible(Input& in, const std::string& name, u32 material, const Cell<D>& cell, std::vector<sampling::PlacedWall<D>>& walls) {
  const Real diameter = in.number("diameter", dim::length, Range::positive(), std::nullopt, "of the cylinder");
  const auto columns = u32(in.integer("columns", 3, 100, 12, "facets around the axis"));
  const auto rows = u32(in.integer("rows", 1, 100, 6, "facets along it"));
  for (int k = 0; k < D; ++k)
    if (cell.periodic[k]) in.fail("kind", std::string("the cell is periodic along ") + axis_names[k] + ": a flexible wall stands between two platens", "set cell.periodic = [0, 0, 0]");
  Vec<D> axis{};
  axis[D - 1] = 1;
  for (u32 r = 0; r < rows; ++r)
    for (u32 c = 0; c < columns; ++c) {
      sampling::PlacedWall<D> wall;
      wall.name = name + "_" + std::to_string(r) + "_" + std::to_string(c);
      wall.material = material;
      for (int k = 0; k + 1 < D; ++k) wall.position[k] = cell.h(k, k) / 2;
      wall.shape = WallFacet<D>::of(axis, diameter / 2, 0, cell.h(D - 1, D - 1), columns, rows, c, r);
      wall.drive = read_drive<D>(in, wall.drive, wall.shape);
      wall.group = name;
      walls.push_back(wall);
    }
}

// A platen, or a wall of a shape of its own.
template <int D>
sampling::PlacedWall<D> read_wall(Input& in, const std::string& name, const std::string& kind, u32 material,
                                  const Cell<D>& cell) {
  sampling::PlacedWall<D> wall;
  if (kind == "platen") {
    wall = face_wall(cell, in.choice("face", faces_of_cell<D>(), std::nullopt, "face of the cell"), name, material);
  } else {
    wall.name = name;
    wall.material = material;
    for (int k = 0; k < D; ++k) wall.position[k] = cell.h(k, k) / 2;
    wall.shape = WallShape<D>::read(kind, in, wall.position);
  }
  for (int k = 0; k < D; ++k)
    if (cell.periodic[k] && wall.shape.cuts(k))
      in.fail(kind == "platen" ? "face" : wall.shape.placed_by(),
              std::string("the cell is periodic along ") + axis_names[k] + ", which this wall would cut",
              "set cell.periodic to 0 along this edge");
  const int along = wall.shape.axis();
  if (along >= 0) wall.drive.axis = along;
  wall.drive = read_drive<D>(in, wall.drive, wall.shape);
  wall.group = read_group_of_wall(in, "");
  bool has_area = along >= 0 || wall.drive.area > 0 || wall.shape.own_area(0) > 0;
  for (int k = 0; k < D; ++k) has_area = has_area || wall.shape.girth(k) > 0;
  if (!has_area && wall.drive.holds_stress())
    in.fail("area", "a slanted " + std::string(wall.shape.name()) + " under stress control needs its area",
            "state area, or control the force");
  return wall;
}

}  // namespace

template <int D>
std::vector<sampling::PlacedWall<D>> read_boundaries(Input& scene, const Model<D>& model, const State<D>& state,
                                                     const std::vector<Group>& groups) {
  std::vector<sampling::PlacedWall<D>> walls;
  collision_wall(scene, model, state, groups, walls);
  if (!scene.has("boundary")) return walls;
  const auto all = scene.table("boundary", true, "walls");
  for (const auto& name : scene.names("boundary", "walls")) {
    const bool has_control = std::any_of(name.begin(), name.end(), [](char c) { return (c >= 0 && c < 32) || c == 127; });
    if (has_control || name.find_first_of(",[]\"\\") != std::string::npos) {
      const std::string reason = "columns are called by the name of a wall: it has no comma, bracket, quote or control character";
      const std::string hint = "use letters, digits, '_' and '-'";
      has_control ? scene.fail("boundary", reason, hint) : all->fail(name, reason, hint);  // a message shows no such name
    }
    const auto in = all->table(name, true, "a wall or a box of walls");
    const std::string kind = in->choice("kind", boundary_kinds<D>(), std::nullopt, about_boundaries());
    if (kind == "side-forces" || kind == "membrane") continue;  // no wall
    const bool matters = model.pairs.materials > 0;  // of a continuum walls are not made of anything
    const u32 material = matters ? find_material(*in, "material", model.materials) : 0;
    if (kind == "flexible")
      read_flexible(*in, name, material, state.globals.cell, walls);
    else if (kind == "box")
      read_box(*in, name, material, state.globals.cell, walls);
    else
      walls.push_back(read_wall(*in, name, kind, material, state.globals.cell));
    std::set<std::string> names;
    for (const auto& wall : walls)
      if (!names.insert(wall.name).second)
        all->fail(name, "there are two walls '" + wall.name + "'", "give this one another name");
  }
  for (const auto& wall : walls)
    for (const auto& other : walls)
      if (!wall.group.empty() && wall.group == other.name)
        all->fail(wall.group, "the group '" + wall.group + "' is called as a wall is", "give the group another name");
  return walls;
}

Real read_side_forces(Input& scene, const Model<2>& model, State<2>& state) {
  Real stress = 0;
  if (!scene.has("boundary")) return stress;
  const auto all = scene.table("boundary", true, "walls");
  for (const auto& name : scene.names("boundary", "walls")) {
    const auto in = all->table(name, true, "a wall or a box of walls");
    if (in->choice("kind", boundary_kinds<2>(), std::nullopt, about_boundaries()) != "side-forces") continue;
    if (stress > 0) in->fail("kind", "the scene has side forces already", "keep one of the tables");
    if (state.globals.cell.periodic[0] || state.globals.cell.periodic[1])
      in->fail("kind", "side forces need a sample with free sides", "set cell.periodic = [0, 0]");
    stress = in->number("stress", dim::pressure, Range::positive(), std::nullopt,
                        "of all forces of a side over the height between the lowest and the highest centre");
    sampling::push_sides(state, stress * model.options.thickness);
  }
  return stress;
}

bool has_membrane(Input& scene) {
  if (!scene.has("boundary")) return false;
  const auto all = scene.table("boundary", true, "walls");
  for (const auto& name : scene.names("boundary", "walls"))
    if (all->table(name, true, "a wall or a box of walls")
            ->choice("kind", boundary_kinds<2>(), std::nullopt, about_boundaries()) == "membrane")
      return true;
  return false;
}

void read_membrane(Input& scene, Model<2>& model, State<2>& state, const std::vector<Group>& groups) {
  if (!scene.has("boundary")) return;
  const auto all = scene.table("boundary", true, "walls");
  for (const auto& name : scene.names("boundary", "walls")) {
    const auto in = all->table(name, true, "a wall or a box of walls");
    if (in->choice("kind", boundary_kinds<2>(), std::nullopt, about_boundaries()) != "membrane") continue;
    if (model.membrane.spacing > 0) in->fail("kind", "the scene has a membrane already", "keep one of the tables");
    if (!state.bodies.applied.empty())
      in->fail("kind", "a membrane and side forces push the same grains", "keep one of the tables");
    if (state.globals.cell.periodic[0] || state.globals.cell.periodic[1])
      in->fail("kind", "a membrane needs a sample with free sides", "set cell.periodic = [0, 0]");
    Membrane& m = model.membrane;
    m.stress = in->number("stress", dim::pressure, Range::positive(), std::nullopt,
                          "pressure on both sides, in stages with membrane = true");
    const Real rays = in->number("rays_per_diameter", dim::none, {1, 1000, false, false}, 20.0,
                                 "rays per mean diameter that find the outermost grains");
    Real sum = 0, count = 0;
    for (const Group& g : groups)
      for (const Real d : g.diameters) sum += d, ++count;
    m.spacing = sum / count / rays;
    std::vector<std::string> names;
    for (const auto& w : model.walls) names.push_back(w.name);
    for (const auto& [key, wall, up] : {std::tuple{"base", &m.base, 1}, std::tuple{"cap", &m.cap, -1}}) {
      const std::string which = in->choice(key, names, key, "the platen at this end: a [boundary.NAME]");
      *wall = u32(std::find(names.begin(), names.end(), which) - names.begin());
      if (wall_shape(model, state, *wall).faces_along(1) != up)
        in->fail(key, "the wall '" + which + "' does not face the sample along y",
                 up > 0 ? "use a platen with face = \"y_low\"" : "use a platen with face = \"y_high\"");
    }
    state.bodies.take_forces();
  }
}

template <int D>
void read_stage_friction(Input& table, lab::Stage<D>& stage, const Model<D>& model) {
  if (!table.has("friction") && !table.has("friction_from")) return;
  std::vector<std::string> names;
  for (const auto& m : model.materials) names.push_back(m.name);
  const std::string name =
      table.choice("friction_of", names, names.size() == 1 ? std::optional(names[0]) : std::nullopt,
                   "the material whose grains have another friction among themselves during the stage");
  lab::FrictionChange f;
  f.material = u32(std::find(names.begin(), names.end(), name) - names.begin());
  const Real own = model.pairs.coefficients[f.material * model.pairs.materials + f.material].friction;
  // Not with a default, which the resolved scene would state: whether it is stated decides below.
  f.to = table.has("friction") ? table.number("friction", dim::none, Range::not_negative(), std::nullopt,
                                              "friction of that material at the end of ramp_time; left out: its own")
                               : own;
  f.from = table.number("friction_from", dim::none, Range::not_negative(), f.to, "friction of that material at the start of the stage");
  if (table.has("friction") || stage.ramp_time > 0) stage.friction = f;  // else it is at its own value at once
}

// Walls that a stage drives otherwise than the scene does, one by one or all of a group. What is said of one wall counts more.
template <int D>
void read_stage_walls(Input& table, lab::Stage<D>& stage, const Model<D>& model, const State<D>& state) {
  if (!table.has("wall")) return;
  const auto walls = table.table("wall", true, "walls driven otherwise during this stage");
  const auto names = table.names("wall", "walls driven otherwise during this stage");
  for (const bool of_group : {false, true})
    for (const auto& name : names) {
      const std::vector<std::size_t> meant = walls_called(model, name);
      if (meant.empty()) walls->fail(name, "there is no wall '" + name + "'", known_walls(model));
      if (of_group != (find_wall(model, name) == model.walls.size())) continue;
      const auto in = walls->table(name, true, "a wall or a group");
      for (const std::size_t wall : meant) {
        WallDrive<D> base = model.drives[wall];
        base.until = 1e300;
        const WallDrive<D> drive = read_drive<D>(*in, base, wall_shape(model, state, wall));
        if (meant.size() > 1 && drive.is_loaded() && !(wall_shape(model, state, wall).own_area(0) > 0))
          in->fail("control", "the walls of a group move together, but each would hold a load of its own",
                   "hold the load by one wall: [stage.wall.NAME]");
        const auto is_stated = [&](const auto& other) { return other.first == wall; };
        if (std::none_of(stage.walls.begin(), stage.walls.end(), is_stated)) stage.walls.emplace_back(wall, drive);
      }
    }
}

#define TALUS_INSTANTIATE(D)                                                                              \
  template WallDrive<D> read_drive(Input&, const WallDrive<D>&, const WallShape<D>&);                                          \
  template std::vector<sampling::PlacedWall<D>> read_boundaries(Input&, const Model<D>&, const State<D>&, \
                                                                const std::vector<Group>&);               \
  template void read_stage_friction(Input&, lab::Stage<D>&, const Model<D>&);                             \
  template void read_stage_walls(Input&, lab::Stage<D>&, const Model<D>&, const State<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::scene
