#include <talus/scene/read_wall_tests.hpp>

#include <algorithm>

#include <talus/lab/cone_test.hpp>
#include <talus/lab/cyclic_analysis.hpp>
#include <talus/lab/slope.hpp>
#include <talus/lab/wall_tests.hpp>
#include <talus/scene/common.hpp>
#include <talus/stages/walls.hpp>

namespace talus::scene {
namespace {

// The first stage of a kind: its number and its table.
struct FoundStage {
  std::size_t index = 0;
  std::unique_ptr<Input> table;
};
FoundStage find_stage(Input& scene, Input& in, const std::string& kind) {
  FoundStage found;
  std::size_t index = 0;
  for (auto& table : scene.tables("stage", "stages of the protocol, in order")) {
    if (!found.table && table->text("kind", "", "what the stage does") == kind) found = {index, std::move(table)};
    ++index;
  }
  if (!found.table) in.fail("kind", "this test needs a stage of kind " + kind, "add [[stage]] with kind = \"" + kind + "\"");
  return found;
}

template <int D>
int axis_of_lid(Input& in, const lab::Experiment<D>& x, std::size_t lid) {
  const int axis = wall_shape(x.model, x.state, lid).axis();
  if (axis < 0) in.fail("lid", "this wall does not face along an axis", "use a platen");
  return axis;
}

template <int D>
void read_direct_shear(Input& scene, Input& in, lab::Experiment<D>& x) {
  const FoundStage slide = find_stage(scene, in, "slide");
  lab::DirectShearSettings<D> s;
  s.stage = slide.index;
  s.lid = read_wall_name(in, "lid", x.model, "wall that holds the normal stress: a [boundary.NAME]");
  axis_of_lid(in, x, s.lid);
  s.moved = walls_called(x.model, slide.table->text("walls", std::nullopt, "which wall, or which group of walls"));
  if (s.moved.empty()) in.fail("kind", "the stage slide names no wall and no group", known_walls(x.model));
  const Vec<D> velocity = to_vec<D>(slide.table->numbers("velocity", dim::speed, Range::any(), D, std::nullopt,
                                                         "velocity velocity of the walls; those that hold a load move along their plane"));
  if (!(length(velocity) > 0)) in.fail("kind", "the walls of the stage slide stand still", "state its velocity");
  s.way = (1 / length(velocity)) * velocity;
  s.from = dot(x.state.bodies.position[x.state.grains() + s.moved.front()], s.way);
  x.analysis = lab::direct_shear_analysis(s);
}

template <int D>
void read_drum(Input& in, lab::Experiment<D>& x, std::size_t last_stage) {
  if constexpr (D == 3) {
    lab::DrumSettings s;
    s.drum = read_wall_name(in, "drum", x.model, "the cylinder: a [boundary.NAME]");
    s.stage = last_stage;
    const WallShape<3>& shape = wall_shape(x.model, x.state, s.drum);
    const bool along_x = shape.section(0) > 0, along_y = shape.section(1) > 0;
    if (!along_x && !along_y) in.fail("drum", "this wall is no cylinder that lies along x or y", "use kind = \"cylinder\" with a horizontal axis");
    s.right = along_x ? 1 : 0;
    if (!(x.state.globals.gravity.z < 0)) in.fail("kind", "the bed of a drum lies under gravity along -z", "set dynamics.gravity");
    x.analysis = lab::drum_analysis(s);
  } else {
    (void)last_stage;
    in.fail("kind", "this test is of space", "set dimension = 3");
  }
}

template <int D>
void read_cone(Input& scene, Input& in, lab::Experiment<D>& x) {
  if constexpr (D == 3) {
    lab::ConeSettings s;
    s.stage = find_stage(scene, in, "slide").index;
    s.cone = read_wall_name(in, "cone", x.model, "the wall that is pushed in: a [boundary.NAME]");
    const auto axis = to_vec<3>(in.numbers("up", dim::none, Range::any(), 3, std::vector<Real>{0, 0, 1}, "direction from the tip of the cone to its sleeve"));
    if (!(length(axis) > 0)) in.fail("up", "the direction has no length", "");
    s.axis = (1 / length(axis)) * axis;
    const WallShape<3>& shape = wall_shape(x.model, x.state, s.cone);
    const Vec3 own = shape.turns_about();
    if (shape.widest() > 0 && !(dot(own, s.axis) > 1 - 1e-9)) in.fail("up", "the solid of revolution has another axis", "state that of its [boundary.NAME]");
    s.section = pi * shape.widest() * shape.widest();
    s.from = dot(x.state.bodies.position[x.state.grains() + s.cone], s.axis);
    x.analysis = lab::cone_analysis(s);
  } else {
    (void)scene, (void)x;
    in.fail("kind", "this test is of space", "set dimension = 3");
  }
}

}  // namespace

template <int D>
std::size_t read_wall_name(Input& in, const char* key, const Model<D>& model, const char* about) {
  std::vector<std::string> names;
  for (const auto& w : model.walls) names.push_back(w.name);
  const std::string name = in.choice(key, names, key, about);
  return std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
}

template <int D>
bool read_wall_test(Input& scene, Input& in, const std::string& kind, lab::Experiment<D>& x) {
  if (kind == "oedometer") {
    lab::OedometerSettings s;
    s.lid = read_wall_name(in, "lid", x.model, "wall that holds the stresses: a [boundary.NAME] or a wall of a box");
    s.axis = axis_of_lid(in, x, s.lid);
    x.analysis = lab::oedometer_analysis<D>(s);
  } else if (kind == "direct-shear") {
    read_direct_shear(scene, in, x);
  } else if (kind == "repose") {
    if (!(x.state.globals.gravity[D - 1] < 0)) in.fail("kind", "a heap lies under gravity along the last axis", "set dynamics.gravity");
    const std::vector<std::string> ways = D == 3 ? std::vector<std::string>{"x", "y"} : std::vector<std::string>{"x"};
    x.analysis = lab::repose_analysis<D>(in.choice("along", ways, "x", "axis along which the heap's surface falls")[0] - 'x');
  } else if (kind == "drum") {
    read_drum(in, x, scene.tables("stage", "stages of the protocol, in order").size() - 1);
  } else if (kind == "cone") {
    read_cone(scene, in, x);
  } else if (kind == "cyclic") {
    x.analysis = lab::cyclic_analysis<D>(find_stage(scene, in, "cyclic").index);
  } else {
    return false;
  }
  return true;
}

#define TALUS_INSTANTIATE(D)                                                                                        \
  template std::size_t read_wall_name(Input&, const char*, const Model<D>&, const char*);                           \
  template bool read_wall_test(Input&, Input&, const std::string&, lab::Experiment<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::scene
