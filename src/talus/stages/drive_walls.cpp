#include <talus/stages/drive_walls.hpp>

#include <talus/stages/wall_view.hpp>

namespace talus {
namespace {

// A wall that was free is driven again: what it carries is lost.
template <int D>
void catch_wall(State<D>& state, std::size_t i) {
  Bodies<D>& b = state.bodies;
  state.globals.removed_kinetic += 0.5 * b.mass[i] * dot(b.velocity[i], b.velocity[i]);
  b.mass[i] = b.inverse_mass[i] = 0;
  b.applied[i] = {};
}

// Across its direction it goes where the axis of the wall that it follows will be at its height.
Vec3 following(const WallView<3>& box, const State<3>& state, std::size_t w) {
  const WallDrive<3>& d = box.drives[w];
  if (d.follows < 0) return {};
  const Globals<3>& g = state.globals;
  const WallDrive<3>& mould = box.drives[std::size_t(d.follows)];
  if (mould.control != WallControl::gyrate) return {};
  const Vec3 pivot = state.bodies.position[box.grains + std::size_t(d.follows)], at = state.bodies.position[box.grains + w];
  const Real later = at.z + g.dt * state.bodies.velocity[box.grains + w].z;
  const Vec3 way = pivot + mould.gyration.axis_at(later - pivot.z, g.time + g.dt) - at;
  return (1 / g.dt) * Vec3{way.x, way.y, 0};
}

}  // namespace

void drive_walls(const Model<3>& model, State<3>& state) {
  const Globals<3>& g = state.globals;
  Bodies<3>& b = state.bodies;
  const WallView<3> box = wall_view(model, state, 0);
  for (std::size_t w = 0; w < box.drives.size; ++w) {
    const std::size_t i = box.grains + w;
    const WallDrive<3>& d = box.drives[w];
    if (d.control == WallControl::free) {
      const Vec3 into = box.direction(w);
      b.mass[i] = d.mass;
      b.inverse_mass[i] = 1 / d.mass;
      b.applied[i] = d.load_at(box.area(w), g.time) * into;
      b.velocity[i] = dot(b.velocity[i], into) * into + following(box, state, w);
      b.spin[i] = {};
      continue;
    }
    if (b.inverse_mass[i] > 0) catch_wall(state, i);
    if (d.control == WallControl::gyrate) {
      b.orientation[i] = d.gyration.orientation(g.time);
      b.velocity[i] = {};
      b.spin[i] = d.gyration.spin(g.time, g.dt);
      continue;
    }
    const WallMotion<3> motion = d.motion(box.direction(w), 0, box.area(w), g.time, g.dt);
    b.velocity[i] = motion.velocity;
    b.spin[i] = motion.spin;
  }
}

void drive_walls(const Model<2>& model, State<2>& state, Real sleeve) {
  Globals<2>& g = state.globals;
  const WallView<2> box = wall_view(model, state, sleeve);
  bool limited = false;
  for (std::size_t w = 0; w < box.drives.size; ++w) {
    const std::size_t i = box.grains + w;
    const WallDrive<2>& d = box.drives[w];
    if (d.control == WallControl::free) {
      state.bodies.mass[i] = d.mass;
      state.bodies.inverse_mass[i] = 1 / d.mass;
      state.bodies.applied[i] = d.load_at(box.area(w), g.time) * box.direction(w);
      state.bodies.spin[i] = {};
      continue;
    }
    if (state.bodies.inverse_mass[i] > 0) catch_wall(state, i);
    const Real pushed = box.pushed(w, state.bodies.force[i]), area = box.area(w);
    limited = limited || d.is_limited(pushed, area);
    const WallMotion<2> motion = d.motion(box.direction(w), pushed, area, g.time, g.dt);
    state.bodies.velocity[i] = motion.velocity;
    state.bodies.spin[i] = motion.spin;
  }
  const Mat<2> stress = (1 / box.volume()) * g.virial;
  g.cell.rate = model.cell.rate(stress);
  g.servo_limited += model.cell.is_limited(stress) || limited;
}

}  // namespace talus
