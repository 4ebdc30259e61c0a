#include <talus/stages/drive_walls.hpp>

#include <talus/stages/wall_view.hpp>

namespace talus {
namespace {

// A wall that was free is driven again: what it carries is lost.
void catch_wall(State<2>& state, std::size_t i) {
  Bodies<2>& b = state.bodies;
  state.globals.removed_kinetic += 0.5 * b.mass[i] * dot(b.velocity[i], b.velocity[i]);
  b.mass[i] = b.inverse_mass[i] = 0;
  b.applied[i] = {};
}

}  // namespace

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
      state.bodies.applied[i] = d.load(box.area(w)) * box.direction(w);
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
