#pragma once
// What keeps the centre of a particle before a wall. Densities are integrated: a film that is stretched along a wall thins at its
// rest density, without any pressure, and would thin into the wall. So particles have a size for walls: a linear spring without
// damping, nearer than a part of the spacing and beside the pressure of boundary particles. docs/design/029-sph.md (7).
#include <talus/exec/column.hpp>
#include <talus/geometry/wall_shape.hpp>

namespace talus::sph {

inline constexpr Real nearest_to_wall = 0.3;  // spacings, gap from which on a wall pushes
inline constexpr Real stops_at = 0.5;         // of the speed of sound: a particle as fast comes to the wall itself

template <int D>
struct WallContact {
  Span<const WallShape<D>> walls;
  Span<const Vec<D>> position;  // m, of walls
  Span<const u32> sticks;       // 1: nothing slips along it
  Real near = 0;                // m
  Real near_laid = 0;           // m, of total-Lagrangian bodies: half a spacing, nothing else keeps them before a wall

  struct Push {
    Vec<D> force{};   // N, on the particle
    Vec<D> rough{};   // N, the part of walls along which nothing slips
    Real energy = 0;  // J, held
  };
  TALUS_HD Push on(const Vec<D>& x, Real mass, Real sound_speed, bool laid) const {
    Push push;
    const Real reach = laid ? near_laid : near;
    const Real speed = stops_at * sound_speed / reach, stiffness = mass * speed * speed;  // N/m
    for (std::size_t w = 0; w < walls.size; ++w) {
      const Surface<D> surface = walls[w].at(x - position[w]);
      const Real depth = reach - surface.gap;
      if (!(depth > 0)) continue;
      push.force += stiffness * depth * surface.normal;
      if (sticks[w]) push.rough += stiffness * depth * surface.normal;
      push.energy += Real(0.5) * stiffness * depth * depth;
    }
    return push;
  }
  // Friction of the force of rough walls, against the motion along them; no more than stops it within a step.
  TALUS_HD static Vec<D> rub(const Push& push, const Vec<D>& velocity, Real friction, Real mass, Real dt) {
    const Real normal = length(push.rough);
    if (!(normal > 0 && friction > 0 && dt > 0)) return {};
    const Vec<D> along = reject(velocity, (1 / normal) * push.rough);
    const Real speed = length(along);
    return speed > 0 ? (-min(friction * normal / speed, mass / dt)) * along : Vec<D>{};
  }
};

}  // namespace talus::sph
